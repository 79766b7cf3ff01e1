# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plots over time for the reports of papers, drawn as SVG files and as interactive plots of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from takt_cli.report.style import COLOURS, canvas, to_svg
from takt_cli.report.trip_plots import TRANSPORT_COLOURS

_WIDTH, _HEIGHT, _KEY = 7.6, 2.3, 0.4
_Dash = Literal["-", "--", ":", "-."]
_DASHES: dict[_Dash, str] = {"-": "solid", "--": "dash", ":": "dot", "-.": "dashdot"}

Points = Sequence[Sequence[float]]


class Line(NamedTuple):
    """A series of a panel."""

    name: str
    transport: str
    """Decides the colour."""
    points: Points
    """Pairs of an instant in s and a duration in us."""
    lost: Sequence[float] = ()
    """The instants of lost messages, in s."""
    zoom: Points = ()
    """The part of the points that is shown enlarged, if any."""


class Panel(NamedTuple):
    """A plot of a chart, with its caption."""

    caption: str
    lines: Sequence[Line]


class Chart(NamedTuple):
    """A figure of a paper, of one or more panels. `limit` is the deadline in us, drawn as a line, or None."""

    name: str
    title: str
    panels: Sequence[Panel]
    limit: float | None = None


def chart_svg(chart: Chart) -> str:
    """Return the chart as an SVG document, with two panels side by side, as in the papers.

    The part of a series that is enlarged is framed, and shown in an inset in the upper right corner.
    """
    columns = min(len(chart.panels), 2)
    rows = -(-len(chart.panels) // columns)
    styles = _styles(chart)
    with canvas(_WIDTH, rows * _HEIGHT + _KEY) as figure:
        all_axes = figure.subplots(rows, columns, squeeze=False).flatten()
        for axes, panel in zip(all_axes, chart.panels, strict=False):
            _draw(axes, panel, chart.limit, styles)
        for axes in all_axes[len(chart.panels) :]:
            axes.set_axis_off()
        keys = [Line2D([], [], color=_colour(of), linestyle=dash, label=name) for name, (of, dash) in styles.items()]
        figure.legend(handles=keys, loc="outside lower left", ncols=2)
        return to_svg(figure, chart.title)


def panel_figure(chart: Chart, panel: Panel) -> dict[str, Any]:
    """Return one panel as a Plotly figure (its JSON) for the page."""
    traces: list[dict[str, Any]] = []
    styles = _styles(chart)
    end = max((line.points[-1][0] for line in panel.lines if line.points), default=1.0)
    for line in panel.lines:
        transport, dash = styles[line.name]
        colour = _colour(transport)
        xs, ys = [point[0] for point in line.points], [point[1] for point in line.points]
        traces.append(
            {"type": "scatter", "mode": "lines", "name": line.name, "x": xs, "y": ys,
             "line": {"color": colour, "width": 1, "dash": _DASHES[dash]}}
        )  # fmt: skip
        if line.lost:
            top = [max(ys, default=1.0)] * len(line.lost)
            traces.append(
                {"type": "scatter", "mode": "markers", "name": f"{line.name}, lost", "x": list(line.lost), "y": top,
                 "marker": {"color": COLOURS["late"], "symbol": "x", "size": 6}}
            )  # fmt: skip
    if chart.limit is not None:
        traces.append(
            {"type": "scatter", "mode": "lines", "name": "deadline", "x": [0.0, end], "y": [chart.limit] * 2,
             "line": {"color": COLOURS["late"], "width": 1, "dash": "dash"}}
        )  # fmt: skip
    layout: dict[str, Any] = {
        "xaxis": {"title": {"text": "s"}},
        "yaxis": {"title": {"text": "us"}, "rangemode": "tozero"},
    }
    for line in (line for line in panel.lines if line.zoom):
        xs, ys = ([float(point[i]) for point in line.zoom] for i in (0, 1))
        traces.append(
            {"type": "scatter", "mode": "lines", "name": line.name, "showlegend": False, "x": xs, "y": ys,
             "xaxis": "x2", "yaxis": "y2", "line": {"color": _colour(styles[line.name][0]), "width": 1}}
        )  # fmt: skip
        frame = {"type": "rect", "x0": min(xs), "x1": max(xs), "y0": min(ys), "y1": max(ys)}
        layout.setdefault("shapes", []).append(frame | {"line": {"color": COLOURS["stale"], "width": 2}})
        # The upper right corner is reserved for the enlarged part.
        layout["yaxis"]["domain"] = [0.0, 0.52]
        layout["xaxis2"] = {"domain": [0.42, 1.0], "anchor": "y2"}
        layout["yaxis2"] = {"domain": [0.66, 1.0], "anchor": "x2", "rangemode": "tozero"}
    return {"data": traces, "layout": layout}


def _draw(axes: Axes, panel: Panel, limit: float | None, styles: dict[str, tuple[str, _Dash]]) -> None:
    for line in panel.lines:
        transport, dash = styles[line.name]
        if line.points:
            xs, ys = zip(*line.points, strict=True)
            axes.plot(xs, ys, color=_colour(transport), linestyle=dash, linewidth=0.6)
        if line.lost:
            places = [0.97] * len(line.lost)
            transform = axes.get_xaxis_transform()
            axes.plot(line.lost, places, "x", color=COLOURS["late"], markersize=3, transform=transform)
    if limit is not None:
        axes.axhline(limit, color=COLOURS["late"], linewidth=0.9, linestyle="--")
    axes.set_ylim(bottom=0)
    axes.set_title(panel.caption, fontsize=8)
    axes.set_xlabel("s")
    axes.set_ylabel("us")
    axes.grid()
    if zoomed := [line for line in panel.lines if line.zoom]:
        _enlarge(axes, zoomed, styles)


def _enlarge(axes: Axes, lines: Sequence[Line], styles: dict[str, tuple[str, _Dash]]) -> None:
    """Draw the enlarged part as an inset, after extending the y axis upwards to make room for it."""
    bottom, top = axes.get_ylim()
    axes.set_ylim(bottom, top * 2.1)
    inset = axes.inset_axes((0.42, 0.55, 0.56, 0.43))
    for line in lines:
        xs, ys = zip(*line.zoom, strict=True)
        inset.plot(xs, ys, color=_colour(styles[line.name][0]), linestyle=styles[line.name][1], linewidth=0.6)
    inset.tick_params(labelsize=6)
    inset.grid()
    (left, right), (low, high) = inset.get_xlim(), inset.get_ylim()
    axes.add_patch(Rectangle((left, low), right - left, high - low, fill=False, edgecolor=COLOURS["stale"], zorder=5))


def _styles(chart: Chart) -> dict[str, tuple[str, _Dash]]:
    """Return transport and line style by name of series; series of the same transport get different line styles."""
    style_of_line: dict[str, tuple[str, _Dash]] = {}
    uses_of_colour: dict[str, int] = {}
    for line in (line for panel in chart.panels for line in panel.lines):
        if line.name not in style_of_line:
            place = uses_of_colour[line.transport] = uses_of_colour.get(line.transport, -1) + 1
            style_of_line[line.name] = (line.transport, list(_DASHES)[place % len(_DASHES)])
    return style_of_line


def _colour(transport: str) -> str:
    return COLOURS[TRANSPORT_COLOURS.get(transport, "host")]
