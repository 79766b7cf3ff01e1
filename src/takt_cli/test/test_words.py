# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is said in words: figures that do not claim more digits than they have, and fair sentences."""

from __future__ import annotations

from typing import Any

import pytest

from takt_cli.report.demo_summary import doubts, sentences
from takt_cli.report.words import count, number, percentile, share, spread


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "\u2013"),
        (0, "0"),
        (0.0001234, "0.000123"),
        (1.23456, "1.23"),
        (12.3456, "12.3"),
        (99.96, "100"),
        (123.456, "123"),
        (12345.6, "12\u202f346"),
        (-1.5, "-1.5"),
    ],
)
def test_numbers_have_three_digits(value: float | None, text: str) -> None:
    assert number(value) == text


def test_a_share_is_nothing_only_if_it_is_nothing() -> None:
    assert share(0, 10) == "0 %"
    assert share(1, 100_000) == "< 0.01 %"
    assert share(1, 3) == "33.3 %"
    assert share(99_999, 100_000) == "> 99.9 %"
    assert share(10, 10) == "100 %"
    assert share(0, 0) == "\u2013"
    assert count(1234567) == "1\u202f234\u202f567"


def test_percentiles_in_a_row() -> None:
    figures = {"n": 200, "p50": 1.0, "p99": None, "max": None, "infinite": 5}
    assert spread(figures, "ms") == "1 · \u221e · \u221e ms"
    assert percentile({"n": 20, "p99": None}, "p99") == "\u2013"
    assert spread({"n": 0}, "ms") == "\u2013"


def summary(outcome: str = "pass", **totals: int) -> dict[str, Any]:
    zero = dict.fromkeys(("deadline_misses", "unforced_misses", "unforced_skipped", "stale"), 0)
    figures = zero | {"jobs": 1000, "stale_n": 500} | totals
    return {"totals": figures, "verdict": {"outcome": outcome, "why": ["because"]}}


@pytest.mark.parametrize(
    ("executor", "totals", "text"),
    [
        ("takt", {}, "takt met every one of 1\u202f000 deadlines, and never ran on old data."),
        ("takt", {"deadline_misses": 1}, "takt missed 0.1 % of its deadlines, all of them while the host stalled, "
         "or such that its policy could not have met them, "
         "and never ran on old data."),
        ("takt", {"deadline_misses": 3, "unforced_misses": 2, "stale": 5}, "takt missed 2 of 1\u202f000 deadlines that "
         "its policy could have met, and ran 1 % of its reading jobs on old data."),
        ("baseline0", {"deadline_misses": 100, "stale": 250}, "baseline0 missed 10 % of its deadlines, and ran 50 % of "
         "its reading jobs on old data."),
        ("baseline1", {"stale": 250}, "baseline1 met every deadline, but ran 50 % of its reading jobs on old data."),
        ("baseline1", {"deadline_misses": 1}, "baseline1 missed 0.1 % of its deadlines, but never ran on old data."),
        ("baseline1", {}, "baseline1 met every deadline, and never ran on old data."),
    ],
)  # fmt: skip
def test_the_demo_in_plain_words(executor: str, totals: dict[str, int], text: str) -> None:
    assert sentences({executor: summary(**totals)}) == [text]


def test_doubts_are_said() -> None:
    assert doubts({"takt": summary(), "baseline0": summary("inconclusive")}) == [
        "For baseline0 the verdict is inconclusive: because."
    ]
