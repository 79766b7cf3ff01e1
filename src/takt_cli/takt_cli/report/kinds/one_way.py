# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table and charts of `takt measure one-way`."""

from __future__ import annotations

import numpy as np
from rich.console import RenderableType

from takt_cli.analysis.one_way import OneWay, OneWayFigures, OneWaySummary
from takt_cli.chart.axis import Axis, size_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.curves import told_apart
from takt_cli.chart.marks import Line, Mark, Ranges
from takt_cli.report.conditions import conditions_phrase
from takt_cli.report.formatting import format_range, format_spread
from takt_cli.report.kinds.round_trip import remarks
from takt_cli.report.kinds.trips import colour_of, with_time
from takt_cli.report.tables.rows import Row, table_of
from takt_cli.report.texts import CHARTS, REMARKS
from takt_cli.report.values import format_count, format_number
from takt_cli.results.communication import PROCESS
from takt_cli.spec.units import format_size

_LOST, _LATENCY, _CPU = "lost\n(due to host)", "latency, us\np50 · p99 · max", "CPU, us a message\nsender · receiver"
_PUBLISH, _RATIO = "publish, us\np50", "to raw Fast DDS\n(95 %)"
_TEXTS = ("message", "transport", "RMW", "settings", "way")
_HEIGHT = 3.6
# The percentiles between which the ranges of a chart lie.
_LOW, _HIGH = 0.05, 0.95


def one_way_title(summary: OneWaySummary) -> str:
    """Return what was measured, in a phrase."""
    sizes = " to ".join(map(format_size, dict.fromkeys((min(summary.sizes), max(summary.sizes)))))
    readers = f" to {summary.receivers} receivers" if summary.receivers > 1 else ""
    return (
        f"One-way latency of {sizes}{readers}, a message every {format_number(summary.period_ms)} ms, "
        f"{conditions_phrase(summary.conditions)}, {summary.rounds} x {format_number(summary.duration_s)} s, "
        f"{summary.qos.reliability}, depth {summary.qos.depth}"
    )


def one_way_report(summary: OneWaySummary) -> list[RenderableType]:
    """Return the report: a row for each variant and size, and remarks."""
    elsewhere = "two processes" if summary.place == PROCESS else summary.place
    variants = list(summary.variants.values())
    words = [
        {
            "transport": each.transport,
            "RMW": each.rmw or "raw",
            "settings": each.real_time.label,
            "way": each.way or elsewhere,
        }
        for each in variants
    ]
    # What all variants have in common is said once, above the table.
    common = {name: value for name, value in words[0].items() if all(each[name] == value for each in words)}
    rows = [
        Row(
            {
                "message": format_size(size),
                **{name: value for name, value in words[number].items() if name not in common},
                "n": each.messages,
                _LOST: f"{format_count(each.lost)} ({format_count(each.lost_host)})",
                _LATENCY: format_spread(each.latency_us, ""),
                _PUBLISH: each.publish_us.p50,
                _CPU: _format_cpu(each),
                _RATIO: format_range(ratio.median, ratio.low, ratio.high, ".2f") if ratio else None,
            },
            ends_section=number == len(variants) - 1,
        )
        for place, size in enumerate(summary.sizes)
        for number, variant in enumerate(variants)
        for each in [variant.sizes[place]]
        for ratio in [each.ratio]
    ]
    said = "".join(f", {name}: {value}" for name, value in common.items())
    return [
        table_of(one_way_title(summary) + said, rows, _TEXTS, no_wrap=(_LOST, _LATENCY, _CPU, _RATIO)),
        REMARKS["one way"].format(timeout=format_number(summary.timeout_ms)),
        *remarks(summary, summary.variants),
    ]


def _format_cpu(figures: OneWayFigures) -> str:
    used = (figures.cpu_us.sender, figures.cpu_us.receiver)
    return " · ".join(format_number(each) for each in used if each is not None)


def one_way_charts(result: OneWay, summary: OneWaySummary) -> dict[str, Chart]:
    """Return the chart of the latency by size."""
    sizes = sorted(summary.sizes)
    names = {name: colour_of(variant.transport) for name, variant in summary.variants.items()}
    dashes = told_apart(names)
    marks: list[Mark] = []
    for name, colour in names.items():
        times = [np.concatenate([each.times for each in result.messages[name][size]]) / 1000 for size in sizes]
        low, middle, high = (np.array([_quantile(each, q) for each in times]) for q in (_LOW, 0.5, _HIGH))
        strokes = [each for each in zip(sizes, low, high, strict=True) if np.isfinite(each).all()]
        texts = [
            f"{name}, {format_size(size)}: {format_number(each)} us" for size, each in zip(sizes, middle, strict=True)
        ]
        marks.append(Ranges(strokes, 4, colour=colour, opacity=0.3))
        marks.append(Line(sizes, middle, dashes[name], shape="dot", name=name, colour=colour, texts=texts))
    axes = size_axis(sizes, "size of the message"), Axis("median latency, us", log=True)
    panel = Panel(marks, with_time("One-way latency by size", summary), *axes, _HEIGHT, key="right")
    return {"latency": Chart.of(panel, description=CHARTS["latency by size"].description)}


def _quantile(times: np.ndarray, level: float) -> float:
    """Return a quantile of the times; NaN if it is infinite, as lost messages are, or missing."""
    if len(times) == 0:
        return float("nan")
    value = float(np.quantile(times, level, method="inverted_cdf"))
    return value if np.isfinite(value) else float("nan")
