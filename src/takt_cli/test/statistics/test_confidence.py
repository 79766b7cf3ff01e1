# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of every kind of interval in the lab, on series with known true values and correlation.

Nine in ten of a thousand intervals contain the true value or say that the series is too short to judge. All seeds are
fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from run_summaries import run_totals
from scipy import stats
from simulated_series import (
    KINDS,
    LITTLE,
    SEED,
    SERIES,
    SPARSE,
    WHITE,
    Coverage,
    Floats,
    Hits,
    Kind,
    autoregressive,
    simulate_series,
)

from takt_cli.paper.statistics import pooled_interval
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.accumulation import accumulation
from takt_cli.statistics.confidence import (
    ConfidenceIntervals,
    MedianOfRounds,
    difference,
    difference_of_shares,
    in_order_of_time,
    interval_without_hits,
    mean_of_counts,
    mean_of_rounds,
    mean_share,
    median_of_rounds,
    over_rounds,
    percentiles_with_intervals,
    quantile,
    ranks,
    ratio,
    share,
    share_interval,
)
from takt_cli.statistics.correlation import inefficiency
from takt_cli.statistics.difference import difference_from_interval, difference_of_means, difference_of_sequences
from takt_cli.statistics.slope import _slopes_of_pairs, slope, theil_sen_slope

# The numbers of samples, of samples for a p99, and of stretches.
SAMPLES, MANY, STRETCHES = 500, 1000, 40


class SimulatedIntervals(NamedTuple):
    intervals: ConfidenceIntervals
    truth: float


def _share(level: float, make: Callable[[Hits], ConfidenceIntervals], kind: Kind) -> SimulatedIntervals:
    limit = kind.quantile(1 - level, SAMPLES)
    return SimulatedIntervals(make(simulate_series(kind, SAMPLES) > limit), kind.above(limit, SAMPLES))


@lru_cache(maxsize=6)
def _percentile(level: float, kind: Kind, seed: int = SEED) -> SimulatedIntervals:
    n = MANY if level > 0.9 else SAMPLES
    return SimulatedIntervals(quantile(simulate_series(kind, n, seed), level), kind.quantile(level, n))


def _counts(kind: Kind, level: float, seed: int = SEED) -> SimulatedIntervals:
    """Return the mean of counts from 0 to 3: a share `level` of the samples is at least 1, a third of these at least 2,
    and a ninth 3."""
    limits = [kind.quantile(1 - level / each, SAMPLES) for each in (1, 3, 9)]
    counts = sum((simulate_series(kind, SAMPLES, seed) > limit).astype(float) for limit in limits)
    return SimulatedIntervals(mean_of_counts(np.asarray(counts)), sum(kind.above(limit, SAMPLES) for limit in limits))


def _by_node(kind: Kind, levels: tuple[float, float] = (0.6, 0.9), seed: int = SEED) -> SimulatedIntervals:
    """Return the mean share of hits of two nodes, of which one has a fifth of the executions and a larger share of
    hits."""
    values = simulate_series(kind, SAMPLES, seed)
    limits = [kind.quantile(level, SAMPLES) for level in levels]
    seldom = np.arange(SAMPLES) % 5 == 0
    hits = values > np.where(seldom, *limits)
    of = np.stack([seldom, ~seldom], axis=-1)
    counts = [(each[..., None] & of).reshape(-1, 100, 5, 2).sum(axis=2) for each in (hits, np.ones_like(hits[:1]))]
    truth = float(np.mean([kind.above(limit, SAMPLES) for limit in limits]))
    return SimulatedIntervals(mean_share(counts[0].astype(float), counts[1].astype(float)), truth)


def _exp(found: ConfidenceIntervals) -> ConfidenceIntervals:
    """Return the intervals for the exponentials of the values."""
    return replace(found, value=np.exp(found.value), low=np.exp(found.low), high=np.exp(found.high))


def _slope(rounds: int, kind: Kind, seed: int = SEED) -> SimulatedIntervals:
    """Return the slope of a series without a trend; a ramp at its beginning is not a trend that continues."""
    each = STRETCHES if rounds == 1 else STRETCHES // 2
    values = simulate_series(kind, each * rounds, seed)
    at = np.arange(each) / each
    return SimulatedIntervals(theil_sen_slope([(at, values[:, k * each : (k + 1) * each]) for k in range(rounds)]), 0.0)


