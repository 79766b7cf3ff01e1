# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What `ros2 launch FILE` does, for where there is no `ros2`: Ctrl-C ends it."""

import sys

from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import AnyLaunchDescriptionSource

service = LaunchService()
service.include_launch_description(
    LaunchDescription([IncludeLaunchDescription(AnyLaunchDescriptionSource(sys.argv[1]))])
)
sys.exit(service.run())
