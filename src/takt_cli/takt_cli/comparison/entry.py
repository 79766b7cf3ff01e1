# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""One figure of two results: better, worse or no difference, with the interval of the difference."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from takt_cli.statistics.confidence import LEVEL
from takt_cli.statistics.difference import Difference, holm_correction

BETTER, WORSE, LESS, MORE = "better", "worse", "less", "more"
NO_DIFFERENCE, INCONCLUSIVE = "no difference", "inconclusive"
DIFFERING = (BETTER, WORSE, LESS, MORE)


@dataclass(frozen=True)
class Entry:
    """The values of a metric in A and B, and their difference B - A, which is in [`low`, `high`] with a confidence of
    95 %. Differences up to `margin` count as none. `n_a` and `n_b`: the number of runs, samples, cases or applications
    of each side, as `over` says. `p`: the probability of such a difference if there is none; `p_holm`: the same,
    corrected for the number of comparisons; `stands`: whether the verdict also holds after this correction. `unlike`:
    conditions that differ, which is why the two should not be compared. Infinite and missing figures are None in the
    end."""

    application: str
    executor_a: str
    executor_b: str
    metric: str
    unit: str
    a: float | None
    b: float | None
    difference: float | None
    low: float | None = None
    high: float | None = None
    margin: float | None = None
    over: str | None = None
    n_a: int = 1
    n_b: int = 1
    paired: bool = False
    verdict: str = INCONCLUSIVE
    why: str | None = None
    p: float | None = None
    p_holm: float | None = None
    stands: bool = False
    unlike: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        return self.verdict in DIFFERING

    def judged(self, fault: bool, margin: float, difference: Difference | None) -> Entry:
        """Return the entry with its verdict, by the interval of the difference. `fault`: less is better."""
        if difference is None:
            return replace(self, why="a figure is missing or infinite")
        least_difference = margin * abs(self.a or 0.0)
        less, more = (BETTER, WORSE) if fault else (LESS, MORE)
        verdict = NO_DIFFERENCE
        if difference.high < -least_difference:
            verdict = less
        elif difference.low > least_difference:
            verdict = more
        p = difference.probability(least_difference)
        return replace(self, low=difference.low, high=difference.high, margin=least_difference, p=p, verdict=verdict)

    def doubtful(self, sides: list[str]) -> Entry:
        """Return the entry without a verdict if that on one of these sides is inconclusive."""
        if not sides:
            return self
        reason = f"the verdict on {' and '.join(sides)} is inconclusive"
        return replace(self, verdict=INCONCLUSIVE, why=reason, p=None)

    def finite(self) -> Entry:
        """Return the entry with None for infinite and missing figures, which JSON lacks."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        lacking = {name: None for name, each in values.items() if isinstance(each, float) and not math.isfinite(each)}
        return Entry(**values | lacking)


def with_holm_correction(entries: list[Entry]) -> list[Entry]:
    """Return the entries with the correction for the number of comparisons (Holm): the probability that any of the
    verdicts that stand is wrong is at most 5 %."""
    corrected = iter(holm_correction([entry.p for entry in entries if entry.p is not None]))
    result = []
    for entry in entries:
        if entry.p is not None:
            p = next(corrected)
            entry = replace(entry, p_holm=p, stands=entry.differs and p <= 1 - LEVEL)  # noqa: PLW2901
        result.append(entry)
    return result
