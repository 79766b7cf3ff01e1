# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of a benchmark for the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.analysis.benchmark import Difference, Growth, Limit
from takt_cli.report.formatting import format_count, format_number, format_spread
from takt_cli.spec.units import format_size
from takt_cli.statistics.confidence import MedianOfRounds
from takt_cli.statistics.correlation import TOO_SHORT
from takt_cli.statistics.percentiles import Percentiles

_US = 1000


def benchmark_report(summary: dict[str, Any], description: str, folder: Path) -> list[RenderableType]:
    """Return the report of a benchmark: its table, fits of growth, limits, differences and rights not granted.

    The table has a row for each variant at each value of the varied parameter x, with its ratios to other variants.
    """
    turn = f" x {format_number(summary['turn_ms'])} ms" if summary["turn_ms"] is not None else ""
    title = f"{summary['kind']}: {description}; {summary['rounds']} rounds{turn}"
    table = Table(title=title, title_justify="left")
    table.add_column("")
    if summary["x"]:
        table.add_column(summary["x"], justify="right")
    for name in ("us\np50 · p99 · max", "n", "ratio of medians per round\n(95 %)"):
        table.add_column(name, justify="right")
    for metrics in summary["figures"]:
        cells = [metrics["variant"]] + ([_x(summary, metrics["x"])] if summary["x"] else [])
        table.add_row(
            *cells, format_spread(_us(metrics["ns"]), ""), format_count(metrics["ns"].n), _ratios(summary, metrics)
        )
    if (wakeups := summary.get("cyclictest")) is not None:
        cells = ["cyclictest"] + ([""] if summary["x"] else [])
        table.add_row(*cells, format_spread(_us(wakeups), ""), format_count(wakeups.n), "", style="dim")
    parts: list[RenderableType] = [table]
    parts += [line for growth in summary["growth"] if (line := growth_line(growth, summary["x"]))]
    parts += [Text(limit_line(limit), style=_STYLES[limit.holds]) for limit in summary["limits"]]
    for difference in summary["differences"]:
        parts.append(Text(difference_line(difference, summary["x"]), style=_STYLES[difference.holds]))
    parts += [Text(f"not granted: {line}", style="yellow") for line in summary["refused"]]
    parts.append(f"result: {folder}")
    return parts


_STYLES = {True: "green", False: "red", None: "yellow"}


def limit_line(limit: Limit) -> str:
    """Format the verdict on a ratio: `takt / wake-up: 1.02 (0.99 to 1.05); its upper bound is below 1.5`."""
    text_by_answer = {
        True: f"its upper bound is below {limit.below:g}",
        False: f"its upper bound is not below {limit.below:g}",
        None: TOO_SHORT if limit.high is None else "not judged: without real-time rights there is no preemption",
    }
    return f"{limit.of} / {limit.to}: {interval(limit)}; {text_by_answer[limit.holds]}"


def difference_line(difference: Difference, x: str) -> str:
    """Format the verdict on a difference: `traced - not traced, 10 tasks: 41 (38 to 45) ns; ...`"""
    x_text = f", {format_count(difference.x)} {x}" if difference.x else ""
    text_by_answer = {
        True: "its upper bound is below",
        False: "its upper bound is not below",
        None: f"{TOO_SHORT}, limit",
    }
    return (
        f"{difference.of} - {difference.to}{x_text}: {interval(difference)} ns; "
        f"{text_by_answer[difference.holds]} {difference.below_ns:g}"
    )


def growth_line(growth: Growth, x: str) -> str:
    """Format how the cost of a variant grows with x, by a logarithmic and a power-law fit.

    The line is empty if the variant was measured at too few values of x for a fit.
    """
    if growth.base_ns is None or growth.per_doubling_ns is None or growth.exponent is None:
        return ""
    return (
        f"{growth.variant}: {format_number(growth.base_ns.median)} ns "
        f"+ {interval(growth.per_doubling_ns)} ns x log2 {x}; "
        f"as a power of {x}: exponent {interval(growth.exponent, '+.3f')}"
    )


def interval(statistics: MedianOfRounds, style: str = "") -> str:
    """Format a median with its 95 % interval: `1.02 (0.99 to 1.05)`. `style` is a format specification."""

    def shown(value: float) -> str:
        return format(value, style) if style else format_number(value)

    if statistics.low is None or statistics.high is None:
        return f"{shown(statistics.median)} ({TOO_SHORT})"
    return f"{shown(statistics.median)} ({shown(statistics.low)} to {shown(statistics.high)})"


def _ratios(summary: dict[str, Any], figures: dict[str, Any]) -> str:
    ratios = [r for r in summary["ratios"] if (r.of, r.x) == (figures["variant"], figures["x"])]
    lines = []
    for ratio in ratios:
        is_own_growth = ratio.of == ratio.to
        if is_own_growth and ratio.x == ratio.to_x:
            continue
        denominator = f"its own at {_x(summary, ratio.to_x)}" if is_own_growth else ratio.to
        lines.append(f"{interval(ratio)} x {denominator}")
    return "\n".join(lines)


def _x(summary: dict[str, Any], x: int) -> str:
    if x == 0:
        return ""
    return format_size(x) if summary["x"] == "bytes" else format_count(x)


def _us(ns: Percentiles) -> Percentiles:
    figures = {
        name: value if name in {"n", "infinite"} or value is None else value / _US
        for name, value in msgspec.structs.asdict(ns).items()
    }
    return Percentiles(**figures)
