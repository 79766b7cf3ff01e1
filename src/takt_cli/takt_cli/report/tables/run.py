# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of a single run for the terminal."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.counters import AgeCounters
from takt_cli.analysis.grants import refused_requests
from takt_cli.analysis.preemptions import Preemptions
from takt_cli.analysis.recording_cost import RecordingCost
from takt_cli.analysis.result import Result
from takt_cli.analysis.run_summary import ProcessorFigures, RunSummary, RunTotals, TaskFigures
from takt_cli.report.formatting import (
    format_count,
    format_number,
    format_share,
    format_spread,
    format_spread_with_intervals,
    format_verdict,
)
from takt_cli.report.grants import policy_label, priorities
from takt_cli.results.json_file import plain
from takt_cli.results.run import RunRecord
from takt_cli.statistics.correlation import TOO_SHORT
from takt_cli.surroundings.load import describe_load

STYLES = {"pass": "bold green", "fail": "bold red", "inconclusive": "bold yellow", TOO_SHORT: "bold yellow"}


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
    parts += [Text(line, style="yellow") for line in refusals(result.record)]
    parts += [Text(line, style="yellow") for line in lines_on_killed_processes(result.record)]
    parts += [Text(line, style="yellow") for line in lines_on_silent_readers(summary)]
    if (line := kernel_line(result.record)) is not None:
        parts.append(Text(line, style="yellow"))
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
    return [f"not granted: {line}" for line in refused_requests(record)]


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
    table = Table(title=title, title_justify="left")
    table.add_column("task")
    for name in ("jobs", "late", "skipped", "unforced", "host", "stale"):
        table.add_column(name, justify="right")
    table.add_column("response p50 · p99 · max", justify="right")
    table.add_column("data age p50 · p99 · max", justify="right")
    for task in tasks:
        table.add_row(
            task.task,
            format_count(task.jobs),
            format_count(task.late + task.unfinished),
            format_count(task.skipped),
            format_count(task.unforced),
            format_count(task.host_misses),
            format_share(task.stale, task.stale_n) if task.stale_n else "",
            format_spread(task.response_ms, "ms"),
            format_spread(task.data_age_ms, "ms") if task.data_age_ms.n else "",
        )
    return table


def _ages(tasks: list[TaskFigures]) -> list[RenderableType]:
    """Return the table of tasks that bound the age of what they read, and of tasks with extra releases for them."""
    concerned = [t for t in tasks if t.max_age_ms is not None or (t.ages is not None and t.ages.extra_releases)]
    if not any(task.max_age_ms is not None for task in concerned):
        return []
    table = Table(title="bounded data age, warm-up included", title_justify="left")
    table.add_column("task")
    for name in ("max age", "refreshed", "extra releases", "skipped", "reported"):
        table.add_column(name, justify="right")
    for task in concerned:
        bound = f"{format_number(task.max_age_ms)} ms" if task.max_age_ms else ""
        counted = (getattr(task.ages, name, None) for name in AgeCounters.__struct_fields__)
        table.add_row(task.task, bound, *map(format_count, counted))
    return [table]


def _budgets(tasks: list[TaskFigures]) -> list[RenderableType]:
    """Return the table of tasks with a budget, if the executor enforces budgets."""
    concerned = [(task, task.budgets) for task in tasks if task.budget_ms is not None and task.budgets is not None]
    if not concerned:
        return []
    table = Table(title="budgets of CPU time, warm-up included", title_justify="left")
    table.add_column("task")
    for name in ("budget", "overruns", "used up", "in the background"):
        table.add_column(name, justify="right")
    for task, counters in concerned:
        counted = map(format_count, msgspec.structs.astuple(counters))
        table.add_row(task.task, f"{format_number(task.budget_ms)} ms", *counted)
    return [table]


def _processors(processors: list[ProcessorFigures]) -> Table:
    table = Table()
    table.add_column("CPU")
    columns = ("tasks", "utilisation", "used", "jobs", "missed", "unforced", "host")
    for name in (*columns, "releases from other CPUs", "lock: longest wait · hold"):
        table.add_column(name, justify="right")
    for each in processors:
        wait, hold = ((ns or 0) / 1000 for ns in (each.longest_lock_wait_ns, each.longest_lock_hold_ns))
        table.add_row(
            ", ".join(map(str, each.cpus)),
            format_count(len(each.tasks)),
            f"{each.utilisation:.3f}",
            f"{each.used:.3f}",
            format_count(each.jobs),
            format_count(each.deadline_misses),
            format_count(each.unforced),
            format_count(each.host_misses),
            format_count(each.crossings or 0),
            f"{format_number(wait)} · {format_number(hold)} us" if each.crossings else "",
        )
    return table


def _stale(totals: RunTotals) -> str:
    by_node = totals.stale_share_by_node
    mean = "" if by_node is None else f"; share per node, mean over nodes: {format_number(100 * by_node)} %"
    return f"{format_count(totals.stale)} of {format_count(totals.stale_n)} jobs that read{mean}"


def _preemptions(statistics: Preemptions | None) -> str:
    if statistics is None:
        return "unknown: it was not recorded which job ran on which CPU"
    return (
        f"{format_count(statistics.total)} of {format_count(statistics.jobs)} jobs, at most "
        f"{format_count(statistics.max)} of one job"
    )


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
    table = Table(show_header=False)
    table.add_column()
    table.add_column()
    misses, jobs = totals.deadline_misses, totals.jobs
    rows = [
        ("deadline misses", f"{format_count(misses)} of {format_count(jobs)} ({format_share(misses, jobs)})"),
        ("stale executions", _stale(totals)),
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
        ("preemptions", _preemptions(totals.preemptions)),
        ("CPU time", _cpu(totals)),
    ]
    if (cost := summary.measuring) is not None:
        rows.append(("measurement overhead per job", _measuring(cost)))
    if stress is not None:
        rows.append((f"background load, by {stress.by}", describe_load(stress)))
    for row in rows:
        table.add_row(*row)
    return table
