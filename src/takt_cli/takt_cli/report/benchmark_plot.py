# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plot of a benchmark: its variants over the parameter that is varied, or else the distributions of their samples."""

from __future__ import annotations

import textwrap

import numpy as np
from matplotlib.axes import Axes

from takt_cli.analysis.benchmark import Benchmark, Floats, cyclictest_samples
from takt_cli.report.style import COLOURS, plot, to_svg
from takt_cli.spec.units import format_size

_US = 1000
_WIDTH, _HEIGHT = 6.4, 3.4
# The colours of a benchmark's variants, in their order. Floors, whose names end in one of _FLOORS, are grey.
_SERIES = ("takt", "baseline0", "baseline1", "stale", "late", "ink")
_FLOORS = ("wake-up", "heap", "clock reads", "lock")


def benchmark_plot(benchmark: Benchmark, description: str) -> str:
    """Return the plot as an SVG document. `description` describes in a phrase what the benchmark measures."""
    with plot(_WIDTH, _HEIGHT) as (figure, axes):
        if benchmark.record["x"]:
            _against_x(axes, benchmark)
        else:
            _distributions(axes, benchmark)
        axes.set_title(textwrap.fill(description[0].upper() + description[1:], 64))
        axes.grid()
        axes.legend(loc="best")
        return to_svg(figure, f"{benchmark.record['kind']}: {description}")


def _against_x(axes: Axes, benchmark: Benchmark) -> None:
    record = benchmark.record
    for name, colour, style in _looks(record["variants"]):
        xs = benchmark.xs(name)
        middle = np.array([np.median(list(benchmark.medians[name, x].values())) for x in xs]) / _US
        if len(xs) == 1:
            axes.axhline(float(middle[0]), color=colour, linestyle=style, linewidth=1.2, label=name)
            continue
        low, high = (
            np.array([np.quantile(list(benchmark.medians[name, x].values()), q) for x in xs]) / _US
            for q in (0.025, 0.975)
        )
        axes.fill_between(xs, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(xs, middle, color=colour, linestyle=style, linewidth=1.6, marker="o", markersize=3, label=name)
    axes.set_xscale("log", base=2 if record["x"] == "bytes" else 10)
    axes.set_yscale("log")
    if record["x"] == "bytes":
        ticks = benchmark.xs(record["variants"][0])
        axes.set_xticks(ticks, [format_size(x) for x in ticks], rotation=30)
    axes.set_xlabel(record["x"])
    axes.set_ylabel("median per round, us")


def _distributions(axes: Axes, benchmark: Benchmark) -> None:
    """Draw the share of samples that exceed each duration, on logarithmic scales, so that the tail is visible."""
    record = benchmark.record
    for name, colour, style in _looks(record["variants"]):
        _tail(axes, benchmark.values(name, 0), name, colour, style)
    if record["cyclictest"] is not None:
        _tail(axes, cyclictest_samples(record["cyclictest"]), "cyclictest", COLOURS["muted"], ":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("us")
    axes.set_ylabel("share of samples that took longer")


def _tail(axes: Axes, values: Floats, name: str, colour: str, style: str) -> None:
    ordered = np.sort(values) / _US
    n = len(ordered)
    kept_indices = np.unique(
        np.concatenate([np.linspace(0, n - 1, min(n, 300)).astype(np.int64), np.arange(max(n - 50, 0), n)])
    )
    axes.step(
        ordered[kept_indices],
        1 - kept_indices / n,
        where="post",
        color=colour,
        linestyle=style,
        linewidth=1.6,
        label=name,
    )


def _looks(variants: list[str]) -> list[tuple[str, str, str]]:
    """Return each variant with its colour and line style."""
    styles = []
    colours = iter(_SERIES)
    floors = iter(("--", "-.", ":"))
    for name in variants:
        if name.endswith(_FLOORS):
            styles.append((name, COLOURS["host"], next(floors)))
        else:
            styles.append((name, COLOURS[next(colours)], "-"))
    return styles
