# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Panels that compare executors side by side, each made of figures by executor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from takt_cli.analysis.run_summary import RunTotals
from takt_cli.chart.axis import Axis, Tick, rows_axis
from takt_cli.chart.chart import Panel
from takt_cli.chart.curves import at_most
from takt_cli.chart.marks import Bars, Labels, Mark, Numbers, stacked
from takt_cli.chart.style import known_colour
from takt_cli.report.formatting import format_share
from takt_cli.report.values import format_count, format_number
from takt_cli.statistics.percentiles import Samples

Executors = Mapping[str, RunTotals]

_HEIGHT, _BAR = 2.15, 0.56
# Each bar needs a row for two lines of text. _HEIGHT is enough for _ROWS_WITHIN rows; each further one adds _ROW.
_ROWS_WITHIN, _ROW = 3, 0.4


def misses_panel(executors: Executors) -> Panel:
    """Return bars of the share of releases that missed their deadlines, by kind of miss."""
    metrics = list(executors.values())
    jobs, missed, host, skipped, host_skipped = np.array(
        [(e.jobs, e.deadline_misses, e.host_misses, e.skipped, e.host_skipped) for e in metrics]
    ).T
    kinds = (
        ("late", "late", missed - (skipped - host_skipped) - host),
        ("skipped", "skipped", skipped - host_skipped),
        ("either, during a stall of the host", "host", host),
    )
    scale = 100 / np.maximum(jobs, 1)
    bars = stacked([_bars(count * scale, name=name, colour=colour) for name, colour, count in kinds])
    texts = [_share(each.deadline_misses, each.jobs) for each in metrics]
    x = Axis(low=0, high=max(145 * max(each.miss_ratio or 0 for each in metrics), 1.0))
    return _panel("Missed deadlines, % of all releases", executors, bars, x, (missed * scale, texts))


def stale_panel(executors: Executors) -> Panel:
    """Return bars of the share of stale executions among the jobs that read a topic."""
    shares = np.array([100 * (each.stale_ratio or 0) for each in executors.values()])
    bars = _bars(shares, name="a newer message had been published", colour="stale")
    texts = [_share(each.stale, each.stale_n) for each in executors.values()]
    x = Axis(low=0, high=145, ticks=[Tick(share, str(share)) for share in (0, 25, 50, 75, 100)])
    return _panel("Stale executions, % of the jobs that read a topic", executors, [bars], x, (shares, texts))


def dispatch_panel(executors: Executors) -> Panel:
    """Return bars of the dispatch overhead, CPU time per job outside callbacks, by threads."""
    opacities = {"executor": 1.0, "middleware": 0.6, "other": 0.3}
    marks: list[Mark] = [Bars([], [], name=name, colour="muted", opacity=each) for name, each in opacities.items()]
    costs = [each.dispatch_us for each in executors.values()]
    for y, (executor, cost) in enumerate(zip(executors, costs, strict=True)):
        look = {"colour": known_colour(executor)}
        marks += stacked(
            [_bars([getattr(cost, name) or 0], y, opacity=each, **look) for name, each in opacities.items()]
        )
    ends = np.array([sum(getattr(cost, each) or 0 for each in opacities) for cost in costs])
    texts = [f"{format_number(cost.per_job)} us\n{format_count(cost.jobs)} jobs" for cost in costs]
    x = Axis(low=0, high=1.3 * max(max(cost.per_job or 0, 1) for cost in costs))
    return _panel("Dispatch overhead, us of CPU per job", executors, marks, x, (ends, texts))


def data_age_panel(ages_ms: dict[str, Samples]) -> Panel:
    """Return the cumulative distribution of data age: the share of jobs whose input was at most that old."""
    marks = [at_most(ages, name=name, colour=name) for name, ages in ages_ms.items()]
    # The axis ends near the highest p99, since a few outliers would compress the curves; the table has the maxima.
    finite = [ages[np.isfinite(ages)] for ages in ages_ms.values()]
    high = max((1.05 * float(np.quantile(ages, 0.99)) for ages in finite if len(ages)), default=1.0)
    x = Axis("ms from publication to the start of the job", low=0, high=high)
    title = "Data age, % of jobs with at most that age"
    return Panel(marks, title, x, Axis(low=0, high=102), _HEIGHT + 0.45, key="within")


def _bars(lengths: Numbers, first: int = 0, **look: Any) -> Bars:
    return Bars(range(first, first + len(lengths)), lengths, None, _BAR, horizontal=True, **look)


def _share(part: int, total: int) -> str:
    return f"{format_share(part, total)}\n{format_count(part)} of {format_count(total)}"


def _panel(
    title: str, executors: Executors, marks: Sequence[Mark], x: Axis, labels: tuple[Numbers, Sequence[str]]
) -> Panel:
    """Return the panel of these bars. `labels` are where the bars end, and the texts there."""
    rows = [Tick(y, name, known_colour(name), bold=True) for y, name in enumerate(executors)]
    height = _HEIGHT + _ROW * max(len(executors) - _ROWS_WITHIN, 0)
    texts = Labels(labels[0], range(len(executors)), texts=labels[1])
    return Panel([*marks, texts], title, x, rows_axis(rows), height, key="below")
