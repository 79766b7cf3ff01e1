# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of a benchmark: its table, its verdicts, and its variants over what varies or their distributions."""

from __future__ import annotations

import msgspec
import numpy as np
from rich.console import RenderableType

from takt_cli.analysis.benchmark import BenchmarkResult, BenchmarkSummary, Difference, Figures, Growth, Limit
from takt_cli.chart.axis import Axis, size_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.curves import exceeding
from takt_cli.chart.marks import Dash, Line, Mark, Ranges
from takt_cli.report.formatting import format_range, format_spread
from takt_cli.report.tables.rows import Row, not_granted, table_of
from takt_cli.report.texts import CHARTS
from takt_cli.report.values import format_count, format_number
from takt_cli.results.benchmark import BENCHMARKS
from takt_cli.results.verdict import FAIL, INCONCLUSIVE, PASS, TOO_SHORT, Verdict
from takt_cli.spec.units import format_size
from takt_cli.statistics.confidence import MedianOfRounds
from takt_cli.statistics.percentiles import Percentiles

_US = 1000
_CYCLICTEST = "cyclictest"
_WIDTH, _HEIGHT = 6.4, 3.4
# The colours of a benchmark's variants, in their order. Floors, whose names end in one of _FLOORS, are grey.
_SERIES = ("takt", "baseline0", "baseline1", "stale", "late", "ink")
_FLOORS = ("wake-up", "heap", "clock reads", "lock")


def benchmark_title(summary: BenchmarkSummary) -> str:
    """Return what was measured, in a phrase."""
    turn = f" x {format_number(summary.turn_ms)} ms" if summary.turn_ms is not None else ""
    return f"{summary.kind}: {BENCHMARKS[summary.kind].description}; {summary.rounds} rounds{turn}"


def benchmark_report(summary: BenchmarkSummary) -> list[RenderableType]:
    """Return the report of a benchmark: its table, fits of growth, and rights not granted. The table has a row for each
    variant at each value of the varied parameter x, with its ratios to other variants."""
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
    """Format how the cost of a variant grows with x, by a logarithmic and a power-law fit. The line is empty if the
    variant was measured at too few values of x for a fit."""
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


def benchmark_charts(benchmark: BenchmarkResult) -> dict[str, Chart]:
    """Return the one chart by its name."""
    kind = benchmark.kind
    title = kind.description[0].upper() + kind.description[1:]
    panel = _against_x(benchmark, title) if kind.x else _distributions(benchmark, title)
    description = CHARTS["benchmark over x" if kind.x else "benchmark"].description
    return {kind.name: Chart(f"{kind.name}: {kind.description}", [[panel]], _WIDTH, description=description)}


def _against_x(benchmark: BenchmarkResult, title: str) -> Panel:
    what, variants = benchmark.kind.x, benchmark.envelope.record.variants
    varied = [x for _, x in benchmark.samples if x]
    marks: list[Mark] = []
    for name, colour, dash in _looks(variants):
        xs = benchmark.xs(name)
        rounds = [list(benchmark.medians[name, x].values()) for x in xs]
        low, middle, high = (np.array([np.quantile(each, q) for each in rounds]) / _US for q in (0.025, 0.5, 0.975))
        if len(xs) == 1:
            marks.append(Line([min(varied), max(varied)], [middle[0]] * 2, dash, width=1.2, name=name, colour=colour))
        else:
            marks.append(Ranges(list(zip(xs, low, high, strict=True)), 4, colour=colour, opacity=0.18))
            marks.append(Line(xs, middle, dash, shape="dot", name=name, colour=colour))
    x = size_axis(benchmark.xs(variants[0]), "bytes") if what == "bytes" else Axis(what, log=True)
    return Panel(marks, title, x, Axis("median per round, us", log=True), _HEIGHT, key="within")


def _distributions(benchmark: BenchmarkResult, title: str) -> Panel:
    marks: list[Mark] = [
        exceeding(benchmark.values(name, 0) / _US, name=name, colour=colour, dash=dash)
        for name, colour, dash in _looks(benchmark.envelope.record.variants)
    ]
    if (wakeups := benchmark.wakeups) is not None:
        marks.append(exceeding(wakeups / _US, name="cyclictest", colour="muted", dash="dot"))
    y = Axis("share of samples that took longer", log=True)
    return Panel(marks, title, Axis("us", log=True), y, _HEIGHT, key="within")


def _looks(variants: list[str]) -> list[tuple[str, str, Dash]]:
    """Return each variant with its colour and line style."""
    looks: list[tuple[str, str, Dash]] = []
    colours = iter(_SERIES)
    floors: list[Dash] = ["dash", "dashdot", "dot"]
    for name in variants:
        looks.append((name, "host", floors.pop(0)) if name.endswith(_FLOORS) else (name, next(colours), "solid"))
    return looks
