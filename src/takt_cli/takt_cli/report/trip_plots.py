# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plots of message times: over time, and their distribution. Each plot is one SVG document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import Samples
from takt_cli.report.style import COLOURS, canvas, plot, to_svg

_WIDTH, _PANEL, _BESIDE = 7.2, 1.25, 0.7
_POINTS = 1500
TRANSPORT_COLOURS = {
    "takt": "takt", "baseline0": "baseline0", "baseline1": "baseline1", "fastdds": "ink", "cyclonedds": "stale",
    "udp": "muted", "control": "skipped", "takt-rclcpp": "takt-rclcpp", "rclcpp-single": "rclcpp-single",
    "rclcpp-multi": "rclcpp-multi", "rclcpp-events": "rclcpp-events",
}  # fmt: skip
_DASHES = ("-", "--", ":", "-.")


class Series(NamedTuple):
    """The round trips of a variant: by round the instants in ns and the times in us, which are infinite for lost
    messages.

    `slope` is in us per minute.
    """

    name: str
    transport: str
    rounds: Sequence[tuple[Ints, Samples]]
    slope: float | None = None


def time_plot(series: Sequence[Series], limit: float | None, title: str) -> str:
    """Return a plot with a panel for each series over a common time axis, the rounds one after another.

    `limit` is the deadline in us: times above it are marked. Lost messages are marked at the top.
    """
    with canvas(_WIDTH, _PANEL * len(series) + _BESIDE) as figure:
        panels = figure.subplots(len(series), 1, sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, each in zip(panels, series, strict=True):
            _over_time(axes, each, limit)
        panels[-1].set_xlabel("time, s")
        top = panels[0].get_ylim()[1]
        for axes in panels:
            axes.set_ylim(0, top)
        return to_svg(figure, title)


def tail_plot(series: Sequence[Series], limit: float | None, title: str) -> str:
    """Return a plot of the share of messages that exceed each time, on logarithmic scales, so that the tail is visible.

    Lost messages count as infinitely long.
    """
    with plot(_WIDTH, 3.6) as (figure, axes):
        uses_of_colour: dict[str, int] = {}
        for each in series:
            times = np.sort(np.concatenate([values for _, values in each.rounds]))
            finite = times[np.isfinite(times) & (times > 0)]
            if len(finite) == 0:
                continue
            place = uses_of_colour[each.transport] = uses_of_colour.get(each.transport, -1) + 1
            kept_indices = _ranks(len(finite))
            share = 1 - kept_indices / len(times)
            style = _DASHES[place % len(_DASHES)]
            axes.step(
                finite[kept_indices], share, where="post", color=colour_of(each), linestyle=style, label=each.name
            )
        if limit is not None:
            axes.axvline(limit, color=COLOURS["late"], linewidth=1, linestyle="--", label="deadline")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("us")
        axes.set_title(f"{title}: share that took longer")
        axes.grid()
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        return to_svg(figure, title)


def keep_extremes(instants: Samples, values: Samples, max_points: int = _POINTS) -> tuple[Samples, Samples]:
    """Reduce points to about `max_points` for drawing, keeping the minimum and maximum of each of `max_points` / 2
    intervals."""
    if len(instants) <= max_points:
        return instants, values
    chunks = np.array_split(np.arange(len(instants)), max_points // 2)
    kept_indices = np.unique([c[i] for c in chunks for i in (np.argmin(values[c]), np.argmax(values[c]))])
    return instants[kept_indices], values[kept_indices]


def _over_time(axes: Axes, series: Series, limit: float | None) -> None:
    begin = 0.0
    loss_instants: list[float] = []
    for instants, values in series.rounds:
        if len(instants) == 0:
            continue
        seconds = begin + (instants - instants.min()) / 1e9
        is_finite = np.isfinite(values)
        loss_instants += seconds[~is_finite].tolist()
        x, y = keep_extremes(seconds[is_finite], values[is_finite])
        axes.plot(x, y, color=colour_of(series), linewidth=0.6)
        if limit is not None:
            late = is_finite & (values > limit)
            axes.plot(*keep_extremes(seconds[late], values[late]), ".", color=COLOURS["late"], markersize=4)
        if series.slope is not None and len(y):
            middle = float(np.median(values[is_finite]))
            line = middle + series.slope * (np.array([x[0], x[-1]]) - (x[0] + x[-1]) / 2) / 60
            axes.plot([x[0], x[-1]], line, color=COLOURS["late"], linewidth=1)
        begin = float(seconds.max())
    if limit is not None:
        axes.axhline(limit, color=COLOURS["late"], linewidth=0.8, linestyle="--")
    if loss_instants:
        axes.plot(
            loss_instants,
            [0.97] * len(loss_instants),
            "x",
            color=COLOURS["late"],
            markersize=4,
            transform=axes.get_xaxis_transform(),
        )
    axes.set_title(f"{series.name}, us" + (f", {len(loss_instants)} lost" if loss_instants else ""))
    axes.grid()


def colour_of(series: Series) -> str:
    """Return the colour of the series, which stands for its transport."""
    return COLOURS[TRANSPORT_COLOURS.get(series.transport, "host")]


def _ranks(n: int) -> Ints:
    """Return indices spread over n ranks, the last 100 ranks included, few enough to draw."""
    if n <= 400:
        return np.arange(n)
    return np.unique(np.concatenate([np.linspace(0, n - 1, 300).astype(np.int64), np.arange(n - 100, n)]))
