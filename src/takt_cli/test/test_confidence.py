# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Every interval of the lab on series of known truth and correlation: of a thousand nine in ten hold it, or say that
they are too short to judge. All seeds are fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from simulated_series import SEED, SERIES, Floats, Kind, Seen, autoregressive

from takt_cli.analysis.accumulation import OUTSIDE, accumulation
from takt_cli.analysis.confidence import (
    Intervals,
    difference,
    in_time,
    mean_of_rounds,
    mean_of_samples,
    median_of_rounds,
    over_rounds,
    percentile_intervals,
    quantile,
    ratio,
    share,
    share_interval,
)
from takt_cli.analysis.correlation import TOO_SHORT, inefficiency
from takt_cli.analysis.difference import of_intervals, of_sequences, of_values
from takt_cli.analysis.slope import sen, slope
from takt_cli.paper.figures import pooled_interval

WHITE = Kind("white")
LITTLE = Kind("worth 5", worth=5)
KINDS = (
    WHITE,
    *(Kind(f"worth {worth}", worth=worth) for worth in (100, 40, 20, 10)),
    LITTLE,
    Kind("below noise, worth 10", worth=10, noise=0.8),
    Kind("heavy tails, worth 40", worth=40, heavy=1.5),
    Kind("12 bursts", bursts=12),
    Kind("ramp over a tenth", ramp=0.1),
    Kind("ramp over a fifth, worth 40", worth=40, ramp=0.2, height=3.0),
)
# A p99 needs more.
SAMPLES, MANY, STRETCHES = 500, 1000, 40


@lru_cache(maxsize=6)
def made(kind: Kind, n: int, seed: int = SEED) -> Floats:
    return kind.made(n, seed=seed)


class Found(NamedTuple):
    intervals: Intervals
    truth: float


def _share(level: float, make: Callable[[Floats], Intervals], kind: Kind) -> Found:
    limit = kind.quantile(1 - level, SAMPLES)
    return Found(make(made(kind, SAMPLES) > limit), kind.above(limit, SAMPLES))


@lru_cache(maxsize=6)
def _percentile(level: float, kind: Kind, seed: int = SEED) -> Found:
    n = MANY if level > 0.9 else SAMPLES
    return Found(quantile(made(kind, n, seed), level), kind.quantile(level, n))


def _exp(found: Intervals) -> Intervals:
    """As of values that are their exponentials."""
    return replace(found, value=np.exp(found.value), low=np.exp(found.low), high=np.exp(found.high))


def _slope(rounds: int, kind: Kind, seed: int = SEED) -> Found:
    """What there is at the beginning is none that goes on."""
    each = STRETCHES if rounds == 1 else STRETCHES // 2
    values = made(kind, each * rounds, seed)
    at = np.arange(each) / each
    return Found(sen([(at, values[:, k * each : (k + 1) * each]) for k in range(rounds)]), 0.0)


def _two(make: Callable[[Kind, int], Intervals], kind: Kind) -> Found:
    return Found(difference(make(kind, SEED), make(kind, SEED + 1)), 0.0)


FIGURES: dict[str, Callable[[Kind], Found]] = {
    "a share of 30 %": lambda kind: _share(0.3, share, kind),
    "a share of 2 %": lambda kind: _share(0.02, share, kind),
    "the mean of what is 30 %": lambda kind: _share(0.3, lambda hits: mean_of_samples(hits.astype(float)), kind),
    "p50": lambda kind: _percentile(0.5, kind),
    "p90": lambda kind: _percentile(0.9, kind),
    "p99": lambda kind: _percentile(0.99, kind),
    "a slope": lambda kind: _slope(1, kind),
    "a slope over 4 rounds": lambda kind: _slope(4, kind),
    "the slope of one less another's": lambda kind: _two(lambda k, seed: _slope(1, k, seed).intervals, kind),
    "p50 of one run less another's": lambda kind: _two(lambda k, seed: _percentile(0.5, k, seed).intervals, kind),
    "p99 of one run less another's": lambda kind: _two(lambda k, seed: _percentile(0.99, k, seed).intervals, kind),
    "p50 of one run to another's": lambda kind: Found(
        ratio(*(_exp(_percentile(0.5, kind, seed).intervals) for seed in (SEED, SEED + 1))), 1.0
    ),
    "a share of one run less another's": lambda kind: _two(
        lambda k, seed: mean_of_samples((made(k, SAMPLES, seed) > k.quantile(0.98, SAMPLES)).astype(float)), kind
    ),
}


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_an_interval_holds_the_truth_or_says_that_it_is_too_short(kind: Kind, figure: str) -> None:
    seen = Seen.of(*FIGURES[figure](kind))
    assert seen.honest, f"{seen}, seed {SEED}"
    if kind is WHITE:
        assert seen.given > 0.8, f"what can be judged is judged: {seen}"
    if kind is LITTLE and figure != "a share of one run less another's":  # where there is often no hit at all
        assert seen.given < 0.25, f"five independent values say little: {seen}"


