# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table and verdicts of a benchmark."""

from __future__ import annotations

import msgspec
from rich.console import RenderableType

from takt_cli.analysis.benchmark import BenchmarkSummary, Difference, Figures, Growth, Limit
from takt_cli.report.formatting import format_count, format_number, format_range, format_spread
from takt_cli.report.tables.rows import Row, not_granted, table_of
from takt_cli.results.benchmark import KINDS
from takt_cli.results.verdict import FAIL, INCONCLUSIVE, PASS, Verdict
from takt_cli.spec.units import format_size
from takt_cli.statistics.confidence import MedianOfRounds
from takt_cli.statistics.correlation import TOO_SHORT
from takt_cli.statistics.percentiles import Percentiles

_US = 1000
_CYCLICTEST = "cyclictest"


def benchmark_title(summary: BenchmarkSummary) -> str:
    """Return what was measured, in a phrase."""
    turn = f" x {format_number(summary.turn_ms)} ms" if summary.turn_ms is not None else ""
    return f"{summary.kind}: {KINDS[summary.kind].description}; {summary.rounds} rounds{turn}"


def benchmark_report(summary: BenchmarkSummary) -> list[RenderableType]:
    """Return the report of a benchmark: its table, fits of growth, and rights not granted.

    The table has a row for each variant at each value of the varied parameter x, with its ratios to other variants.
    """
    figures = [(each.variant, each.x, each.ns, _ratios(summary, each)) for each in summary.figures]
    figures += [(_CYCLICTEST, 0, summary.cyclictest, "")] if summary.cyclictest is not None else []
    rows = [
        Row(
            {
                "variant": variant,
                **({summary.x: format_x(summary.x, x)} if summary.x else {}),
                "us\np50 · p99 · max": _spread_in_us(ns),
                "n": ns.n,
                "ratio of medians per round\n(95 %)": ratios,
            },
            style="dim" if variant == _CYCLICTEST else None,
        )
        for variant, x, ns, ratios in figures
    ]
    growth = [line for each in summary.growth if (line := _growth(each, summary.x))]
    return [table_of(benchmark_title(summary), rows), *growth, *not_granted(summary.refused)]


def benchmark_verdicts(summary: BenchmarkSummary) -> dict[str, Verdict]:
    """Return the verdicts on limits and differences: `takt / wake-up` passes, since its upper bound is below 1.5."""
    verdicts = {f"{each.of} / {each.to}": _verdict(each, each.below) for each in summary.limits}
    for each in summary.differences:
        x = f", {format_count(each.x)} {summary.x}" if each.x else ""
        verdicts[f"{each.of} - {each.to}{x}"] = _verdict(each, each.below_ns, " ns")
    return verdicts


def format_x(what: str, x: int) -> str:
    """Format a value of x: `64KiB` for bytes, otherwise a count; nothing if x was not varied."""
    if x == 0:
        return ""
    return format_size(x) if what == "bytes" else format_count(x)


def _verdict(judged: Limit | Difference, below: float, unit: str = "") -> Verdict:
    figure = f"{_interval(judged)}{unit}"
    if judged.holds is not None:
        relation = "below" if judged.holds else "not below"
        return Verdict(PASS if judged.holds else FAIL, [figure, f"its upper bound is {relation} {below:g}"])
    if judged.high is None:
        return Verdict(TOO_SHORT, [figure, f"its limit is {below:g}"])
    return Verdict(INCONCLUSIVE, [figure, "without real-time rights there is no preemption"])


def _growth(growth: Growth, x: str) -> str:
    """Format how the cost of a variant grows with x, by a logarithmic and a power-law fit.

    The line is empty if the variant was measured at too few values of x for a fit.
    """
    if growth.base_ns is None or growth.per_doubling_ns is None or growth.exponent is None:
        return ""
    return (
        f"{growth.variant}: {format_number(growth.base_ns.median)} ns "
        f"+ {_interval(growth.per_doubling_ns)} ns x log2 {x}; "
        f"as a power of {x}: exponent {_interval(growth.exponent, '+.3f')}"
    )


def _interval(figure: MedianOfRounds, style: str = "") -> str:
    return format_range(figure.median, figure.low, figure.high, style)


def _ratios(summary: BenchmarkSummary, figures: Figures) -> str:
    lines = []
    for ratio in summary.ratios:
        is_own_growth = ratio.of == ratio.to
        if (ratio.of, ratio.x) != (figures.variant, figures.x) or (is_own_growth and ratio.x == ratio.to_x):
            continue
        denominator = f"its own at {format_x(summary.x, ratio.to_x)}" if is_own_growth else ratio.to
        lines.append(f"{_interval(ratio)} x {denominator}")
    return ";\n".join(lines)


def _spread_in_us(ns: Percentiles) -> str:
    figures = msgspec.structs.asdict(ns)
    us = {name: value / _US for name, value in figures.items() if name not in {"n", "infinite"} and value is not None}
    return format_spread(msgspec.structs.replace(ns, **us), "")
