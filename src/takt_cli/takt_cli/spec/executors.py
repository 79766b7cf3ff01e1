# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The executors that an application may run under, by their names."""

from __future__ import annotations

EXECUTORS = ("takt", "baseline0", "baseline1")
# Of rclcpp, for its nodes; only where takt was built beside it.
RCLCPP = ("rclcpp-single", "rclcpp-multi", "rclcpp-events")
# takt's own, for nodes of rclcpp.
TAKT_RCLCPP = "takt-rclcpp"
ALL_EXECUTORS = (*EXECUTORS, TAKT_RCLCPP, *RCLCPP)


def schedules(executor: str) -> bool:
    """Whether it is takt that chooses what runs: by a policy, and with a plan of priorities of its own."""
    return executor in ("takt", TAKT_RCLCPP)
