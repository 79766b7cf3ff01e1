# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Report of `takt check` for the terminal: tables, why deadlines may be missed, and which changes would help."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.report.formatting import format_time
from takt_cli.report.tables.rows import Row, table_of
from takt_cli.schedulability.check_summary import CheckedProcessor, CheckedTask, CheckSummary, ScenariosSummary
from takt_cli.spec.units import format_factor, format_share, rounded_down, rounded_up

_STYLES = {"holds": None, "not shown to hold": "yellow", "not analysed": "yellow", "does not hold": "red"}
_MOST_CHAINS = 12


def check_report(summary: CheckSummary | ScenariosSummary, out: Path | None) -> list[RenderableType]:
    """Return the report of one analysis: response-time bounds by task, data age by read and chain, and the verdict; for
    a strategy the reports of all scenarios, then the verdict for all of them. `out` is the folder of the result, if one
    was written."""
    if isinstance(summary, ScenariosSummary):
        return _scenarios(summary, out)
    parts: list[RenderableType] = []
    if summary.refused is None:
        parts.append(_tasks(summary))
        parts += _exchange(summary)
        parts += [_processor_line(each) for each in summary.processors]
    if isinstance(summary.assigned, dict):
        parts.append("the priorities above were assigned by --assign and are not those of the spec (1 is least urgent)")
    parts += [f"note: {note}" for note in summary.notes]
    parts += [Text(line, style="red") for line in explain_failures(summary)]
    parts += _ages_above_limits(summary) if summary.refused is None else []
    parts += [f"it would hold if {change}" for change in summary.mends]
    parts.append(_verdict(summary))
    if out:
        parts.append(f"result: {out}")
    return parts


def _scenarios(summary: ScenariosSummary, out: Path | None) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for name, each in summary.scenarios.items():
        parts += [Text(f"scenario {name}", style="bold"), *check_report(each, None), ""]
    parts.append(
        "the analysis does not cover changes of scenario: deadline misses that only a transition causes are counted "
        "apart at run time"
    )
    holding_scenarios = [name for name, each in summary.scenarios.items() if each.outcome == "holds"]
    words = f"{len(holding_scenarios)} of {len(summary.scenarios)} scenarios hold"
    parts.append(Text(words, style="bold green" if summary.outcome == "holds" else "bold red"))
    return parts + ([f"result: {out}"] if out else [])


def explain_failures(summary: CheckSummary) -> list[str]:
    """Return a line for each overloaded processor and each task that may miss its deadline, with the reason."""
    lines = []
    for each in summary.processors:
        demand_above = each.demand_above_length
        if each.utilisation > 1:
            share = format_share(each.utilisation)
            lines.append(f"{_describe_processor(summary, each)}has a utilisation of {share}, which is above 1")
        elif demand_above is not None:
            blocked = f" and {demand_above.blocked_by} may block for {format_time(demand_above.blocking_ns)}"
            lines.append(
                f"{_describe_processor(summary, each)}within {format_time(demand_above.length_ns)}, "
                f"work of {format_time(demand_above.due_ns)} may be due "
                f"({', '.join(f'{name} {format_time(due)}' for name, due in demand_above.by_task_ns.items())})"
                f"{blocked if demand_above.blocked_by else ''}"
            )
    others = "other tasks and costs" if any(msgspec.structs.astuple(summary.costs_ns)) else "other tasks"
    overloaded = {each.processor for each in summary.processors if each.utilisation > 1}
    for task in summary.tasks:
        if task.bound_ns is None:
            if task.processor in overloaded:
                continue  # the line on its processor says why
            lines.append(f"{task.task}: {task.why_not}")
        elif (task.margin_ns or 0) < 0:
            verb = "takes" if task.exact else "may take"
            lines.append(f"{task.task}: {verb} {_parts(task, task.bound_ns, others)}")
    return lines


def _parts(task: CheckedTask, bound_ns: int, others: str) -> str:
    """Describe a bound above its deadline, with the parts that add up to it."""
    own, blocking = task.wcet_ns, rounded_up(task.blocking_ns)
    other_work = rounded_up(bound_ns - own - task.blocking_ns)
    blocked = f", {format_time(blocking)} blocked by {task.blocked_by}" if task.blocked_by else ""
    return (
        f"{format_time(own + blocking + other_work)}, deadline {format_time(task.deadline_ns)}: "
        f"{format_time(own)} its own WCET{blocked}, {format_time(other_work)} from {others}"
    )


