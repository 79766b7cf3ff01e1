# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of a benchmark: its variants over the parameter that is varied, or else the distributions of their samples."""

from __future__ import annotations

import numpy as np

from takt_cli.analysis.benchmark import Benchmark
from takt_cli.chart.axis import Axis, size_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.curves import exceeding
from takt_cli.chart.marks import Dash, Line, Mark, Ranges

_US = 1000
_WIDTH, _HEIGHT = 6.4, 3.4
# The colours of a benchmark's variants, in their order. Floors, whose names end in one of _FLOORS, are grey.
_SERIES = ("takt", "baseline0", "baseline1", "stale", "late", "ink")
_FLOORS = ("wake-up", "heap", "clock reads", "lock")
_AGAINST_X = (
    "The median time over the rounds, on logarithmic scales, with the range of 95 % of the rounds behind it. Floors "
    "and references are grey; a level line is one that was not varied."
)
_DISTRIBUTIONS = (
    "The share of samples that took longer than the time on the x axis, on logarithmic scales, so that the tail can be "
    "seen. Floors and references are grey."
)


def benchmark_charts(benchmark: Benchmark) -> dict[str, Chart]:
    """Return the one chart by its name."""
    kind = benchmark.kind
    title = kind.description[0].upper() + kind.description[1:]
    panel = _against_x(benchmark, title) if kind.x else _distributions(benchmark, title)
    description = _AGAINST_X if kind.x else _DISTRIBUTIONS
    return {kind.name: Chart(f"{kind.name}: {kind.description}", [[panel]], _WIDTH, description=description)}


def _against_x(benchmark: Benchmark, title: str) -> Panel:
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


def _distributions(benchmark: Benchmark, title: str) -> Panel:
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
