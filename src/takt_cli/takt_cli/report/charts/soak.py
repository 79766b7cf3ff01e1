# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Chart of `takt soak` over time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.soak import Soak, SoakSummary
from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Line
from takt_cli.report.charts.over_time import memory_panel, spread_in_blocks, stacked_counts
from takt_cli.report.tables.soak import KIND_NAMES

_HEIGHT, _BARS = 1.6, 60
_COLOURS = {"unforced": "late", "transition": "baseline1", "host": "host", "kept": "baseline0", "forced": "skipped"}


def soak_charts(soak: Soak, _: SoakSummary) -> dict[str, Chart]:
    """Return the chart by its name, with four panels over the same time axis."""

    def minutes(instants: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        return (instants - soak.window.start) / 60e9

    edges = np.linspace(0, minutes(np.array([soak.window.end]))[0], _BARS + 1)
    kinds = [
        (KIND_NAMES[kind], _COLOURS[kind], minutes(soak.jobs["release"][mask])) for kind, mask in soak.kinds.items()
    ]
    rows, at = soak.most_urgent, minutes(soak.gauges["at"])
    delays = (rows["start"] - rows["release"]) / 1000
    spread = spread_in_blocks(minutes(rows["release"]), delays, (0.01, 0.99), "median,\np1 to p99")
    open_things = [
        Line(at, soak.gauges[name], width=1.4, name=name, colour=colour)
        for name, colour in (("descriptors", "takt"), ("threads", "baseline0"))
    ]
    panels = [
        stacked_counts("Misses, by kind", edges, kinds, _HEIGHT),
        Panel(spread, "Start delay of the most urgent task (release to start), us", height=_HEIGHT, key="right"),
        memory_panel(at, soak.gauges, _HEIGHT),
        Panel(open_things, "Open files and threads", Axis("time, minutes"), Axis(low=0), _HEIGHT, key="right"),
    ]
    title = "A soak over time: misses by kind, start delay, memory, open files and threads"
    description = (
        "Over the time of the soak: misses by kind, the start delay of the most urgent task as median with p1 to p99, "
        "memory, and open files and threads."
    )
    return {"soak": Chart(title, [[panel] for panel in panels], share="x", description=description)}
