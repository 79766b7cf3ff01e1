# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The paper's claims on its runs, the goals for takt, and the verdicts on both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from takt_cli.paper.icra2021.cases import OROCOS, RT, VANILLA, Case
from takt_cli.paper.icra2021.printed import claims
from takt_cli.paper.verdict import Claim, Finding, Goal, GoalResult, Outcome, inconclusive, number, to_json, too_short
from takt_cli.statistics.accumulation import INSIDE, OUTSIDE
from takt_cli.statistics.correlation import TOO_SHORT

Metrics = dict[str, Any]
Row = dict[str, Any]
# The paper runs one process with ROS 2's own executor, which baseline0 is closest to.
STOCK, TAKT = "baseline0", "takt"
# A delay of this many times the median is a spike.
SPIKE = 10.0
_NAMES = ("cycle", "request", "response")
# us per minute, from "about 3 s after 10 minutes". The slope depends on the machine, but hardly by a factor of 100.
PRINTED_SLOPE = 3e6 / 10
_FAR_BELOW = 0.01


class Check(NamedTuple):
    """The check of a claim on a row. `rule` describes the criterion for the reader."""

    rule: str
    decide: Callable[[Row], Finding]


def verdicts(parts: dict[str, Metrics]) -> list[dict[str, Any]]:
    """Return a row for each claim. `parts` are the figures of those that were run."""
    rows = []
    for printed_claim in claims():
        case = Case(printed_claim.kernel, printed_claim.stress, printed_claim.framework)
        check = CHECKS.get((printed_claim.kernel, printed_claim.stress))
        metrics = parts.get(case.name)
        rule = "not judged: OROCOS is not part of takt"
        if printed_claim.framework == OROCOS or check is None:
            finding = inconclusive("OROCOS was not run")
        else:
            rule, finding = check.rule, _finding_of_case(case, metrics, check)
        claim = Claim(
            f"{printed_claim.kernel}, {'stress' if printed_claim.stress else 'normal'}",
            printed_claim.framework,
            printed_claim.claim,
        )
        rows.append(to_json(claim, finding, rule) | {"part": case.name})
    return rows


def goals(parts: dict[str, Metrics]) -> list[Goal]:
    """Return the goals for takt, one for each part that was run."""
    bound = next((row["bound_us_per_min"] for part in parts.values() for row in part["rows"]), 1.0)
    return [
        Goal(
            f"{name}: no delay of takt accumulates by more than {bound:g} us a minute",
            *_is_steady({row["executor"]: row for row in part["rows"]}),
        )
        for name, part in parts.items()
    ]


def describe_slope(delay_name: str, delay: Metrics) -> str:
    """Describe the slope of a delay: `cycle +0.02 us/min (95 %: -0.1 to 0.14; inside)`."""
    slope = delay["slope"]
    if slope["slope"] is None:
        return f"{delay_name}: too short for a slope"
    details = [] if slope["low"] is None else [f"95 %: {slope['low']:.3g} to {slope['high']:.3g}"]
    details += [delay["within_bound"]] if delay["within_bound"] else []
    details += [delay["why"]] if delay.get("why") else []
    return f"{delay_name} {slope['slope']:+.3g} us/min" + (f" ({'; '.join(details)})" if details else "")


def spikes(delay: Metrics) -> float | None:
    """Return the ratio of the largest delay to the median, both relative to the smallest; None without a median."""
    metrics = delay["aligned_us"]
    return metrics["max"] / metrics["p50"] if metrics.get("p50") else None


def _finding_of_case(case: Case, statistics: Metrics | None, check: Check) -> Finding:
    if statistics is None:
        return inconclusive(f"{case.name} was not run")
    row = next((row for row in statistics["rows"] if row["executor"] == STOCK), None)
    if row is None:
        return inconclusive(f"{STOCK} was not run")
    if row["virtual"]:
        return inconclusive("measured in virtual time, which is not used for verdicts")
    return check.decide(row)


def _is_steady(rows: dict[str, Row]) -> GoalResult:
    """Return whether no delay of takt accumulates. `rows` are by executor."""
    row = rows.get(TAKT)
    if row is None:
        return GoalResult(None, f"{TAKT} was not run")
    if row["virtual"]:
        return GoalResult(None, "measured in virtual time, which is not used for verdicts")
    why = "; ".join(describe_slope(which, delay) for which, delay in row["delays"].items())
    answers = [delay["within_bound"] for delay in row["delays"].values()]
    if OUTSIDE in answers:
        return GoalResult(False, why)
    if TOO_SHORT not in answers:
        return GoalResult(True, why)
    return (
        GoalResult(None, why)
        if _grew_without_control(row)
        else GoalResult(None, f"{why}; measure longer", too_short=True)
    )


