# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of a single run for the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.counters import AgeCounters
from takt_cli.analysis.grants import refused_requests
from takt_cli.analysis.recording_cost import RecordingCost
from takt_cli.analysis.result import Result
from takt_cli.analysis.run_summary import ProcessorFigures, RunSummary, RunTotals, TaskFigures
from takt_cli.report.formatting import format_share, format_spread, format_spread_with_intervals, format_verdict
from takt_cli.report.grants import policy_label, priorities
from takt_cli.report.measures import describe_preemptions, describe_stale
from takt_cli.report.tables.rows import STYLES, figures_table, not_granted, table_of, warnings
from takt_cli.report.values import format_count, format_number
from takt_cli.results.json_file import plain
from takt_cli.results.run import RunRecord
from takt_cli.surroundings.load import describe_load

# What the columns of counters show, by their titles.
_AGES: dict[str, Callable[[AgeCounters], int]] = {
    "refreshed": lambda ages: ages.refreshed,
    "extra releases": lambda ages: ages.extra_releases,
    "skipped": lambda ages: ages.stale_skipped,
    "reported": lambda ages: ages.stale_reported,
}


def run_report(summary: RunSummary, result: Result, folder: Path) -> list[RenderableType]:
    """Return the report of a run: figures by task and in total, notes, the verdict, and the path of the result."""
    title = f"{summary.application} under {summary.executor} ({policy_label(summary)}), {summary.duration_s:g} s"
    parts: list[RenderableType] = [_tasks(title, summary.tasks)]
    if len(summary.processors) > 1:
        parts.append(_processors(summary.processors))
    parts.append(_totals(summary))
    parts += _ages(summary.tasks)
    parts += _budgets(summary.tasks)
    parts.append(Text(f"priorities: {priorities(result)}", style="dim"))
    parts += not_granted(refused_requests(result.record))
    parts += warnings([*lines_on_killed_processes(result.record), *lines_on_silent_readers(summary)])
    parts += warnings(filter(None, [kernel_line(result.record)]))
    parts.append(Text(format_verdict(summary.verdict), style=STYLES[summary.verdict.outcome]))
    parts.append(f"result: {folder}")
    return parts


def kernel_line(record: RunRecord) -> str | None:
    """Return a line if the kernel's context switches were to be recorded and were not, or not completely; else None."""
    if (kernel := record.kernel) is None:
        return None
    if kernel.refused:
        return kernel.refused
    return f"{kernel.lost} context switches were lost from the kernel's record" if kernel.lost else None


def refusals(record: RunRecord) -> list[str]:
    """Return a line for everything that was requested and not granted, each once."""
    return [str(line) for line in not_granted(refused_requests(record))]


def lines_on_killed_processes(record: RunRecord) -> list[str]:
    """Return a line for each process that had to be killed because it hung while exiting."""
    return [f"{name} was killed: it hung while exiting, but its files are complete" for name in record.unended]


def lines_on_silent_readers(summary: RunSummary) -> list[str]:
    """Return a line for each reader that received none of the messages published on its topic."""
    return [
        f"{each.task} received none of {each.published} messages on '{each.topic}': lost, or it never ran"
        for each in summary.totals.unheard
    ]


def _tasks(title: str, tasks: list[TaskFigures]) -> Table:
    rows = [
        {
            "task": task.task,
            "jobs": format_count(task.jobs),
            "late": format_count(task.late + task.unfinished),
            "skipped": format_count(task.skipped),
            "unforced": format_count(task.unforced),
            "host": format_count(task.host_misses),
            "stale": format_share(task.stale, task.stale_n) if task.stale_n else "",
            "response p50 · p99 · max": format_spread(task.response_ms, "ms"),
            "data age p50 · p99 · max": format_spread(task.data_age_ms, "ms") if task.data_age_ms.n else "",
        }
        for task in tasks
    ]
    return table_of(title, rows)


