# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Gutierrez and others, 2018: round trips of two ROS 2 nodes under load and traffic."""
