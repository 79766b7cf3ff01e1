# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The examples do what the comments at their beginning say."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest
from conftest import Peer, Program
from std_msgs.msg import String

EXAMPLES = Path(os.environ["TAKT_EXAMPLES"])


@pytest.fixture
def example(start: Callable[..., Program]) -> Callable[..., Program]:
    return lambda name, *arguments: start(str(EXAMPLES / name), *arguments)


@pytest.mark.parametrize("remap", [[], ["--ros-args", "-r", "chatter:=news"]], ids=["plain", "remapped"])
def test_the_listener_hears_the_talker(example: Callable[..., Program], remap: list[str]) -> None:
    listener = example("listener", *remap)
    example("talker", *remap)
    listener.wait_for("heard 'hello ")


def test_the_talker_is_heard_by_rclpy(peer: Peer, example: Callable[..., Program]) -> None:
    heard: list[str] = []
    peer.node.create_subscription(String, "chatter", lambda message: heard.append(message.data), 10)
    example("talker")
    # Messages that were published before the two nodes discovered each other are lost.
    peer.spin_until(lambda: len(heard) >= 3, "three messages")
    first = int(heard[0].removeprefix("hello "))
    assert heard == [f"hello {n}" for n in range(first, first + len(heard))]


@pytest.mark.parametrize(("executor", "stale"), [("stock", True), ("takt", False)])
def test_three_tasks_uses_old_data_only_under_the_stock_executor(
    example: Callable[..., Program], executor: str, stale: bool
) -> None:
    program = example("three_tasks", executor)
    assert program.exit_status() == 0
    match = re.fullmatch(r"task 3 used old data in (\d+) of 20 jobs", program.lines[-1])
    assert match is not None, program.lines[-1]
    assert (int(match[1]) > 0) == stale


@pytest.mark.parametrize("form", ["urgency", "comparator"])
def test_user_policy_runs_the_more_urgent_job_first_in_both_modes(example: Callable[..., Program], form: str) -> None:
    pairs = {"driving": ["camera", "arm"], "gripping": ["arm", "camera"]}
    right: set[str] = set()
    lines: list[str] = []
    # A line shows the order of four jobs of each timer. On a slow machine it may end between the two jobs of one
    # release and proves nothing: then the program is run again. Only the order of the policy is right in both modes.
    for _ in range(10):
        program = example("user_policy", form)
        assert program.exit_status() == 0
        lines += program.lines
        for line in program.lines:
            mode, _, order = line.partition(":")
            if order.split() == pairs[mode.strip()] * 4:
                right.add(mode.strip())
        if right == set(pairs):
            return
    raise AssertionError(lines)


@pytest.mark.parametrize(
    "form", [[], [str(Path(__file__).parents[1] / "examples" / "schedule.yaml")]], ids=["code", "yaml"]
)
def test_strategy_alternates_between_its_scenarios(example: Callable[..., Program], form: list[str]) -> None:
    program = example("strategy", *form)
    assert program.exit_status() == 0
    switches = [re.fullmatch(r"(\w+) in effect \d+\.\d us after the request", line) for line in program.lines]
    names = [match[1] for match in switches if match is not None]
    assert len(names) == len(program.lines), program.lines
    assert names == ["special_scenario", "default_scenario"] * 3, program.lines


@pytest.mark.parametrize(
    "form", [[], [str(Path(__file__).parents[1] / "examples" / "docking.yaml")]], ids=["code", "yaml"]
)
def test_docking_runs_the_sensor_first_only_in_the_scenario_dock(
    example: Callable[..., Program], form: list[str]
) -> None:
    usual = {"drive": "plan send sense", "dock": "sense plan send"}
    tried = []
    # On a slow machine, jobs are skipped, and those of two periods overlap: then the program is run again.
    for _ in range(10):
        program = example("docking", *form)
        assert program.exit_status() == 0
        tried.append(program.lines)
        lines = [line.split(";")[0].partition(": ") for line in program.lines[:-1]]
        scenarios = [name for name, _ in groupby(scenario for scenario, _, _ in lines)]
        right = [scenario for scenario, _, order in lines if order == usual[scenario]]
        whole = scenarios == ["drive", "dock", "drive"] and right.count("drive") >= 6 and right.count("dock") >= 3
        if whole and re.fullmatch(r"sensor data refreshed [1-9]\d* times", program.lines[-1]):
            return
    raise AssertionError(tried)


@pytest.mark.parametrize("name", ["docking", "strategy", "three_tasks", "user_policy"])
def test_a_wrong_argument_gives_a_one_line_error(example: Callable[..., Program], name: str) -> None:
    program = example(name, "nonsense")
    program.expected_status = 2
    assert program.exit_status() == 2
    assert len(program.errors) == 1
    assert program.errors[0].startswith(f"{name}: ")
