# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Intervals by bootstrap in blocks: neighbouring jobs share their fate, so whole stretches are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.grid import Ints, Window
from takt_cli.analysis.percentiles import LEVELS, Samples

LEAST_BLOCKS = 5
_DRAWS, _QUANTILE_DRAWS = 2000, 1000
# So many samples there must be beyond a percentile before anything is said of how sure it is.
_LEAST_BEYOND = 10
# Ranks are looked for among so many bins first.
_BINS = 1024


class Blocks:
    """Samples in blocks of `length` ns by their `instants`, in any order; empty blocks are none. `seed`: what
    is drawn apart needs another."""

    def __init__(self, instants: Ints, length: int, seed: int = 0) -> None:
        number = (instants - instants.min()) // length if len(instants) else instants
        sizes = np.bincount(number)
        self.place: Ints = (np.cumsum(sizes > 0) - 1)[number] if len(number) else number
        self.sizes = sizes[sizes > 0]
        self._seed = seed

    def __len__(self) -> int:
        return len(self.sizes)

    def weights(self, draws: int) -> Samples:
        """How often each block is drawn, in each of so many draws of as many blocks as there are. The
        generator is seeded: the same samples give the same interval."""
        count = len(self)
        return np.random.default_rng(self._seed).multinomial(count, np.full(count, 1 / count), draws).astype(np.float64)


def block_length(hyperperiod: int, window: Window) -> int:
    """A hyperperiod, after which the pattern of jobs repeats; but 100 ms at least, so that what disturbs
    for a moment stays in a block, and so that there are no more than 50 blocks, and 10 of them at least."""
    length = window.end - window.start
    return max(min(hyperperiod, length // 10), 10**8, length // 50)


def ratio_interval(
    hits: npt.NDArray[np.bool_], instants: Ints, block: int, level: float = 0.95
) -> tuple[float, float] | None:
    """The interval of the share of `hits`, drawn in blocks of `block` ns; None for too few blocks, and where there
    is no hit, or nothing else: whatever is drawn of that is the same, which says nothing of how sure it is."""
    blocks = Blocks(instants, block)
    if len(blocks) < LEAST_BLOCKS or not hits.any() or hits.all():
        return None
    low, high = np.quantile(ratio_draws(hits, blocks), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def ratio_draws(hits: npt.NDArray[np.bool_], blocks: Blocks, draws: int = _DRAWS) -> Samples:
    """The share of `hits` in each draw of blocks."""
    successes = np.bincount(blocks.place, weights=hits.astype(np.float64), minlength=len(blocks))
    weights = blocks.weights(draws)
    ratios: Samples = (weights @ successes) / (weights @ blocks.sizes)
    return ratios


def quantile_draws(samples: Samples, blocks: Blocks, levels: Sequence[float], draws: int = _QUANTILE_DRAWS) -> Samples:
    """The quantiles of the samples in each draw of blocks, a row for each draw, by nearest rank.

    Nothing is sorted but once: what a draw changes is how often each block's samples count, and the rank
    looked for is found by halving, for all draws at once.
    """
    order = np.argsort(samples, kind="stable")
    place, n = blocks.place[order], len(samples)
    ranks = np.split(np.argsort(place, kind="stable"), np.cumsum(blocks.sizes)[:-1])
    weights = blocks.weights(draws)
    wanted = np.ceil(np.outer(weights @ blocks.sizes, levels) - 1e-9)
    # How many samples count up to the end of each bin of ranks.
    edges = np.unique(np.linspace(0, n, min(n, _BINS) + 1).astype(np.int64))
    upto = np.stack([np.searchsorted(mine, edges) for mine in ranks]).astype(np.float64)
    bins = np.stack([_first_reaching(counts, wanted[d]) for d, counts in enumerate(weights @ upto)])
    low, high = edges[bins - 1], edges[bins] - 1
    while (low < high).any():
        middle = (low + high) // 2
        counted = np.zeros(middle.shape)
        for b, mine in enumerate(ranks):
            counted += weights[:, b, None] * np.searchsorted(mine, middle, side="right")
        enough = counted >= wanted
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    found: Samples = samples[order[low]]
    return found


def percentile_intervals(samples: Samples, instants: Ints, block: int, level: float = 0.95) -> dict[str, Any]:
    """`p50_95`, `p90_95` and `p99_95`: the interval of each, two of the samples; None where there are too
    few of them or too few blocks. An end that is infinite is None itself."""
    names = [name for name in ("p50", "p90", "p99") if len(samples) * (1 - LEVELS[name][0]) >= _LEAST_BEYOND - 1e-6]
    result: dict[str, Any] = dict.fromkeys(("p50_95", "p90_95", "p99_95"))
    blocks = Blocks(instants, block)
    if not names or len(blocks) < LEAST_BLOCKS:
        return result
    drawn = np.sort(quantile_draws(samples, blocks, [LEVELS[name][0] for name in names]), axis=0)
    tail = math.floor(len(drawn) * (1 - level) / 2)
    for column, name in enumerate(names):
        ends = drawn[tail, column], drawn[-1 - tail, column]
        result[f"{name}_95"] = [float(end) if np.isfinite(end) else None for end in ends]
    return result


def over_rounds(values: npt.ArrayLike, level: float = 0.95) -> dict[str, Any]:
    """The median of one figure for each round, and its interval, drawn over the rounds; without an
    interval for too few of them. Whatever disturbs a round stays within it."""
    rounds = np.asarray(values, np.float64)
    result: dict[str, Any] = {"median": float(np.median(rounds)), "low": None, "high": None, "rounds": len(rounds)}
    if len(rounds) < LEAST_BLOCKS:
        return result
    drawn = np.random.default_rng(0).integers(0, len(rounds), (_DRAWS, len(rounds)))
    low, high = np.quantile(np.median(rounds[drawn], axis=1), [(1 - level) / 2, (1 + level) / 2])
    return result | {"low": float(low), "high": float(high)}


def _first_reaching(counts: Samples, wanted: Samples) -> Any:
    return np.searchsorted(counts, wanted)
