# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What runs are compared by: each figure of a run with its name, its unit and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from takt_cli.analysis.result_set import SetRun
from takt_cli.report.words import count, number
from takt_cli.spec.application import Application

_CLASSES = ("executor", "middleware", "other")


class Spread(NamedTuple):
    """Percentiles of one run; None where there are not samples enough."""

    p50: float | None
    p99: float | None
    most: float | None


class Measure(NamedTuple):
    """A ratio or a cost: a bar from zero on, with a dot for each run."""

    id: str
    title: str
    description: str
    unit: str
    of: Callable[[SetRun, Application], float | None]
    detail: Callable[[SetRun], str]
    """What it is made of, in words."""
    parts: Callable[[SetRun], Sequence[float]] | None = None
    """What the bar is stacked of, dark to light."""


class Distribution(NamedTuple):
    """Of samples of each run: from p50 over p99 to the largest."""

    id: str
    title: str
    description: str
    unit: str
    of: Callable[[SetRun, Application], Spread]
    n: Callable[[SetRun], int]
    limit: float | None = None
    """Where something ends well: drawn as a line."""


def missed(run: SetRun, _application: Application | None = None) -> float | None:
    """Of all releases, %."""
    return _percent(run.summary["totals"]["miss_ratio"])


def unforced(run: SetRun) -> int:
    """Misses and skips that the policy could have avoided."""
    totals = run.summary["totals"]
    return int(totals["unforced_misses"] + totals["unforced_skipped"])


def unforced_share(run: SetRun, _application: Application) -> float | None:
    jobs = run.summary["totals"]["jobs"]
    return 100 * unforced(run) / jobs if jobs else None


def stale(run: SetRun, _application: Application | None = None) -> float | None:
    """Of the jobs that read a topic, %."""
    return _percent(run.summary["totals"]["stale_ratio"])


def overhead(run: SetRun, _application: Application | None = None) -> float | None:
    """us of CPU beside the callbacks, per job."""
    value = run.summary["totals"]["dispatch_us"]["per_job"]
    return None if value is None else float(value)


def overhead_parts(run: SetRun) -> list[float]:
    """The same by whose threads: of the executor, of the middleware, others."""
    dispatch = run.summary["totals"]["dispatch_us"]
    return [max(dispatch[name] or 0, 0) for name in _CLASSES]


def preemptions(run: SetRun, _application: Application | None = None) -> float | None:
    """Per job; None where nobody can tell."""
    totals = run.summary["totals"]
    told = totals["preemptions"]
    return None if told is None or not totals["jobs"] else float(told["total"] / totals["jobs"])


def age(run: SetRun, _application: Application | None = None) -> Spread:
    return _spread(run.summary["totals"]["data_age_ms"])


def decision(run: SetRun, _application: Application | None = None) -> Spread:
    return _spread(run.summary["totals"]["decision_us"])


def response(run: SetRun, application: Application) -> Spread:
    """Of the task that comes closest to its deadline (or misses it by most), % of that deadline."""
    deadlines = {task.id: task.callback.deadline / 1e6 for task in application.tasks}
    of_tasks = [
        Spread(
            *(
                None if value is None else 100 * value / deadlines[task["task"]]
                for value in _spread(task["response_ms"])
            )
        )
        for task in run.summary["tasks"]
    ]
    return max(
        of_tasks, key=lambda each: (each.p99 or each.most or 0, each.most or 0), default=Spread(None, None, None)
    )


MEASURES = (
    Measure(
        "misses",
        "Missed deadlines",
        "Releases whose job finished late, was skipped or did not finish, of all on the ideal grid.",
        "%",
        missed,
        lambda run: _parts_of_misses(run.summary["totals"]),
    ),
    Measure(
        "unforced",
        "Unforced misses",
        "Of these, the ones that the policy could have avoided: the model meets them in a replay of the same "
        "releases and execution times.",
        "%",
        unforced_share,
        lambda run: f"{count(unforced(run))} of {count(run.summary['totals']['jobs'])}",
    ),
    Measure(
        "stale",
        "Ran on old data",
        "Jobs that started although a newer message on a topic they read was out, of the jobs that read one.",
        "%",
        stale,
        lambda run: _parts_of_stale(run.summary["totals"]),
    ),
    Measure(
        "dispatch",
        "Dispatch overhead",
        "CPU time of all processes beside the callbacks, for each job; from dark to light: threads of the executor, "
        "threads of the middleware, others.",
        "us",
        overhead,
        lambda run: _parts_of_overhead(run.summary["totals"]["dispatch_us"]),
        overhead_parts,
    ),
    Measure(
        "preemptions",
        "Preemptions",
        "How often another job took the CPU from one that had started, for each job.",
        "per job",
        preemptions,
        lambda run: _parts_of_preemptions(run.summary["totals"]["preemptions"]),
    ),
)
DISTRIBUTIONS = (
    Distribution(
        "age",
        "Data age",
        "From the instant a message was published to the start of the job that used it.",
        "ms",
        age,
        lambda run: int(run.summary["totals"]["data_age_ms"]["n"]),
    ),
    Distribution(
        "response",
        "Response time of the tightest task",
        "From release to finish, in % of the deadline, of the task with the least left of it at p99. "
        "What is above 100 % is late.",
        "% of the deadline",
        response,
        lambda run: int(run.summary["totals"]["response_ms"]["n"]),
        limit=100,
    ),
    Distribution(
        "decision",
        "Decision time",
        "How long the executor took to choose the job among those that could start.",
        "us",
        decision,
        lambda run: int(run.summary["totals"]["decision_us"]["n"]),
    ),
)


def _parts_of_misses(totals: dict[str, Any]) -> str:
    parts = [f"{count(totals[name])} {name}" for name in ("late", "skipped", "unfinished") if totals[name]]
    told = f"{count(totals['deadline_misses'])} of {count(totals['jobs'])}"
    if parts:
        told += f": {', '.join(parts)}"
    return told + (f"; {count(totals['host_misses'])} overlap a stall of the host" if totals["host_misses"] else "")


def _parts_of_overhead(dispatch: dict[str, Any]) -> str:
    parts = ", ".join(f"{name} {number(dispatch[name])}" for name in _CLASSES)
    return f"{parts}; {count(dispatch['jobs'])} jobs"


def _parts_of_stale(totals: dict[str, Any]) -> str:
    by_node = totals["stale_share_by_node"]
    told = f"{count(totals['stale'])} of {count(totals['stale_n'])}"
    return told if by_node is None else f"{told}; share by node, averaged: {number(100 * by_node)} %"


def _parts_of_preemptions(told: dict[str, Any] | None) -> str:
    if told is None:
        return "nobody can tell"
    return f"{count(told['total'])} of {count(told['jobs'])} jobs, at most {count(told['max'])} of one"


def _percent(ratio: float | None) -> float | None:
    return None if ratio is None else 100 * ratio


def _spread(figures: dict[str, Any]) -> Spread:
    return Spread(figures.get("p50"), figures.get("p99"), figures.get("max"))
