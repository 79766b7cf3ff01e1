# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What long runs have in common: counts and spreads in intervals, and the process's resources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.gauges import GAUGES, Gauge, Gauges
from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Panel
from takt_cli.chart.marks import Bars, Line, Mark, Points, Ranges, Spot, stacked
from takt_cli.report.values import NONE
from takt_cli.results.sample_files import Rows
from takt_cli.results.verdict import TOO_SHORT

Floats = npt.NDArray[np.float64]

_MIB = 2**20
# The number of intervals, if each has enough samples.
BLOCKS, _LEAST_SAMPLES = 240, 20


def stacked_counts(
    title: str, edges: Floats, kinds: Iterable[tuple[str, str, Floats]], height: float, further: Sequence[Mark] = ()
) -> Panel:
    """Return bars of the number of instants in each interval, stacked by kind: its name, its colour, its instants."""
    middles, thickness = (edges[:-1] + edges[1:]) / 2, float(edges[1] - edges[0])
    counts = [(name, colour, np.histogram(instants, edges)[0]) for name, colour, instants in kinds]
    marks = stacked([Bars(middles, n, None, thickness, name=name, colour=colour) for name, colour, n in counts])
    high = max(1.0, 1.05 * float(np.sum([n for *_, n in counts], axis=0).max()))
    return Panel([*marks, *further], title, y=Axis(low=0, high=high), height=height, key="right")


def spread_in_blocks(at: Floats, values: Floats, levels: tuple[float, float], name: str) -> list[Mark]:
    """Return points at the medians of `values` in intervals, with lines between two quantiles."""
    count = min(BLOCKS, max(len(at) // _LEAST_SAMPLES, 1))
    blocks = [block for block in np.array_split(np.arange(len(at)), count) if len(block)]
    medians, strokes = [], []
    for block in blocks:
        middle = float(at[block].mean())
        low, median, high = np.quantile(values[block], [levels[0], 0.5, levels[1]]).tolist()
        medians.append(Spot(middle, median))
        strokes.append((middle, low, high))
    return [Points.of(medians, size=2, name=name), Ranges(strokes, opacity=0.3)]


def memory_panel(x: Floats, gauges: Rows, height: float, x_axis: Axis | None = None) -> Panel:
    """Return resident memory and heap in MiB over `x`, which has a place for each row of `gauges`."""
    marks = [
        Line(x, gauges[name] / _MIB, width=1.4, name=name, colour=colour)
        for name, colour in (("resident", "takt"), ("heap", "baseline0"))
    ]
    return Panel(marks, "Memory of the process, MiB", x_axis or Axis(), Axis(low=0), height, key="right")


def gauge_rows(gauges: Gauges) -> list[tuple[str, str]]:
    """Return a row for each gauge: its label, and its value at the beginning, at the end and the slope per hour."""
    return [(f"{name}, at start · at end · slope per hour", _row(name, getattr(gauges, name))) for name in GAUGES]


def _row(name: str, gauge: Gauge) -> str:
    if gauge.first is None or gauge.last is None or gauge.per_hour is None:
        return NONE
    scale, unit = (_MIB, " MiB") if name in {"resident", "heap"} else (1, "")
    first, last, slope = (each / scale for each in (gauge.first, gauge.last, gauge.per_hour))
    remark = f" ({TOO_SHORT})" if gauge.too_short else ""
    return f"{first:.4g}{unit} · {last:.4g}{unit} · {slope:+.3g}{unit}{remark}"
