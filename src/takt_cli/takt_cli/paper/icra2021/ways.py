# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How the claims of the paper on its runs are judged, and the goals for takt."""

from __future__ import annotations

from takt_cli.analysis.cyclic import PRINTED, DelayFigures
from takt_cli.paper.claims import Open, Way
from takt_cli.paper.communication import VIRTUAL
from takt_cli.paper.icra2021.part import CycleFigures, CycleRow
from takt_cli.paper.verdict import Finding, NotJudged, Outcome, holds, inconclusive, number, too_short
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.accumulation import INSIDE, OUTSIDE

# The paper runs one process with ROS 2's own executor, which baseline0 is closest to.
STOCK = "baseline0"
# us per minute, from "about 3 s after 10 minutes". The slope depends on the machine, but hardly by a factor of 100.
PRINTED_SLOPE = 3e6 / 10


def describe_slope(delay_name: str, delay: DelayFigures) -> str:
    """Describe the slope of a delay: `cycle +0.02 us/min (95 %: -0.1 to 0.14; inside)`."""
    slope = delay.slope
    if slope.slope is None:
        return f"{delay_name}: too short for a slope"
    details = [] if slope.low is None else [f"95 %: {slope.low:.3g} to {slope.high:.3g}"]
    details += [delay.within_bound] if delay.within_bound else []
    details += [delay.why] if delay.why else []
    return f"{delay_name} {slope.slope:+.3g} us/min" + (f" ({'; '.join(details)})" if details else "")


def spikes(delay: DelayFigures) -> float | None:
    """Return the ratio of the largest delay to the median, both relative to the smallest; None without a median."""
    metrics = delay.aligned_us
    return metrics.max / metrics.p50 if metrics.max and metrics.p50 else None


def _describe(row: CycleRow, names: tuple[str, ...] = PRINTED) -> str:
    return "; ".join(describe_slope(which, row.delays[which]) for which in names)


def _open(row: CycleRow, *why: str) -> Finding:
    """Return the finding on a row with a delay that cannot be judged: too short to judge, or inconclusive if a delay
    grew and only the lack of a control leaves open whether the executor or the host caused it."""
    return inconclusive(*why) if any(delay.alone for delay in row.delays.values()) else too_short(*why)


class _WayOfRow(Way, frozen=True):
    """A claim on the row of one executor in a run."""

    executor: str = STOCK

    def judge(self, figures: CycleFigures) -> Finding:
        row = next((row for row in figures.rows if row.executor == self.executor), None)
        if row is None:
            raise NotJudged(f"{self.executor} was not run")
        if row.virtual:
            raise NotJudged(VIRTUAL)
        return self.decide(row)

    def decide(self, row: CycleRow) -> Finding:
        """Return the verdict by a row that was not measured in virtual time."""
        raise NotImplementedError


class Spikes(_WayOfRow, frozen=True, kw_only=True):
    """Delays of messages do not accumulate, and the largest ones are at least so many times the median; those of the
    cycle are larger still."""

    times: float

    def decide(self, row: CycleRow) -> Finding:
        heights = {which: spikes(row.delays[which]) for which in PRINTED}
        maxima = {which: row.delays[which].aligned_us.max or 0 for which in PRINTED}
        why = f"{_describe(row)}; largest " + ", ".join(
            f"{which} {number(maxima[which])} us ({number(heights[which] or 0)} times the median)" for which in PRINTED
        )
        bounded = [row.delays[which].within_bound for which in PRINTED[1:]]
        if OUTSIDE in bounded:
            return Finding(Outcome.refuted, why)
        if TOO_SHORT in bounded or None in heights.values():
            return _open(row, why, "whether delays of messages accumulate cannot be judged yet")
        # A slope is robust against single stalls of the host. The maximum is not, so the run's own verdict matters.
        if row.doubts:
            return inconclusive(why, *row.doubts)
        all_spike = all((heights[which] or 0) >= self.times for which in PRINTED[1:])
        return holds(all_spike and maxima["cycle"] > max(maxima[which] for which in PRINTED[1:]), why)


class Growth(_WayOfRow, frozen=True, kw_only=True):
    """Delays of cycle and request accumulate while that of the response does not.

    The paper's request delay may be measured from the sending or from the ideal grid: either may grow. A slope of the
    cycle of less than the share `least` of the printed one refutes the claim.
    """

    least: float

    def decide(self, row: CycleRow) -> Finding:
        cycle, request, response = (row.delays[which] for which in PRINTED)
        grid, bound = row.delays["request on grid"], response.within_bound
        why = f"{_describe(row)}; {describe_slope('request on grid', grid)}"
        if _accumulates(cycle) and (_accumulates(request) or _accumulates(grid)) and bound != OUTSIDE:
            if bound == TOO_SHORT:
                return _open(row, why, "whether the response delay accumulates cannot be judged yet")
            return Finding(Outcome.confirmed, why)
        requests_inside = request.within_bound == grid.within_bound == INSIDE
        if cycle.within_bound == INSIDE or requests_inside or bound == OUTSIDE:
            return Finding(Outcome.refuted, why)
        high = cycle.slope.high
        if high is not None and high < self.least * PRINTED_SLOPE:
            return Finding(Outcome.refuted, f"{why}; the printed slope is {number(PRINTED_SLOPE)} us/min")
        return _open(row, why, "whether these delays accumulate cannot be judged yet")


class Bounded(_WayOfRow, frozen=True, kw_only=True):
    """None of these delays accumulates."""

    delays: tuple[str, ...] = PRINTED

    def decide(self, row: CycleRow) -> Finding:
        bounds, why = [row.delays[which].within_bound for which in self.delays], _describe(row, self.delays)
        if OUTSIDE in bounds:
            return Finding(Outcome.refuted, why)
        return _open(row, why) if TOO_SHORT in bounds else Finding(Outcome.confirmed, why)


class NotComparable(_WayOfRow, frozen=True, kw_only=True):
    """The claim compares the run with one that cannot be made on the same host."""

    def decide(self, row: CycleRow) -> Finding:
        return inconclusive(_describe(row), "the claim compares two kernels on one host, of which only one was run")


def _accumulates(delay: DelayFigures) -> bool:
    return bool(delay.within_bound == OUTSIDE and (delay.slope.slope or 0) > 0)


WAYS = (Open, Spikes, Growth, Bounded, NotComparable)
