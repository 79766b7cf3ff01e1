# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Panels that compare executors side by side, each made of figures by executor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from takt_cli.analysis.percentiles import Samples
from takt_cli.chart.axis import Axis, Tick, rows_axis
from takt_cli.chart.chart import Panel
from takt_cli.chart.curves import at_most
from takt_cli.chart.marks import Bars, Labels, Mark
from takt_cli.chart.style import known_colour
from takt_cli.report.formatting import format_count, format_number, format_share

Executors = dict[str, dict[str, Any]]

_HEIGHT, _BAR = 2.15, 0.56
# Each bar needs a row for two lines of text. _HEIGHT is enough for _ROWS_WITHIN rows; each further one adds _ROW.
_ROWS_WITHIN, _ROW = 3, 0.4


class _Part(NamedTuple):
    """A part of the executors' bars: its name and look, and its length by executor."""

    name: str
    colour: str
    lengths: Sequence[float]
    opacity: float = 1.0


def misses_panel(executors: Executors) -> Panel:
    """Return bars of the share of releases that missed their deadlines, by kind of miss."""
    metrics = list(executors.values())
    scales = [100 / max(each["jobs"], 1) for each in metrics]
    skipped = [each["skipped"] - each["host_skipped"] for each in metrics]
    late = [each["deadline_misses"] - n - each["host_misses"] for each, n in zip(metrics, skipped, strict=True)]
    host = [each["host_misses"] for each in metrics]
    parts = [
        _Part(name, colour, [n * scale for n, scale in zip(counts, scales, strict=True)])
        for name, colour, counts in (
            ("late", "late", late),
            ("skipped", "skipped", skipped),
            ("either, during a stall of the host", "host", host),
        )
    ]
    bold = [format_share(each["deadline_misses"], each["jobs"]) for each in metrics]
    weak = [f"{format_count(each['deadline_misses'])} of {format_count(each['jobs'])}" for each in metrics]
    high = max(145 * max(each["miss_ratio"] or 0 for each in metrics), 1.0)
    return _bars_panel("Missed deadlines, % of all releases", executors, parts, Axis(low=0, high=high), (bold, weak))


def stale_panel(executors: Executors) -> Panel:
    """Return bars of the share of stale executions among the jobs that read a topic."""
    metrics = list(executors.values())
    part = _Part("a newer message had been published", "stale", [100 * (each["stale_ratio"] or 0) for each in metrics])
    bold = [format_share(each["stale"], each["stale_n"]) for each in metrics]
    weak = [f"{format_count(each['stale'])} of {format_count(each['stale_n'])}" for each in metrics]
    x = Axis(low=0, high=145, ticks=[Tick(share, str(share)) for share in (0, 25, 50, 75, 100)])
    return _bars_panel("Stale executions, % of the jobs that read a topic", executors, [part], x, (bold, weak))


def dispatch_panel(executors: Executors) -> Panel:
    """Return bars of the dispatch overhead, CPU time per job outside callbacks, by threads."""
    costs = [each["dispatch_us"] for each in executors.values()]
    parts = [
        _Part(name, "", [cost[name] or 0 for cost in costs], opacity)
        for name, opacity in (("executor", 1.0), ("middleware", 0.6), ("other", 0.3))
    ]
    bold = [f"{format_number(cost['per_job'])} us" for cost in costs]
    weak = [f"{format_count(cost['jobs'])} jobs" for cost in costs]
    x = Axis(low=0, high=1.3 * max(max(cost["per_job"] or 0, 1) for cost in costs))
    return _bars_panel("Dispatch overhead, us of CPU per job", executors, parts, x, (bold, weak))


def data_age_panel(ages_ms: dict[str, Samples]) -> Panel:
    """Return the cumulative distribution of data age: the share of jobs whose input was at most that old."""
    marks = [at_most(ages, name=name, colour=name) for name, ages in ages_ms.items()]
    # The axis ends near the highest p99, since a few outliers would compress the curves; the table has the maxima.
    finite = [ages[np.isfinite(ages)] for ages in ages_ms.values()]
    high = max((1.05 * float(np.quantile(ages, 0.99)) for ages in finite if len(ages)), default=1.0)
    x = Axis("ms from publication to the start of the job", low=0, high=high)
    title = "Data age, % of jobs with at most that age"
    return Panel(marks, title, x, Axis(low=0, high=102), _HEIGHT + 0.45, key="within")


def _bars_panel(
    title: str, executors: Executors, parts: Sequence[_Part], x: Axis, labels: tuple[list[str], list[str]]
) -> Panel:
    """Return bars that are stacked of `parts`. Parts without a colour have those of the executors."""
    places, ends = range(len(executors)), np.zeros(len(executors))
    marks: list[Mark] = []
    for name, colour, lengths, opacity in parts:
        if colour:
            marks.append(Bars(places, lengths, ends, _BAR, horizontal=True, name=name, colour=colour, opacity=opacity))
        else:
            marks.append(Bars([], [], name=name, colour="muted", opacity=opacity))
            marks += [
                Bars(
                    [y], [lengths[y]], [ends[y]], _BAR, horizontal=True, colour=known_colour(executor), opacity=opacity
                )
                for y, executor in enumerate(executors)
            ]
        ends = ends + np.maximum(lengths, 0)
    rows = [Tick(y, name, known_colour(name), bold=True) for y, name in enumerate(executors)]
    height = _HEIGHT + _ROW * max(len(executors) - _ROWS_WITHIN, 0)
    return Panel([*marks, Labels(ends, places, *labels)], title, x, rows_axis(rows), height, key="below")