def _two(make: Callable[[Kind, int], ConfidenceIntervals], kind: Kind) -> SimulatedIntervals:
    return SimulatedIntervals(difference(make(kind, SEED), make(kind, SEED + 1)), 0.0)


def _shares(ours: float, theirs: float, kind: Kind) -> SimulatedIntervals:
    """Return the difference of shares of two series of the same kind."""
    sides, truth = [], []
    for level, seed in ((ours, SEED), (theirs, SEED + 1)):
        limit = kind.quantile(1 - level, SAMPLES) if level else np.inf
        sides.append(interval_without_hits(share(simulate_series(kind, SAMPLES, seed) > limit), SAMPLES))
        truth.append(kind.above(limit, SAMPLES))
    return SimulatedIntervals(difference_of_shares(sides[1], sides[0], SAMPLES, SAMPLES), truth[1] - truth[0])


def _of_few(n: int, level: float, make: Callable[[Hits], ConfidenceIntervals], kind: Kind) -> SimulatedIntervals:
    """Return a figure of the hits in `n` samples, of which a share `level` are hits."""
    limit = kind.quantile(1 - level, n)
    return SimulatedIntervals(make(simulate_series(kind, n) > limit), kind.above(limit, n))


FIGURES: dict[str, Callable[[Kind], SimulatedIntervals]] = {
    "a share of 30 %": lambda kind: _share(0.3, share, kind),
    "a share of 2 %": lambda kind: _share(0.02, share, kind),
    "a mean of counts": lambda kind: _counts(kind, 0.3),
    "a mean of counts, mostly 0": lambda kind: _counts(kind, 0.02),
    "the mean of the shares of two nodes": _by_node,
    "the same of few hits": lambda kind: _by_node(kind, (0.96, 0.99)),
    "p50": lambda kind: _percentile(0.5, kind),
    "p90": lambda kind: _percentile(0.9, kind),
    "p99": lambda kind: _percentile(0.99, kind),
    "a slope": lambda kind: _slope(1, kind),
    "a slope over 4 rounds": lambda kind: _slope(4, kind),
    "the slope of one less another's": lambda kind: _two(lambda k, seed: _slope(1, k, seed).intervals, kind),
    "p50 of one run less another's": lambda kind: _two(lambda k, seed: _percentile(0.5, k, seed).intervals, kind),
    "p99 of one run less another's": lambda kind: _two(lambda k, seed: _percentile(0.99, k, seed).intervals, kind),
    "p50 of one run to another's": lambda kind: SimulatedIntervals(
        ratio(*(_exp(_percentile(0.5, kind, seed).intervals) for seed in (SEED, SEED + 1))), 1.0
    ),
    "a mean of counts of one run less another's": lambda kind: _two(
        lambda k, seed: _counts(k, 0.05, seed).intervals, kind
    ),
    "a share of one run less another's": lambda kind: _shares(0.02, 0.02, kind),
    "a share of 5 % less one of 2 %": lambda kind: _shares(0.02, 0.05, kind),
    "a share of 30 % less one of none": lambda kind: _shares(0.0, 0.3, kind),
    "a share of 1 % less one of none": lambda kind: _shares(0.0, 0.01, kind),
}


FEW: dict[str, Callable[[Kind, int], SimulatedIntervals]] = {
    "p50": lambda kind, n: SimulatedIntervals(quantile(simulate_series(kind, n), 0.5), kind.quantile(0.5, n)),
    "a share of 30 %": lambda kind, n: _of_few(n, 0.3, share, kind),
    "a share of 5 %": lambda kind, n: _of_few(n, 0.05, share, kind),
}


@pytest.mark.parametrize("figure", FEW)
@pytest.mark.parametrize("n", [30, 60, 200])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_an_interval_of_few_samples_contains_the_truth(kind: Kind, n: int, figure: str) -> None:
    seen = Coverage.from_intervals(*FEW[figure](kind, n))
    assert seen.honest, f"{seen}, seed {SEED}"


