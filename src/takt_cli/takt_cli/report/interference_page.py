# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of `takt measure interference`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from takt_cli.analysis.interference import WAITS, interference_summary, read_interference
from takt_cli.report.charts.interference import interference_chart
from takt_cli.report.formatting import format_count, format_number
from takt_cli.report.html import record_facts
from takt_cli.report.plotly_page import Plot, Section, Table, study_page
from takt_cli.report.tables.interference import (
    KEPT_OFF,
    case_name,
    describe_activity,
    describe_lock_waits,
    format_ratio,
    format_tail,
    format_wait,
    late_starts_of,
    names_of_waits,
    reasons_without_switches,
)

_LEVELS = ("p50", "p99.9", "max")


def interference_page(folder: Path) -> str:
    """Return the page as HTML. ResultError if `folder` holds no measurement of interference."""
    result = read_interference(folder)
    summary, record = interference_summary(result), result.record
    case_texts = [f"{case_name(case)}: {case['description']}" for case in summary["cases"] if case["description"]]
    remarks = [KEPT_OFF, *(f"Longest wait for a mutex: {line}." for line in describe_lock_waits(summary))]
    unknown = [f"It is not known which threads had the CPU: {line}." for line in reasons_without_switches(summary)]
    description = (
        "Time from each release on the ideal grid to the start of the task's next job, in turns with the case's "
        "activity and in turns without it: a line from p50 to the maximum, with a mark at p99.9."
    )
    plot = Plot("start-delays", "Start delay", description, interference_chart(summary), wide=True)
    sections = [
        Section("overview", "Overview", points=remarks, plots=[plot], tables=[_table(summary)]),
        Section("ratios", "Ratios of with to without", tables=[_ratios(summary)]),
        Section("late", "Late starts", points=unknown, tables=[_late_starts_table(summary)]),
        Section("cases", "The cases", points=case_texts),
    ]
    subtitle = [
        "a timer of 1 kHz and priority 98 under fp on one CPU",
        f"{summary['rounds']} x {format_number(summary['turn_s'])} s with and without, in turns",
    ]
    refused = dict.fromkeys(line for case in summary["cases"] for line in case["refused"])
    notes = [f"Not available: {line}" for line in summary["absent"]] + [f"Not granted: {line}" for line in refused]
    return study_page("Interference with the most urgent task", subtitle, sections, record_facts(record), notes)


def _late_starts_table(summary: dict[str, Any]) -> Table:
    columns = ["case", "turns", "late starts", "thread", "of them delayed by it", "total, ms", "longest at a time, us"]
    rows = [
        (name, which, format_count(late["starts"]), each["who"], format_count(each["starts"]),
         format_number(each["total_ms"]), format_number(each["longest_us"]))
        for name, which, late in late_starts_of(summary)
        for each in late["by"]
    ]  # fmt: skip
    caption = "Threads that had the CPU before starts later than 0.2 ms, by the kernel's context switches"
    return Table(caption, columns, rows, never_folded=True)


def _table(summary: dict[str, Any]) -> Table:
    waits = names_of_waits(summary)
    columns = ["case", "turns", "releases", "missed", "due to host", "kept off", "skipped per second"]
    columns += ["start delay, us: p50 \u00b7 p99.9 \u00b7 max", "own publish, us"]
    columns += [WAITS[name].title.replace("\n", " ") for name in waits]
    rows = []
    for case in summary["cases"]:
        for turn_kind in ("with", "without"):
            metrics, published = case[turn_kind], case["publish_us"]
            rows.append(
                (
                    case_name(case), turn_kind, format_count(metrics["releases"]), format_count(metrics["missed"]),
                    format_count(metrics["host_misses"]), format_count(metrics["kept_misses"]),
                    format_number(metrics["skipped_per_s"]),
                    format_tail(metrics["start_delay_us"]),
                    format_tail(published[turn_kind]) if published else "",
                    *(format_wait(name, case["waits"][turn_kind].get(name)) for name in waits),
                )
            )  # fmt: skip
    return Table("All cases", columns, rows, never_folded=True)


def _ratios(summary: dict[str, Any]) -> Table:
    columns = ["case", *(f"start delay, {name}" for name in _LEVELS), "activity in the turns with it"]
    rows = [
        (case_name(case), *(format_ratio(case["start_delay_ratio"][name]) for name in _LEVELS), describe_activity(case))
        for case in summary["cases"]
    ]
    caption = "Ratio of the turn with the case to that without in the same round: median over the rounds (min to max)"
    return Table(caption, columns, rows, never_folded=True)
