# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The names of the executors that can run an application."""

from __future__ import annotations

EXECUTORS = ("takt", "baseline0", "baseline1")
# rclcpp's own executors, with rclcpp nodes; only in builds with rclcpp.
RCLCPP = ("rclcpp-single", "rclcpp-multi", "rclcpp-events")
# takt's executor for rclcpp nodes.
TAKT_RCLCPP = "takt-rclcpp"
ALL_EXECUTORS = (*EXECUTORS, TAKT_RCLCPP, *RCLCPP)


def schedules(executor: str) -> bool:
    """Return whether takt's scheduler decides what runs: by a policy, with thread priorities of its own."""
    return executor in ("takt", TAKT_RCLCPP)
