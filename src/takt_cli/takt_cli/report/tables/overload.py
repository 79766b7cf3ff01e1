# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of `takt measure overload`."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table

from takt_cli.analysis.overload import OverloadSummary, StalledTime
from takt_cli.report.formatting import NONE, Value, format_count, format_number, format_share, format_spread
from takt_cli.report.gauges import gauge_rows
from takt_cli.report.tables.rows import figures_table, not_granted, table_of
from takt_cli.surroundings.load import describe_load


def overload_title(summary: OverloadSummary) -> str:
    """Return what was measured, in a phrase."""
    utilisation, length = format_number(summary.utilisation.overload), format_number(summary.overload_s)
    return f"Overload: utilisation {utilisation} for {length} s under {summary.policy}"


def overload_report(summary: OverloadSummary) -> list[RenderableType]:
    """Return the report: each task during the overload, totals of held and other tasks, and the recovery."""
    remark = "* held task: meets all of its deadlines in the simulator, the overload included"
    return [_tasks(summary), remark, _totals(summary), *not_granted(summary.refused)]


def _tasks(summary: OverloadSummary) -> Table:
    rows = [
        {
            "task": f"{task.task}{' *' if task.held else ''}",
            "priority": task.priority,
            "period": f"{format_number(task.period_ms)} ms",
            "queue": task.queue or "skip",
            "utilisation": f"{task.utilisation:.3f}",
            **{name: getattr(task, name) for name in ("jobs", "late", "skipped", "unforced", "host")},
            "response p50 · p99 · max": format_spread(task.response_ms, "ms"),
        }
        for task in summary.tasks
    ]
    return table_of(overload_title(summary), rows)


def _totals(summary: OverloadSummary) -> Table:
    held, others, calm, recovery = summary.held, summary.others, summary.calm, summary.recovery
    throttling, messages = summary.throttling, summary.messages
    missed_count = others.late + others.skipped
    windows = f"{format_count(throttling.windows)}, {format_number(throttling.total_ms)} ms in total"
    made_up_text = f"{format_number(throttling.made_up_ms)} ms in total"
    rows: list[tuple[str, Value]] = [
        (f"held tasks, at utilisation {held.utilisation:.3f}: jobs", held.jobs),
        ("  unforced misses", held.unforced),
        ("  misses due to real-time throttling, catching up included", held.throttled),
        ("  misses due to other stalls of the host, catching up included", held.host),
        ("  misses that occur in the replay, too", held.forced),
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
        ("publications that found the message pool exhausted", messages["pool_exhausted"]),
        ("jobs pending at the end of the overload", recovery.pending),
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
    return figures_table(None, rows)


def _ms(value: float | None) -> str:
    return NONE if value is None else f"{format_number(value)} ms"


def _messages(messages: dict[str, int]) -> str:
    return " · ".join(format_count(messages[name]) for name in ("published", "delivered", "replaced"))


def _stalls(stalls: StalledTime) -> str:
    return f"{format_count(stalls.n)}, {format_number(stalls.total_ms)} ms in total"
