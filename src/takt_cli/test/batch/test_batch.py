# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of batches on this host with stand-ins for the C++ programs: runs, results, retries and messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_results import read_json
from spec_samples import GOOD

from takt_cli.analysis.result_set import read_set
from takt_cli.batch.local import run_batch
from takt_cli.batch.outcome import Outcome
from takt_cli.batch.plan import Plan, every_pair, make_plan
from takt_cli.errors import HostError, Interrupted, ResultError, RunError, RunTimeout
from takt_cli.host.cpu_locks import lock_shared
from takt_cli.host.cpus import allowed_cpus
from takt_cli.results.batch import Item
from takt_cli.results.journal import DONE, FAILED, parse
from takt_cli.run.progress import Progress
from takt_cli.spec.load import read_spec

S = 10**9
OUT = Path("out")
COMMAND = ["takt", "batch", "apps"]


@pytest.fixture
def apps(stand_ins: Path) -> Path:
    folder = stand_ins / "apps"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.yaml").write_text(GOOD.replace("name: three", f"name: {name}"), "utf-8")
    return folder


@pytest.fixture
def plan(apps: Path) -> Plan:
    specs = [read_spec(path) for path in sorted(apps.glob("*.yaml"))]
    pairs = every_pair(specs, ["takt", "baseline0"])
    return make_plan(specs, pairs, 1, S, 0, (allowed_cpus()[-1],), seed=3, cooldown=0)


def batch(plan: Plan, **how: Any) -> Outcome:
    return run_batch(plan, OUT, COMMAND, Progress(0, 0), **how)


def journal() -> list[tuple[Item, int, str]]:
    return [(e.item, e.attempt, e.outcome) for e in parse((OUT / "journal.jsonl").read_bytes())]


def failing(monkeypatch: pytest.MonkeyPatch, fails: Callable[[Item], BaseException | None]) -> list[Item]:
    """Replace runs by ones that take no time and fail if `fails` returns an error. Return a list to which the items
    that are run are added."""
    ran: list[Item] = []

    def run(settings: Any, folder: Path, *_: Any) -> None:
        item = Item(Path(settings.spec.file).stem, settings.executor, int(folder.name.split(".")[1]))
        ran.append(item)
        (folder / "begun").touch()
        if (error := fails(item)) is not None:
            raise error
        (folder / "result.json").write_text("{}", "utf-8")

    monkeypatch.setattr("takt_cli.batch.local.run_and_replay", run)
    return ran


def test_a_batch_runs_everything_once_in_its_order(plan: Plan) -> None:
    outcome = batch(plan)
    assert outcome == Outcome(OUT, 4, 4, {})
    assert journal() == [(item, 1, DONE) for item in plan.items]
    for item in plan.items:
        place = OUT / "runs" / item.application / item.executor / "1"
        summary = json.loads((place / "summary.json").read_text("utf-8"))
        assert (summary["application"], summary["executor"], summary["totals"]["jobs"]) == (*_of(item), 150)
        assert read_json(place)["origin"]["command"] == COMMAND
    results = read_set(OUT)
    assert [Item(r.application, r.executor, r.run) for r in results.runs] == list(plan.items)
    assert (results.failed, results.pending) == ((), 0)
    with pytest.raises(ResultError, match="out: already holds a batch; continue it with: takt batch --resume out"):
        batch(plan)
    assert batch(plan, resume=True) == outcome


def _of(item: Item) -> tuple[str, str]:
    return item.application, item.executor


