# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of `takt measure overload`."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.counters import MessageTotals
from takt_cli.analysis.overload import OverloadSummary, StalledTime
from takt_cli.report.formatting import NONE, format_count, format_number, format_share, format_spread
from takt_cli.report.gauges import gauge_rows
from takt_cli.surroundings.load import describe_load


def overload_title(summary: OverloadSummary) -> str:
    """Return what was measured, in a phrase."""
    utilisation, length = format_number(summary.utilisation.overload), format_number(summary.overload_s)
    return f"Overload: utilisation {utilisation} for {length} s under {summary.policy}"


def overload_report(summary: OverloadSummary) -> list[RenderableType]:
    """Return the report: each task during the overload, totals of held and other tasks, and the recovery."""
    refused = [Text(f"not granted: {line}", style="yellow") for line in summary.refused]
    remark = "* held task: meets all of its deadlines in the simulator, the overload included"
    return [_tasks(summary), remark, _totals(summary), *refused]


def _tasks(summary: OverloadSummary) -> Table:
    table = Table(title=overload_title(summary), title_justify="left")
    table.add_column("task")
    for name in ("priority", "period", "queue", "utilisation", "jobs", "late", "skipped", "unforced", "host"):
        table.add_column(name, justify="right")
    table.add_column("response p50 · p99 · max", justify="right")
    for task in summary.tasks:
        table.add_row(
            f"{task.task}{' *' if task.held else ''}",
            format_count(task.priority),
            f"{format_number(task.period_ms)} ms",
            format_count(task.queue) if task.queue else "skip",
            f"{task.utilisation:.3f}",
            *(format_count(getattr(task, name)) for name in ("jobs", "late", "skipped", "unforced", "host")),
            format_spread(task.response_ms, "ms"),
        )
    return table


def _totals(summary: OverloadSummary) -> Table:
    held, others, calm, recovery = summary.held, summary.others, summary.calm, summary.recovery
    throttling, messages = summary.throttling, summary.messages
    table = Table(show_header=False)
    table.add_column("figure")
    table.add_column("value", justify="right")
    missed_count = others.late + others.skipped
    windows = f"{format_count(throttling.windows)}, {format_number(throttling.total_ms)} ms in total"
    made_up_text = f"{format_number(throttling.made_up_ms)} ms in total"
    rows = [
        (f"held tasks, at utilisation {held.utilisation:.3f}: jobs", format_count(held.jobs)),
        ("  unforced misses", format_count(held.unforced)),
        ("  misses due to real-time throttling, catching up included", format_count(held.throttled)),
        ("  misses due to other stalls of the host, catching up included", format_count(held.host)),
        ("  misses that occur in the replay, too", format_count(held.forced)),
        ("  response time / deadline p50 · p99 · max", format_spread(held.response_of_deadline, "")),
        (
            "other tasks during the overload: late or skipped",
            f"{format_count(missed_count)} ({format_share(missed_count, others.jobs)})",
        ),
        (
            "all tasks before the overload and after recovery: unforced misses",
            f"{format_count(calm.unforced)} of {format_count(calm.jobs)}",
        ),
        *((f"{name}, during the overload", value) for name, value in gauge_rows(summary.gauges)),
        ("messages published · delivered · replaced", _messages(messages)),
        ("publications that found the message pool exhausted", format_count(messages.pool_exhausted)),
        ("jobs pending at the end of the overload", format_count(recovery.pending)),
        ("recovery: measured", _ms(recovery.measured_ms)),
        ("  bound, from the backlog in the replay", _ms(recovery.bound_ms)),
        ("  in the replay", _ms(recovery.replayed_ms)),
        (
            "  in the simulator with the WCETs (bound)",
            f"{_ms(recovery.simulated_ms)} ({_ms(recovery.simulated_bound_ms)})",
        ),
        ("real-time throttling: windows", windows),
        ("  until the held tasks had caught up, during the overload", made_up_text),
        ("  length p50 · p99 · max", format_spread(throttling.length_ms, "ms")),
        ("stalls of the host, throttling included", _stalls(summary.stalls)),
        ("background load (stress-ng)", describe_load(summary.stress)),
    ]
    for row in rows:
        table.add_row(*row)
    return table


def _ms(value: float | None) -> str:
    return NONE if value is None else f"{format_number(value)} ms"


def _messages(messages: MessageTotals) -> str:
    return " · ".join(format_count(n) for n in (messages.published, messages.delivered, messages.replaced))


def _stalls(stalls: StalledTime) -> str:
    return f"{format_count(stalls.n)}, {format_number(stalls.total_ms)} ms in total"
