# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Executors that run now, found and asked through ROS."""