def test_a_run_that_fails_once_is_repeated_at_the_end(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    first = plan.items[0]
    hangs = [RunTimeout("runner takt did not end")]
    ran = failing(monkeypatch, lambda item: hangs.pop() if item == first and hangs else None)
    assert batch(plan).failed == {}
    assert ran == [*plan.items, first]
    assert journal()[0] == (first, 1, FAILED)
    assert journal()[-1] == (first, 2, DONE)


@pytest.mark.parametrize(
    ("error", "reported"),
    [
        (RunError("it crashed"), "it crashed"),
        (HostError("every ROS domain is in use"), "every ROS domain is in use"),
        (PermissionError(13, "Permission denied", "x.npy"), "x.npy: Permission denied"),
        (ZeroDivisionError("division by zero"), "a bug in takt: ZeroDivisionError: division by zero"),
    ],
)
def test_a_run_that_fails_twice_is_reported_and_does_not_end_the_batch(
    error: BaseException, reported: str, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = plan.items[1]
    ran = failing(monkeypatch, lambda item: error if item == bad else None)
    assert batch(plan) == Outcome(OUT, 3, 4, {bad: reported})
    assert ran == [*plan.items, bad]
    assert not (OUT / "runs" / bad.application / bad.executor).exists()
    assert journal()[-1] == (bad, 2, FAILED)
    # The run is not tried again, unless that is requested; then it has two more attempts.
    del ran[:]
    assert batch(plan, resume=True).failed == {bad: reported}
    assert ran == []
    assert batch(plan, resume=True, repeat_failed=True).failed == {bad: reported}
    assert ran == [bad, bad]
    failing(monkeypatch, lambda item: None)
    assert batch(plan, resume=True, repeat_failed=True) == Outcome(OUT, 4, 4, {})
    assert journal()[-1] == (bad, 5, DONE)


@pytest.mark.parametrize("last_words", [Interrupted("stop"), OSError(28, "No space left on device", "jobs.npy")])
def test_finished_runs_are_kept_when_a_batch_is_ended(
    last_words: BaseException, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    third = plan.items[2]
    ran = failing(monkeypatch, lambda item: last_words if item == third else None)
    expected = (
        "2 of 4 runs are kept; continue with: takt batch --resume out"
        if isinstance(last_words, Interrupted)
        else "--resume"
    )
    with pytest.raises((Interrupted, ResultError), match=expected):
        batch(plan)
    assert [outcome for _, _, outcome in journal()] == [DONE, DONE]
    assert not list(OUT.rglob("*.partial"))
    before = {item: (place(item) / "result.json").stat().st_mtime_ns for item in plan.items[:2]}
    ran = failing(monkeypatch, lambda item: None)
    assert batch(plan, resume=True) == Outcome(OUT, 4, 4, {})
    assert ran == list(plan.items[2:])
    assert before == {item: (place(item) / "result.json").stat().st_mtime_ns for item in plan.items[:2]}


def place(item: Item) -> Path:
    return OUT / "runs" / item.application / item.executor / str(item.run)


def test_resuming_trusts_the_folders_of_runs_more_than_the_journal(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal is as after kill -9 or a power cut: one line is cut off, one run has no line, one run is
    incomplete."""
    failing(monkeypatch, lambda item: None)
    batch(plan)
    _, two, _, four = plan.items
    lines = (OUT / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (OUT / "journal.jsonl").write_bytes(lines[0] + lines[1][:40])
    place(four).rename(place(four).with_name(".1.abc.partial"))
    ran = failing(monkeypatch, lambda item: None)
    assert batch(plan, resume=True) == Outcome(OUT, 4, 4, {})
    assert ran == [four]
    assert sorted(journal()) == sorted((item, 1, DONE) for item in plan.items)
    assert not list(OUT.rglob("*.partial"))
    (place(two) / "result.json").unlink()
    with pytest.raises(ResultError, match="does not hold the result of a finished run; move it away"):
        batch(plan, resume=True)


def test_an_error_that_would_stop_every_run_is_reported_before_the_first(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    cpu = allowed_cpus()[-1]
    with lock_shared([cpu]), pytest.raises(HostError, match=f"CPU {cpu} is in use: process"):
        batch(plan)
    monkeypatch.setenv("TAKT_PREFIX", "/nowhere")
    with pytest.raises(HostError, match="'probe' of takt_lab is not installed"):
        batch(plan)
    assert not OUT.exists()
