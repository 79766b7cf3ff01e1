# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the choice of executors that empty timers are measured under."""

from __future__ import annotations

import pytest

from takt_cli.errors import UsageError
from takt_cli.results.timers import FLOOR_LOOP, FLOOR_RCLCPP, FLOOR_WAKEUP, TimersSettings, Variant
from takt_cli.run.timers import parse_variant


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("takt", Variant("takt", "takt", "rm", FLOOR_WAKEUP)),
        ("takt:np-rm", Variant("takt:np-rm", "takt", "np-rm", FLOOR_LOOP)),
        ("baseline0", Variant("baseline0", "stock", "ros", FLOOR_LOOP)),
        ("takt-rclcpp", Variant("takt-rclcpp", "takt-rclcpp", "rm", FLOOR_RCLCPP)),
        ("takt-rclcpp:np-edf", Variant("takt-rclcpp:np-edf", "takt-rclcpp", "np-edf", FLOOR_RCLCPP)),
        ("rclcpp-single", Variant("rclcpp-single", "rclcpp-single", "ros", FLOOR_RCLCPP)),
        ("rclcpp-multi", Variant("rclcpp-multi", "rclcpp-multi", "ros", FLOOR_RCLCPP)),
        ("rclcpp-events", Variant("rclcpp-events", "rclcpp-events", "ros", FLOOR_RCLCPP)),
    ],
)
def test_an_executor_by_its_name(text: str, expected: Variant) -> None:
    assert parse_variant(text, None) == expected


@pytest.mark.parametrize("text", ["rclcpp", "rclcpp-single:rm", "takt-rclcp", "takt-rclcpp:none", "baseline1"])
def test_invalid_executors_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--executor"):
        parse_variant(text, None)


@pytest.mark.parametrize(
    ("executors", "floors"),
    [
        (["takt", "baseline0"], [FLOOR_LOOP, FLOOR_WAKEUP]),
        (["takt", "rclcpp-events"], [FLOOR_LOOP, FLOOR_WAKEUP, FLOOR_RCLCPP]),
    ],
)
def test_the_floor_of_rclcpp_is_measured_with_its_nodes(executors: list[str], floors: list[str]) -> None:
    chosen = tuple(parse_variant(each, None) for each in executors)
    settings = TimersSettings(4, 4, 10**7, "equal", 10**9, 1, 0, chosen)
    assert [each.name for each in settings.everything] == executors + floors
