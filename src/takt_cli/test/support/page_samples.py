# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Results to make pages of: a demo by stand-ins, and batches whose figures are drawn at random from a seed.

The folders are complete, except for the samples (.npy) of a batch, which its page does not read.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from communication_samples import with_summary
from paper_samples import all_parts
from run_results import write_batch
from stand_ins import put_in_place

from takt_cli.cli.main import cli
from takt_cli.measurements.registry import all_measurements
from takt_cli.paper.batch_part import BatchSettings
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.paper import Setup
from takt_cli.paper.papers import find_paper
from takt_cli.paper.report import write_paper
from takt_cli.results.batch import Item
from takt_cli.results.json_file import plain
from takt_cli.spec.application import Application, Callback, Node, Qos, Topic

MS = 10**6
EXECUTORS = ("takt", "baseline0", "baseline1")


def make_demo(place: Path) -> Path:
    """Make a demo with stand-ins for the programs, and return its folder."""
    with pytest.MonkeyPatch.context() as patch:
        put_in_place(patch, place)
        result = CliRunner().invoke(cli, ["demo", "--quick", "--out", str(place / "demo")])
        assert result.exit_code == 0, result.output
    return place / "demo"


def make_measured(place: Path, kind: str, *arguments: str) -> Path:
    """Measure with stand-ins for the programs, and return the page of the result."""
    with pytest.MonkeyPatch.context() as patch:
        put_in_place(patch, place)
        verb = all_measurements()[kind].command.split()[1:]
        measured = CliRunner().invoke(cli, [*verb, *arguments, "--out", str(place / kind)])
        # It appears complete or not at all. The exit status may tell a verdict.
        assert (place / kind).exists(), measured.output
        result = CliRunner().invoke(cli, ["report", str(place / kind)])
        assert result.exit_code == 0, result.output
    return place / kind / "report.html"


def make_all_benchmarks(place: Path) -> Path:
    """Make all benchmarks with stand-ins for their programs, and return the page of the result."""
    with pytest.MonkeyPatch.context() as patch:
        put_in_place(patch, place)
        for arguments in (["measure", "all", "--quick", "--out", str(place / "all")], ["report", str(place / "all")]):
            result = CliRunner().invoke(cli, arguments)
            assert result.exit_code == 0, result.output
    return place / "all" / "report.html"


def make_paper(place: Path) -> Path:
    """Write the files that `takt paper thesis2021` leaves if everything was measured, except for its runs; return the
    folder."""
    parts = all_parts()
    thesis = find_paper("thesis2021")
    folder = PaperFolder(thesis, Setup(BatchSettings(scale=1.0, cpus=(0,), seed=1), ("takt",)), place)
    folder.enter([], resume=False)
    judged = {"claims": thesis.verdicts(parts), "goals": thesis.goals(parts)}
    write_paper(with_summary(folder.result(), parts=parts, **judged))
    return place


def application(name: str, nodes: int, utilisation: float, size: int) -> Application:
    """Return an application with one timer per node, of which the first one publishes and all others read that
    topic."""
    periods = [(10, 20, 40)[i % 3] * MS for i in range(nodes)]
    callbacks = [
        Callback(
            name="run",
            period=period,
            phase=0,
            deadline=period,
            priority=10,
            wcet=int(period * utilisation / nodes),
            reads=() if i == 0 else (0,),
            publishes=(0,) if i == 0 else (),
        )
        for i, period in enumerate(periods)
    ]
    parts = tuple(Node(f"node_{i:02}", "exclusive", (callback,)) for i, callback in enumerate(callbacks))
    return Application(name, "rm", Qos("reliable", 10), (Topic("data", size),), parts)


def make_batch(demo: Path, folder: Path, applications: Sequence[Application], runs: int = 2, seed: int = 1) -> Path:
    """Make a batch of every application under every executor and return `folder`. The last run of baseline0 on the last
    application has failed."""
    print(f"seed {seed}")
    draw = random.Random(seed)
    items = [(app, executor, run + 1) for app in applications for executor in EXECUTORS for run in range(runs)]
    draw.shuffle(items)
    lost = (applications[-1].name, "baseline0", runs)
    journal = []
    for app, executor, run in items:
        failed = (app.name, executor, run) == lost
        journal += [_line(app.name, executor, run, failed, attempt) for attempt in (1, 2)[: 1 + failed]]
        if not failed:
            _write_run(demo / executor, folder / "runs" / app.name / executor / str(run), app, executor, draw)
    write_batch(folder, [Item(app.name, executor, run) for app, executor, run in items], runs=runs, seed=seed)
    (folder / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in journal), "utf-8")
    return folder


def _line(name: str, executor: str, run: int, failed: bool, attempt: int) -> dict[str, Any]:
    item = {"application": name, "executor": executor, "run": run, "attempt": attempt, "began": "", "ended": ""}
    error = "runner: did not end in time" if failed else None
    return item | {"outcome": "failed" if failed else "done", "error": error, "worker": None}


def _write_run(pattern: Path, folder: Path, app: Application, executor: str, draw: random.Random) -> None:
    """Write a run of the demo with the figures of another application in it."""
    record, summary = (json.loads((pattern / f"{name}.json").read_text("utf-8")) for name in ("result", "summary"))
    harm = {"takt": 0.0, "baseline0": 0.2, "baseline1": 0.05}[executor] * draw.uniform(0.5, 1.5) * app.utilisation
    jobs = summary["totals"]["jobs"]
    missed, stale = int(jobs * harm), int(summary["totals"]["stale_n"] * min(1, 3 * harm))
    cost = {"takt": 2.0, "baseline0": 10.0, "baseline1": 55.0}[executor] * draw.uniform(0.9, 1.1)
    summary["totals"] |= {
        "deadline_misses": missed,
        "late": missed,
        "miss_ratio": missed / jobs,
        "unforced_misses": missed // 2,
        "stale": stale,
        "stale_ratio": stale / summary["totals"]["stale_n"],
        "dispatch_us": summary["totals"]["dispatch_us"] | {"per_job": cost},
        "data_age_ms": _spread(draw, 4 + 200 * harm, 1.5),
        "decision_us": _spread(draw, cost / 20, 3),
    }
    tasks = []
    for task in app.tasks:
        response = _spread(draw, (0.2 + 3 * harm) * task.callback.period / MS, 1.2)
        tasks.append(summary["tasks"][0] | {"task": task.id, "response_ms": response})
    summary["tasks"] = tasks
    summary["verdict"] = {"outcome": "fail" if missed else "pass", "why": ["misses"] if missed else ["no miss"]}
    folder.mkdir(parents=True)
    for name, content in (
        ("result", record),
        ("summary", summary | {"application": app.name}),
        ("resolved", plain(app)),
    ):
        (folder / f"{name}.json").write_text(json.dumps(content), "utf-8")


def _spread(draw: random.Random, middle: float, factor: float) -> dict[str, Any]:
    p50 = middle * draw.uniform(0.8, 1.2)
    p99 = p50 * (1 + draw.uniform(0.3, 1) * factor)
    intervals = {"p50_95": None, "p90_95": None, "p99_95": None}
    return {"n": 10_000, "p50": p50, "p90": (p50 + p99) / 2, "p99": p99, "max": p99 * draw.uniform(1, 1.6)} | intervals