@pytest.mark.parametrize(("level", "n"), [(0.99, 200), (0.99, 999), (0.9, 60), (0.9, 99)])
def test_a_percentile_with_few_samples_beyond_it_is_too_short_everywhere(level: float, n: int) -> None:
    """The percentile is too short to judge both in the tables and in comparisons."""
    assert not quantile(simulate_series(WHITE, n), level).is_given.any()
    figures = percentiles_with_intervals(simulate_series(WHITE, n)[0], np.arange(n))
    assert {0.99: figures.p99_95, 0.9: figures.p90_95}[level] == TOO_SHORT
    enough = {0.99: 1000, 0.9: 100}[level]
    assert quantile(simulate_series(WHITE, enough), level).is_given.mean() > 0.5


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_an_interval_holds_the_truth_or_says_that_it_is_too_short(kind: Kind, figure: str) -> None:
    seen = Coverage.from_intervals(*FIGURES[figure](kind))
    assert seen.honest, f"{seen}, seed {SEED}"
    if kind is WHITE:
        assert seen.is_given > 0.8, f"what can be judged is judged: {seen}"
    if kind is LITTLE and figure not in SELDOM:
        assert seen.is_given < 0.25, f"five independent values say little: {seen}"


# Figures of rare hits: often none of five independent values is a hit.
SELDOM = (
    "a mean of counts, mostly 0",
    "a share of one run less another's",
    "a share of 30 % less one of none",
    "a share of 1 % less one of none",
)
ROUNDS = (
    WHITE,
    *(Kind(f"memory {memory}", memory=memory) for memory in (0.3, 0.5, 0.8)),
    Kind("heavy tails", heavy=1.0),
    Kind("one in ten disturbed", bursts=0.1, of_each=True),
    Kind("a fifth until it is warm", ramp=0.2, height=2.0),
)
OVER_ROUNDS: dict[str, Callable[[Kind, int], SimulatedIntervals]] = {
    "the median": lambda kind, n: SimulatedIntervals(median_of_rounds(simulate_series(kind, n)), kind.quantile(0.5, n)),
    "the median of ratios": lambda kind, n: SimulatedIntervals(
        median_of_rounds(np.exp(simulate_series(kind, n, SEED + 1) - simulate_series(kind, n, SEED))), 1.0
    ),
    "the difference of means": lambda kind, n: _two(lambda k, seed: mean_of_rounds(simulate_series(k, n, seed)), kind),
}


@pytest.mark.parametrize("figure", OVER_ROUNDS)
@pytest.mark.parametrize("n", [6, 9, 15, 60])
@pytest.mark.parametrize("kind", ROUNDS, ids=str)
def test_an_interval_over_correlated_rounds_contains_the_truth(kind: Kind, n: int, figure: str) -> None:
    seen = Coverage.from_intervals(*OVER_ROUNDS[figure](kind, n))
    assert seen.honest, f"{seen}, seed {SEED}"
    if kind is WHITE and n >= 15:
        assert seen.is_given > 0.75, f"what can be judged is judged: {seen}"


# Runs that take turns.
@pytest.mark.parametrize("each", [3, 8])
@pytest.mark.parametrize("kind", [WHITE, Kind("alike", memory=0.9), Kind("ever slower", ramp=1.0, height=5.0)], ids=str)
def test_runs_in_turns_are_as_good_as_independent(kind: Kind, each: int) -> None:
    random = np.random.default_rng(SEED)
    turns = kind.simulate(2 * each)
    # Which of the two sides runs first is random.
    order = random.permuted(np.tile([0, 1], (SERIES, each, 1)), axis=2).reshape(SERIES, -1)
    pairs = [
        difference_of_means(row[first == 0], row[first == 1], paired=True)
        for row, first in zip(turns, order, strict=True)
    ]
    wrong = sum(found is not None and not found.low <= 0 <= found.high for found in pairs)
    assert wrong <= SERIES / 10, f"{wrong} of {SERIES}, seed {SEED}"


