# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A node of takt gets its scenarios from a strategy file, and rclpy requests them by a service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PATIENCE, Peer, Program

from takt_msgs.srv import SetScenario

STRATEGY = """
default: drive
scenarios:
  drive:
    policy: edf
    tasks:
      robot/work: {deadline: 15ms}
  dock:
    tasks:
      robot/work: {period: 10ms, deadline: 5ms}
"""


@pytest.fixture
def robot(start: Callable[..., Program], tmp_path: Path) -> Callable[[str], Program]:
    """Starts the program with a strategy file of this text."""

    def start_robot(strategy: str) -> Program:
        path = tmp_path / "schedule.yaml"
        path.write_text(strategy)
        return start("scenarios", "--ros-args", "-p", f"scheduling_strategy:={path}")

    return start_robot


def test_rclpy_asks_for_a_scenario(peer: Peer, robot: Callable[[str], Program]) -> None:
    program = robot(STRATEGY)
    program.wait_for("deadline 15")
    client = peer.node.create_client(SetScenario, "robot/set_scenario")
    assert client.wait_for_service(timeout_sec=PATIENCE)

    def ask(name: str) -> SetScenario.Response:
        return peer.answer(lambda: client.call_async(SetScenario.Request(name=name)), name)

    assert ask("drive").effect_ns == 0  # from now on the server knows the client
    answer = ask("dock")
    assert answer.success, answer.message
    if program.realtime():
        assert answer.effect_ns > 0
    else:
        # The scenario takes effect when the job that sends the response has ended.
        assert answer.effect_ns == -1
    program.wait_for("deadline 5")
    seen = len(program.lines)
    answer = ask("dcok")
    assert not answer.success
    assert answer.message == "no scenario 'dcok': there are drive, dock"
    assert ask("drive").success
    peer.spin_until(lambda: program.printed("deadline 15", since=seen), "the first scenario")
    # A request for the scenario that is already in effect takes no time.
    assert ask("drive").effect_ns == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "robot/work: {deadline",
            "robot/wrok: {deadline",
            ":7: scenarios.drive.tasks.robot/wrok: there is no such task",
        ),
        ("policy: edf", "policy: edff", ":5: scenarios.drive.policy: "),
        ("default: drive", "default: dirve", ":2: default: there is no scenario 'dirve'"),
        ("15ms", "25ms", ":7: scenarios.drive.tasks.robot/work: "),
        ("{deadline: 15ms}", "{subscribes: scan}", "does not subscribe to '/scan'"),
    ],
    ids=["task", "policy", "default", "deadline", "topic"],
)
def test_an_error_in_a_strategy_file_gives_one_line(
    robot: Callable[[str], Program], old: str, new: str, message: str
) -> None:
    assert old in STRATEGY
    program = robot(STRATEGY.replace(old, new))
    program.expected_status = 2
    assert program.exit_status() == 2
    # The middleware of Kilted also prints a line about its profile.
    errors = [line for line in program.errors if "[rmw_" not in line]
    assert len(errors) == 1
    assert "schedule.yaml" in errors[0]
    assert message in errors[0]
