# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of shares of runs and rounds with few hits or none, on series with known true values.

Ninety of a hundred comparisons contain the true value or say that they are too short to judge. All seeds are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest
from run_summaries import run_totals
from simulated_series import SEED, SERIES, SPARSE, WHITE, Coverage, Floats, Hits, Kind

from takt_cli.analysis.run_summary import RunTotals
from takt_cli.paper.statistics import pooled_interval
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.confidence import difference_of_shares, interval_without_hits, share
from takt_cli.statistics.difference import (
    Difference,
    difference_of_means,
    difference_of_rare_shares,
    difference_of_sequences,
    has_few_hits,
)

# Only a quarter of the series, because each one is judged separately. At most 6 of 100 are misled.
SOME = SERIES // 4
EACH = 200
RARE = ((0.0, 0.002), (0.002, 0.002), (0.002, 0.01), (0.0, 0.05), (0.02, 0.05))


def _of_runs(kind: Kind, level: float, runs: int, seed: int, in_one: bool) -> tuple[Hits, float]:
    """Return the hits by series, run and sample, and their probability. With `in_one`, the runs are pieces of one
    series."""
    n, count = (EACH * runs, SOME) if in_one else (EACH, SOME * runs)
    limit = kind.quantile(1 - level, n) if level else np.inf
    return (kind.simulate(n, count, seed) > limit).reshape(SOME, runs, EACH), kind.above(limit, n)


def _misled(found: list[Difference | None], truth: float) -> float:
    """Return the share of series whose interval does not contain the true value. Differences that are called certain
    count, too, although `takt compare` shows them as too short to judge."""
    return sum(each is not None and not each.low <= truth <= each.high for each in found) / SOME


def _compared(ours: Floats, theirs: Floats, paired: bool) -> Difference | None:
    """Compare shares of a batch's runs as `takt compare` does."""
    if has_few_hits(ours) or has_few_hits(theirs):
        return difference_of_rare_shares(ours, theirs, (ours.size * EACH, theirs.size * EACH), in_turns=True)
    return difference_of_means(ours, theirs, paired)


@pytest.mark.parametrize("levels", RARE, ids=str)
@pytest.mark.parametrize("runs", [3, 8])
@pytest.mark.parametrize("kind", SPARSE, ids=str)
def test_rare_hits_of_runs_are_not_known_for_sure(kind: Kind, runs: int, levels: tuple[float, float]) -> None:
    (ours, low), (theirs, high) = (
        _of_runs(kind, level, runs, seed, in_one=False) for level, seed in zip(levels, (SEED, SEED + 1), strict=True)
    )
    shares = list(zip(ours.mean(axis=-1), theirs.mean(axis=-1), strict=True))
    misled = _misled([_compared(*each, paired=bool(i % 2)) for i, each in enumerate(shares)], high - low)
    assert misled <= 0.1, f"{misled}, seed {SEED}"


@pytest.mark.parametrize("levels", RARE[:3], ids=str)
@pytest.mark.parametrize("kind", SPARSE, ids=str)
def test_rare_hits_of_runs_that_followed_one_another_are_not_either(kind: Kind, levels: tuple[float, float]) -> None:
    (ours, low), (theirs, high) = (
        _of_runs(kind, level, 9, seed, in_one=True) for level, seed in zip(levels, (SEED, SEED + 1), strict=True)
    )
    found = [
        difference_of_rare_shares(*pair, (9 * EACH, 9 * EACH), in_turns=False)
        if has_few_hits(pair[0]) or has_few_hits(pair[1])
        else difference_of_sequences(*pair)
        for pair in zip(ours.mean(axis=-1), theirs.mean(axis=-1), strict=True)
    ]  # fmt: skip
    assert _misled(found, high - low) <= 0.1, f"{_misled(found, high - low)}, seed {SEED}"


@pytest.mark.parametrize("levels", RARE[:3], ids=str)
@pytest.mark.parametrize("kind", SPARSE, ids=str)
def test_rare_hits_of_rounds_are_asked_of_their_cycles(kind: Kind, levels: tuple[float, float]) -> None:
    n, sides = 9 * EACH, []
    for level, seed in zip(levels, (SEED, SEED + 1), strict=True):
        hits, truth = _of_runs(kind, level, 9, seed, in_one=True)
        sides.append((interval_without_hits(share(hits.reshape(SOME, n)), n), truth))
    seen = Coverage.from_intervals(difference_of_shares(sides[1][0], sides[0][0], n, n), sides[1][1] - sides[0][1])
    assert seen.misled <= 0.1, f"{seen}, seed {SEED}"


@pytest.mark.parametrize("level", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("runs", [1, 2, 3, 8])
@pytest.mark.parametrize("kind", SPARSE, ids=str)
def test_shares_of_all_runs_together_have_an_interval(kind: Kind, runs: int, level: float) -> None:
    """The share over all runs, as papers print it, has an interval. A run with no hits, or with nothing but hits, has
    none of its own."""
    hits, truth = _of_runs(kind, level, runs, SEED, in_one=False)
    ratios, found = hits.mean(axis=-1), share(hits)

    def totals(i: int, k: int) -> RunTotals:
        own = (float(found.low[i, k]), float(found.high[i, k])) if found.is_given[i, k] else TOO_SHORT
        ratio_ = float(ratios[i, k])
        return run_totals(miss_ratio=ratio_, miss_ratio_95=own if 0 < ratio_ < 1 else None, jobs=EACH)

    ends = [pooled_interval([totals(i, k) for k in range(runs)]) for i in range(SOME)]
    misled = sum(isinstance(pair, tuple) and not pair[0] <= truth <= pair[1] for pair in ends) / SOME
    assert misled <= 0.1, f"{misled}, seed {SEED}"
    if kind is WHITE and level == 0.3:
        assert sum(isinstance(pair, tuple) for pair in ends) > 0.75 * SOME