def _ages(tasks: list[TaskFigures]) -> list[RenderableType]:
    """Return the table of tasks that bound the age of what they read, and of tasks with extra releases for them."""
    concerned = [t for t in tasks if t.max_age_ms is not None or (t.ages is not None and t.ages.extra_releases)]
    if not any(task.max_age_ms is not None for task in concerned):
        return []
    rows = [
        {
            "task": task.task,
            "max age": f"{format_number(task.max_age_ms)} ms" if task.max_age_ms else "",
            **{title: format_count(count(task.ages) if task.ages else None) for title, count in _AGES.items()},
        }
        for task in concerned
    ]
    return [table_of("bounded data age, warm-up included", rows)]


def _budgets(tasks: list[TaskFigures]) -> list[RenderableType]:
    """Return the table of tasks with a budget, if the executor enforces budgets."""
    rows = [
        {
            "task": task.task,
            "budget": f"{format_number(task.budget_ms)} ms",
            "overruns": format_count(task.budgets.overruns),
            "used up": format_count(task.budgets.exhausted),
            "in the background": format_count(task.budgets.lowered),
        }
        for task in tasks
        if task.budget_ms is not None and task.budgets is not None
    ]
    return [table_of("budgets of CPU time, warm-up included", rows)] if rows else []


def _processors(processors: list[ProcessorFigures]) -> Table:
    rows = []
    for each in processors:
        wait, hold = ((ns or 0) / 1000 for ns in (each.longest_lock_wait_ns, each.longest_lock_hold_ns))
        crossings = each.crossings or 0
        rows.append(
            {
                "CPU": ", ".join(map(str, each.cpus)),
                "tasks": format_count(len(each.tasks)),
                "utilisation": f"{each.utilisation:.3f}",
                "used": f"{each.used:.3f}",
                "jobs": format_count(each.jobs),
                "missed": format_count(each.deadline_misses),
                "unforced": format_count(each.unforced),
                "host": format_count(each.host_misses),
                "releases from other CPUs": format_count(crossings),
                "lock: longest wait · hold": f"{format_number(wait)} · {format_number(hold)} us" if crossings else "",
            }
        )
    return table_of(None, rows)


def _cpu(totals: RunTotals) -> str:
    seconds = plain(totals.cpu_by_class_s)
    parts = ", ".join(f"{name} {format_number(each)}" for name, each in seconds.items())
    return f"{format_number(totals.cpu_s)} s: {parts}"


def _measuring(cost: RecordingCost) -> str:
    times = cost.ns_per_call
    middle, least, most = (
        format_number(None if value is None else value / 1000) for value in (times.p50, times.min, times.max)
    )
    calls = f"{format_count(cost.repeats)} x {format_count(cost.calls)} calls"
    if cost.processes > 1:
        calls += f" in each of {format_count(cost.processes)} processes"
    return f"{middle} us ({calls}; {least} to {most})"


def _totals(summary: RunSummary) -> Table:
    totals, stress = summary.totals, summary.stress
    dispatch = totals.dispatch_us
    misses, jobs = totals.deadline_misses, totals.jobs
    rows = [
        ("deadline misses", f"{format_count(misses)} of {format_count(jobs)} ({format_share(misses, jobs)})"),
        ("stale executions", describe_stale(totals)),
        ("response time p50 · p99 · max", format_spread_with_intervals(totals.response_ms, "ms")),
        ("data age p50 · p99 · max", format_spread_with_intervals(totals.data_age_ms, "ms")),
        (
            "dispatch overhead per job",
            f"{format_number(dispatch.per_job)} us (executor {format_number(dispatch.executor)}, "
            f"middleware {format_number(dispatch.middleware)}, other {format_number(dispatch.other)})",
        ),
        ("  on the job's own thread p50 · p99 · max", format_spread_with_intervals(dispatch, "us")),
        ("decision time p50 · p99 · max", format_spread_with_intervals(totals.decision_us, "us")),
        ("handover p50 · p99 · max", format_spread(totals.handover_us, "us")),
        ("release jitter p50 · p99 · max", format_spread_with_intervals(totals.release_jitter_us, "us")),
        ("preemptions", describe_preemptions(totals)),
        ("CPU time", _cpu(totals)),
    ]
    if (cost := summary.measuring) is not None:
        rows.append(("measurement overhead per job", _measuring(cost)))
    if stress is not None:
        rows.append((f"background load, by {stress.by}", describe_load(stress)))
    return figures_table(None, rows, texts=("figure", "value"))
