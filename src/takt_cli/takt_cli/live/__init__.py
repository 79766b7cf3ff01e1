# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Access to running executors: finding them and querying them through ROS."""
