# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of time limits: a program that waits too long reports what it waits for, since its own limit is shorter than
that of the command that watches it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from run_results import read_json
from spec_samples import GOOD

from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.host.programs import find_program
from takt_cli.run.limits import Limits, limits_of_runners, limits_of_sides
from takt_cli.run.settings import Launch, RunSettings, launches

SHORT = ("--duration", "0.5", "--warmup", "0", "--out", "out")


def error_of(*arguments: str) -> str:
    result = CliRunner().invoke(cli, [*arguments])
    assert result.exit_code == 1, result.stderr
    return str(result.stderr).strip()


def match_timeouts(program: str) -> list[float]:
    """Return the time-outs, in s, that the processes of the program were given for the discovery of the others."""
    started: list[dict[str, Any]] = [json.loads(line) for line in Path("log").read_text("utf-8").splitlines()]
    # A program that only prints its transports has no such argument.
    mine = [each["args"] for each in started if each["name"] == program and each["args"]]
    return [int(arguments["--match-timeout-ns"]) / 1e9 for arguments in mine]


@pytest.mark.parametrize("executor", ["takt", "baseline1"])
def test_a_runner_has_a_shorter_limit_than_the_command_that_watches_it(
    executor: str, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    result = CliRunner().invoke(cli, ["run", str(spec), "--executor", executor, *SHORT])
    assert result.exit_code == 0, result.stderr
    waits = match_timeouts("runner")
    limits = limits_of_runners(len(waits))
    assert set(waits) == {limits.matching}
    assert limits.rest >= 20


@pytest.mark.parametrize(
    ("measure", "program", "transport"),
    [("round-trip", "round_trip", "--transport"), ("cyclic", "cyclic", "--executor")],
)
def test_the_sides_of_a_conversation_have_a_shorter_limit_than_the_command(
    measure: str, program: str, transport: str, stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    # With such a long time-out, a fixed limit of the command would be exceeded.
    options = (transport, "udp", "--rt", "none", "--rounds", "1", "--timeout", "70s", "--period", "100ms")
    result = CliRunner().invoke(cli, ["measure", measure, *options, *SHORT])
    assert result.exit_code in {0, 3}, (stand_ins, result.stderr)
    assert set(match_timeouts(program)) == {limits_of_sides(70.0).matching}
    assert limits_of_sides(70.0).rest > 70.0


def test_a_server_that_is_started_by_the_user_has_minutes_to_be_found() -> None:
    assert limits_of_sides(0.5, by_hand=True).matching >= 300
    assert limits_of_sides(0.5, by_hand=True).total > limits_of_sides(0.5, by_hand=True).matching


def test_the_missing_publisher_is_what_the_error_names(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_RUNNER", "unmatched")
    monkeypatch.setattr("takt_cli.run.experiment.limits_of_runners", lambda _: Limits(matching=0.5, rest=30.0))
    line = error_of("run", str(spec), "--executor", "takt", *SHORT)
    assert line == "takt: runner takt failed: runner: not ready: planner/plan on 'scan': 0 of 1 publishers"
    assert not Path("out").exists()


def test_the_message_of_the_process_that_failed_first_is_shown(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_RUNNER", "apart")
    monkeypatch.setenv("STAND_IN_LOG", str(Path("log").absolute()))
    line = error_of("run", str(spec), "--executor", "baseline1", *SHORT)
    assert line == "takt: runner baseline1.001 failed: runner: process 1 has a reason"


@pytest.mark.parametrize("executor", ["takt", "baseline1"])
@pytest.mark.parametrize("mode", ["long start", "late start", "long end"])
def test_programs_that_are_still_starting_or_ending_are_waited_for(
    mode: str, executor: str, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs that use the CPU at their start or end may exceed the time limit: many nodes take long to create and to
    destroy. So they may if only the last one starts late."""
    monkeypatch.setenv("STAND_IN_RUNNER", mode)
    monkeypatch.setattr("takt_cli.run.experiment.limits_of_runners", lambda _: Limits(matching=0.1, rest=0.9))
    monkeypatch.setattr("takt_cli.run.watch._ENDING", 1.5)
    # However little of the CPU a busy host gives them.
    monkeypatch.setattr("takt_cli.run.hang_detection._LEAST_SHARE", 1e-3)
    result = CliRunner().invoke(cli, ["run", str(spec), "--executor", executor, *SHORT])
    assert result.exit_code == 0, result.stderr
    assert read_json(Path("out"))["record"]["unended"] == []


def test_a_program_that_loops_at_its_end_is_not_waited_for(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its end the program uses the CPU for far longer than it took to start."""
    monkeypatch.setenv("STAND_IN_RUNNER", "endless end")
    monkeypatch.setattr("takt_cli.run.watch._ENDING", 0.5)
    monkeypatch.setattr("takt_cli.run.watch._ENDING_CPU", 0.5)
    monkeypatch.setattr("takt_cli.run.watch._ENDING_TO_STARTING", 0.0)
    result = CliRunner().invoke(cli, ["run", str(spec), "--executor", "baseline1", *SHORT])
    assert result.exit_code == 0, result.stderr
    assert read_json(Path("out"))["record"]["unended"] == ["runner baseline1.001"]


@pytest.mark.rights
@pytest.mark.programs
def test_a_real_runner_that_is_not_matched_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the node that reads is started, not the one that publishes."""
    try:
        find_program("runner")
    except HostError as error:
        pytest.skip(str(error))

    def the_reader(settings: RunSettings) -> list[Launch]:
        return launches(settings)[1:]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("takt_cli.run.experiment.launches", the_reader)
    monkeypatch.setattr("takt_cli.run.experiment.limits_of_runners", lambda _: Limits(matching=1.0, rest=60.0))
    Path("app.yaml").write_text(GOOD, "utf-8")
    line = error_of("run", "app.yaml", "--executor", "baseline1", *SHORT)
    assert line == (
        "takt: runner baseline1.001 failed: runner: not ready after 1 s: planner/plan on 'scan': 0 of 1 publishers"
    )
