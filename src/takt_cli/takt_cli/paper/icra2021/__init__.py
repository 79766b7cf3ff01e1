# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A paper of ICRA 2021: cycles of request and response in ROS 2 and OROCOS, and whether delays accumulate."""