ROUNDS = (
    WHITE,
    *(Kind(f"memory {memory}", memory=memory) for memory in (0.3, 0.5, 0.8)),
    Kind("heavy tails", heavy=1.0),
    Kind("one in ten disturbed", bursts=0.1, of_each=True),
    Kind("a fifth until it is warm", ramp=0.2, height=2.0),
)
OVER_ROUNDS: dict[str, Callable[[Kind, int], Found]] = {
    "the median": lambda kind, n: Found(median_of_rounds(made(kind, n)), kind.quantile(0.5, n)),
    "the difference of means": lambda kind, n: _two(lambda k, seed: mean_of_rounds(made(k, n, seed)), kind),
}


@pytest.mark.parametrize("figure", OVER_ROUNDS)
@pytest.mark.parametrize("n", [6, 9, 15, 60])
@pytest.mark.parametrize("kind", ROUNDS, ids=str)
def test_rounds_may_be_alike_too(kind: Kind, n: int, figure: str) -> None:
    seen = Seen.of(*OVER_ROUNDS[figure](kind, n))
    assert seen.honest, f"{seen}, seed {SEED}"
    if kind is WHITE and n >= 15:
        assert seen.given > 0.75, f"what can be judged is judged: {seen}"


# Of runs that take turns, or lie between others in an order of chance.
@pytest.mark.parametrize("each", [3, 8])
@pytest.mark.parametrize("kind", [WHITE, Kind("alike", memory=0.9), Kind("ever slower", ramp=1.0, height=5.0)], ids=str)
def test_runs_in_turns_are_as_good_as_independent(kind: Kind, each: int) -> None:
    random = np.random.default_rng(SEED)
    turns = kind.made(2 * each)
    # Who is first is left to chance.
    order = random.permuted(np.tile([0, 1], (SERIES, each, 1)), axis=2).reshape(SERIES, -1)
    pairs = [of_values(row[first == 0], row[first == 1], paired=True) for row, first in zip(turns, order, strict=True)]
    wrong = sum(found is not None and not found.low <= 0 <= found.high for found in pairs)
    assert wrong <= SERIES / 10, f"{wrong} of {SERIES}, seed {SEED}"


@pytest.mark.parametrize("each", [3, 8])
def test_runs_of_a_shuffled_batch_are_as_good_as_independent(each: int) -> None:
    random = np.random.default_rng(SEED)
    # Of 20 applications, each run so often; what is slow is so for some runs.
    batches = np.abs(0.2 + 0.02 * autoregressive(random, (2, SERIES, 20 * each), 0.6))
    one, other = (
        np.take_along_axis(batch, random.permuted(np.tile(np.arange(20 * each), (SERIES, 1)), axis=1)[:, :each], 1)
        for batch in batches
    )
    found = [of_values(*pair, paired=False) for pair in zip(one, other, strict=True)]
    assert sum(each is not None and not each.low <= 0 <= each.high for each in found) <= SERIES / 10
    ends = [pooled_interval([{"miss_ratio": float(value), "miss_ratio_95": None} for value in row]) for row in one]
    assert sum(not (isinstance(pair, list) and pair[0] <= 0.2 <= pair[1]) for pair in ends) <= SERIES / 10


def test_what_counts_neighbours_as_independent_does_not_pass_here() -> None:
    kind = KINDS[3]
    values = made(kind, SAMPLES)
    reach = 1.96 * values.std(axis=1) / np.sqrt(SAMPLES)
    middle = values.mean(axis=1)
    plain = Intervals(middle, middle - reach, middle + reach, np.full(SERIES, 1e3), np.full(SERIES, True))
    assert not Seen.of(plain, 0.0).honest


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_series_are_what_they_say(kind: Kind) -> None:
    values = made(kind, SAMPLES)
    for level in (0.3, 0.9):
        limit = kind.quantile(level, SAMPLES)
        assert kind.above(limit, SAMPLES) == pytest.approx(1 - level, abs=1e-6)
        assert (values > limit).mean() == pytest.approx(1 - level, abs=0.015)


