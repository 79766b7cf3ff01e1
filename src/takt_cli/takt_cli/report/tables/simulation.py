# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt simulate` for the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from takt_cli.analysis.misses import JudgedCounts
from takt_cli.analysis.simulation_summary import ReplayedRun, SimulatedTask, SimulationSummary
from takt_cli.report.formatting import format_percentile, format_share
from takt_cli.report.tables.rows import Row, table_of
from takt_cli.report.values import Value, format_count, format_number

_GIVEN = {"period": "period_ms", "deadline": "deadline_ms", "WCET": "wcet_ms"}


def simulation_report(summary: SimulationSummary, out: Path | None) -> list[RenderableType]:
    """Return the report: misses and response times by task, and for a replay the figures of the original run."""
    replay = summary.replay_of
    title = f"{summary.application} in virtual time ({summary.policy}), {summary.duration_s:g} s"
    if replay:
        title += f", replaying {replay.executor}"
    on_several = len(summary.processors) > 1
    rows = [
        Row(
            {
                "task": task.task,
                **({"processor": str(task.processor)} if on_several else {}),
                # Without rounding, as in the spec.
                **{f"{name} ms": f"{getattr(task, key):g}" for name, key in _GIVEN.items()},
                "jobs": format_count(task.jobs),
                "late": format_count(task.late + task.unfinished),
                "skipped": format_count(task.skipped),
                "response p50 ms": format_number(task.response_ms.p50),
                "max ms": format_number(task.response_ms.max),
                **(_in_the_run(task.run) if task.run is not None else {}),
            },
            style="red" if task.deadline_misses else None,
        )
        for task in summary.tasks
    ]
    hyperperiod = f"hyperperiod {format_number(summary.hyperperiod_ms)} ms"
    parts: list[RenderableType] = [
        table_of(title, rows),
        *_reads(summary.tasks),
        f"utilisation {summary.utilisation:.3f}, {hyperperiod}",
    ]
    for each in summary.processors if on_several else ():
        utilisation_text = f"utilisation {each.utilisation:.3f}, {format_count(each.jobs)} jobs"
        parts.append(f"processor {each.processor}: {utilisation_text}, {format_count(each.deadline_misses)} missed")
    parts.append(_sentence(summary))
    if replay is None:
        parts.append("for the phases of the spec and without costs of the executor; `takt check` covers all phases")
    else:
        parts.append(_replay_sentence(replay))
    parts.append(f"result: {out}" if out else "no timeline was drawn: give --out DIR for one")
    return parts


def _reads(tasks: list[SimulatedTask]) -> list[RenderableType]:
    """Return the table of what the jobs read, if any reads a topic from inside the application."""
    rows = [
        {
            "task": task.task,
            "topic": read.topic,
            "p50 ms": format_percentile(read.data_age_ms, "p50"),
            "max ms": format_percentile(read.data_age_ms, "max"),
            "jobs before the first message": format_count(read.without_message),
        }
        for task in tasks
        for read in task.reads
    ]
    return [table_of("data age when jobs start, in virtual time", rows, ("task", "topic"))] if rows else []


def _in_the_run(run: JudgedCounts) -> dict[str, Value]:
    return {
        "missed in the run": format_count(run.deadline_misses),
        "of them unforced": format_count(run.unforced),
    }


def _sentence(summary: SimulationSummary) -> Text:
    misses, jobs = summary.deadline_misses, summary.jobs
    if misses == 0:
        return Text(f"every deadline is met: {format_count(jobs)} jobs", style="bold green")
    return Text(
        f"{format_count(misses)} of {format_count(jobs)} deadlines are missed ({format_share(misses, jobs)})",
        style="bold red",
    )


def _replay_sentence(replay: ReplayedRun) -> str:
    return (
        f"the run under {replay.executor} missed {format_count(replay.deadline_misses)}: "
        f"{format_count(replay.host_misses)} overlap a stall of the host, "
        f"{format_count(replay.unforced)} are on time in the replay (unforced)"
    )
