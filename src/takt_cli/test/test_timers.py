# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Which executors empty timers are measured under."""

from __future__ import annotations

import pytest

from takt_cli.errors import UsageError
from takt_cli.run.timers import FLOOR_HANDOVER, FLOOR_LOOP, Variant, variant


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("takt", Variant("takt", "takt", "rm", FLOOR_HANDOVER)),
        ("takt:np-rm", Variant("takt:np-rm", "takt", "np-rm", FLOOR_LOOP)),
        ("baseline0", Variant("baseline0", "stock", "ros", FLOOR_LOOP)),
        ("takt-rclcpp", Variant("takt-rclcpp", "takt-rclcpp", "rm", FLOOR_HANDOVER)),
        ("takt-rclcpp:np-edf", Variant("takt-rclcpp:np-edf", "takt-rclcpp", "np-edf", FLOOR_LOOP)),
        ("rclcpp-single", Variant("rclcpp-single", "rclcpp-single", "ros", FLOOR_LOOP)),
        ("rclcpp-multi", Variant("rclcpp-multi", "rclcpp-multi", "ros", FLOOR_LOOP)),
        ("rclcpp-events", Variant("rclcpp-events", "rclcpp-events", "ros", FLOOR_LOOP)),
    ],
)
def test_an_executor_by_its_name(text: str, expected: Variant) -> None:
    assert variant(text, None) == expected


@pytest.mark.parametrize("text", ["rclcpp", "rclcpp-single:rm", "takt-rclcp", "takt-rclcpp:none", "baseline1"])
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--executor"):
        variant(text, None)
