# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of an application under each executor: the processes that are started, and a run where rclcpp is installed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from repository import ROOT

from takt_cli.chart.style import COLOURS, DARK
from takt_cli.cli.main import cli
from takt_cli.report.texts import EXECUTOR_DESCRIPTIONS
from takt_cli.run.settings import RunSettings, launches
from takt_cli.spec.executors import ALL_EXECUTORS, EXECUTORS, RCLCPP, schedules
from takt_cli.spec.load import read_spec

PLANNER = ROOT / "examples" / "planner.yaml"


@pytest.mark.parametrize(
    ("executor", "expected"),
    [
        ("takt", [("--executor", "takt")]),
        ("takt-rclcpp", [("--executor", "takt-rclcpp")]),
        ("baseline0", [("--executor", "stock", "--os-priority", "46")]),
        ("rclcpp-single", [("--executor", "rclcpp-single", "--os-priority", "46")]),
        ("rclcpp-multi", [("--executor", "rclcpp-multi", "--os-priority", "46")]),
        ("rclcpp-events", [("--executor", "rclcpp-events", "--os-priority", "46")]),
    ],
)
def test_an_executor_starts_its_programs(executor: str, expected: list[tuple[str, ...]]) -> None:
    settings = RunSettings(read_spec(PLANNER, None), executor, 10**9, 0, (0,))
    assert [launch.arguments for launch in launches(settings)] == expected


def test_each_executor_has_a_description_and_a_colour() -> None:
    for name in ALL_EXECUTORS:
        assert {name} <= EXECUTOR_DESCRIPTIONS.keys() & COLOURS.keys() & DARK.keys()
    assert [name for name in ALL_EXECUTORS if schedules(name)] == ["takt", "takt-rclcpp"]


@pytest.mark.parametrize("executor", [name for name in ALL_EXECUTORS if name not in EXECUTORS])
def test_an_executor_for_rclcpp_runs_or_says_that_there_is_no_rclcpp(executor: str, tmp_path: Path) -> None:
    options = ["--executor", executor, "--duration", "0.5", "--warmup", "0.1", "--out", str(tmp_path / "r"), "--json"]
    result = CliRunner().invoke(cli, ["run", str(PLANNER), *options])
    if result.exit_code != 0:
        assert "takt was built without rclcpp" in result.stderr
        assert "TAKT_REQUIRE_RCLCPP" not in os.environ
        assert not (tmp_path / "r").exists()
        return
    summary = json.loads(result.stdout)
    assert summary["executor"] == executor
    assert summary["totals"]["jobs"] > 0
    assert (summary["policy_in_use"] == summary["policy"]) == (executor not in RCLCPP)


@pytest.mark.parametrize(
    "words",
    [
        ["run", str(PLANNER), "--executor", "rclcpp-events"],
        ["demo", "--quick", "--executors", "takt,rclcpp-events"],
        ["batch", str(PLANNER.parent), "--executors", "takt,rclcpp-events", "--runs", "1"],
        ["measure", "timers", "--callbacks", "1", "--period", "10ms", "--executor", "takt", "rclcpp-events"],
    ],
    ids=lambda words: words[0],
)
def test_an_executor_that_was_not_built_is_reported_before_anything_runs(
    words: list[str], stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_LACKS", "rclcpp-events")
    result = CliRunner().invoke(cli, [*words, "--out", "out"])
    assert result.exit_code == 1
    # The message names the option that the user gave.
    option = "--executors" if "--executors" in words else "--executor"
    assert f"{option} rclcpp-events: there is no rclcpp" in result.stderr
    assert list(stand_ins.iterdir()) == []


def test_the_demo_takes_them_in_the_order_asked_for(stand_ins: Path) -> None:
    result = CliRunner().invoke(
        cli, ["demo", "--quick", "--executors", "rclcpp-events,takt-rclcpp", "--out", "demo", "--json"]
    )
    assert result.exit_code == 0, result.stderr
    demo = json.loads(result.stdout)
    assert list(demo["executors"]) == ["rclcpp-events", "takt-rclcpp"]
    assert demo["sentences"][1].startswith("takt-rclcpp met every one of")
    page = Path("demo/page.html").read_text("utf-8")
    assert "One application, two executors" in page
    assert "var(--rclcpp-events)" in page
    refused = CliRunner().invoke(cli, ["demo", "--executors", "takt,rclcpp"])
    assert refused.exit_code == 2
    assert "'rclcpp' is not an executor" in refused.stderr
