# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the comparison of two measurements by a figure of each round."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from origins import origin

from takt_cli.comparison.comparison import Request
from takt_cli.comparison.figures import PerRound, quantiles
from takt_cli.comparison.variants import Side, compare_variants
from takt_cli.errors import ResultError

ORIGIN = origin()
# Six rounds that scatter by a tenth, without a trend.
ROUNDS = [1.0, 1.1, 0.95, 1.05, 0.9, 1.02]


def side(name: str, *figures: PerRound, doubtful: bool = False) -> Side:
    doubts = frozenset({"takt"} if doubtful else ())
    return Side(Path(name), "test", "a test", {"kernel": "6.1"}, ORIGIN, {"takt": figures}, doubts)


def per_round(factor: float, fault: bool = True) -> PerRound:
    return PerRound("CPU time", "us", [factor * value for value in ROUNDS], fault)


@pytest.mark.parametrize(
    ("factor", "fault", "verdict"),
    [(2, True, "worse"), (0.5, True, "better"), (2, False, "more"), (0.5, False, "less"), (1, True, "no difference")],
)
def test_rounds_are_compared_by_their_scatter(factor: float, fault: bool, verdict: str) -> None:
    result = compare_variants(side("a", per_round(1, fault)), side("b", per_round(factor, fault)), Request())
    (entry,) = result.entries
    assert (entry.verdict, entry.over, entry.n_a) == (verdict, "runs", 6)
    assert entry.difference == pytest.approx((factor - 1) * np.mean(ROUNDS))
    assert entry.low is not None
    assert entry.high is not None
    assert entry.difference is not None
    assert entry.low <= entry.difference <= entry.high


def test_few_rounds_are_too_short_to_judge() -> None:
    few = (PerRound("CPU time", "us", [1.0, 1.1]), PerRound("CPU time", "us", [3.0, 3.1]))
    (entry,) = compare_variants(side("a", few[0]), side("b", few[1]), Request()).entries
    assert (entry.verdict, entry.a, entry.b) == ("too short to judge", 1.05, 3.05)


def test_figures_that_only_one_side_has_are_left_out() -> None:
    other = PerRound("jitter", "us", ROUNDS)
    result = compare_variants(side("a", per_round(1), other), side("b", per_round(1)), Request())
    assert [entry.metric for entry in result.entries] == ["CPU time"]


def test_a_doubtful_variant_is_not_judged() -> None:
    result = compare_variants(side("a", per_round(1)), side("b", per_round(2), doubtful=True), Request())
    assert (result.entries[0].verdict, result.b.conclusive) == ("inconclusive", 0)
    assert result.entries[0].why == "the verdict on B is inconclusive"


def test_results_without_a_common_variant_are_refused() -> None:
    a = Side(Path("a"), "test", "a test", {}, ORIGIN, {"x": [per_round(1)], "y": [per_round(1)]})
    with pytest.raises(ResultError, match="nothing is in both: x, y in A, takt in B"):
        compare_variants(a, side("b", per_round(1)), Request(force=True))


def test_quantiles_need_enough_samples_in_every_round() -> None:
    def rounds(*sizes: int) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(np.arange(size), np.arange(size, dtype=np.float64)) for size in sizes]

    assert [each.name for each in quantiles("time", "us", rounds(100, 200))] == ["time p50", "time p99"]
    assert [each.name for each in quantiles("time", "us", rounds(99, 200))] == ["time p50"]
    assert quantiles("time", "us", rounds(0, 200)) == []
