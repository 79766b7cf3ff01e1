# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the experiment on data age: its applications, and the figures of its runs."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from run_results import UNSEEN, run_envelope

from takt_cli.analysis.data_age import AgedFigures, FiveFigures, data_age_summary, data_ages
from takt_cli.analysis.grid import Window
from takt_cli.analysis.result import Result
from takt_cli.cli.main import cli
from takt_cli.measurements.data_age import DATA_AGE
from takt_cli.results.json_file import encoded
from takt_cli.results.sample_files import JOBS, PUBLISHES, READS, STALLS
from takt_cli.results.verdict import Verdict
from takt_cli.spec.load import parse_spec
from takt_cli.synthetic.data_age_application import DataAgeCase, data_age_spec, shares

MS = 1_000_000


def takt(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["measure", "data-age", *arguments])


@pytest.mark.parametrize("nodes", [4, 20, 50])
def test_the_applications_are_those_of_the_thesis(nodes: int) -> None:
    app = parse_spec(data_age_spec(DataAgeCase(nodes, 40 * MS)).encode(), "a.yaml")
    reader, producer, *others = app.tasks
    assert len(others) == nodes
    assert app.utilisation == pytest.approx(0.75, abs=0.002)
    assert (reader.callback.period, reader.callback.priority) == (100 * MS, 98)
    assert (producer.callback.period, producer.callback.priority) == (50 * MS, 1)
    assert producer.callback.wcet <= MS
    assert reader.callback.bounds == {0: 40 * MS}
    assert producer.callback.extra_releases
    assert {task.callback.period for task in others} <= {10 * MS, 20 * MS, 40 * MS}
    assert all(task.callback.phase == 0 for task in app.tasks)
    without = parse_spec(data_age_spec(DataAgeCase(nodes, None)).encode(), "a.yaml")
    assert without.tasks[2:] == app.tasks[2:]
    assert not without.bounds_age


@given(st.integers(1, 60), st.floats(0.1, 0.9), st.integers(0, 1000))
def test_shares_add_up(count: int, total: float, seed: int) -> None:
    made = shares(count, total, random.Random(seed))
    assert len(made) == count
    assert min(made) >= 0
    assert sum(made) == pytest.approx(total)


def test_every_part_is_simulated_and_run(stand_ins: Path) -> None:
    result = takt("--nodes", "4", "--nodes", "4", "--phase", "0ms", "--duration", "1", "--out", "d", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert [(run["nodes"], run["max_age_ms"]) for run in summary["runs"]] == [(4, None), (4, 40)]
    for run in summary["runs"]:
        assert run["data_age_ms"]["n"] == 10
        assert (run["tasks"], run["tasks_on_time_in_model"]) == (6, 6)
        assert {p.name for p in (Path("d") / run["folder"]).iterdir()} >= {"spec.yaml", "result.json", "reads.npy"}
    assert json.loads(Path("d/summary.json").read_text("utf-8"))["verdict"] == summary["verdict"]
    assert encoded(DATA_AGE.summarise(DATA_AGE.read(Path("d")))) == Path("d/summary.json").read_bytes()
    assert "nodes" in takt("--nodes", "4", "--duration", "1").stdout


def test_ages_above_the_limit_are_counted_and_those_during_stalls_apart() -> None:
    application = parse_spec(data_age_spec(DataAgeCase(4, None)).encode(), "a.yaml")
    reads = np.zeros(5, READS)
    reads["index"] = range(5)
    reads["start"] = np.arange(5) * 100 * MS + 5 * MS
    # The first job finds no message, and the last two are 41 ms behind.
    reads["published"] = reads["start"] - np.array([0, 40, 10, 41, 41]) * MS
    reads["published"][0] = -1
    stalls = np.array([(0, 260 * MS, 266 * MS), (0, 170 * MS, 180 * MS)], STALLS)
    others = np.empty(0, JOBS), reads, np.empty(0, PUBLISHES)
    result = Result(Path("x"), run_envelope(), application, Window(0, 0, 500 * MS), *others, stalls, None, None)
    found = data_ages(result, 40 * MS)
    assert (found.ages / MS).tolist() == [math.inf, 40, 10, 41, 41]
    # No message is older than any; of the two that are above, one overlaps a stall.
    assert (found.above_limit, found.above_limit_host) == (3, 1)
    unseen = replace(result, envelope=run_envelope(probes=[UNSEEN]))
    assert data_ages(unseen, 40 * MS).above_limit_host == 0
    assert data_ages(replace(result, window=Window(0, 100 * MS, 300 * MS)), 40 * MS).above_limit == 0


def run(**changes: Any) -> AgedFigures:
    figures = AgedFigures(
        nodes=4,
        phase_ms=0.0,
        max_age_ms=40.0,
        folder="",
        jobs=10,
        data_age_ms=FiveFigures(10, 1.0, 2.0, 3.0, 4.0, 5.0),
        above_limit=0,
        above_limit_host=0,
        ages=None,
        simulated_data_age_max_ms=5.0,
        tasks=6,
        tasks_on_time_in_model=6,
        misses_of_those=0,
        host_misses_of_those=0,
        blind=[],
    )
    return msgspec.structs.replace(figures, **changes)


def test_only_what_is_bounded_is_judged_and_stalls_of_the_host_are_left_out() -> None:
    def verdict(*runs: AgedFigures) -> Verdict:
        return data_age_summary(list(runs), 40 * MS, 30).verdict

    assert verdict(run(), run(max_age_ms=None, above_limit=7, misses_of_those=3)).outcome == "pass"
    assert verdict(run(above_limit=2, above_limit_host=2, misses_of_those=1, host_misses_of_those=1)).outcome == "pass"
    old = verdict(run(above_limit=2, above_limit_host=1))
    assert old == Verdict("fail", ["4 nodes, reader 0 ms apart: 1 of 10 data ages above 40 ms"])
    assert verdict(run(misses_of_those=1)).outcome == "fail"
    assert verdict(run(above_limit=2, blind=["no probe"])).outcome == "inconclusive"


@pytest.mark.parametrize(
    "arguments", [("--max-age", "100us"), ("--max-age", "101ms"), ("--phase", "100ms"), ("--nodes", "0")]
)
def test_nonsense_is_refused_in_one_line(stand_ins: Path, arguments: tuple[str, ...]) -> None:
    result = takt(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
