# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The marks of a chart, drawn by Matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from takt_cli.chart.marks import Band, Bars, Labels, Limit, Line, Mark, Points, Ranges, Shape
from takt_cli.chart.style import COLOURS

Look = dict[str, Any]
"""Arguments of Matplotlib's functions."""

_DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
_SHAPES = {
    "dot": "o", "circle": "o", "cross": "x", "diamond": "D", "square": "s", "triangle": "^", "tick": "|", "cap": "_",
}  # fmt: skip
_EDGES = {"circle": 1.0, "cross": 1.2, "tick": 1.2, "cap": 1.2}
# The height of points at the upper edge of a panel, as a share of that of the panel.
_TOP = 0.97
# The corners of a bar, each by its end and its side.
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def draw(mark: Mark, axes: Axes) -> None:
    """Draw the mark into the axes, above what was drawn before."""
    colour = COLOURS[mark.colour]
    look: Look = {"color": colour, "alpha": mark.opacity, "zorder": 2, "label": mark.name or "_"}
    match mark:
        case Line():
            look |= _shape(mark.shape, 4.5) | {"linestyle": _DASHES[mark.dash], "linewidth": mark.width}
            axes.plot(mark.x, mark.y, drawstyle="steps-post" if mark.steps else "default", **look)
        case Points():
            look |= _shape(mark.shape, mark.size) | {"linestyle": ""}
            if mark.edge:
                look |= {"markeredgecolor": COLOURS[mark.edge], "markeredgewidth": 0.5}
            if mark.y is None:
                axes.plot(mark.x, np.full(len(mark.x), _TOP), transform=axes.get_xaxis_transform(), **look)
            else:
                axes.plot(mark.x, mark.y, **look)
        case Bars():
            look |= {"facecolor": "none", "edgecolor": colour} if mark.hollow else {"linewidth": 0}
            axes.add_collection(PolyCollection(_corners(mark), **look))
            axes.autoscale_view()
        case Ranges():
            draw_lines = axes.hlines if mark.horizontal else axes.vlines
            draw_lines(*np.reshape(mark.strokes, (-1, 3)).T, linewidth=mark.width, **look)
        case Limit():
            line = axes.axhline if mark.axis == "y" else axes.axvline
            line(mark.value, linestyle=_DASHES[mark.dash], linewidth=mark.width, **look)
        case Band():
            axes.axvspan(mark.low, mark.high, color=colour, linewidth=0, zorder=0)
        case Labels():
            _write(mark, axes)


def _corners(bars: Bars) -> Any:
    at, length = np.asarray(bars.at, float), np.asarray(bars.length, float)
    base = np.zeros(len(at)) if bars.base is None else np.asarray(bars.base, float)
    sides, ends = (at - bars.thickness / 2, at + bars.thickness / 2), (base, base + length)
    corners = [(ends[i], sides[j]) if bars.horizontal else (sides[j], ends[i]) for i, j in _CORNERS]
    return np.array(corners).transpose(2, 0, 1)[length > 0]


def _shape(shape: Shape | None, size: float) -> Look:
    if shape is None:
        return {}
    filled = {"fillstyle": "none"} if shape == "circle" else {}
    return {"marker": _SHAPES[shape], "markersize": size, "markeredgewidth": _EDGES.get(shape, 0)} | filled


def _write(labels: Labels, axes: Axes) -> None:
    is_free = not isinstance(labels.x, str)
    xs = labels.x if is_free else np.full(len(labels.y), float(labels.x == "right"))
    look: Look = {"textcoords": "offset points", "annotation_clip": False}
    look["xycoords"] = "data" if is_free else axes.get_yaxis_transform()
    bold, weak = {"fontweight": "bold", "fontsize": 9}, {"fontsize": 7.5, "color": COLOURS["muted"]}
    for x, y, text in zip(xs, labels.y, labels.texts, strict=True):
        first, _, rest = text.partition("\n")
        above, below = ("bottom", "top") if first and rest else ("center", "center")
        axes.annotate(first, (x, y), (4, 0), va=above, **look | bold)
        axes.annotate(rest, (x, y), (4, -1), va=below, **look | weak)
