# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables and remarks of `takt measure interference`."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.interference import LEVELS, WAITS, CaseFigures, InterferenceSummary, TurnFigures, TurnRatio
from takt_cli.analysis.late_starts import LateStarts
from takt_cli.report.formatting import (
    KEPT_OFF,
    NONE,
    describe_holders,
    format_count,
    format_number,
    format_percentile,
    format_with_causes,
)
from takt_cli.results.interference import Activity
from takt_cli.spec.interference import MAX_SECTION, MUTEXES
from takt_cli.spec.units import format_duration
from takt_cli.statistics.percentiles import Percentiles


def interference_title(summary: InterferenceSummary) -> str:
    """Return what was measured, in a phrase."""
    return (
        "start delays of a 1 kHz timer of priority 98 with and without an interfering activity, "
        f"{summary.rounds} x {format_number(summary.turn_s)} s each, in turns"
    )


def interference_report(summary: InterferenceSummary) -> list[RenderableType]:
    """Return the report: two rows for each case (with and without its activity), ratios, late starts and notes."""
    parts: list[RenderableType] = [_table(summary), _ratio_table(summary)]
    if any(late.by for _, _, late in late_starts_of(summary)):
        parts.append(_late_table(summary))
    if any(case.description for case in summary.cases):
        parts.append(_cases_table(summary))
    parts += [escape(f"longest wait for a mutex: {line}") for line in describe_lock_waits(summary)]
    parts.append(KEPT_OFF)
    parts.append(
        "Start delays are of all releases on the ideal grid; the delay of a skipped release lasts until the task's "
        "next start. Ratios compare the two turns of a round: median over the rounds (min to max)."
    )
    warnings = []
    if not all(case.stalls.seen for case in summary.cases):
        warnings.append("stalls of the host could not be observed: the probe had no real-time priority")
    warnings += [f"not available: {line}" for line in summary.absent]
    # The reasons why the kernel's context switches could not be recorded.
    reasons = dict.fromkeys(case.switches_refused for case in summary.cases if case.switches_refused)
    warnings += [f"it is not known which threads had the CPU: {line}" for line in reasons]
    refused = dict.fromkeys(line for case in summary.cases for line in case.refused)
    warnings += [f"not granted: {line}" for line in refused]
    return [*parts, *(Text(line, style="yellow") for line in warnings)]


def _table(summary: InterferenceSummary) -> Table:
    waits = names_of_waits(summary)
    publishes = any(case.publish_us for case in summary.cases)
    table = Table(title=interference_title(summary), title_justify="left")
    table.add_column("case")
    table.add_column("turns")
    for name in (
        "releases",
        "missed\n(due to host, kept off)",
        "skipped\nper second",
        "starts after more than 0.2 ms\n(due to host, kept off)",
        "start delay, us\np50 · p99.9 · max",
        *(["own publish, us\np50 · p99.9 · max"] if publishes else []),
        *(WAITS[name] for name in waits),
    ):
        table.add_column(name, justify="right")
    for case in summary.cases:
        published = dict(case.publish_us.each()) if case.publish_us else {}
        late_starts = dict(case.late_starts.each())
        if case.warm_up is not None:
            table.add_row(case_name(case), "warming up", *_miss_cells(case.warm_up), style="dim")
        for (turns, figures), (_, waited) in zip(case.each(), case.waits.each(), strict=True):
            late = late_starts[turns]
            cells = [
                case_name(case),
                turns,
                *_miss_cells(figures),
                format_with_causes(late.starts, late.host, late.kept),
                format_tail(figures.start_delay_us),
            ]
            if publishes:
                cells.append(format_tail(published[turns]) if published else "")
            cells += [format_wait(name, getattr(waited, name)) for name in waits]
            table.add_row(*cells, style=None if turns == "with" else "dim", end_section=turns == "without")
    return table


def _miss_cells(figures: TurnFigures) -> list[str]:
    missed = format_with_causes(figures.missed, figures.host_misses, figures.kept_misses)
    return [format_count(figures.releases), missed, format_number(figures.skipped_per_s)]


def names_of_waits(summary: InterferenceSummary) -> list[str]:
    """Return the names of the waits that the programs reported, in the order of their columns."""
    return [name for name in WAITS if any(getattr(case.waits.active, name) is not None for case in summary.cases)]


