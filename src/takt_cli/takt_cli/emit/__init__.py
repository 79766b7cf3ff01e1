# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Generation of ROS 2 packages from applications, as readable source to build and to extend."""
