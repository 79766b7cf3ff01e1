# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Distributions and long series as lines, reduced to as many points as can be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from takt_cli.chart.marks import Dash, Line

Floats = npt.NDArray[np.float64]

# The points of a distribution, evenly spread over the ranks and more densely towards the largest; and of a series.
_EVEN, _DENSE, _POINTS = 300, 150, 1500
_DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dashdot")


def at_most(samples: Floats, **look: Any) -> Line:
    """Return the cumulative distribution: the share of samples, in per cent, that are at most as large as each value.

    Infinite samples count, but are not shown.
    """
    finite = np.sort(samples[np.isfinite(samples)])
    kept = thinned_ranks(len(finite))
    return Line(finite[kept], 100 * (kept + 1) / max(len(samples), 1), steps=True, **look)


def exceeding(samples: Floats, **look: Any) -> Line:
    """Return the share of samples that exceed each value, for logarithmic axes, on which the tail is visible.

    Infinite samples count, but are not shown.
    """
    finite, below = np.sort(samples[np.isfinite(samples) & (samples > 0)]), np.count_nonzero(samples <= 0)
    kept = thinned_ranks(len(finite))
    return Line(finite[kept], 1 - (kept + below) / max(len(samples), 1), steps=True, **look)


def thinned_ranks(n: int) -> npt.NDArray[np.int64]:
    """Return some of n ranks, both ends included, few enough to draw."""
    if n <= _EVEN + _DENSE:
        return np.arange(n)
    dense = n - np.geomspace(1, n, _DENSE)
    return np.unique(np.concatenate([np.linspace(0, n - 1, _EVEN), dense]).round().astype(np.int64))


def keep_extremes(x: Floats, y: Floats, max_points: int = _POINTS) -> tuple[Floats, Floats]:
    """Reduce a series to about `max_points`, keeping the minimum and maximum of each of `max_points` / 2 intervals."""
    if len(x) <= max_points:
        return x, y
    chunks = np.array_split(np.arange(len(x)), max_points // 2)
    kept = np.unique([chunk[i] for chunk in chunks for i in (np.argmin(y[chunk]), np.argmax(y[chunk]))])
    return x[kept], y[kept]


def told_apart(colours: dict[str, str]) -> dict[str, Dash]:
    """Return a line style for each name, so that those with the same colour differ. `colours` are theirs."""
    used: dict[str, int] = {}
    dashes = {}
    for name, colour in colours.items():
        used[colour] = used.get(colour, -1) + 1
        dashes[name] = _DASHES[used[colour] % len(_DASHES)]
    return dashes
