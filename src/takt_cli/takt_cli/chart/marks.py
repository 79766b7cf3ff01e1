# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The marks of a chart: what is drawn in a panel, at places given in the units of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy.typing as npt

Numbers = Sequence[float] | npt.NDArray[Any]
Dash = Literal["solid", "dash", "dot", "dashdot"]
Shape = Literal["dot", "circle", "cross", "diamond", "square", "triangle", "tick", "cap"]


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What all marks have. Marks are drawn in their order, later ones over earlier ones.

    Marks with the same name share an entry of the key, which looks like the last of them. A mark without data has
    nothing but this entry.
    """

    name: str = ""
    """The name in the key; empty: none."""
    colour: str = "takt"
    """A key of `style.COLOURS`."""
    opacity: float = 1.0
    texts: Sequence[str] = ()
    """What the page shows about each point."""
    links: Sequence[str] = ()
    """Where a click on each point leads, for example `#run-3`; empty texts lead nowhere."""


@dataclass(frozen=True)
class Line(Mark):
    """A line through points. It is interrupted where a value is NaN."""

    x: Numbers
    y: Numbers
    dash: Dash = "solid"
    width: float = 1.6
    shape: Shape | None = None
    """The shape at each of the points; None: none."""
    steps: bool = False
    """True if each value holds until the next point."""


@dataclass(frozen=True)
class Points(Mark):
    """Points of one shape."""

    x: Numbers
    y: Numbers | None
    """None puts the points at the upper edge of the panel."""
    shape: Shape = "dot"
    size: float = 3.0
    edge: str = ""
    """The colour of their outline, if it differs."""


@dataclass(frozen=True)
class Bars(Mark):
    """Bars at `at`, each of a length from its base, for instance the end of the bar it is stacked on."""

    at: Numbers
    length: Numbers
    base: Numbers | None = None
    thickness: float = 0.8
    horizontal: bool = False
    hollow: bool = False
    """True if only the outline is drawn."""


@dataclass(frozen=True)
class Ranges(Mark):
    """Straight strokes at `at`, from `low` to `high`: error bars, and the ends of distributions."""

    at: Numbers
    low: Numbers
    high: Numbers
    width: float = 1.2
    horizontal: bool = False


@dataclass(frozen=True)
class Limit(Mark):
    """A line across the panel at a value of one of its axes."""

    value: float
    axis: Literal["x", "y"] = "y"
    dash: Dash = "dash"
    width: float = 0.9


@dataclass(frozen=True)
class Band(Mark):
    """A shaded part of the x axis, over the whole height of the panel."""

    low: float
    high: float


@dataclass(frozen=True)
class Labels(Mark):
    """Texts to the right of points: a bold one, and a weak one in a line of its own."""

    x: Numbers | None
    """None puts the texts at the left edge of the panel."""
    y: Numbers
    bold: Sequence[str]
    weak: Sequence[str] = ()


class Box(NamedTuple):
    """A distribution in five figures, and its maximum. The whiskers end at `low` and `high`."""

    at: float
    low: float
    q1: float
    median: float
    q3: float
    high: float
    maximum: float
    text: str = ""
    link: str = ""


def boxes(shown: Sequence[Box], name: str = "", colour: str = "takt", thickness: float = 0.5) -> list[Mark]:
    """Return the marks of box plots, with a point at each maximum beyond the whiskers."""
    if not shown:
        return []
    looks: dict[str, Any] = {"name": name, "colour": colour}
    at, low, q1, median, q3, high, _, texts, links = zip(*shown, strict=True)
    left, right = ([place + side * thickness / 2 for place in at] for side in (-1, 1))
    beyond = [box for box in shown if box.maximum > box.high]
    lengths = [box.q3 - box.q1 for box in shown]
    return [
        Ranges(median, left, right, width=2.2, horizontal=True, **looks),
        Ranges(at + at, low + q3, q1 + high, **looks),
        Points(at + at, low + high, "cap", 6, **looks),
        Points([box.at for box in beyond], [box.maximum for box in beyond], size=2.5, **looks),
        Bars(at, lengths, q1, thickness, hollow=True, texts=texts, links=links, **looks),
    ]