@pytest.mark.parametrize("each", [3, 8])
def test_runs_of_a_shuffled_batch_are_as_good_as_independent(each: int) -> None:
    random = np.random.default_rng(SEED)
    # A batch of 20 applications with `each` runs per application; a slow phase of the host lasts some runs.
    batches = np.abs(0.2 + 0.02 * autoregressive(random, (2, SERIES, 20 * each), 0.6))
    one, other = (
        np.take_along_axis(batch, random.permuted(np.tile(np.arange(20 * each), (SERIES, 1)), axis=1)[:, :each], 1)
        for batch in batches
    )
    found = [difference_of_means(*pair, paired=False) for pair in zip(one, other, strict=True)]
    assert sum(each is not None and not each.low <= 0 <= each.high for each in found) <= SERIES / 10
    ends = [pooled_interval([run_totals(miss_ratio=float(value), jobs=1000) for value in row]) for row in one]
    assert sum(not (isinstance(pair, tuple) and pair[0] <= 0.2 <= pair[1]) for pair in ends) <= SERIES / 10


# ---- rounds of unequal laws, slopes of samples, gauges --------------------------------------------------------


@pytest.mark.parametrize("heavy", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("n", [(6, 15), (9, 9), (15, 6)], ids=str)
@pytest.mark.parametrize("memory", [0.0, 0.3, 0.8])
def test_rounds_of_two_sides_may_follow_different_laws(memory: float, n: tuple[int, int], heavy: float) -> None:
    """The two sides differ in their number of rounds and in their spread, and one of them may be skewed."""
    ours = Kind("ours", memory=memory).simulate(n[0], seed=SEED)
    theirs = 2 * Kind("theirs", memory=memory, heavy=heavy).simulate(n[1], seed=SEED + 1)
    seen = Coverage.from_intervals(
        difference(mean_of_rounds(theirs), mean_of_rounds(ours)), 2 * np.exp(heavy**2 / 2) if heavy else 0.0
    )
    assert seen.honest, f"{seen}, seed {SEED}"


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_slope_of_single_samples_holds_the_truth(kind: Kind) -> None:
    """Slopes of samples in ns are in us per minute. Only a few series are tried, since the interval itself is checked
    on all of them."""
    number, n = SERIES // 25, 640
    at = (np.arange(n) * 20e9 / n).astype(np.int64)
    random = np.random.default_rng(SEED)
    right = []
    for row in simulate_series(kind, n)[:number]:
        truth = 60 * random.standard_normal()
        found: Any = slope([(at, 1000 * (row + truth * at / 60e9))])
        right.append(found.too_short or found.low <= truth <= found.high)
    assert np.mean(right) >= 0.9, f"{np.mean(right)}, seed {SEED}"


def _repeated_samples(name: str, n: int) -> SimulatedIntervals:
    """Return slopes of whole numbers, many of them equal, as of a resource of a process that is sampled n times."""
    random, at = np.random.default_rng([SEED, n]), np.arange(n) / n
    if name == "a walk":
        walks = random.standard_normal((SERIES, n)).cumsum(axis=1)
        return SimulatedIntervals(theil_sen_slope([(at, np.round(walks))]), 0.0)
    if name == "level":
        return SimulatedIntervals(theil_sen_slope([(at, np.round(simulate_series(WHITE, n)))]), 0.0)
    if name == "seldom one more":
        return SimulatedIntervals(theil_sen_slope([(at, (simulate_series(WHITE, n) > 2.0).astype(float))]), 0.0)
    if name == "alike":
        return SimulatedIntervals(theil_sen_slope([(at, np.round(simulate_series(Kind("", memory=0.8), n)))]), 0.0)
    # The series has this number of steps on average. Series without any step are left out, because they do not show
    # that steps exist.
    steps = int(name.partition(" ")[0])
    came = random.poisson(steps / n, (SERIES, n))
    came = came[came[:, 1:].any(axis=1)]
    return SimulatedIntervals(theil_sen_slope([(at, np.cumsum(came, axis=1).astype(float))]), steps)


@pytest.mark.parametrize("n", [3, 6, 7, 10, 19, 50])
@pytest.mark.parametrize("name", ["level", "seldom one more", "alike", "a walk", "2 steps", "10 steps"])
def test_few_samples_of_a_step_function_give_no_slope(name: str, n: int) -> None:
    seen = Coverage.from_intervals(*_repeated_samples(name, n))
    assert seen.misled <= 0.1, f"{seen}, seed {SEED}"
    assert n >= 7 or seen.is_given == 0


@pytest.mark.parametrize("figure", [name for name in FIGURES if "less another's" in name])
@pytest.mark.parametrize("kind", SPARSE, ids=str)
def test_a_probability_from_an_interval_is_as_small_as_it_says(kind: Kind, figure: str) -> None:
    """The probability that is computed from an interval, to correct for the number of comparisons, is right for two
    series that do not differ. A series that is too short to judge counts as no difference."""
    found = FIGURES[figure](kind).intervals
    probabilities = []
    for value, low, high, worth in zip(
        *(each[found.is_given] for each in (found.value, found.low, found.high, found.independent_values)), strict=True
    ):
        between = difference_from_interval(ConfidenceIntervals(value, low, high, worth, np.asarray(True)))
        probabilities.append(1.0 if between is None else between.probability(0.0))
    for level in (0.1, 0.01, 0.001):
        assert np.sum(np.asarray(probabilities) <= level) <= level * SERIES, f"{level}, seed {SEED}"


# ---- simpler intervals, which fail ---------------------------------------------------------------------------


def _as_independent(values: Floats) -> ConfidenceIntervals:
    """Return intervals of the mean that assume independent values."""
    reach = 1.96 * values.std(axis=1) / np.sqrt(values.shape[1])
    middle = values.mean(axis=1)
    return _always(middle, middle - reach, middle + reach)


def _drawn_in_blocks(values: Floats) -> ConfidenceIntervals:
    """Return intervals of the mean by a block bootstrap with a fixed block length of a twentieth of the series."""
    blocks = values.reshape(len(values), 20, -1).mean(axis=2)
    times = np.random.default_rng(SEED).multinomial(20, np.full(20, 1 / 20), 400)
    low, high = np.quantile(blocks @ times.T / 20, (0.025, 0.975), axis=1)
    return _always(values.mean(axis=1), low, high)


def _plain_sen(values: Floats) -> ConfidenceIntervals:
    """Return intervals of the slope over medians that assume independent medians, as `scipy.stats.theilslopes` does."""
    medians = np.median(values.reshape(len(values), STRETCHES, -1), axis=2)
    slopes = np.sort(_slopes_of_pairs(np.arange(STRETCHES) / STRETCHES, medians), axis=-1)
    count = slopes.shape[-1]
    reach = 1.96 * np.sqrt(STRETCHES * (STRETCHES - 1) * (2 * STRETCHES + 5) / 18)
    first = int((count - reach) / 2) - 1
    return _always(np.median(slopes, axis=-1), slopes[:, first], slopes[:, count - 1 - first])


def _always(value: Floats, low: Floats, high: Floats) -> ConfidenceIntervals:
    return ConfidenceIntervals(value, low, high, np.full(SERIES, 1e3), np.full(SERIES, True))


@pytest.mark.parametrize("before", [_as_independent, _drawn_in_blocks, _plain_sen])
def test_simpler_intervals_do_not_pass_these_tests(before: Callable[[Floats], ConfidenceIntervals]) -> None:
    """The simpler intervals pass for white noise; for series that are worth 10 values, less than three quarters of them
    contain the true value."""
    white, alike = (
        Coverage.from_intervals(before(simulate_series(kind, 2 * SAMPLES)), 0.0) for kind in (WHITE, KINDS[4])
    )
    assert white.honest, f"{white}, seed {SEED}"
    assert not alike.honest, f"{alike}, seed {SEED}"
    assert alike.held < 3 / 4, f"{alike}, seed {SEED}"


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_series_have_their_stated_quantiles(kind: Kind) -> None:
    values = simulate_series(kind, SAMPLES)
    for level in (0.3, 0.9):
        limit = kind.quantile(level, SAMPLES)
        assert kind.above(limit, SAMPLES) == pytest.approx(1 - level, abs=1e-6)
        assert (values > limit).mean() == pytest.approx(1 - level, abs=0.015)


@pytest.mark.parametrize("worth", [100, 20])
def test_inefficiency_is_that_of_the_autoregression(worth: int) -> None:
    found = SAMPLES / inefficiency([simulate_series(Kind("", worth=worth), SAMPLES)], doubt=0.0)
    # The inefficiency is the highest of several estimates, so it may exceed the true value.
    assert 0.55 * worth < np.median(found) < 1.05 * worth
    # The inefficiency of several pieces is that of all of them together.
    pieces = np.split(simulate_series(Kind("", worth=worth), SAMPLES), 4, axis=1)
    assert 0.55 * worth < np.median(SAMPLES / inefficiency(pieces, doubt=0.0)) < 1.2 * worth
    assert inefficiency([np.ones((2, 50))]).tolist() == [1, 1]
    assert np.isinf(inefficiency([np.arange(5.0)]))


# ---- the functions that other modules call -------------------------------------------------------------------


def test_other_modules_get_the_intervals_that_are_checked_here() -> None:
    """The functions that other modules call give the intervals that are checked here, also if samples come in another
    order than their instants."""
    values, order = simulate_series(WHITE, SAMPLES)[0], np.random.default_rng(1).permutation(SAMPLES)
    assert percentiles_with_intervals(values[order], order).p50_95 == quantile(values, 0.5).ends()
    hits = values > 0.5
    assert share_interval(hits[order], order) == share(hits).ends()
    assert in_order_of_time(values[order], order).tolist() == values.tolist()
    rounds = over_rounds(values[:60])
    assert (rounds.low, rounds.high) == median_of_rounds(values[:60]).ends()
    low, _, high = (float(stats.norm.ppf(level)) for level in (0.25, 0.5, 0.75))
    at = np.arange(20_000) * 10**6
    found = slope([(at, 1000 * np.random.default_rng(2).standard_normal(len(at)))])
    assert found.spread == pytest.approx(high - low, rel=0.05)


def test_series_that_are_too_short_are_called_so() -> None:
    alike = np.cumsum(np.random.default_rng(1).standard_normal(1000))
    at = np.arange(1000) * 30_000_000
    figures = percentiles_with_intervals(alike, at)
    assert (figures.p50_95, figures.p90_95, figures.p99_95) == (TOO_SHORT, TOO_SHORT, TOO_SHORT)
    assert share_interval(alike > np.median(alike), at) == TOO_SHORT
    found = slope([(at, alike)])
    assert (found.too_short, found.low, found.slope is not None) == (True, None, True)
    assert accumulation(found, 1.0).outcome == TOO_SHORT
    rounds = over_rounds(alike[:12])
    assert (rounds.too_short, rounds.low, rounds.median is not None) == (True, None, True)
    assert over_rounds([1.0, 2.0, 3.0]).too_short
    assert difference_of_sequences(alike[:12], alike[12:24]) is None
    # A share of 0 or 1, and a percentile that is not given, have no interval, and are not called too short.
    assert share_interval(alike > 1e9, at) is None
    assert percentiles_with_intervals(alike[:50], at[:50]).p99_95 is None


def test_a_constant_series_has_an_exact_value() -> None:
    same = np.full(1000, 0.1)
    assert percentiles_with_intervals(same, np.arange(1000)).p50_95 == (0.1, 0.1)
    assert over_rounds([0.1] * 6) == MedianOfRounds(median=0.1, low=0.1, high=0.1, rounds=6, too_short=False)
    figures = slope([(np.arange(1000) * 30_000_000, same)])
    assert (figures.slope, figures.low, figures.high) == (0, 0, 0)
    found = difference_from_interval(difference(mean_of_rounds(same), mean_of_rounds(same)))
    assert found is not None
    assert (found.low, found.high, found.probability(0.0)) == pytest.approx((0, 0, 1))


def test_ranks_are_those_of_scipy() -> None:
    """The ranks of several series with many equal values are the same as scipy's."""
    values = np.random.default_rng(SEED).integers(0, 20, (3, 4, 50)).astype(np.float64)
    assert (ranks(values) == stats.rankdata(values, axis=-1)).all()
    assert (ranks(values[0, 0]) == stats.rankdata(values[0, 0])).all()
