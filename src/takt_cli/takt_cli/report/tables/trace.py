# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of `takt trace show` for the terminal."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.report.formatting import format_percentile
from takt_cli.report.tables.rows import table_of
from takt_cli.report.values import NONE, format_count, format_number
from takt_cli.traces.summary import Cause, Miss, TaskFigures, TraceSummary

# How many of the parts of a miss's response time are listed, and the share of that time that a part must have.
_MAX_PARTS, _LEAST_SHARE = 4, 0.01
# The number of causes that are listed.
_CAUSES = 20
_WHERE = "where its response time went, ms"


def trace_report(summary: TraceSummary, limit: int) -> list[RenderableType]:
    """Return the report: response times by task, causes of misses, and `limit` misses, the worst of each cause."""
    parts: list[RenderableType] = []
    if summary.incomplete:
        text = f"incomplete trace: {'; '.join(summary.incomplete)}; the figures cover only the rest"
        parts.append(Text(text, style="bold yellow"))
    parts.append(_tasks(summary.tasks))
    if summary.misses:
        parts += _causes(summary.causes)
        chosen = sorted(summary.misses, key=lambda miss: miss.rank)[:limit]
        if chosen:
            parts.append(_misses(sorted(chosen, key=lambda miss: miss.release_s)))
        if hidden_count := len(summary.misses) - len(chosen):
            selection_text = "; those above are the worst of each cause" if chosen else ""
            parts.append(f"{format_count(hidden_count)} more misses{selection_text}; --limit shows more, --json all")
        if not summary.kernel and not summary.incomplete:
            parts.append(
                "the kernel's context switches were not recorded: CPU time that other threads took counts as execution "
                "time of jobs"
            )
    elif not summary.tasks:
        parts.append(Text("the trace contains no jobs", style="bold yellow"))
    elif not summary.incomplete:
        parts.append(Text("no deadline was missed", style="bold green"))
    marks = [
        f"{format_count(getattr(summary, name))} {words}"
        for name, words in (
            ("scenario_switches", "scenario switches"),
            ("refreshes", "jobs run first to refresh data"),
            ("raised", "started jobs raised in priority"),
            ("lowered", "jobs moved to the background"),
            ("deferred", "starts put off by middleware sections"),
        )
        if getattr(summary, name)
    ]
    if summary.expired_sections:
        bound = f" ({format_number(summary.max_section_ms)} ms)" if summary.max_section_ms is not None else ""
        marks.append(f"{format_count(summary.expired_sections)} sections that reached max_section{bound}")
    if summary.entity_waits:
        marks.append(
            f"{format_count(summary.entity_waits)} waits for entities of the middleware that others used, "
            f"the longest {format_number(summary.longest_wait_ms)} ms"
        )
    if marks:
        parts.append(", ".join(marks))
    return parts


def _tasks(tasks: list[TaskFigures]) -> Table:
    levels = ("p50", "p90", "p99", "p99.9", "max")
    rows = [
        {
            "task": task.task,
            "jobs": format_count(task.jobs),
            **{level: format_percentile(task.response_ms, level) for level in levels},
            "worst job": NONE if task.worst is None else f"#{task.worst}",
            "least margin": format_number(task.margin_ms),
            "max release delay": format_percentile(task.release_ms, "max"),
            "late": format_count(task.late),
            "skipped": format_count(task.skipped),
        }
        for task in tasks
    ]
    return table_of("response times, ms", rows)


def _causes(causes: list[Cause]) -> list[RenderableType]:
    rows = [
        {
            "misses": format_count(cause.misses),
            "task": cause.task,
            "kind": cause.how,
            "main cause": cause.mostly,
            "worst job": f"#{cause.worst}",
        }
        for cause in causes[:_CAUSES]
    ]
    table = table_of("causes of misses", rows, ("task", "kind", "main cause"))
    other_causes = causes[_CAUSES:]
    if not other_causes:
        return [table]
    misses = sum(cause.misses for cause in other_causes)
    words = f"{format_count(misses)} more misses by {format_count(len(other_causes))} more causes; --json has all"
    return [table, words]


def _misses(misses: list[Miss]) -> Table:
    rows = []
    for miss in misses:
        time_text = _describe_time(miss)
        if miss.how == "skipped" and time_text:
            time_text = f"previous job: {time_text}"
        rows.append(
            {
                "released, s": f"{miss.release_s:.6f}",
                "job": f"{miss.task} #{miss.job}",
                "kind": miss.how + (" (transition)" if miss.transition else ""),
                "late, ms": "" if miss.late_ms is None else format_number(miss.late_ms),
                _WHERE: "its data was too old" if miss.how == "stale" else time_text,
            }
        )
    return table_of("misses", rows, ("job", "kind", _WHERE))


def _describe_time(miss: Miss) -> str:
    """Describe what a miss's response time was spent on: the largest parts, and the sum of the rest."""
    large_parts = [part for part in miss.parts if part.ms >= _LEAST_SHARE * miss.time_ms]
    large_parts = [part for part in large_parts if part.what != "ran"][:_MAX_PARTS] + [
        part for part in large_parts if part.what == "ran"
    ]
    words = [f"{part.words} {format_number(part.ms)}" for part in large_parts]
    other_time = sum(part.ms for part in miss.parts if part not in large_parts)
    return ", ".join([*words, f"rest {format_number(other_time)}"] if other_time else words)
