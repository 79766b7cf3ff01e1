# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Charts as SVG documents, drawn by Matplotlib, with font sizes that stay readable on a phone."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Rectangle

from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.style import COLOURS, FONT
from takt_cli.chart.svg_marks import Look, draw

_SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "takt",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.edgecolor": COLOURS["line"],
    "axes.labelcolor": COLOURS["muted"],
    "axes.labelsize": 8.5,
    "text.color": COLOURS["ink"],
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["ink"],
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 9,
    "ytick.major.size": 0,
    "grid.color": COLOURS["line"],
    "grid.linewidth": 0.6,
    "figure.facecolor": COLOURS["paper"],
    "axes.facecolor": COLOURS["paper"],
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}
# The letters of a title that fit into an inch, the inches on its left, and those of a row of the chart's key.
_LETTERS, _LEFT, _KEY_ROW = 13.5, 0.55, 0.22
# Where a panel's own key lies, in Matplotlib's terms.
_KEYS: dict[str, Look] = {
    "below": {"loc": "upper left", "bbox_to_anchor": (0, -0.17), "handlelength": 1, "handleheight": 1,
              "columnspacing": 1.4, "borderaxespad": 0},
    "right": {"loc": "center left", "bbox_to_anchor": (1, 0.5)},
    "within": {"loc": "best"},
}  # fmt: skip
# The place of an inset in its panel, and how far the panel's y axis is extended to make room for it.
_INSET, _ROOM = (0.42, 0.55, 0.56, 0.43), 2.1


def to_svg(chart: Chart) -> str:
    """Return the chart as an SVG document; the same chart always gives the same document."""
    heights = [max(panel.height for panel in row) for row in chart.rows]
    columns = max(map(len, chart.rows))
    named = {mark.name for panel in chart.panels if panel.key == "chart" for mark in panel.marks} - {""}
    key_height = _KEY_ROW * -(-len(named) // chart.key_columns)
    with mpl.rc_context(_SETTINGS):
        figure = Figure((chart.width, sum(heights) + key_height), layout=ConstrainedLayoutEngine(wspace=0.06))
        FigureCanvasSVG(figure)
        grid = figure.add_gridspec(len(chart.rows), columns, height_ratios=heights)
        drawn: list[tuple[Axes, Panel]] = []
        for i, row in enumerate(chart.rows):
            width = columns // len(row)
            for j, panel in enumerate(row):
                shared = {f"share{letter}": drawn[0][0] for letter in chart.share if drawn}
                axes = figure.add_subplot(grid[i, j * width : (j + 1) * width], **shared)
                _draw_panel(axes, panel, chart.width / len(row))
                has_x, has_y = "x" not in chart.share or row is chart.rows[-1], "y" not in chart.share or j == 0
                axes.tick_params(labelbottom=has_x, labelleft=has_y)
                drawn.append((axes, panel))
        # Axes that are shared have their ends only after all panels were drawn.
        for axes, panel in drawn:
            _set_ends(axes, panel)
        if named:
            handles = _handles([axes for axes, panel in drawn if panel.key == "chart"])
            _add_key(figure, handles, loc="outside lower left", ncols=chart.key_columns, columnspacing=1.2)
        if chart.warning:
            figure.suptitle(chart.warning, fontsize=8.5, color=COLOURS["late"], x=0.01, ha="left")
        return _document(figure, chart.title)


def write_svgs(folder: Path, charts: Mapping[str, Chart]) -> None:
    """Write each chart into the folder, as its name with the ending `.svg`."""
    for name, chart in charts.items():
        (folder / f"{name}.svg").write_text(to_svg(chart), "utf-8")


def themed(svg: str) -> str:
    """Return the SVG with CSS variables as colours, so that it follows light and dark mode, and without fixed size."""
    for name, colour in COLOURS.items():
        svg = svg.replace(colour, f"var(--{name})")
    head, content = svg.split(">", 1)
    return re.sub(r' (width|height)="[^"]*"', "", head) + ">" + content


def _draw_panel(axes: Axes, panel: Panel, width: float) -> None:
    if not panel.marks:
        axes.set_axis_off()
        return
    axes.set(xscale="log" if panel.x.log else "linear", yscale="log" if panel.y.log else "linear")
    for mark in panel.marks:
        draw(mark, axes)
    for each, axis in ((axes.xaxis, panel.x), (axes.yaxis, panel.y)):
        each.set_label_text(axis.title)
        each.grid(axis.grid)
        _set_ticks(each, axis)
    axes.spines["left"].set_visible(panel.y.grid)
    axes.set_title(textwrap.fill(panel.title, int(_LETTERS * (width - _LEFT))), color=COLOURS[panel.colour])
    handles = _handles([axes])
    if handles and panel.key in _KEYS:
        _add_key(axes, handles, ncols=len(handles) if panel.key == "below" else 1, **_KEYS[panel.key])


def _set_ticks(matplotlib_axis: Any, axis: Axis) -> None:
    if not axis.ticks:
        return
    matplotlib_axis.set_ticks([tick.at for tick in axis.ticks], [tick.text for tick in axis.ticks], fontsize=axis.size)
    matplotlib_axis.set_ticks([], minor=True)
    for label, tick in zip(matplotlib_axis.get_ticklabels(), axis.ticks, strict=True):
        if tick.bold:
            label.set(color=COLOURS[tick.colour], fontweight="bold")


def _set_ends(axes: Axes, panel: Panel) -> None:
    for axis, set_ends in ((panel.x, axes.set_xlim), (panel.y, axes.set_ylim)):
        if axis.low is not None or axis.high is not None:
            set_ends(axis.low, axis.high)
    if not panel.inset:
        return
    bottom, top = axes.get_ylim()
    axes.set_ylim(bottom, top * _ROOM)
    inset = axes.inset_axes(_INSET)
    for mark in panel.inset:
        draw(mark, inset)
    inset.tick_params(labelsize=6)
    inset.grid()
    (left, right), (low, high) = inset.get_xlim(), inset.get_ylim()
    axes.add_patch(Rectangle((left, low), right - left, high - low, fill=False, edgecolor=COLOURS["stale"], zorder=5))


def _add_key(owner: Figure | Axes, handles: Sequence[Artist], **place: Any) -> None:
    for line in owner.legend(handles=handles, **place).get_lines():
        line.set(linewidth=max(line.get_linewidth(), 1.4), markersize=max(line.get_markersize(), 4))


def _handles(every: Sequence[Axes]) -> list[Artist]:
    """Return what shows each name in a key."""
    named = [each for axes in every for each in zip(*reversed(axes.get_legend_handles_labels()), strict=True)]
    return list(dict(named).values())


def _document(figure: Figure, title: str) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"'DejaVu Sans'(, [^;\"]*?)?(?=[;\"])", FONT, text)
    text = text.replace("<svg ", f'<svg role="img" aria-label="{_attribute(title)}" ', 1)
    used_ids = set(re.findall(r"#([\w.-]+)", text))
    return re.sub(r' id="([^"]+)"', lambda m: m[0] if m[1] in used_ids else "", text)


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