def _grew_without_control(row: Row) -> bool:
    """Return whether a delay grew and only the lack of a control leaves open whether takt or the host caused it."""
    return any(delay["alone"] for delay in row["delays"].values())


def _open(row: Row, *why: str) -> Finding:
    """Return the finding on a row with a delay that cannot be judged: inconclusive, or too short to judge."""
    return inconclusive(*why) if _grew_without_control(row) else too_short(*why)


def _bounds(row: Row, names: tuple[str, ...] = _NAMES) -> list[str]:
    return [row["delays"][which]["within_bound"] for which in names]


def _describe_row(row: Row) -> str:
    return "; ".join(describe_slope(which, row["delays"][which]) for which in _NAMES)


def _check_spikes(row: Row) -> Finding:
    """Check that delays of messages do not accumulate and have spikes, and that the cycle's spikes are larger."""
    heights = {which: spikes(row["delays"][which]) for which in _NAMES}
    maxima = {which: row["delays"][which]["aligned_us"]["max"] for which in _NAMES}
    why = _describe_row(row) + "; largest " + ", ".join(
        f"{which} {number(maxima[which] or 0)} us ({number(heights[which] or 0)} times the median)" for which in _NAMES
    )  # fmt: skip
    bounded = _bounds(row, _NAMES[1:])
    if OUTSIDE in bounded:
        return Finding(Outcome.refuted, why)
    if TOO_SHORT in bounded or None in heights.values():
        return _open(row, why, "whether delays of messages accumulate cannot be judged yet")
    # A slope is robust against single stalls of the host; the maximum is not, so the run's own verdict matters here.
    if row["verdict"]["outcome"] == "inconclusive":
        return inconclusive(why, *row["verdict"]["why"])
    all_spike = all((heights[which] or 0) >= SPIKE for which in _NAMES[1:])
    stronger = maxima["cycle"] > max(maxima[which] for which in _NAMES[1:])
    return Finding(Outcome.confirmed if all_spike and stronger else Outcome.refuted, why)


def _check_growth(row: Row) -> Finding:
    """Check that delays of cycle and request accumulate while that of the response does not.

    The paper's request delay may be measured from the sending or from the ideal grid: either may grow.
    """
    grid = row["delays"]["request on grid"]
    why = f"{_describe_row(row)}; {describe_slope('request on grid', grid)}"
    cycle, request, response = _bounds(row)
    growing = [_accumulates(row["delays"]["cycle"]), _accumulates(row["delays"]["request"]) or _accumulates(grid)]
    if all(growing) and response != OUTSIDE:
        return (
            _open(row, why, "whether the response delay accumulates cannot be judged yet")
            if response == TOO_SHORT
            else Finding(Outcome.confirmed, why)
        )
    if cycle == INSIDE or (request == INSIDE and grid["within_bound"] == INSIDE) or response == OUTSIDE:
        return Finding(Outcome.refuted, why)
    cycle_slope_high = row["delays"]["cycle"]["slope"]["high"]
    if cycle_slope_high is not None and cycle_slope_high < _FAR_BELOW * PRINTED_SLOPE:
        return Finding(Outcome.refuted, f"{why}; the printed slope is {number(PRINTED_SLOPE)} us/min")
    return _open(row, why, "whether these delays accumulate cannot be judged yet")


def _accumulates(delay: Metrics) -> bool:
    return bool(delay["within_bound"] == OUTSIDE and delay["slope"]["slope"] > 0)


def _check_bounded(row: Row) -> Finding:
    answers, why = _bounds(row), _describe_row(row)
    if OUTSIDE in answers:
        return Finding(Outcome.refuted, why)
    return _open(row, why) if TOO_SHORT in answers else Finding(Outcome.confirmed, why)


def _check_with_both(row: Row) -> Finding:
    return inconclusive(_describe_row(row), "the claim compares two kernels on one host, of which only one was run")


CHECKS = {
    (VANILLA, False): Check(
        f"{STOCK}: the slopes of request and response are inside the bound, the maximum of each is at least {SPIKE:g} "
        "times its median, and the cycle's maximum exceeds both; an inconclusive run is not judged",
        _check_spikes,
    ),
    (VANILLA, True): Check(
        f"{STOCK}: the slopes of cycle and request (from its sending, or from the grid) exceed the bound with their "
        "whole intervals, the growth exceeds the spread of single delays, and the control does not grow alike; the "
        f"slope of the response is inside; not confirmed, too, if the cycle's slope is below {_FAR_BELOW:.0%} of the "
        "printed one",
        _check_growth,
    ),
    (RT, False): Check("not judged: the claim compares two kernels on the same host", _check_with_both),
    (RT, True): Check(
        f"{STOCK}: the slopes of all three delays are inside the bound; that it is better than vanilla is not judged, "
        "as this compares two kernels on the same host",
        _check_bounded,
    ),
}
