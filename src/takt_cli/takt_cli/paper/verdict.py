# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Findings on claims of papers and on goals for takt, and how figures with their intervals become findings."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.confidence import MedianOfRounds

# How a claim relates a figure to its limit.
Relation = Literal["above", "below", "at most"]
_RELATIONS = {"above": operator.gt, "below": operator.lt, "at most": operator.le}
# A share is "about" a printed one, which was measured on another machine, within this factor in either direction.
ABOUT_FACTOR = 1.5


class Outcome(str, Enum):
    """The verdict on a claim.

    `better`: the claim is about the paper's own prototype, and takt exceeds it. `short`: too little was measured for an
    interval, or for one that decides the claim. `open`: inconclusive for a reason that longer measuring does not help.
    """

    confirmed = "confirmed"
    refuted = "not confirmed"
    better = "better"
    open = "inconclusive"
    short = TOO_SHORT


@dataclass(frozen=True)
class Finding:
    """A verdict on a claim. `why` names the figure that decides, with its n and interval."""

    outcome: Outcome
    why: str


@dataclass(frozen=True)
class Share:
    """A share of jobs in per cent.

    It lies between `lower_bound`, which leaves out all misses that may be due to the host, and `value`, which counts
    them all. `interval` is the 95 % interval of `value`; `too_short` is true if none can be given. `blind` are the
    reasons why host misses could not be identified, if any.
    """

    value: float
    lower_bound: float
    jobs: int
    runs: int
    interval: tuple[float, float] | None
    blind: tuple[str, ...] = ()
    too_short: bool = False

    def text(self) -> str:
        """Format the share: `12.5 % (95 %: 11 to 14 %; 10.2 % without host misses), n = 12000 in 5 runs`."""
        asides = []
        if self.interval is not None:
            asides.append(f"95 %: {number(self.interval[0])} to {number(self.interval[1])} %")
        if self.too_short:
            asides.append(f"95 %: {TOO_SHORT}")
        if self.lower_bound < self.value:
            asides.append(f"{number(self.lower_bound)} % without host misses")
        remark = f" ({'; '.join(asides)})" if asides else ""
        return f"{number(self.value)} %{remark}, n = {self.jobs} in {count(self.runs, 'run')}"

    def below(self, limit: float) -> bool | None:
        """Return whether the share is below the limit; None if that depends on host misses or on chance."""
        answers = {end < limit for end in self._all_ends}
        return None if self.too_short or len(answers) > 1 else answers.pop()

    def about(self, printed: float) -> bool | None:
        """Return whether the share is about the printed one; None if that depends on host misses or chance."""
        return self.within(printed / ABOUT_FACTOR, printed * ABOUT_FACTOR)

    def within(self, low: float, high: float) -> bool | None:
        """Return whether low <= share <= high; None if that depends on host misses or chance, or cannot be judged."""
        sides = {-1 if end < low else 1 if end > high else 0 for end in self._all_ends}
        return None if self.too_short or len(sides) > 1 else sides == {0}

    @property
    def _all_ends(self) -> tuple[float, ...]:
        return self.surely, self.value, *(self.interval or ())

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval; both are the value if there is no interval."""
        return self.interval or (self.value, self.value)

    @property
    def surely(self) -> float:
        """The part of the share that cannot be due to the host: 0 if host misses could not be identified."""
        return 0.0 if self.blind else self.lower_bound


def number(value: float) -> str:
    """Format a number with three significant digits, and without decimals from 100 on."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def count(n: int, noun: str) -> str:
    """Format a number of things: `1 run`, `5 runs`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def interval(figures: MedianOfRounds) -> str:
    """Format the interval of a figure over rounds: ` (95 %: 1.2 to 3.4)`; empty if there is none."""
    low, high = figures.low, figures.high
    return "" if low is None or high is None else f" (95 %: {number(low)} to {number(high)})"


def inconclusive(*why: str) -> Finding:
    """Return an inconclusive finding with these reasons."""
    return Finding(Outcome.open, "; ".join(why))


def too_short(*why: str) -> Finding:
    """Return the finding that too little was measured, with these reasons."""
    return Finding(Outcome.short, "; ".join([*why, "measure longer"]))


class NotJudged(Exception):  # noqa: N818 - a claim without data is not an error
    """A claim cannot be judged, as what it needs was not measured; the text says what."""


def missing_data(data: str) -> NotJudged:
    """Return the exception for a claim whose runs are missing."""
    return NotJudged(f"no runs of {data}")


def holds(is_so: bool, why: str) -> Finding:
    """Return the finding that a claim is confirmed or refuted."""
    return Finding(Outcome.confirmed if is_so else Outcome.refuted, why)


def by_interval(figures: MedianOfRounds, relation: Relation, limit: float, why: str) -> Finding:
    """Return whether a figure over rounds is above, below or at most the limit: both ends of its interval are, or
    neither is."""
    if figures.low is None or figures.high is None:
        return too_short(why, "the rounds are too few or too alike for an interval")
    answers = {_RELATIONS[relation](end, limit) for end in (figures.low, figures.high)}
    return (
        holds(answers.pop(), why) if len(answers) == 1 else inconclusive(why, f"the interval includes {number(limit)}")
    )


def judged(is_so: bool | None, why: str, shares: Sequence[Share] = ()) -> Finding:
    """Return the finding: confirmed or refuted, or inconclusive or too short if `is_so` is None.

    In the latter case the shares supply the reasons.
    """
    if is_so is not None:
        return holds(is_so, why)
    reasons_host_unknown = list(dict.fromkeys(reason for share in shares for reason in share.blind))
    if any(share.too_short for share in shares) and not reasons_host_unknown:
        return too_short(why)
    reasons = ["which misses were due to the host"] if any(share.lower_bound < share.value for share in shares) else []
    reasons += ["chance"] if any(share.interval is not None for share in shares) else []
    return inconclusive(why, *(reasons_host_unknown or [f"it depends on {' or '.join(reasons)}"]))
