# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of `takt measure interference`: start delays with and without an activity, and what caused them."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.interference import (
    LEVELS,
    CaseFigures,
    InterferenceResult,
    InterferenceSummary,
    TurnFigures,
    TurnRatio,
)
from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Mark, Points, Ranges, Spot
from takt_cli.report.formatting import describe_holders, format_percentile, format_range, format_with_causes
from takt_cli.report.tables.rows import Row, not_granted, table_of, warnings
from takt_cli.report.texts import CHARTS, REMARKS
from takt_cli.report.values import NONE, Value, format_count, format_number
from takt_cli.results.interference import Activity, Waits
from takt_cli.spec.interference import MAX_SECTION, MUTEXES
from takt_cli.spec.units import format_duration
from takt_cli.statistics.percentiles import Percentiles

_ACTIVITY, _HOLDERS = "activity in the turns with it", "threads that had the CPU until the start"
_LATE_STARTS = (
    "threads that had the CPU before the other starts after more than 0.2 ms, by the kernel's context switches"
)
_WAITED = "what was waited for in the turns with the activity; the longest times are since the start of the process"
_CAUSES = "(host,\nkept off)"
_WIDTH, _ROW, _MARGIN = 7.6, 0.42, 1.3
_APART = 0.16
# The smallest value on the logarithmic axis, us; smaller delays are drawn there.
_SMALLEST_DELAY = 0.5
# What the columns of waits show, by their titles. A counter that no program has gets no column.
_WAITS: dict[str, Callable[[Waits], str]] = {
    "deferred\nstarts": lambda waits: format_count(waits.deferred),
    "longest\nsection, ms": lambda waits: _ms(waits.longest_section_ns),
    "overlong\nsections": lambda waits: format_count(waits.overlong_sections),
    "waits for\nentities": lambda waits: format_count(waits.entity_waits),
    "longest\nentity wait, ms": lambda waits: _ms(waits.longest_wait_ns),
    "waits for\nmutexes": lambda waits: format_count(waits.lock_waits),
    "longest\nmutex wait, ms": lambda waits: _ms(waits.longest_lock_wait_ns),
}


def interference_title(summary: InterferenceSummary) -> str:
    """Return what was measured, in a phrase."""
    return (
        "start delays of a 1 kHz timer of priority 98 with and without an interfering activity, "
        f"{summary.rounds} x {format_number(summary.turn_s)} s each, in turns"
    )


def interference_report(summary: InterferenceSummary) -> list[RenderableType]:
    """Return the report: two rows for each case (with and without its activity), waits, ratios, late starts, notes."""
    ratios: list[dict[str, Value]] = [
        {
            "case": case_name(case),
            **{f"start delay,\n{name}": format_ratio(case.start_delay_ratio[name]) for name in LEVELS},
        }
        for case in summary.cases
    ]
    activities: list[dict[str, Value]] = [
        {"case": case_name(case), _ACTIVITY: describe_activity(case)} for case in summary.cases
    ]
    late_starts: list[dict[str, Value]] = [
        {"case": case_name(case), "turns": turns, "starts": others, _HOLDERS: describe_holders(late)}
        for case in summary.cases
        for turns, late in case.late_starts.each()
        if not late.refused and (others := late.starts - late.host - late.kept)
    ]
    parts: list[RenderableType] = [_table(summary)]
    if any(case.publish_us for case in summary.cases):
        parts.append(_publishes(summary))
    if columns := waits_columns(summary):
        waits: list[dict[str, Value]] = [
            {"case": case_name(case), **{title: text(case.waits.active) for title, text in columns.items()}}
            for case in summary.cases
        ]
        parts.append(table_of(_WAITED, waits))
    parts += [table_of("ratios of with to without", ratios), table_of(None, activities, ("case", _ACTIVITY))]
    if late_starts:
        parts.append(table_of(_LATE_STARTS, late_starts, ("case", "turns", _HOLDERS)))
    descriptions = {case.case: case.description for case in summary.cases}
    if any(descriptions.values()):
        cases: list[dict[str, Value]] = [
            {"case": name, "activity": Text(description)} for name, description in descriptions.items()
        ]
        parts.append(table_of("the cases", cases, ("case", "activity")))
    parts += [escape(f"longest wait for a mutex: {line}") for line in describe_lock_waits(summary)]
    parts += [REMARKS["kept off"], REMARKS["start delays"]]
    lines = []
    if not all(case.stalls.seen for case in summary.cases):
        lines.append("stalls of the host could not be observed: the probe had no real-time priority")
    lines += [f"not available: {line}" for line in summary.absent]
    # The reasons why the kernel's context switches could not be recorded.
    reasons = dict.fromkeys(case.switches_refused for case in summary.cases if case.switches_refused)
    lines += [f"it is not known which threads had the CPU: {line}" for line in reasons]
    refused = dict.fromkeys(line for case in summary.cases for line in case.refused)
    return [*parts, *warnings(lines), *not_granted(refused)]


def _table(summary: InterferenceSummary) -> Table:
    rows = []
    for case in summary.cases:
        if case.warm_up is not None:
            rows.append(Row({"turns": "warming up", **_misses(case.warm_up)}, "dim"))
        for (turns, figures), (_, late) in zip(case.each(), case.late_starts.each(), strict=True):
            cells: dict[str, Value] = {
                "case": f"{case.case}," if turns == "with" else _variant(case),
                "turns": turns,
                **_misses(figures),
                f"starts after\n> 0.2 ms\n{_CAUSES}": format_with_causes(late.starts, late.host, late.kept),
                **_tail("start\ndelay, us\n", figures.start_delay_us),
            }
            rows.append(Row(cells, None if turns == "with" else "dim", ends_section=turns == "without"))
    return table_of(interference_title(summary), rows, ("case", "turns"), no_wrap=("case", "turns"))