@pytest.mark.parametrize("worth", [100, 20])
def test_inefficiency_is_that_of_the_autoregression(worth: int) -> None:
    found = SAMPLES / inefficiency([made(Kind("", worth=worth), SAMPLES)], doubt=0.0)
    # The highest of several estimates.
    assert 0.55 * worth < np.median(found) < 1.05 * worth
    # Of several pieces it is that of all of them.
    pieces = np.split(made(Kind("", worth=worth), SAMPLES), 4, axis=1)
    assert 0.55 * worth < np.median(SAMPLES / inefficiency(pieces, doubt=0.0)) < 1.2 * worth
    assert inefficiency([np.ones((2, 50))]).tolist() == [1, 1]
    assert np.isinf(inefficiency([np.arange(5.0)]))


# ---- as they are asked for ----------------------------------------------------------------------------------


def test_what_is_asked_for_is_what_is_checked() -> None:
    """In any order of the samples, with their instants."""
    values, order = made(WHITE, SAMPLES)[0], np.random.default_rng(1).permutation(SAMPLES)
    told = percentile_intervals(values[order], order)
    assert told["p50_95"] == list(quantile(values, 0.5).ends() or ())
    hits = values > 0.5
    assert share_interval(hits[order], order) == share(hits).ends()
    assert in_time(values[order], order).tolist() == values.tolist()
    rounds = over_rounds(values[:60])
    assert (rounds["low"], rounds["high"]) == median_of_rounds(values[:60]).ends()
    low, _, high = (float(stats.norm.ppf(level)) for level in (0.25, 0.5, 0.75))
    at = np.arange(20_000) * 10**6
    found = slope([(at, 1000 * np.random.default_rng(2).standard_normal(len(at)))])
    assert found["spread"] == pytest.approx(high - low, rel=0.05)


def test_what_is_too_short_is_called_so() -> None:
    alike = np.cumsum(np.random.default_rng(1).standard_normal(1000))
    at = np.arange(1000) * 30_000_000
    told = percentile_intervals(alike, at)
    assert told == {"p50_95": TOO_SHORT, "p90_95": TOO_SHORT, "p99_95": TOO_SHORT}
    assert share_interval(alike > np.median(alike), at) == TOO_SHORT
    figures = slope([(at, alike)])
    assert (figures["too_short"], figures["low"], figures["slope"] is not None) == (True, None, True)
    assert accumulation(figures, 1.0).outcome == TOO_SHORT
    rounds = over_rounds(alike[:12])
    assert (rounds["too_short"], rounds["low"], rounds["median"] is not None) == (True, None, True)
    assert over_rounds([1.0, 2.0, 3.0])["too_short"]
    assert of_sequences(alike[:12], alike[12:24]) is None
    # A share of nothing, or of everything, is no question of length; nor is a percentile that there is none of.
    assert share_interval(alike > 1e9, at) is None
    assert percentile_intervals(alike[:50], at[:50])["p99_95"] is None


def test_what_does_not_vary_is_known() -> None:
    same = np.full(1000, 0.1)
    assert percentile_intervals(same, np.arange(1000))["p50_95"] == [0.1, 0.1]
    assert over_rounds([0.1] * 6) == {"median": 0.1, "low": 0.1, "high": 0.1, "rounds": 6, "too_short": False}
    figures = slope([(np.arange(1000) * 30_000_000, same)])
    assert (figures["slope"], figures["low"], figures["high"]) == (0, 0, 0)
    found = of_intervals(mean_of_samples(same), mean_of_samples(same))
    assert found is not None
    assert (found.low, found.high, found.probability(0.0)) == pytest.approx((0, 0, 1))


def test_a_load_that_is_slow_for_seconds_makes_nothing_accumulate() -> None:
    """Twenty seconds of delays of which a third is what seconds have in common, as those under stress: the old
    intervals took one in five for a slope."""
    random = np.random.default_rng(SEED)
    at = (np.arange(640) * 20e9 / 640).astype(np.int64)
    # What is left of it after 1.5 s is a third.
    slow = autoregressive(random, (60, 640), float(np.exp(-20 / 640 / 1.5)))
    delays = 30_000 + 8_000 * slow + 12_000 * random.exponential(1, slow.shape)
    slopes = [slope([(at, row)]) for row in delays]
    outcomes = [
        accumulation(own, 1.0, control, 1000.0).outcome for own, control in zip(slopes, slopes[1:], strict=False)
    ]
    assert OUTSIDE not in outcomes, f"seed {SEED}"
