# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Axes of charts: of quantities in a unit, of sizes in bytes, and of rows or groups that have names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from takt_cli.spec.units import format_size

# An axis of sizes has at most this many ticks.
_MAX_SIZES = 8


class Tick(NamedTuple):
    """A text beside an axis."""

    at: float
    text: str
    colour: str = "ink"
    bold: bool = False


@dataclass(frozen=True)
class Axis:
    """An axis. `title` says what its values are, with their unit."""

    title: str = ""
    log: bool = False
    low: float | None = None
    """The value at its left or lower end; None: what the data needs. Above `high`, the axis is reversed."""
    high: float | None = None
    ticks: Sequence[Tick] = ()
    """The texts beside the axis; none: numbers."""
    size: float | None = None
    """The size of the ticks' texts in a file, in points, if it is not the usual one."""
    grid: bool = True


def names_axis(names: Sequence[str], title: str = "", size: float | None = None) -> Axis:
    """Return a horizontal axis with a name at each of the places 0, 1, ..."""
    ticks = [Tick(place, name) for place, name in enumerate(names)]
    return Axis(title, low=-0.6, high=len(ticks) - 0.4, ticks=ticks, size=size, grid=False)


def rows_axis(rows: Sequence[Tick | str], size: float | None = None) -> Axis:
    """Return a vertical axis with a name at each of the places 0, 1, ..., the first row on top."""
    ticks = [row if isinstance(row, Tick) else Tick(place, row) for place, row in enumerate(rows)]
    return Axis(low=len(ticks) - 0.4, high=-0.6, ticks=ticks, size=size, grid=False)


def size_axis(sizes: Sequence[int], title: str = "") -> Axis:
    """Return a logarithmic axis of sizes in bytes, with ticks at the sizes, or else at some powers of two."""
    ticks = sorted(set(sizes))
    if len(ticks) > _MAX_SIZES:
        low, high = (ticks[0] - 1).bit_length(), ticks[-1].bit_length()
        ticks = [2**exponent for exponent in range(low, high, -(-(high - low) // _MAX_SIZES))]
    return Axis(title, log=True, ticks=[Tick(size, format_size(size)) for size in ticks])
