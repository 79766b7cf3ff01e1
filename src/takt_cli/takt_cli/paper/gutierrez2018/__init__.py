# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Gutierrez et al., 2018: round trips between two ROS 2 nodes under load and traffic."""
