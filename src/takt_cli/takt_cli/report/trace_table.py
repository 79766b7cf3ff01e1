# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A trace as tables for the terminal."""

from __future__ import annotations

from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.report.words import NONE, count, number, percentile

# Of one miss, how many of the things that kept it are told one by one, and from which share of its time on.
_TOLD, _SHARE = 4, 0.01
# Causes that are told one by one.
_CAUSES = 20


def trace_report(summary: dict[str, Any], limit: int) -> list[RenderableType]:
    """Responses of each task, causes of misses, and `limit` misses one by one: the worst of each cause first."""
    parts: list[RenderableType] = []
    if summary["incomplete"]:
        text = f"incomplete: {'; '.join(summary['incomplete'])}: these figures are of what is left"
        parts.append(Text(text, style="bold yellow"))
    parts.append(_tasks(summary["tasks"]))
    if summary["misses"]:
        parts += _causes(summary["causes"])
        chosen = sorted(summary["misses"], key=lambda miss: miss["rank"])[:limit]
        if chosen:
            parts.append(_misses(sorted(chosen, key=lambda miss: miss["release_s"])))
        if more := len(summary["misses"]) - len(chosen):
            which = "; above are the worst of each cause" if chosen else ""
            parts.append(f"{count(more)} more misses{which}; --limit shows more, --json all")
        if not summary["kernel"] and not summary["incomplete"]:
            parts.append("without the kernel's switches: what other threads took looks as if jobs ran longer")
    elif not summary["incomplete"]:
        parts.append(Text("no deadline was missed", style="bold green"))
    marks = [
        f"{count(summary[name])} {words}"
        for name, words in (
            ("scenario_switches", "scenario switches"),
            ("refreshes", "jobs run first to refresh data"),
            ("raised", "started jobs raised"),
            ("lowered", "jobs sent to the background"),
            ("deferred", "starts put off by middleware sections"),
        )
        if summary[name]
    ]
    if summary["expired_sections"]:
        bound = f" ({number(summary['max_section_ms'])} ms)" if summary["max_section_ms"] is not None else ""
        marks.append(f"{count(summary['expired_sections'])} sections that reached max_section{bound}")
    if summary["entity_waits"]:
        marks.append(
            f"{count(summary['entity_waits'])} waits for entities of the middleware that others used, "
            f"the longest {number(summary['longest_wait_ms'])} ms"
        )
    if marks:
        parts.append(", ".join(marks))
    return parts


def _tasks(tasks: list[dict[str, Any]]) -> Table:
    table = Table(title="responses, ms", title_justify="left")
    table.add_column("task")
    names = ("p50", "p90", "p99", "p99.9", "max")
    for name in ("jobs", *names, "worst job", "least margin", "release noticed, max", "late", "skipped"):
        table.add_column(name, justify="right")
    for task in tasks:
        figures = task["response_ms"]
        table.add_row(
            task["task"],
            count(task["jobs"]),
            *(percentile(figures, name) for name in names),
            NONE if task["worst"] is None else f"#{task['worst']}",
            number(task["margin_ms"]),
            percentile(task["release_ms"], "max"),
            count(task["late"]),
            count(task["skipped"]),
        )
    return table


def _causes(causes: list[dict[str, Any]]) -> list[RenderableType]:
    table = Table(title="what the misses came from", title_justify="left")
    table.add_column("misses", justify="right")
    for name in ("task", "how", "mostly"):
        table.add_column(name)
    table.add_column("worst job", justify="right")
    for cause in causes[:_CAUSES]:
        table.add_row(count(cause["misses"]), cause["task"], cause["how"], cause["mostly"], f"#{cause['worst']}")
    rest = causes[_CAUSES:]
    if not rest:
        return [table]
    words = (
        f"{count(sum(cause['misses'] for cause in rest))} more misses of {count(len(rest))} more causes; --json has all"
    )
    return [table, words]


def _misses(misses: list[dict[str, Any]]) -> Table:
    table = Table(title="misses", title_justify="left")
    table.add_column("released, s", justify="right")
    table.add_column("job")
    table.add_column("how")
    table.add_column("late, ms", justify="right")
    table.add_column("what its time went by with, ms")
    for miss in misses:
        told = _told(miss)
        if miss["how"] == "skipped" and told:
            told = f"the job before it: {told}"
        how = miss["how"] + (" (transition)" if miss["transition"] else "")
        if miss["how"] == "stale":
            told = "its data was too old"
        table.add_row(
            f"{miss['release_s']:.6f}",
            f"{miss['task']} #{miss['job']}",
            how,
            number(miss["late_ms"]) if miss["late_ms"] is not None else "",
            told,
        )
    return table


def _told(miss: dict[str, Any]) -> str:
    """What its time went by with: the large parts, and the sum of the rest."""
    large = [part for part in miss["parts"] if part["ms"] >= _SHARE * miss["time_ms"]]
    large = [part for part in large if part["what"] != "ran"][:_TOLD] + [
        part for part in large if part["what"] == "ran"
    ]
    words = [f"{part['words']} {number(part['ms'])}" for part in large]
    rest = sum(part["ms"] for part in miss["parts"] if part not in large)
    return ", ".join([*words, f"the rest {number(rest)}"] if rest else words)
