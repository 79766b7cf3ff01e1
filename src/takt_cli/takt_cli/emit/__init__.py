# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Applications as ROS 2 packages: source that a person can read, build and go on from."""
