# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Charts as figures of Plotly in the style of the pages, with their texts made safe from unwanted markup.

The panels lie one below the other, so that they are readable on a phone, too.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from math import log10
from typing import Any, NamedTuple

from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Band, Labels, Limit, Mark
from takt_cli.chart.page_traces import Json, swatch, traces_of
from takt_cli.chart.style import COLOURS, FONT

# The pixels of an inch of a panel's height; of its title, if there are several panels; of the ticks and title of an
# axis; and between panels whose axis is not shown.
_INCH, _TITLE, _TICKS, _GAP = 100, 28, 48, 12
_LEAST_HEIGHT = 170
# Names along the x axis and titles of panels are wrapped at this number of letters.
_NAME_LETTERS, _TITLE_LETTERS = 12, 46
# The x axis of a higher panel, in inches, is on top, since the lower end may be out of sight.
_TALL = 4.6
# The parts of a panel's width and height that an inset takes, and of the height that remains below it.
_INSET_X, _INSET_Y, _BELOW_INSET = [0.42, 1.0], (0.66, 1.0), 0.52
# The margins of a figure, and the right one beside texts at the right edge.
_MARGIN, _RIGHT = {"l": 8, "r": 12, "t": 12, "b": 8, "pad": 4}, 56
_TEXT = {"family": FONT, "size": 13, "color": COLOURS["ink"]}
_LAYOUT = {
    "font": _TEXT,
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "hovermode": "closest",
    "hoverlabel": {"bgcolor": COLOURS["paper"], "bordercolor": COLOURS["muted"], "font": _TEXT, "align": "left",
                   "namelength": -1},
    "barmode": "overlay",
    "bargap": 0,
    "showlegend": False,
    "uirevision": "kept",
}  # fmt: skip
_AXIS = {
    "automargin": True,
    "gridcolor": COLOURS["line"],
    "linecolor": COLOURS["line"],
    "zeroline": False,
    "ticks": "",
    "hoverformat": ".4~g",
    "tickfont": {"color": COLOURS["ink"], "size": 12},
}
# Matches "<" unless it begins one of the tags that Plotly renders in texts and that carry no attributes. Any other
# "<", such as one in the name of a task, is escaped and thus shown literally.
_MARKUP = re.compile(r"<(?!/?(?:br|b|i|em|sub|sup|extra)\s*/?>)")


class KeyEntry(NamedTuple):
    """An entry of a plot's key: a colour with its meaning, and the indices of the traces that it shows and hides."""

    name: str
    colour: str
    """A key of `style.COLOURS`."""
    opacity: float
    shape: str
    dash: str
    """The line style as a CSS `border-style`."""
    traces: tuple[int, ...]


class PageFigure(NamedTuple):
    """A chart in Plotly's JSON, and the entries of its key."""

    json: Json
    key: list[KeyEntry]


def page_figure(chart: Chart) -> PageFigure:
    """Return the chart as a figure of the page."""
    height = max(sum(map(_pixels, chart.panels)), _LEAST_HEIGHT)
    is_wide = any(isinstance(mark, Labels) and mark.x == "right" for panel in chart.panels for mark in panel.marks)
    margin = _MARGIN | ({"r": _RIGHT} if is_wide else {})
    layout: Json = _LAYOUT | {"height": height, "margin": margin, "shapes": [], "annotations": []}
    drawn: list[tuple[Mark, Json]] = []
    for number, (panel, across, up) in enumerate(_subplots(chart, height), 1):
        suffix = "" if number == 1 else str(number)
        x, y = f"x{suffix}", f"y{suffix}"
        traces = traces_of(panel.marks)
        axes = {"x": _axis(panel.x, traces, "x", _NAME_LETTERS), "y": _axis(panel.y, traces, "y")}
        axes["x"] |= {"domain": across, "anchor": y, "side": "top" if panel.height > _TALL else "bottom"}
        axes["x"]["showticklabels"] = "x" not in chart.share or number == len(chart.panels)
        axes["y"] |= {"domain": up, "anchor": x}
        for letter in chart.share if suffix else "":
            axes[letter]["matches"] = letter
        layout |= {f"{letter}axis{suffix}": axis for letter, axis in axes.items()}
        drawn += [(mark, each | {"xaxis": x, "yaxis": y}) for mark, each in traces]
        layout["shapes"] += _shapes(panel, x, y)
        layout["annotations"] += _annotations(panel, x, y, is_titled=len(chart.panels) > 1)
    figure = {"data": [each for _, each in drawn], "layout": layout}
    return PageFigure(_escaped(figure), _key([mark for mark, _ in drawn]))


def _pixels(panel: Panel) -> int:
    return round(_INCH * panel.height)


def _subplots(chart: Chart, height: int) -> Iterator[tuple[Panel, list[float], list[float]]]:
    """Yield the panels and their insets, each with the parts of the figure's width and height that it takes.

    The ticks and the title of the last axis do not count as part of the figure's height.
    """
    end, area = height - _TICKS, height - _TICKS
    for panel in chart.panels:
        high = (end - (_TITLE if len(chart.panels) > 1 else 0)) / area
        end -= _pixels(panel)
        gap = _GAP if "x" in chart.share else _TICKS
        low = 0.0 if panel is chart.panels[-1] else (end + gap) / area
        main, *inset = [1.0] if not panel.inset else [_BELOW_INSET, *_INSET_Y]
        yield panel, [0.0, 1.0], [low, low + (high - low) * main]
        if inset:
            yield Panel(panel.inset), _INSET_X, [low + (high - low) * share for share in inset]


