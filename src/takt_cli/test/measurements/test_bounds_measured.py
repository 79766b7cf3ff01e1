# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt measure bounds` with stand-ins for its programs, and of the task sets that are drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from takt_cli.analysis.bounds import analysed
from takt_cli.cli.main import cli
from takt_cli.measurements.bounds import BOUNDS, draw
from takt_cli.results.bounds import POLICIES
from takt_cli.results.json_file import encoded
from takt_cli.schedulability.model import Costs

ARGUMENTS = ("measure", "bounds", "--sets", "2", "--policy", "fp", "--duration", "1", "--out", "b", "--json")


def test_task_sets_are_simulated_run_and_judged(stand_ins: Path) -> None:
    result = CliRunner().invoke(cli, [*ARGUMENTS, "--seed", "1"])
    summary = json.loads(result.stdout)
    assert [run["folder"] for run in summary["runs"]] == ["set-01-fp", "set-02-fp"]
    assert {each.name for each in Path("b").iterdir()} == {
        *("result.json", "summary.json", "bounds.svg", "costs", "set-01-fp", "set-02-fp")
    }
    assert summary["totals"]["jobs"] > 100
    assert (summary["seed"], summary["costs_not_known"]) == (1, [])
    # The stand-ins run a job 10 us after its release; that of the highest priority may take its WCET and no longer.
    for run in summary["runs"]:
        assert {task["simulated_ns"] - task["wcet_ns"] for task in run["tasks"]} == {10_000}
    assert any(task["model_above"] for run in summary["runs"] for task in run["tasks"])
    assert (result.exit_code, summary["verdict"]["outcome"]) == (1, "fail")
    assert encoded(BOUNDS.summarise(BOUNDS.read(Path("b")))) == Path("b/summary.json").read_bytes()


def test_what_was_refused_cannot_be_judged(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_REFUSED", "SCHED_FIFO refused")
    summary = json.loads(CliRunner().invoke(cli, [*ARGUMENTS, "--seed", "1"]).stdout)
    assert summary["costs_not_known"] == ["SCHED_FIFO refused"]
    assert all(run["not_judged"] == ["SCHED_FIFO refused"] for run in summary["runs"])


@pytest.mark.parametrize("policy", POLICIES)
def test_sets_that_are_drawn_hold_and_are_the_same_for_a_seed(policy: str) -> None:
    utilisations, groups, readers = [], 0, 0
    for number in range(1, 16):
        drawn, spec = draw(3, number, policy)
        assert draw(3, number, policy)[1].text == spec.text
        application = spec.application
        assert (application.policy, application.name) == (policy, drawn.name)
        utilisations.append(application.utilisation)
        groups += any(len(node.callbacks) > 1 for node in application.nodes)
        readers += any(task.callback.reads for task in application.tasks)
        bounds = analysed(application, Costs()).responses
        assert all((bounds[task.index].response or 0) <= task.callback.deadline for task in application.tasks)
    assert 0.35 < min(utilisations) < 0.6 < max(utilisations) < 0.95
    assert min(groups, readers) > 0
