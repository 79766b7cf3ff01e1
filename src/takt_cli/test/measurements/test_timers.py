# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt measure timers` with a stand-in for its program, and of the choice of executors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from takt_cli.cli.main import cli
from takt_cli.errors import UsageError
from takt_cli.results.timers import FLOOR_LOOP, FLOOR_RCLCPP, FLOOR_WAKEUP, TimersSettings, Variant
from takt_cli.run.timers import parse_variant


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_timers_are_compared_with_their_floors(stand_ins: Path) -> None:
    arguments = ("measure", "timers", "--callbacks", "4", "--period", "10ms", "--duration", "1", "--out", "t")
    result = takt(*arguments, "--rounds", "2", "--executor", "takt", "takt:np-rm", "baseline0", "--json")
    assert result.exit_code == 0, result.stderr
    figures = json.loads(result.stdout)
    assert set(figures["executors"]) == {"takt", "takt:np-rm", "baseline0"}
    assert set(figures["floors"]) == {"floor-loop", "floor-wakeup"}
    mine = figures["executors"]["takt"]
    assert mine["cpu_us_per_callback"]["own"] == {"median": 3.0, "min": 3.0, "max": 3.0, "n": 2}
    assert mine["cpu_us_per_callback"]["process"]["median"] == 4.0
    assert (mine["floor"], mine["ratio_to_floor"]["median"]) == ("floor-wakeup", 1.5)
    assert figures["executors"]["takt:np-rm"]["ratio_to_floor"]["median"] == 3.0
    assert figures["executors"]["baseline0"]["ratio_to_floor"]["median"] == 12.0
    assert figures["executors"]["baseline0"]["ratio_to_floor_process"]["median"] == 6.5
    assert mine["jobs"] == {"released": 800, "run": 800, "skipped": 0, "unfinished": 0}
    assert mine["release_jitter_us"]["p50"] == 5.0
    assert mine["drift_us_per_min"]["slope"] is None  # a run of one second is too short for a slope per minute
    long = ("--duration", "10", "--rounds", "1", "--executor", "takt", "--json")
    figures = json.loads(takt("measure", "timers", "--callbacks", "1", "--period", "10ms", *long).stdout)
    assert figures["executors"]["takt"]["drift_us_per_min"]["slope"] == pytest.approx(0.0)


def test_timers_take_a_policy_for_a_plain_takt(stand_ins: Path) -> None:
    arguments = ("measure", "timers", "--callbacks", "2", "--period", "10ms", "--duration", "1", "--rounds", "1")
    figures = json.loads(takt(*arguments, "--executor", "takt", "--policy", "np-rm", "--json").stdout)
    assert figures["executors"]["takt:np-rm"]["floor"] == "floor-loop"
    assert figures["nodes"] == 2


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--period", "9"), "'9' has no unit"),
        (("--nodes", "5"), "--nodes 5: more than the 4 callbacks"),
        (("--executor", "takt:rx"), "there is no policy 'rx'"),
        (("--executor", "baseline1"), "baseline1"),
        (("--executor", "rclcpp"), "is not known"),
    ],
)
def test_timers_refuse_nonsense(options: tuple[str, ...], what: str, stand_ins: Path) -> None:
    result = takt("measure", "timers", "--callbacks", "4", "--period", "10ms", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert what in result.stderr
    assert not list(Path().iterdir())


def test_each_executor_and_floor_is_compared_by_its_costs(stand_ins: Path) -> None:
    arguments = ("measure", "timers", "--callbacks", "2", "--period", "10ms", "--duration", "1", "--rounds", "2")
    for place, executor in (("a", "takt"), ("b", "baseline0")):
        assert takt(*arguments, "--executor", "takt:np-rm", executor, "--out", place).exit_code == 0
    comparison = json.loads(takt("compare", "a", "b", "--json").stdout)
    metrics = {(each["executor_a"], each["metric"]): each for each in comparison["entries"]}
    assert {name for name, _ in metrics} == {"takt:np-rm", "floor-loop", "floor-wakeup"}
    assert metrics["takt:np-rm", "own CPU per callback"]["a"] == 3.0
    assert metrics["floor-wakeup", "CPU of the process per callback"]["b"] == 3.0
    assert metrics["takt:np-rm", "release jitter p50"]["difference"] == 0
    longer = (*arguments[:6], "--duration", "2", "--rounds", "1", "--out", "c")
    assert takt(*longer).exit_code == 0
    assert "duration (1000000000 / 2000000000)" in takt("compare", "a", "c").stderr
    assert "forced" in takt("compare", "a", "c", "--force").stdout


def test_a_result_of_another_version_is_refused(stand_ins: Path) -> None:
    arguments = ("measure", "timers", "--callbacks", "2", "--period", "10ms", "--duration", "1", "--rounds", "1")
    assert takt(*arguments, "--out", "a").exit_code == 0
    path = Path("a/result.json")
    path.write_text(path.read_text("utf-8").replace('"schema_version": 2', '"schema_version": 1'), "utf-8")
    refused = takt("report", "a")
    assert refused.exit_code == 1
    assert "a: has version 1 of its format, and this takt reads version 2; measure again" in refused.stderr


# ---- the choice of executors ---------------------------------------------------------------------------------


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
