# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A chart: panels with axes and marks, independent of how they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from takt_cli.chart.axis import Axis
from takt_cli.chart.marks import Mark

_NUMBERS = Axis()


@dataclass(frozen=True)
class Panel:
    """Marks over a pair of axes. A panel without marks is an empty place."""

    marks: Sequence[Mark] = ()
    title: str = ""
    x: Axis = _NUMBERS
    y: Axis = _NUMBERS
    height: float = 2.9
    """In inches. A page has 100 pixels for one."""
    key: Literal["chart", "below", "right", "within"] | None = "chart"
    """Where a file has the key: with those of all panels below the chart, or below, right of or within this panel. A
    page has one key above the chart."""
    inset: Sequence[Mark] = ()
    """A part of the marks, which is framed, and enlarged in the upper right corner."""
    colour: str = "ink"
    """The colour of the title."""


@dataclass(frozen=True)
class Chart:
    """Rows of panels. A file shows them as they are, a page one below the other.

    `title` is the accessible name, for screen readers. The panels of a shorter row are wider.
    """

    title: str
    rows: Sequence[Sequence[Panel]]
    width: float = 7.2
    """In inches. A page takes the width it has."""
    share: Literal["", "x", "y", "xy"] = ""
    """The axes that all panels have in common."""
    warning: str = ""
    """A text above the panels."""
    key_columns: int = 4
    description: str = ""
    """What it shows, in a few sentences, which a page has above it."""

    @classmethod
    def of(cls, panel: Panel, width: float = 7.2, description: str = "") -> Chart:
        """Return a chart of one panel, with its title."""
        return cls(panel.title, [[panel]], width, description=description)

    @property
    def panels(self) -> list[Panel]:
        """The panels that are not empty, in reading order."""
        return [panel for row in self.rows for panel in row if panel.marks]


def side_by_side(panels: Sequence[Panel], columns: int = 2) -> list[list[Panel]]:
    """Return the panels in rows of `columns`, the last filled up with empty ones; a single panel has its row alone."""
    if len(panels) == 1:
        return [list(panels)]
    padded = [*panels, *[replace(panels[-1], marks=())] * (-len(panels) % columns)]
    return [padded[i : i + columns] for i in range(0, len(padded), columns)]
