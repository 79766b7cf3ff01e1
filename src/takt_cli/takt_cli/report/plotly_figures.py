# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plotly figures in the style of the pages: fonts, axes and margins, and texts made safe from unwanted markup."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any, NamedTuple

from plotly.utils import PlotlyJSONEncoder

from takt_cli.report.style import COLOURS, FONT

_HEIGHT = 340
_LINE = 12
_AXIS = {
    "automargin": True,
    "gridcolor": COLOURS["line"],
    "linecolor": COLOURS["line"],
    "zeroline": False,
    "ticks": "",
    "tickcolor": COLOURS["line"],
    # Labels between the powers of ten would be too small to read.
    "minorloglabels": "none",
    "tickfont": {"color": COLOURS["ink"], "size": 12},
    "title": {"font": {"color": COLOURS["muted"], "size": 13}, "standoff": 10},
}
_LAYOUT: dict[str, Any] = {
    "height": _HEIGHT,
    "font": {"family": FONT, "size": 13, "color": COLOURS["ink"]},
    "margin": {"l": 8, "r": 12, "t": 12, "b": 8, "pad": 4},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "hovermode": "closest",
    "hoverlabel": {
        "bgcolor": COLOURS["paper"],
        "bordercolor": COLOURS["muted"],
        "font": {"family": FONT, "size": 13, "color": COLOURS["ink"]},
        "align": "left",
        "namelength": -1,
    },
    "uirevision": "kept",
}
_DASHES = {None: "solid", "solid": "solid", "dot": "dotted"}
# Matches "<" unless it begins one of the tags that Plotly renders in texts and that carry no attributes. Any other
# "<", such as one in the name of a task, is escaped and thus shown literally.
_MARKUP = re.compile(r"<(?!/?(?:br|b|i|em|sub|sup|extra)\s*/?>)")


class KeyEntry(NamedTuple):
    """An entry of a plot's key: a colour with its meaning, and the indices of the traces that it shows and hides."""

    name: str
    colour: str
    """A key of `style.COLOURS`, or a CSS colour."""
    opacity: float
    shape: str
    traces: tuple[int, ...]
    dash: str
    """The line style as a CSS `border-style`."""


def styled_figure(figure: dict[str, Any]) -> dict[str, Any]:
    """Return the figure as plain JSON in the style of the page. Settings of the figure itself take precedence."""
    plain_figure = _escaped(_plain_json(figure))
    layout = plain_figure.get("layout", {})
    layout.pop("template", None)
    layout = _merged_over(layout, _LAYOUT) | {"showlegend": False}
    axes = {name for name in layout if re.fullmatch(r"[xy]axis\d*", name)} | {"xaxis", "yaxis"}
    layout |= {name: _merged_over(layout.get(name, {}), _AXIS) for name in sorted(axes)}
    for trace in plain_figure["data"]:
        if trace.get("orientation") != "h" and isinstance(trace.get("x"), list):
            trace["x"] = [_wrapped(value) for value in trace["x"]]
    for name in axes:
        if name.startswith("x") and "categoryarray" in layout[name]:
            layout[name]["categoryarray"] = [_wrapped(value) for value in layout[name]["categoryarray"]]
    for note in layout.get("annotations", ()):
        note.setdefault("font", {"color": COLOURS["muted"], "size": 12})
    return {"data": plain_figure["data"], "layout": layout}


def key_entries(figure: dict[str, Any]) -> list[KeyEntry]:
    """Return the key of a figure: one entry for each `legendgroup`, or else each name, of its traces."""
    groups: dict[str, list[int]] = {}
    entries_by_name: dict[str, dict[str, Any]] = {}
    for number, trace in enumerate(_plain_json(figure)["data"]):
        group = trace.get("legendgroup") or trace.get("name")
        if group:
            groups.setdefault(group, []).append(number)
            if trace.get("showlegend", True):
                entries_by_name.setdefault(group, trace)
    return [
        KeyEntry(
            t.get("name") or group,
            *_swatch(t),
            tuple(groups[group]),
            _DASHES.get(t.get("line", {}).get("dash"), "dashed"),
        )
        for group, t in entries_by_name.items()
    ]


def _wrapped(label: Any) -> Any:
    """Return the name of a category broken into short lines, so that neighbouring names do not overlap."""
    return "<br>".join(textwrap.wrap(label, _LINE, break_long_words=False)) if isinstance(label, str) else label


def _swatch(trace: dict[str, Any]) -> tuple[str, float, str]:
    marker, line = trace.get("marker", {}), trace.get("line", {})
    lines = trace.get("type", "scatter") == "scatter" and "lines" in trace.get("mode", "lines")
    colour = line.get("color") if lines else marker.get("color") or line.get("color")
    names = {value: name for name, value in COLOURS.items()}
    if not isinstance(colour, str):
        colour = COLOURS["muted"]
    opacity = trace.get("opacity", marker.get("opacity", 1.0))
    symbol = str(marker.get("symbol", "circle")).partition("-")[0]
    points = {"x": "cross", "diamond": "diamond"}.get(symbol, "dot")
    shape = "line" if lines else points if trace.get("type", "scatter") == "scatter" else "box"
    return names.get(colour, colour), opacity if isinstance(opacity, (int, float)) else 1.0, shape


def _merged_over(specific: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """Return `specific` merged over `base`, recursively: `base` supplies what `specific` does not define."""
    result = dict(base)
    for name, value in specific.items():
        base_value = base.get(name)
        if isinstance(base_value, dict):
            result[name] = _merged_over({"text": value} if isinstance(value, str) else value, base_value)
        else:
            result[name] = value
    return result


def _plain_json(figure: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the figure of plain JSON types, without NumPy arrays and objects of Plotly."""
    plain_figure: dict[str, Any] = json.loads(json.dumps(figure, cls=PlotlyJSONEncoder))
    return plain_figure


def _escaped(value: Any) -> Any:
    """Return a copy of the value with every "<" in its texts escaped that does not begin a permitted tag."""
    if isinstance(value, str):
        return _MARKUP.sub("&lt;", value)
    if isinstance(value, list):
        return [_escaped(each) for each in value]
    if isinstance(value, dict):
        return {name: _escaped(each) for name, each in value.items()}
    return value
