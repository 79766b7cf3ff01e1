# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The marks of a chart as traces of Plotly, and how the key of a page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import Any

import numpy as np

from takt_cli.chart.marks import Bars, Line, Mark, Numbers, Points, Ranges, Shape
from takt_cli.chart.style import COLOURS

Json = dict[str, Any]
"""A part of a figure in Plotly's JSON; Plotly defines the keys and the types of their values."""

# The pixels of a point of a file.
_PIXELS = 1.8
_SHAPES = {
    "dot": "circle", "circle": "circle-open", "cross": "x-thin", "diamond": "diamond", "square": "square",
    "triangle": "triangle-up", "tick": "line-ns", "cap": "line-ew",
}  # fmt: skip
# Shapes without an area have only an outline.
_STROKES = {"cross", "tick", "cap"}


def traces_of(marks: Sequence[Mark]) -> list[tuple[Mark, Json]]:
    """Return the marks of a panel that have traces, with these."""
    placed = [_numbers(mark.y) for mark in marks if isinstance(mark, (Line, Points)) and mark.y is not None]
    top = max((y for numbers in placed for y in numbers if y is not None), default=1.0)
    return [(mark, each) for mark in marks if (each := _trace(mark, top)) is not None]


def _trace(mark: Mark, top: float) -> Json | None:
    """Return the trace of the mark, or None if it has none. `top` is the place of points at the panel's edge."""
    colour = COLOURS[mark.colour]
    match mark:
        case Line():
            line = {
                "color": colour,
                "width": max(mark.width, 1),
                "dash": mark.dash,
                "shape": "hv" if mark.steps else None,
            }
            shape = {} if mark.shape is None else {"marker": _marker(mark.shape, 6, colour)}
            return _scatter(mark, mark.x, mark.y, "lines+markers" if shape else "lines") | {"line": line} | shape
        case Points():
            marker = _marker(mark.shape, max(_PIXELS * mark.size, 4), colour, mark.edge)
            up = np.full(len(mark.x), top) if mark.y is None else mark.y
            told = {"hoverinfo": "skip"} if mark.shape == "cap" else {}
            return _scatter(mark, mark.x, up, "markers") | {"marker": marker, "cliponaxis": False} | told
        case Ranges():
            at = [each for place, _, _ in mark.strokes for each in (place, place, nan)]
            ends = [each for _, low, high in mark.strokes for each in (low, high, nan)]
            x, y = (ends, at) if mark.horizontal else (at, ends)
            line = {"color": colour, "width": 1.2 * mark.width}
            return _scatter(mark, x, y, "lines") | {"line": line, "hoverinfo": "skip"}
        case Bars():
            outline = {"color": colour, "width": 1.5} if mark.hollow else {"width": 0}
            marker = {"color": "rgba(0,0,0,0)" if mark.hollow else colour, "opacity": mark.opacity, "line": outline}
            along, across = ("x", "y") if mark.horizontal else ("y", "x")
            base = np.zeros(len(mark.at)) if mark.base is None else mark.base
            bars: Json = {
                across: _numbers(mark.at),
                along: _numbers(mark.length),
                "base": _numbers(base),
                "marker": marker,
            }
            look = {"orientation": "h" if mark.horizontal else "v", "width": mark.thickness, "textposition": "none"}
            return _told(mark) | {"type": "bar"} | bars | look
    return None


def swatch(mark: Mark) -> tuple[str, str]:
    """Return the CSS class and the `border-style` of what shows the mark in a key."""
    match mark:
        case Line():
            return "line", {"solid": "solid", "dot": "dotted"}.get(mark.dash, "dashed")
        case Points():
            return {"cross": "cross", "diamond": "diamond"}.get(mark.shape, "dot"), "solid"
    return "line" if isinstance(mark, Ranges) else "box", "solid"


def _scatter(mark: Mark, x: Numbers, y: Numbers, mode: str) -> Json:
    place = {"type": "scatter", "mode": mode, "x": _numbers(x), "y": _numbers(y), "opacity": mark.opacity}
    return _told(mark) | place


def _marker(shape: Shape, size: float, colour: str, edge: str = "") -> Json:
    width = 1.5 if shape in _STROKES else 0.7 if edge else 0
    outline = {"color": COLOURS[edge] if edge else colour, "width": width}
    return {"symbol": _SHAPES[shape], "size": size, "color": colour, "line": outline}


def _told(mark: Mark) -> Json:
    """Return what the page tells of a mark: its name, and the texts and links of its points."""
    linked = {"customdata": list(mark.links)} if mark.links else {}
    told = {"hovertext": list(mark.texts), "hovertemplate": "%{hovertext}<extra></extra>"} if mark.texts else {}
    return {"name": mark.name} | linked | told


def _numbers(values: Numbers) -> list[float | None]:
    """Return the values as JSON has them: NaN, which interrupts a line, is null."""
    return [None if isnan(value) else value for value in np.asarray(values, float).tolist()]
