# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt simulate` for the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.simulation_summary import ReplayedRun, SimulatedTask, SimulationSummary
from takt_cli.report.formatting import format_count, format_number, format_percentile, format_share


def simulation_report(summary: SimulationSummary, out: Path | None) -> list[RenderableType]:
    """Return the report: misses and response times by task, and for a replay the figures of the original run."""
    replay = summary.replay_of
    title = f"{summary.application} in virtual time ({summary.policy}), {summary.duration_s:g} s"
    if replay:
        title += f", replaying {replay.executor}"
    table = Table(title=title, title_justify="left")
    table.add_column("task")
    on_several = len(summary.processors) > 1
    columns = ["processor"] if on_several else []
    columns += ["period ms", "deadline ms", "WCET ms", "jobs", "late", "skipped", "response p50 ms", "max ms"]
    columns += ["missed in the run", "of them unforced"] if replay else []
    for name in columns:
        table.add_column(name, justify="right")
    for task in summary.tasks:
        response = task.response_ms
        late = task.late + task.unfinished
        # Without rounding, as in the spec.
        cells = [str(task.processor)] if on_several else []
        cells += [f"{time:g}" for time in (task.period_ms, task.deadline_ms, task.wcet_ms)] + [format_count(task.jobs)]
        cells += [
            format_count(late),
            format_count(task.skipped),
            format_number(response.p50),
            format_number(response.max),
        ]
        if task.run is not None:
            cells += [format_count(task.run.deadline_misses), format_count(task.run.unforced)]
        table.add_row(task.task, *cells, style="red" if task.deadline_misses else None)
    hyperperiod = f"hyperperiod {format_number(summary.hyperperiod_ms)} ms"
    parts: list[RenderableType] = [
        table,
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
    table = Table(title="data age when jobs start, in virtual time", title_justify="left")
    for name in ("task", "topic"):
        table.add_column(name)
    for name in ("p50 ms", "max ms", "jobs before the first message"):
        table.add_column(name, justify="right")
    for task in tasks:
        for read in task.reads:
            age = read.data_age_ms
            table.add_row(
                task.task,
                read.topic,
                format_percentile(age, "p50"),
                format_percentile(age, "max"),
                format_count(read.without_message),
            )
    return [table] if table.row_count else []


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