def _publishes(summary: InterferenceSummary) -> Table:
    rows = [
        Row({"case": case_name(case), **_tail("with\n", both["with"]), **_tail("without\n", both["without"])})
        for case in summary.cases
        if case.publish_us and (both := dict(case.publish_us.each()))
    ]
    return table_of("own publish, us: how long the most urgent task's own exchange took", rows)


def _tail(prefix: str, times: Percentiles) -> dict[str, Value]:
    return {f"{prefix}{name.replace('_', '.')}": format_percentile(times, name) if times.n else NONE for name in LEVELS}


def _misses(figures: TurnFigures) -> dict[str, Value]:
    return {
        "releases": figures.releases,
        f"missed\n{_CAUSES}": format_with_causes(figures.missed, figures.host_misses, figures.kept_misses),
        "skipped\nper second": figures.skipped_per_s,
    }


def waits_columns(summary: InterferenceSummary) -> dict[str, Callable[[Waits], str]]:
    """Return the columns of the waits that the programs counted, in their order."""
    every = [case.waits.active for case in summary.cases]
    return {title: text for title, text in _WAITS.items() if any(text(waits) != NONE for waits in every)}


def case_name(case: CaseFigures) -> str:
    """Return the case with its front end, RMW and non-default settings: `publish-large, takt (rmw_fastrtps_cpp)`."""
    return f"{case.case}, {_variant(case)}"


def _variant(case: CaseFigures) -> str:
    qualifiers = [case.rmw]
    if case.mutexes != MUTEXES[0]:
        qualifiers.append(f"mutexes {case.mutexes}")
    if case.max_section_ns != MAX_SECTION:
        qualifiers.append(f"max_section {format_duration(case.max_section_ns)}")
    if case.kept_heap_bytes:
        qualifiers.append(f"kept_heap {case.kept_heap_bytes}")
    return f"{case.front_end} ({', '.join(qualifiers)})"


def format_ratio(ratio: TurnRatio | None) -> str:
    """Format a ratio as `1.02 (0.9 to 1.3), n 5`: median, range and number of rounds."""
    return NONE if ratio is None else f"{format_range(ratio.median, ratio.least, ratio.greatest)}, n {ratio.rounds}"


def _ms(nanoseconds: int | None) -> str:
    return format_number(None if nanoseconds is None else nanoseconds / 1e6)


def describe_activity(case: CaseFigures) -> str:
    """Describe the interfering activity: `published 50, bytes 400 000 000; reader: 50 times`."""
    activity = case.did
    own_texts = [
        f"{name.replace('_', ' ')} {format_count(value)}"
        for name in (*Activity.__struct_fields__, "turns_stopped")
        if name != "longest_job_ns" and (value := getattr(activity, name))
    ]
    if activity.longest_job_ns:
        own_texts.append(f"longest job {_ms(activity.longest_job_ns)} ms")
    peer_texts = [
        f"{role}: {format_count(done.times)} times" + (f", {format_count(done.bytes)} bytes" if done.bytes else "")
        for role, done in activity.peers.items()
    ]
    return "; ".join([", ".join(own_texts), *peer_texts] if own_texts else peer_texts)


def describe_lock_waits(summary: InterferenceSummary) -> list[str]:
    """Describe each case's longest wait for a mutex, if known: `publish-large, takt (rmw_x): 5.2 ms in FUNCTION`."""
    return [
        f"{case_name(case)}: {_ms(waits.active.longest_lock_wait_ns)} ms in {waits.longest_lock_wait_in}"
        + (f", held by {waits.longest_lock_held_by}" if waits.longest_lock_held_by else "")
        for case in summary.cases
        if (waits := case.waits).longest_lock_wait_in
    ]


def interference_charts(_: InterferenceResult, summary: InterferenceSummary) -> dict[str, Chart]:
    """Return the chart by its name: for each case a line from p50 to the maximum, with a mark at p99.9."""
    marks: list[Mark] = []
    tails: list[Mark] = []
    for turns, colour, offset in (("without", "host", -_APART), ("with", "takt", _APART)):
        spots, ranges, tail = [], [], []
        for row, case in enumerate(summary.cases):
            delay, at = dict(case.each())[turns].start_delay_us, row + offset
            if delay.p50 is not None and delay.max is not None:
                figures = ", ".join(f"{level} {format_number(delay.figure(level))}" for level in LEVELS)
                low, high = (max(value, _SMALLEST_DELAY) for value in (delay.p50, delay.max))
                spots.append(Spot(high, at, f"<b>{case_name(case)}</b>, {turns}<br>{figures} us"))
                ranges.append((at, low, high))
                if (level := delay.p99_9) is not None:
                    tail.append(Spot(max(level, _SMALLEST_DELAY), at))
        marks.append(Points.of(spots, name=turns, colour=colour))
        marks.append(Ranges(ranges, 3, horizontal=True, name=turns, colour=colour))
        tails.append(Points.of(tail, "tick", 8, name="p99.9", colour="ink"))
    x = Axis("start delay of the most urgent task, us: line from p50 to max, mark at p99.9", log=True)
    y = rows_axis([f"{case.case}, {case.front_end}" for case in summary.cases])
    text = CHARTS["interference"]
    panel = Panel([*marks, *tails], text.title, x, y, _MARGIN + _ROW * len(summary.cases), key="within")
    return {"interference": Chart.of(panel, _WIDTH, description=text.description)}
