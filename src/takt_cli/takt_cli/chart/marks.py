# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The marks of a chart: what is drawn in a panel, at places given in the units of its axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Numbers = Sequence[float] | npt.NDArray[Any]
Dash = Literal["solid", "dash", "dot", "dashdot"]
Shape = Literal["dot", "circle", "cross", "diamond", "square", "triangle", "tick", "cap"]

AnyMark = TypeVar("AnyMark", bound="Mark")


class Spot(NamedTuple):
    """A place of a mark, with what the page tells about it and where a click on it leads."""

    x: float
    y: float
    text: str = ""
    link: str = ""


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
    """What the page tells about each point."""
    links: Sequence[str] = ()
    """Where a click on each point leads, for example `#run-3`; empty texts lead nowhere."""

    @classmethod
    def of(cls: type[AnyMark], spots: Sequence[Spot], *more: Any, **look: Any) -> AnyMark:
        """Return a mark at these places: their x and y are its first two fields, `more` the following ones."""
        told = {"texts": [spot.text for spot in spots], "links": [spot.link for spot in spots]}
        look |= {name: each for name, each in told.items() if any(each)}
        make: Any = cls
        made: AnyMark = make([spot.x for spot in spots], [spot.y for spot in spots], *more, **look)
        return made


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
    """Straight strokes, each as its place and its two ends: error bars, and the ends of distributions."""

    strokes: Sequence[tuple[float, float, float]]
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
    """The marks' texts to the right of points. The first line of each is bold, the others are weak."""

    x: Numbers | Literal["left", "right"]
    """Or the edge of the panel that the texts are right of."""
    y: Numbers


def stacked(parts: Sequence[Bars]) -> list[Bars]:
    """Return the bars, which have the same places, end to end."""
    made: list[Bars] = []
    end = np.zeros(len(parts[0].at) if parts else 0)
    for bars in parts:
        made.append(replace(bars, base=end))
        end = end + np.asarray(bars.length)
    return made


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
    look: dict[str, Any] = {"name": name, "colour": colour}
    whiskers = [each for box in shown for each in ((box.at, box.low, box.q1), (box.at, box.q3, box.high))]
    medians = [(box.median, box.at - thickness / 2, box.at + thickness / 2) for box in shown]
    outlines = [Spot(box.at, box.q3 - box.q1, box.text, box.link) for box in shown]
    return [
        Ranges(whiskers, **look),
        Points.of([Spot(box.at, end) for box in shown for end in (box.low, box.high)], "cap", 6, **look),
        Points.of([Spot(box.at, box.maximum) for box in shown if box.maximum > box.high], size=2.5, **look),
        Ranges(medians, 2.2, horizontal=True, **look),
        Bars.of(outlines, [box.q1 for box in shown], thickness, hollow=True, **look),
    ]
