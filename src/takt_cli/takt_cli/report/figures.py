# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plotly's figures as the page wants them: its fonts, axes and margins, and no text that is taken for markup."""

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
    # What stands between powers of ten is too small to read.
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
# The markup that Plotly knows in texts, without attributes: a name that holds more is shown as it is.
_MARKUP = re.compile(r"<(?!/?(?:br|b|i|em|sub|sup|extra)\s*/?>)")


class Entry(NamedTuple):
    """What a colour means: a line of the key, and the traces that it shows and hides."""

    name: str
    colour: str
    """A name of `style.COLOURS`, or the colour itself."""
    opacity: float
    shape: str
    traces: tuple[int, ...]
    dash: str
    """As the style of a border."""


def dressed(figure: dict[str, Any]) -> dict[str, Any]:
    """The figure as plain JSON, with the page's look under its own settings."""
    plain = _tamed(_plain(figure))
    layout = plain.get("layout", {})
    layout.pop("template", None)
    layout = _under(layout, _LAYOUT) | {"showlegend": False}
    axes = {name for name in layout if re.fullmatch(r"[xy]axis\d*", name)} | {"xaxis", "yaxis"}
    layout |= {name: _under(layout.get(name, {}), _AXIS) for name in sorted(axes)}
    for trace in plain["data"]:
        if trace.get("orientation") != "h" and isinstance(trace.get("x"), list):
            trace["x"] = [_wrapped(value) for value in trace["x"]]
    for name in axes:
        if name.startswith("x") and "categoryarray" in layout[name]:
            layout[name]["categoryarray"] = [_wrapped(value) for value in layout[name]["categoryarray"]]
    for note in layout.get("annotations", ()):
        note.setdefault("font", {"color": COLOURS["muted"], "size": 12})
    return {"data": plain["data"], "layout": layout}


def key_of(figure: dict[str, Any]) -> list[Entry]:
    """The key to the colours: one entry for each name (or `legendgroup`) that traces bear."""
    groups: dict[str, list[int]] = {}
    named: dict[str, dict[str, Any]] = {}
    for number, trace in enumerate(_plain(figure)["data"]):
        group = trace.get("legendgroup") or trace.get("name")
        if group:
            groups.setdefault(group, []).append(number)
            if trace.get("showlegend", True):
                named.setdefault(group, trace)
    return [
        Entry(
            t.get("name") or group,
            *_swatch(t),
            tuple(groups[group]),
            _DASHES.get(t.get("line", {}).get("dash"), "dashed"),
        )
        for group, t in named.items()
    ]


def _wrapped(label: Any) -> Any:
    """A category's name in lines that fit side by side, as long as there are few."""
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


def _under(own: dict[str, Any], base: dict[str, Any]) -> dict[str, Any]:
    """`base` where `own` says nothing."""
    result = dict(base)
    for name, value in own.items():
        below = base.get(name)
        if isinstance(below, dict):
            result[name] = _under({"text": value} if isinstance(value, str) else value, below)
        else:
            result[name] = value
    return result


def _plain(figure: dict[str, Any]) -> dict[str, Any]:
    """Without the arrays and objects of libraries."""
    made: dict[str, Any] = json.loads(json.dumps(figure, cls=PlotlyJSONEncoder))
    return made


def _tamed(value: Any) -> Any:
    """The same with no text that Plotly takes for more markup than it should."""
    if isinstance(value, str):
        return _MARKUP.sub("&lt;", value)
    if isinstance(value, list):
        return [_tamed(each) for each in value]
    if isinstance(value, dict):
        return {name: _tamed(each) for name, each in value.items()}
    return value
