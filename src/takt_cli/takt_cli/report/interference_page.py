# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of a measurement of interference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from takt_cli.analysis.interference import WAITS, interference_summary, read_interference
from takt_cli.report.html import host_facts
from takt_cli.report.interactive import Plot, Section, Table, study_page
from takt_cli.report.interference_table import (
    KEPT_OFF,
    case_name,
    did_words,
    late_of,
    lock_waits_of,
    ratio_words,
    tail,
    unknown_of,
    wait_words,
    waits_of,
)
from takt_cli.report.style import COLOURS
from takt_cli.report.words import count, number

_KINDS = (("without", "host"), ("with", "takt"))
_LEVELS = ("p50", "p99.9", "max")


def interference_page(folder: Path) -> str:
    """The page as HTML. ResultError if `folder` holds no such measurement."""
    result = read_interference(folder)
    summary, record = interference_summary(result), result.record
    said = [f"{case_name(case)}: {case['description']}" for case in summary["cases"] if case["description"]]
    told = [KEPT_OFF, *(f"Longest wait for a mutex: {line}." for line in lock_waits_of(summary))]
    unknown = [f"Who had the CPU is not known: {line}." for line in unknown_of(summary)]
    sections = [
        Section("overview", "Overview", points=told, plots=[_plot(summary)], tables=[_table(summary)]),
        Section("ratios", "With to without", tables=[_ratios(summary)]),
        Section("late", "Late starts", points=unknown, tables=[_late(summary)]),
        Section("cases", "What is beside", points=said),
    ]
    subtitle = [
        "a timer of 1 kHz and priority 98 under fp on one CPU",
        f"{summary['rounds']} x {number(summary['turn_s'])} s with and without, in turns",
    ]
    facts = [("command", " ".join(map(str, record["command"]))), ("began", str(record["began"]))]
    facts += host_facts(record["host"])
    facts += [(name, str(value or "not told")) for name, value in record["versions"].items()]
    refused = dict.fromkeys(line for case in summary["cases"] for line in case["refused"])
    notes = [f"Not here: {line}" for line in summary["absent"]] + [f"Not granted: {line}" for line in refused]
    return study_page("What is beside the most urgent task, by what it costs that", subtitle, sections, facts, notes)


def _late(summary: dict[str, Any]) -> Table:
    columns = ["case", "turns", "late starts", "who", "in how many", "in all, ms", "longest at a time, us"]
    rows = [
        (name, which, count(late["starts"]), each["who"], count(each["starts"]), number(each["total_ms"]),
         number(each["longest_us"]))
        for name, which, late in late_of(summary)
        for each in late["by"]
    ]  # fmt: skip
    return Table("Who had the CPU in starts later than 0.2 ms, by the kernel's switches", columns, rows, whole=True)


def _plot(summary: dict[str, Any]) -> Plot:
    names = [case_name(case) for case in summary["cases"]]
    traces = []
    for level, symbol in zip(_LEVELS, ("circle-open", "line-ns-open", "circle"), strict=True):
        for which, colour in _KINDS:
            x = [case[which]["start_delay_us"].get(level) for case in summary["cases"]]
            marker = {"color": COLOURS[colour], "size": 9, "symbol": symbol}
            trace = {"type": "scatter", "mode": "markers", "name": f"{level}, {which}", "x": x, "y": names}
            traces.append(trace | {"marker": marker})
    layout = {
        "xaxis": {"title": "us", "type": "log"},
        "yaxis": {"autorange": "reversed"},
        "height": 160 + 30 * len(names),
    }
    what = "From each release on the ideal grid to the start of the task's next job, with the case and without."
    return Plot("start-delays", "Start delay", what, {"data": traces, "layout": layout}, wide=True)


def _table(summary: dict[str, Any]) -> Table:
    waits = waits_of(summary)
    columns = ["case", "turns", "releases", "missed", "of them host's", "kept off", "skipped a second"]
    columns += ["start delay, us: p50 \u00b7 p99.9 \u00b7 max", "own publish, us"]
    columns += [WAITS[name].title.replace("\n", " ") for name in waits]
    rows = []
    for case in summary["cases"]:
        for which in ("with", "without"):
            figures, published = case[which], case["publish_us"]
            rows.append(
                (
                    case_name(case), which, count(figures["releases"]), count(figures["missed"]),
                    count(figures["host_misses"]), count(figures["kept_misses"]), number(figures["skipped_per_s"]),
                    tail(figures["start_delay_us"]),
                    tail(published[which]) if published else "",
                    *(wait_words(name, case["waits"][which].get(name)) for name in waits),
                )
            )  # fmt: skip
    return Table("Every case", columns, rows, whole=True)


def _ratios(summary: dict[str, Any]) -> Table:
    columns = ["case", *(f"start delay, {name}" for name in _LEVELS), "done in the turns with it"]
    rows = [
        (case_name(case), *(ratio_words(case["start_delay_ratio"][name]) for name in _LEVELS), did_words(case))
        for case in summary["cases"]
    ]
    return Table("Of the two turns of a round: the median, least to greatest", columns, rows, whole=True)
