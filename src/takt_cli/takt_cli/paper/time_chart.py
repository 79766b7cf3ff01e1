# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Charts over time for the reports of papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from takt_cli.chart.axis import Axis
from takt_cli.chart.chart import Chart, Panel, side_by_side
from takt_cli.chart.curves import told_apart
from takt_cli.chart.marks import Dash, Limit, Line, Mark, Points
from takt_cli.report.kinds.trips import colour_of

_WIDTH, _HEIGHT = 7.6, 2.3

Pairs = Sequence[Sequence[float]]


class Series(NamedTuple):
    """A series of a panel: pairs of an instant in s and a duration in us, the instants of lost messages in s, and the
    part of the points that is shown enlarged, if any. `transport` decides the colour."""

    name: str
    transport: str
    points: Pairs
    lost: Sequence[float] = ()
    zoom: Pairs = ()


def paper_chart(title: str, panels: Sequence[tuple[str, Sequence[Series]]], limit: float | None = None) -> Chart:
    """Return a figure of a paper, its panels side by side, each with its caption. `limit` is the deadline in us."""
    dashes = told_apart({each.name: colour_of(each.transport) for _, series in panels for each in series})
    drawn = [_panel(caption, series, dashes, limit) for caption, series in panels]
    return Chart(title, side_by_side(drawn), _WIDTH, key_columns=2)


def _panel(caption: str, series: Sequence[Series], dashes: Mapping[str, Dash], limit: float | None) -> Panel:
    marks: list[Mark] = []
    inset: list[Mark] = []
    for each in series:
        draw = partial(Line, width=0.6, dash=dashes[each.name], name=each.name, colour=colour_of(each.transport))
        marks.append(draw(*_columns(each.points)))
        if each.lost:
            marks.append(Points(each.lost, None, "cross", 3, name="lost", colour="late"))
        if each.zoom:
            inset.append(draw(*_columns(each.zoom)))
    if limit is not None:
        marks.append(Limit(limit, name="deadline", colour="late"))
    return Panel(marks, caption, Axis("s"), Axis("us", low=0), _HEIGHT, inset=inset)


def _columns(pairs: Pairs) -> tuple[list[float], list[float]]:
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