def case_name(case: CaseFigures) -> str:
    """Return the case with its front end, RMW and non-default settings: `publish-large, takt (rmw_fastrtps_cpp)`."""
    qualifiers = [case.rmw]
    if case.mutexes != MUTEXES[0]:
        qualifiers.append(f"mutexes {case.mutexes}")
    if case.max_section_ns != MAX_SECTION:
        qualifiers.append(f"max_section {format_duration(case.max_section_ns)}")
    if case.kept_heap_bytes:
        qualifiers.append(f"kept_heap {case.kept_heap_bytes}")
    return f"{case.case}, {case.front_end} ({', '.join(qualifiers)})"


def format_tail(times: Percentiles) -> str:
    """Format p50, p99.9 and maximum: `12 · 48 · 103`."""
    return " · ".join(format_percentile(times, name) for name in LEVELS) if times.n else NONE


def format_ratio(ratio: TurnRatio | None) -> str:
    """Format a ratio as `1.02 (0.9 to 1.3), n 5`: median, range and number of rounds."""
    if ratio is None:
        return NONE
    ends = f"{format_number(ratio.least)} to {format_number(ratio.greatest)}"
    return f"{format_number(ratio.median)} ({ends}), n {ratio.rounds}"


def format_wait(name: str, value: int | None) -> str:
    """Format a wait: durations, whose names end in `_ns`, in ms, other waits as counts."""
    if value is None:
        return NONE
    return format_number(value / 1e6) if name.endswith("_ns") else format_count(value)


def describe_activity(case: CaseFigures) -> str:
    """Describe the interfering activity: `published 50, bytes 400 000 000; reader: 50 times`."""
    activity = case.did
    own_texts = [
        f"{name.replace('_', ' ')} {format_count(value)}"
        for name in (*Activity.__struct_fields__, "turns_stopped")
        if name != "longest_job_ns" and (value := getattr(activity, name))
    ]
    if activity.longest_job_ns:
        own_texts.append(f"longest job {format_number(activity.longest_job_ns / 1e6)} ms")
    peer_texts = [
        f"{role}: {format_count(done.times)} times" + (f", {format_count(done.bytes)} bytes" if done.bytes else "")
        for role, done in activity.peers.items()
    ]
    return "; ".join([", ".join(own_texts), *peer_texts] if own_texts else peer_texts)


def describe_lock_waits(summary: InterferenceSummary) -> list[str]:
    """Describe each case's longest wait for a mutex, if known: `publish-large, takt (rmw_x): 5.2 ms in FUNCTION`."""
    return [
        f"{case_name(case)}: "
        f"{format_wait('longest_lock_wait_ns', waits.active.longest_lock_wait_ns)} ms in {waits.longest_lock_wait_in}"
        + (f", held by {waits.longest_lock_held_by}" if waits.longest_lock_held_by else "")
        for case in summary.cases
        if (waits := case.waits).longest_lock_wait_in
    ]


def late_starts_of(summary: InterferenceSummary) -> Iterator[tuple[str, str, LateStarts]]:
    """Yield the turns with late starts: the case, `with` or `without`, and the threads that had the CPU before them."""
    for case in summary.cases:
        for turns, late in case.late_starts.each():
            if late.starts:
                yield case_name(case), turns, late


def _late_table(summary: InterferenceSummary) -> Table:
    title = "threads that had the CPU before the other starts after more than 0.2 ms, by the kernel's context switches"
    table = Table(title=title, title_justify="left")
    for name in ("case", "turns", "starts", "threads that had the CPU until the start"):
        table.add_column(name, justify="right" if name == "starts" else "left")
    for name, turns, late in late_starts_of(summary):
        if others := late.starts - late.host - late.kept:
            table.add_row(name, turns, format_count(others), describe_holders(late))
    return table


def _ratio_table(summary: InterferenceSummary) -> Table:
    table = Table(title="ratios of with to without", title_justify="left")
    table.add_column("case")
    for name in LEVELS:
        table.add_column(f"start delay,\n{name}", justify="right")
    table.add_column("activity in the turns with it")
    for case in summary.cases:
        ratios = [format_ratio(case.start_delay_ratio[name]) for name in LEVELS]
        table.add_row(case_name(case), *ratios, describe_activity(case))
    return table


def _cases_table(summary: InterferenceSummary) -> Table:
    table = Table("case", "activity", title="the cases", title_justify="left")
    for name, description in {case.case: case.description for case in summary.cases}.items():
        table.add_row(name, Text(description))
    return table
