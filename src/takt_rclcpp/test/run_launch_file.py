# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Does what `ros2 launch FILE` does, until the control loop of the example's nodes has sent 200 commands."""

import sys
import threading

import rclpy
from launch import LaunchDescription, LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import AnyLaunchDescriptionSource
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import Float64

COMMANDS = 200


def wait_for_commands(context: Context) -> None:
    """Returns when all commands have arrived, or the context is shut down."""
    node = rclpy.create_node("watches_commands", context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    commands = []
    node.create_subscription(Float64, "command", commands.append, 10)
    while context.ok() and len(commands) < COMMANDS:
        executor.spin_once(timeout_sec=1.0)
    node.destroy_node()


service = LaunchService()
service.include_launch_description(
    LaunchDescription([IncludeLaunchDescription(AnyLaunchDescriptionSource(sys.argv[1]))])
)
context = Context()
rclpy.init(context=context)


def watch() -> None:
    wait_for_commands(context)
    service.shutdown()


watcher = threading.Thread(target=watch)
watcher.start()
status = service.run()
context.try_shutdown()
watcher.join()
sys.exit(status)
