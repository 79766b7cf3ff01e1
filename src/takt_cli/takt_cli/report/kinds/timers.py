# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of `takt measure timers`: CPU time per callback and release jitter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rich.console import RenderableType

from takt_cli.analysis.timers import OverRounds, Timers, TimersFigures, TimersSummary
from takt_cli.chart.axis import Axis, rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.curves import exceeding, told_apart
from takt_cli.chart.marks import Bars, Mark, Points, Ranges, Spot
from takt_cli.chart.style import known_colour
from takt_cli.report.formatting import format_range, format_slope, format_spread
from takt_cli.report.tables.rows import Row, not_granted, table_of
from takt_cli.report.texts import CHARTS, REMARKS
from takt_cli.report.values import format_number

_BAR, _ROW, _AXIS, _TAIL_HEIGHT = 0.34, 0.5, 0.8, 3.4
_OPACITIES = {"own": 1.0, "process": 0.45}
_US = 1000


def timers_title(summary: TimersSummary) -> str:
    """Return what was measured, in a phrase."""
    return (
        f"{summary.callbacks} empty timers in {summary.nodes} nodes every {format_number(summary.period_ms)} ms, "
        f"{summary.phases} phases, {summary.rounds} x {format_number(summary.duration_s)} s"
    )


def timers_report(summary: TimersSummary) -> list[RenderableType]:
    """Return the report: a row for each executor and each floor, and the rights that were not granted."""
    rows = [
        Row(
            {
                "executor": name,
                "own CPU,\nus": figures.cpu_us_per_callback.own.median,
                "process,\nus": figures.cpu_us_per_callback.process.median,
                "ratio to its floor\n(own CPU)": format_range(ratio.median, ratio.min, ratio.max) if ratio else "",
                "run": figures.jobs.run,
                "skipped": figures.jobs.skipped,
                "release jitter, us\np50 · p99 · max": format_spread(figures.release_jitter_us, ""),
                "drift, us/min\n(95 %)": format_slope(figures.drift_us_per_min, "\n"),
            },
            style=None if ratio else "dim",
        )
        for name, figures in {**summary.executors, **summary.floors}.items()
        for ratio in [figures.ratio_to_floor]
    ]
    refused = sorted({line for each in summary.executors.values() for line in each.refused})
    return [table_of(timers_title(summary), rows), REMARKS["timers"], *not_granted(refused)]


def timers_charts(timers: Timers, summary: TimersSummary) -> dict[str, Chart]:
    """Return the charts by name."""
    return {"cpu": _cpu_chart(summary), "release-jitter": _jitter_chart(timers)}


def _cpu_chart(summary: TimersSummary) -> Chart:
    every, text = {**summary.executors, **summary.floors}, CHARTS["CPU time of timers"]
    panel = Panel(
        [*_cpu_bars(every), *_floor_marks(summary)],
        text.title,
        Axis("CPU time per callback, us", low=0),
        rows_axis(list(every)),
        _ROW * len(every) + _AXIS,
    )
    return Chart.of(panel, description=text.description)


def _cpu_bars(every: dict[str, TimersFigures]) -> Iterator[Mark]:
    for name, what in (("the executor's own threads", "own"), ("the whole process", "process")):
        yield Bars([], [], name=name, colour="muted", opacity=_OPACITIES[what])
    for row, (name, figures) in enumerate(every.items()):
        cpu = figures.cpu_us_per_callback
        for what, times, offset in (("own", cpu.own, -0.5), ("process", cpu.process, 0.5)):
            at = row + offset * _BAR
            bar = Spot(at, times.median, f"{name}, {what}: {_told(times)}")
            yield Bars.of([bar], None, _BAR, True, colour=_colour(name), opacity=_OPACITIES[what])
            yield Ranges([(at, times.min, times.max)], horizontal=True, colour="ink")


def _floor_marks(summary: TimersSummary) -> Iterator[Mark]:
    spots = []
    for row, figures in enumerate(summary.executors.values()):
        if figures.floor is not None:
            floor = summary.floors[figures.floor].cpu_us_per_callback.own
            spots.append(Spot(floor.median, row - 0.5 * _BAR, f"{figures.floor}: {_told(floor)}"))
    yield Points.of(spots, "diamond", 5, name="its floor", colour="late")


def _jitter_chart(timers: Timers) -> Chart:
    variants = timers.envelope.settings.everything
    dashes = told_apart({each.name: _colour(each.name) for each in variants})
    marks = [
        exceeding(
            np.concatenate([delays for _, delays in timers.delays(each)]) / _US,
            name=each.name,
            colour=_colour(each.name),
            dash=dashes[each.name],
        )
        for each in variants
    ]
    axes = Axis("start after release, us", log=True), Axis("share of jobs that started later", log=True)
    text = CHARTS["release jitter"]
    return Chart.of(Panel(marks, text.title, *axes, _TAIL_HEIGHT), description=text.description)


def _told(times: OverRounds) -> str:
    return f"{format_number(times.median)} us ({format_number(times.min)} to {format_number(times.max)})"


def _colour(name: str) -> str:
    return known_colour(name.partition(":")[0])