def _tasks(summary: CheckSummary) -> Table:
    several_processors = len(summary.processors) > 1
    fixed = summary.policy in {"fp", "np-fp"}
    rooms = any(task.largest_wcet_ns is not None for task in summary.tasks)
    simulated = any(task.simulated_ns is not None for task in summary.tasks)
    measured = any(task.measured_ns is not None for task in summary.tasks)
    rows = [
        Row(
            {
                "task": task.task,
                **({"processor": str(task.processor)} if several_processors else {}),
                **({"priority": str(task.priority)} if fixed else {}),
                "period": format_time(task.period_ns),
                "WCET": format_time(task.wcet_ns),
                "blocked": _at_most(task.blocking_ns) if task.blocking_ns else "",
                "response at most": ("= " if task.exact else "") + _at_most(task.bound_ns),
                **({"simulated": _at_most(task.simulated_ns)} if simulated else {}),
                **({"measured": _measured(task)} if measured else {}),
                "deadline": format_time(task.deadline_ns),
                "margin": _at_least(task.margin_ns),
                **({"largest WCET": _at_least(task.largest_wcet_ns)} if rooms else {}),
            },
            style=_STYLES[task.outcome],
        )
        for task in summary.tasks
    ]
    captions = []
    if any(task.exact for task in summary.tasks):
        captions.append("= is exact, reached when all tasks are released together; other bounds may not be reached")
    captions.append("margin: from the response at most to the deadline")
    if rooms:
        captions.append("largest WCET: with which, in this task alone, all deadlines of all tasks would still hold")
    if any(_exceeds(task.measured_ns, task.bound_ns) for task in summary.tasks):
        captions.append("above: longer than the bound, which does not count stalls of the host and other programs")
    title = f"{summary.application} under {summary.policy}"
    return table_of(title, rows, caption="\n".join(captions), caption_justify="left")


def _exceeds(value: int | None, limit: int | None) -> bool:
    return value is not None and limit is not None and value > limit


def _measured(task: CheckedTask) -> str:
    return _at_most(task.measured_ns) + (" above" if _exceeds(task.measured_ns, task.bound_ns) else "")


def _exchange(summary: CheckSummary) -> list[RenderableType]:
    if not summary.reads:
        return []
    reads = [
        Row(
            {
                "reader": read.reader,
                "reads": f"{read.topic} of {read.producer}",
                "at most": _at_most(read.age_ns),
                "max_age": format_time(read.max_age_ns) if read.max_age_ns else "",
            },
            style="yellow" if read.age_ns is None or _exceeds(read.age_ns, read.max_age_ns) else None,
        )
        for read in summary.reads
    ]
    unbounded = any(read.age_ns is None for read in summary.reads)
    caption = "\u2013: no bound, because the producer may skip releases" if unbounded else None
    by_length = sorted(summary.chains, key=lambda c: (c.reaction_ns is not None, -(c.reaction_ns or 0)))
    chains = [
        {
            "from the first task to the last": " > ".join(chain.tasks),
            "age at the end at most": _at_most(chain.age_ns),
            "reaction at most": _at_most(chain.reaction_ns),
        }
        for chain in by_length[:_MOST_CHAINS]
    ]
    more = f"{len(by_length) - _MOST_CHAINS} more chains with shorter reaction times: see --json"
    cyclic = "cyclic chains, which have no last task, are not listed"
    return [
        table_of("Data age when a job starts", reads, ("reader", "reads"), caption=caption, caption_justify="left"),
        table_of(
            "Chains", chains, caption=more if len(by_length) > _MOST_CHAINS else None if summary.all_chains else cyclic
        ),
    ]


def _ages_above_limits(summary: CheckSummary) -> list[Text]:
    """Return a line for each read whose data may be older than its `max_age`."""
    return [
        Text(
            f"{read.reader}: {read.topic} may be {_at_most(read.age_ns)} old, "
            f"above its max_age of {format_time(read.max_age_ns)}",
            style="yellow",
        )
        for read in summary.reads
        if _exceeds(read.age_ns, read.max_age_ns)
    ]


def _processor_line(processor: CheckedProcessor) -> str:
    line = f"processor {processor.processor}: utilisation {processor.utilisation:.3f}, {processor.outcome}"
    factor = processor.wcet_factor
    # Without an analysis it is unknown what would not hold.
    if factor is None or (factor == 0 and processor.outcome == "not analysed"):
        return line
    if factor >= 1:
        return f"{line}; all WCETs may grow by a factor of {format_factor(factor)}"
    return (
        f"{line}; would not hold with any WCETs, however short"
        if factor == 0
        else f"{line}; would hold with all WCETs multiplied by {format_factor(factor)}"
    )


def _describe_processor(summary: CheckSummary, processor: CheckedProcessor) -> str:
    return f"processor {processor.processor}: " if len(summary.processors) > 1 else "the application "


_VERDICTS = {
    "holds": ("it holds: no job misses its deadline", "bold green"),
    "does not hold": ("it does not hold: jobs that take their WCETs miss deadlines", "bold red"),
    "not analysed": ("not analysed: the analysis has no bound for some tasks", "bold yellow"),
    "not shown to hold": ("not shown to hold: the upper bound of a response time is above its deadline", "bold yellow"),
}


def _verdict(summary: CheckSummary) -> Text:
    if summary.refused and summary.outcome != "holds":
        return Text(f"not analysed: {summary.refused}", style="bold yellow")
    return Text(*_VERDICTS[summary.outcome])


def _at_most(value: int | None) -> str:
    """Format an upper bound in ns, rounded up to whole microseconds if it is long; JSON has the exact value."""
    return format_time(None if value is None else rounded_up(value))


def _at_least(value: int | None) -> str:
    """Format a lower bound in ns, rounded down to whole microseconds if it is long."""
    return format_time(None if value is None else rounded_down(value))
