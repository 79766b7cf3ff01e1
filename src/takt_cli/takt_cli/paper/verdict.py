# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a paper says, and what comes of it here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from takt_cli.analysis.correlation import TOO_SHORT


class Outcome(str, Enum):
    """Of a claim. Better: said of the paper's own proposal, and what we lay beside it is better than that. Short: too
    little was measured for an interval, or for one that decides; inconclusive is what measuring longer does not
    help."""

    confirmed = "confirmed"
    refuted = "not confirmed"
    better = "better"
    open = "inconclusive"
    short = TOO_SHORT


@dataclass(frozen=True)
class Finding:
    """On a claim: `why` names the figure that decides, with its n and interval."""

    outcome: Outcome
    why: str


@dataclass(frozen=True)
class Claim:
    """As it is printed."""

    section: str
    claim: str
    value: str


@dataclass(frozen=True)
class Goal:
    """What must be seen of takt: `reached` None where nobody can say, `too_short` where longer measuring could tell."""

    goal: str
    reached: bool | None
    why: str
    too_short: bool = False


class Seen(NamedTuple):
    """What came of a goal, as Goal has it."""

    reached: bool | None
    why: str
    too_short: bool = False


@dataclass(frozen=True)
class Share:
    """A share of jobs in per cent. It lies between `least`, where whatever the host may be to blame for is left
    out, and `value`, where all of it counts. `interval`: 95 %, of the value; `too_short`: where none can be given."""

    value: float
    least: float
    jobs: int
    runs: int
    interval: tuple[float, float] | None
    blind: tuple[str, ...] = ()
    too_short: bool = False

    def text(self) -> str:
        """`12.5 % (95 %: 11 to 14; 10.2 % without host misses), n = 12 000 in 5 runs`"""
        asides = []
        if self.interval is not None:
            asides.append(f"95 %: {number(self.interval[0])} to {number(self.interval[1])} %")
        if self.too_short:
            asides.append(f"95 %: {TOO_SHORT}")
        if self.least < self.value:
            asides.append(f"{number(self.least)} % without host misses")
        aside = f" ({'; '.join(asides)})" if asides else ""
        return f"{number(self.value)} %{aside}, n = {self.jobs} in {runs_told(self.runs)}"

    def below(self, limit: float) -> bool | None:
        """None where it depends on what the host is to blame for, or on chance."""
        return self.within(-1.0, limit)

    def within(self, low: float, high: float) -> bool | None:
        """low <= share < high; None likewise, and where it is too short to judge."""
        if self.too_short:
            return None
        ends = (self.surely, self.value, *(self.interval or ()))
        sides = {-1 if end < low else 1 if end >= high else 0 for end in ends}
        return None if len(sides) > 1 else sides == {0}

    @property
    def ends(self) -> tuple[float, float]:
        """Of its interval; twice the value where it has none."""
        return self.interval or (self.value, self.value)

    @property
    def surely(self) -> float:
        """What the host cannot be to blame for: nothing, where nobody could see what it did."""
        return 0.0 if self.blind else self.least


def number(value: float) -> str:
    """Three significant digits, but no digits behind the point of what is above 100."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def runs_told(runs: int) -> str:
    return "1 run" if runs == 1 else f"{runs} runs"


def inconclusive(*why: str) -> Finding:
    return Finding(Outcome.open, "; ".join(why))


def too_short(*why: str) -> Finding:
    return Finding(Outcome.short, "; ".join([*why, "measure longer"]))


def judged(holds: bool | None, why: str, shares: Sequence[Share] = ()) -> Finding:
    """Confirmed or not; where that is None inconclusive or too short to judge, with what the shares say of why."""
    if holds is None:
        blind = list(dict.fromkeys(reason for share in shares for reason in share.blind))
        if any(share.too_short for share in shares) and not blind:
            return too_short(why)
        reasons = ["which misses were the host's"] if any(share.least < share.value for share in shares) else []
        reasons += ["chance"] if any(share.interval is not None for share in shares) else []
        return inconclusive(why, *(blind or [f"it depends on {' or '.join(reasons)}"]))
    return Finding(Outcome.confirmed if holds else Outcome.refuted, why)


def to_json(claim: Claim, finding: Finding, rule: str) -> dict[str, Any]:
    return {
        "section": claim.section,
        "claim": claim.claim,
        "printed": claim.value,
        "verdict": finding.outcome.value,
        "why": finding.why,
        "rule": rule,
    }
