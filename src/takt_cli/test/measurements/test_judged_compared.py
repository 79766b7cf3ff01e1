# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt compare` on results of bounds, overloads and data ages, which consist of runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from takt_cli.cli.main import cli
from takt_cli.comparison.comparison import Request
from takt_cli.comparison.entry import Entry
from takt_cli.comparison.variants import compare_variants
from takt_cli.measurements.bounds import BOUNDS
from takt_cli.measurements.compare import side_of

ARGUMENTS = {
    "bounds": "--sets 3 --seed 1 --policy fp --duration 1",
    "overload": "--duration 0.5 --calm 0.2",
    "data-age": "--nodes 4 --duration 1",
}


def takt(*arguments: str) -> Any:
    return CliRunner().invoke(cli, list(arguments))


def measure(kind: str, *more: str) -> None:
    takt("measure", kind, *ARGUMENTS[kind].split(), *more, "--out", "a")
    shutil.copytree("a", "b")


def compared() -> dict[tuple[str, str], dict[str, Any]]:
    result = takt("compare", "a", "b", "--json")
    assert result.exit_code == 0, result.stderr
    return {(each["executor_a"], each["metric"]): each for each in json.loads(result.stdout)["entries"]}


def shift(file: str, column: str, by: int) -> None:
    """Change a column of the samples in B, where it has instants."""
    rows = np.load(file)
    rows[column] += np.where(rows[column] >= 0, by, 0)
    np.save(file, rows)


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize("kind", ARGUMENTS)
def test_a_result_does_not_differ_from_itself(kind: str) -> None:
    measure(kind)
    assert not {"better", "worse", "less", "more"} & {each["verdict"] for each in compared().values()}
    shown = takt("compare", "a", "b")
    assert (shown.exit_code, shown.stderr) == (0, "")


@pytest.mark.usefixtures("stand_ins")
def test_task_sets_are_compared_in_pairs_by_how_far_they_stay_below_their_bounds() -> None:
    measure("bounds")
    result = BOUNDS.read(Path("a"))
    summary = BOUNDS.summarise(result)
    slower = [
        replace(run, tasks=[replace(task, measured_without_host_ns=3 * (task.bound_ns or 0)) for task in run.tasks])
        for run in summary.runs
    ]
    comparison, side = BOUNDS.comparison, side_of(BOUNDS, Path("a"))
    assert comparison is not None
    figures = comparison.figures(result, replace(summary, runs=slower))["fp"]
    (before,) = [each for each in side.variants["fp"] if each.name.endswith("bound, median of tasks")]
    (after,) = [each for each in figures if each.name == before.name]
    assert after.value == pytest.approx(300)
    entry = before.compare(after, Entry("bounds", "fp", "fp", before.name, "%", 100.0, 300.0, 200.0), 0.01)
    assert (entry.verdict, entry.over, entry.n_a, entry.paired) == ("worse", "cases", 3, True)
    assert len(compare_variants(side, side, Request()).entries) == len(figures) == 3


@pytest.mark.usefixtures("stand_ins")
def test_other_task_sets_are_not_comparable() -> None:
    takt("measure", "bounds", *ARGUMENTS["bounds"].split(), "--out", "a")
    takt("measure", "bounds", *ARGUMENTS["bounds"].replace("--seed 1", "--seed 2").split(), "--out", "b")
    refused = takt("compare", "a", "b")
    assert refused.exit_code == 1
    assert "seed (1 / 2)" in refused.stderr
    assert "--executors: is for runs" in takt("compare", "a", "a", "--executors", "baseline0,takt").stderr


@pytest.mark.usefixtures("stand_ins")
def test_later_jobs_in_an_overload_are_worse() -> None:
    measure("overload")
    shift("b/run/jobs.npy", "finish", 1_000_000)
    entries = compared()
    entry = entries["held tasks", "response as a share of the deadline p50"]
    assert entry["difference"] > 0
    assert (entry["over"], entry["n_a"] > 20) == ("samples", True)
    assert {variant for variant, _ in entries} == {
        *("held tasks", "other tasks in the overload", "normal load", "recovery")
    }


@pytest.mark.usefixtures("stand_ins")
def test_older_data_is_worse_run_by_run() -> None:
    measure("data-age", "--duration", "20")
    folders = sorted(path.parent.name for path in Path("b").glob("*/reads.npy"))
    assert len(folders) == 2
    for folder in folders:
        shift(f"b/{folder}/reads.npy", "start", 5_000_000)
    entries = compared()
    assert {variant for variant, _ in entries} == set(folders)
    for folder in folders:
        assert entries[folder, "data age p50"]["difference"] == pytest.approx(5)
        assert entries[folder, "missed deadlines"]["difference"] == 0