def _places(traces: Sequence[tuple[Mark, Json]], letter: str) -> list[float]:
    """Return the values of the traces on an axis."""
    return [at for _, each in traces for at in each[letter] + each.get("base", []) if at]


def _axis(axis: Axis, traces: Sequence[tuple[Mark, Json]], direction: str, letters: int = 1000) -> Json:
    title = {"text": axis.title.replace("\n", " "), "font": {"color": COLOURS["muted"], "size": 13}, "standoff": 10}
    made = _AXIS | {"title": title, "showgrid": axis.grid}
    if axis.log:
        # Labels between powers of ten are too small to read, but needed where there are no powers.
        look = {"dtick": 1, "tickformat": "~g", "minorloglabels": "none"}
        places = _places(traces, direction)
        is_long = max(places, default=1) >= 10 * min(places, default=1)
        made |= {"type": "log"} | (look if is_long else {"minorloglabels": "complete"})
    ends = {
        name: _place(end, axis)
        for name, end in (("minallowed", axis.low), ("maxallowed", axis.high))
        if end is not None
    }
    # A range with an open end would be forgotten when the plot is drawn again.
    made |= {"range": list(ends.values())} if len(ends) == 2 else {"autorangeoptions": ends} if ends else {}
    if axis.ticks:
        texts = [_lines(tick.text, letters) for tick in axis.ticks]
        made |= {"tickvals": [tick.at for tick in axis.ticks], "ticktext": texts}
    return made


def _place(value: float, axis: Axis) -> float:
    """Return the value as Plotly wants it for ranges and annotations."""
    return log10(value) if axis.log else value


def _lines(text: str, letters: int = 1000) -> str:
    """Return the text in lines of at most so many letters."""
    lines = (textwrap.wrap(line, letters, break_long_words=False) for line in text.split("\n"))
    return "<br>".join(part for each in lines for part in each or [""])


def _shapes(panel: Panel, x: str, y: str) -> list[Json]:
    """Return what spans the panel, and the frame of the part that its inset enlarges."""
    shapes = []
    whole = {"x0": 0, "x1": 1, "xref": f"{x} domain", "y0": 0, "y1": 1, "yref": f"{y} domain"}
    for mark in panel.marks:
        if isinstance(mark, Limit):
            line = {"color": COLOURS[mark.colour], "width": 1.5 * mark.width, "dash": mark.dash}
            across: Json = {f"{mark.axis}{end}": mark.value for end in "01"}
            across[f"{mark.axis}ref"] = x if mark.axis == "x" else y
            shapes.append({"type": "line", "line": line} | whole | across)
        elif isinstance(mark, Band):
            look = {"fillcolor": COLOURS[mark.colour], "line": {"width": 0}, "layer": "below"}
            shapes.append({"type": "rect"} | look | whole | {"x0": mark.low, "x1": mark.high, "xref": x})
    if panel.inset:
        xs, ys = ([at for _, each in traces_of(panel.inset) for at in each[letter]] for letter in "xy")
        ends = {"x0": min(xs), "x1": max(xs), "xref": x, "y0": min(ys), "y1": max(ys), "yref": y}
        shapes.append({"type": "rect", "line": {"color": COLOURS["stale"], "width": 2}} | ends)
    return shapes


def _annotations(panel: Panel, x: str, y: str, is_titled: bool) -> list[Json]:
    notes: list[Json] = []
    for labels in (mark for mark in panel.marks if isinstance(mark, Labels)):
        if isinstance(labels.x, str):
            xs, xref = [float(labels.x == "right")] * len(labels.y), "paper"
        else:
            xs, xref = [_place(at, panel.x) for at in labels.x], x
        for text, at, up in zip(labels.texts, xs, labels.y, strict=True):
            first, *rest = text.split("\n")
            lines = "<br>".join([f"<b>{first}</b>"] * bool(first) + rest)
            notes.append({"text": lines, "x": at, "xref": xref, "y": _place(up, panel.y), "yref": y})
    if is_titled:
        title = f"<b>{_lines(panel.title, _TITLE_LETTERS)}</b>"
        notes.append({"text": title, "x": 0, "xref": "paper", "y": 1, "yref": f"{y} domain", "yanchor": "bottom"})
    font = {"color": COLOURS["muted"], "size": 12}
    look = {"showarrow": False, "xanchor": "left", "yanchor": "middle", "align": "left", "font": font}
    return [look | note for note in notes]


def _key(marks: Sequence[Mark]) -> list[KeyEntry]:
    """Return an entry for each name of the marks, of which the last decides the look."""
    entries: dict[str, KeyEntry] = {}
    for number, mark in enumerate(marks):
        if mark.name:
            before = entries[mark.name].traces if mark.name in entries else ()
            look = (mark.name, mark.colour, mark.opacity, *swatch(mark))
            entries[mark.name] = KeyEntry(*look, (*before, number))
    return list(entries.values())


def _escaped(value: Any) -> Any:
    """Return a copy of the value with every "<" in its texts escaped that does not begin a permitted tag."""
    if isinstance(value, str):
        return _MARKUP.sub("&lt;", value)
    if isinstance(value, list):
        return [_escaped(each) for each in value]
    if isinstance(value, dict):
        return {name: _escaped(each) for name, each in value.items()}
    return value
