# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of reading the folder of a run, a demo and a batch, complete or damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from run_results import change_result, write_batch
from spec_samples import GOOD
from stand_ins import put_in_place

from takt_cli.analysis.result_set import read_set
from takt_cli.cli.main import cli
from takt_cli.errors import ResultError
from takt_cli.results.batch import Item
from takt_cli.results.run import RUN_FORMAT

_QUICK = ["--duration", "0.2", "--warmup", "0.1"]


@pytest.fixture(scope="module")
def results_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a run of takt, one of baseline0 and a demo, which tests copy."""
    place = tmp_path_factory.mktemp("made")
    (place / "app.yaml").write_text(GOOD, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        put_in_place(patch, place)
        runs = [["run", str(place / "app.yaml"), "--executor", name, *_QUICK] for name in ("takt", "baseline0")]
        for arguments in (*runs, ["demo", "--quick"]):
            out = place / (arguments[3] if len(arguments) > 3 else "demo")
            result = CliRunner().invoke(cli, [*arguments, "--cpu", "0", "--out", str(out)])
            assert result.exit_code == 0, result.output
    return place


def _line(application: str, executor: str, run: int, outcome: str = "done", attempt: int = 1) -> dict[str, Any]:
    error = None if outcome == "done" else f"attempt {attempt} failed"
    names = {"application": application, "executor": executor, "run": run, "attempt": attempt}
    return names | {"outcome": outcome, "error": error, "began": "", "ended": "", "worker": None}


@pytest.fixture
def batch(results_folder: Path, tmp_path: Path) -> Path:
    """Make a batch of two executors with two runs each, in shuffled order; the second run of baseline0 failed twice."""
    folder = tmp_path / "batch"
    order = [("takt", 2), ("baseline0", 1), ("baseline0", 2), ("takt", 1)]
    items = [Item("app-1", executor, run) for executor, run in order]
    for executor in ("takt", "baseline0"):
        shutil.copytree(results_folder / executor, folder / "runs/app-1" / executor / "1")
    shutil.copytree(folder / "runs/app-1/takt/1", folder / "runs/app-1/takt/2")
    write_batch(folder, items, runs=2, seed=7)
    _write(folder, [
        _line("app-1", "takt", 2),
        _line("app-1", "baseline0", 1, "failed"),
        _line("app-1", "baseline0", 2, "failed"),
        _line("app-1", "baseline0", 1, "done", 2),
        _line("app-1", "baseline0", 2, "failed", 2),
        _line("app-1", "takt", 1),
    ])  # fmt: skip
    return folder


def _write(folder: Path, lines: list[dict[str, Any]]) -> None:
    (folder / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def test_a_run_alone_is_a_set_of_one(results_folder: Path) -> None:
    found = read_set(results_folder / "baseline0")
    assert (found.kind, found.pending, found.failed) == ("run", 0, ())
    (run,) = found.runs
    assert (run.application, run.executor, run.run) == ("three", "baseline0", 1)
    assert run.envelope == RUN_FORMAT.read(results_folder / "baseline0")
    assert run.summary.totals.jobs > 0


def test_a_demo_is_a_set_of_its_executors(results_folder: Path) -> None:
    found = read_set(results_folder / "demo")
    assert found.kind == "demo"
    assert {run.executor for run in found.runs} == {"takt", "baseline0", "baseline1"}
    assert len({run.application for run in found.runs}) == 1


def test_a_batch_is_read_in_the_order_of_its_runs(batch: Path) -> None:
    found = read_set(batch)
    assert found.kind == "batch"
    assert [(run.application, run.executor, run.run) for run in found.runs] == [
        ("app-1", "takt", 2),
        ("app-1", "baseline0", 1),
        ("app-1", "takt", 1),
    ]
    assert [run.folder for run in found.runs][2] == batch / "runs/app-1/takt/1"
    (failed,) = found.failed
    assert (failed.executor, failed.run, failed.attempts, failed.error) == ("baseline0", 2, 2, "attempt 2 failed")
    assert found.pending == 0
    assert found.plan is not None
    assert found.plan.seed == 7


def test_an_interrupted_batch_holds_what_was_done(batch: Path) -> None:
    lines = (batch / "journal.jsonl").read_text("utf-8").splitlines()
    # Cut off within the entry of takt's second attempt, before any second attempt.
    (batch / "journal.jsonl").write_text("\n".join(lines[:2]) + "\n" + lines[2][:30], "utf-8")
    found = read_set(batch)
    assert [(run.executor, run.run) for run in found.runs] == [("takt", 2)]
    assert (found.failed, found.pending) == ((), 3)
    (batch / "journal.jsonl").unlink()
    assert read_set(batch).pending == 4


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda f: (f / "result.json").write_text("{"), "is not what takt writes"),
        (lambda f: change_result(f, lambda result: result.update(schema_version=9)), "this takt reads version"),
        (lambda f: change_result(f, lambda result: result["settings"].pop("seed")), "is not what takt writes"),
        (lambda f: shutil.rmtree(f / "runs/app-1/takt/2"), "takt/2: holds no result"),
        (lambda f: (f / "runs/app-1/takt/2/summary.json").write_text("{}"), "is not what takt writes"),
        (lambda f: _swap(f / "runs/app-1/takt/1", f / "runs/app-1/baseline0/1"), "was it moved?"),
    ],
)
def test_a_damaged_batch_is_refused_in_one_line(batch: Path, damage: Any, words: str) -> None:
    damage(batch)
    with pytest.raises(ResultError, match=words.replace("?", r"\?")) as error:
        read_set(batch)
    assert "\n" not in str(error.value)


def _swap(one: Path, other: Path) -> None:
    spare = one.with_name("spare")
    one.rename(spare)
    other.rename(one)
    spare.rename(other)


def test_a_run_of_another_version_is_refused(results_folder: Path, tmp_path: Path) -> None:
    place = shutil.copytree(results_folder / "takt", tmp_path / "run")
    (place / "summary.json").write_text("{}", "utf-8")
    with pytest.raises(ResultError, match="is not what takt writes"):
        read_set(place)
    change_result(place, lambda result: result.update(schema_version=1))
    with pytest.raises(ResultError, match="has version 1 of its format"):
        read_set(place)


def test_a_folder_without_a_result_is_refused(tmp_path: Path) -> None:
    for place, words in ((tmp_path / "none", "holds no result"), (tmp_path, "holds no result")):
        with pytest.raises(ResultError, match=words):
            read_set(place)
    (tmp_path / "file").touch()
    with pytest.raises(ResultError, match="is a file"):
        read_set(tmp_path / "file")
