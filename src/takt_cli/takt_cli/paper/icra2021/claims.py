# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the paper says of each run, and what comes of it here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from takt_cli.analysis.accumulation import INSIDE, OUTSIDE
from takt_cli.analysis.correlation import TOO_SHORT
from takt_cli.paper.icra2021.cases import OROCOS, RT, VANILLA, Case
from takt_cli.paper.icra2021.printed import claims
from takt_cli.paper.verdict import Claim, Finding, Goal, Outcome, Seen, inconclusive, number, to_json, too_short

Figures = dict[str, Any]
Row = dict[str, Any]
# What the paper runs, one process with ROS 2's own executor, is nearest to this.
STOCK, TAKT = "baseline0", "takt"
# So many times the median delay is a spike.
SPIKE = 10.0
_NAMES = ("cycle", "request", "response")
# us a minute: "about 3 s after 10 minutes". How steep it is is of the machine, but not by two powers of ten.
PRINTED_SLOPE = 3e6 / 10
_FAR_BELOW = 0.01


class Check(NamedTuple):
    """`rule` says what decides."""

    rule: str
    decide: Callable[[Row], Finding]


def verdicts(parts: dict[str, Figures]) -> list[dict[str, Any]]:
    """A row for each claim of the paper. `parts`: the figures of those that were run."""
    rows = []
    for said in claims():
        case = Case(said.kernel, said.stress, said.framework)
        check = CHECKS.get((said.kernel, said.stress))
        figures = parts.get(case.name)
        rule = "none: OROCOS is not part of takt"
        if said.framework == OROCOS or check is None:
            finding = inconclusive("OROCOS was not run")
        else:
            rule, finding = check.rule, _found(case, figures, check)
        claim = Claim(f"{said.kernel}, {'stress' if said.stress else 'normal'}", said.framework, said.claim)
        rows.append(to_json(claim, finding, rule) | {"part": case.name})
    return rows


def goals(parts: dict[str, Figures]) -> list[Goal]:
    """What must be seen of takt, of each run that was made on a real host."""
    bound = next((row["bound_us_per_min"] for part in parts.values() for row in part["rows"]), 1.0)
    return [
        Goal(
            f"{name}: no delay of takt accumulates by more than {bound:g} us a minute",
            *_steady({row["executor"]: row for row in part["rows"]}),
        )
        for name, part in parts.items()
    ]


def slope_told(which: str, delay: Figures) -> str:
    """`cycle +0.02 us/min (95 %: -0.1 to 0.14; inside)`"""
    slope = delay["slope"]
    if slope["slope"] is None:
        return f"{which}: too short for a slope"
    told = [] if slope["low"] is None else [f"95 %: {slope['low']:.3g} to {slope['high']:.3g}"]
    told += [delay["within_bound"]] if delay["within_bound"] else []
    told += [delay["why"]] if delay.get("why") else []
    return f"{which} {slope['slope']:+.3g} us/min" + (f" ({'; '.join(told)})" if told else "")


def spikes(delay: Figures) -> float | None:
    """How many times the median the largest is, of delays above the smallest."""
    figures = delay["aligned_us"]
    return figures["max"] / figures["p50"] if figures.get("p50") else None


def _found(case: Case, figures: Figures | None, check: Check) -> Finding:
    if figures is None:
        return inconclusive(f"{case.name} was not run")
    row = next((row for row in figures["rows"] if row["executor"] == STOCK), None)
    if row is None:
        return inconclusive(f"{STOCK} was not run")
    if row["virtual"]:
        return inconclusive("measured in virtual time, which no verdict rests on")
    return check.decide(row)


def _steady(rows: dict[str, Row]) -> Seen:
    """By executor."""
    row = rows.get(TAKT)
    if row is None:
        return Seen(None, f"{TAKT} was not run")
    if row["virtual"]:
        return Seen(None, "measured in virtual time, which no verdict rests on")
    why = "; ".join(slope_told(which, delay) for which, delay in row["delays"].items())
    seen = [delay["within_bound"] for delay in row["delays"].values()]
    if OUTSIDE in seen:
        return Seen(False, why)
    if TOO_SHORT not in seen:
        return Seen(True, why)
    return Seen(None, why) if _alone(row) else Seen(None, f"{why}; measure longer", too_short=True)


def _alone(row: Row) -> bool:
    """Whether a delay grew beside no control."""
    return any(delay["alone"] for delay in row["delays"].values())


def _open(row: Row, *why: str) -> Finding:
    """Of a row with a delay that cannot be judged."""
    return inconclusive(*why) if _alone(row) else too_short(*why)


def _bounds(row: Row, names: tuple[str, ...] = _NAMES) -> list[str]:
    return [row["delays"][which]["within_bound"] for which in names]


def _told(row: Row) -> str:
    return "; ".join(slope_told(which, row["delays"][which]) for which in _NAMES)


def _spiky(row: Row) -> Finding:
    """Messages do not accumulate, and have spikes; the cycle has stronger ones."""
    heights = {which: spikes(row["delays"][which]) for which in _NAMES}
    tops = {which: row["delays"][which]["aligned_us"]["max"] for which in _NAMES}
    why = _told(row) + "; largest " + ", ".join(
        f"{which} {number(tops[which] or 0)} us ({number(heights[which] or 0)} times the median)" for which in _NAMES
    )  # fmt: skip
    bounded = _bounds(row, _NAMES[1:])
    if OUTSIDE in bounded:
        return Finding(Outcome.refuted, why)
    if TOO_SHORT in bounded or None in heights.values():
        return _open(row, why, "whether messages accumulate cannot be told yet")
    # A slope withstands what the host does for a moment; the largest of all delays is just that.
    if row["verdict"]["outcome"] == "inconclusive":
        return inconclusive(why, *row["verdict"]["why"])
    large = all((heights[which] or 0) >= SPIKE for which in _NAMES[1:])
    stronger = tops["cycle"] > max(tops[which] for which in _NAMES[1:])
    return Finding(Outcome.confirmed if large and stronger else Outcome.refuted, why)


def _grows(row: Row) -> Finding:
    """Cycle and request accumulate, the response does not. The request of the paper may be against the grid."""
    grid = row["delays"]["request on grid"]
    why = f"{_told(row)}; {slope_told('request on grid', grid)}"
    cycle, request, response = _bounds(row)
    growing = [_up(row["delays"]["cycle"]), _up(row["delays"]["request"]) or _up(grid)]
    if all(growing) and response != OUTSIDE:
        return (
            _open(row, why, "the response cannot be told yet")
            if response == TOO_SHORT
            else Finding(Outcome.confirmed, why)
        )
    if cycle == INSIDE or (request == INSIDE and grid["within_bound"] == INSIDE) or response == OUTSIDE:
        return Finding(Outcome.refuted, why)
    most = row["delays"]["cycle"]["slope"]["high"]
    if most is not None and most < _FAR_BELOW * PRINTED_SLOPE:
        return Finding(Outcome.refuted, f"{why}; printed are {number(PRINTED_SLOPE)}")
    return _open(row, why, "whether they accumulate cannot be told yet")


def _up(delay: Figures) -> bool:
    return bool(delay["within_bound"] == OUTSIDE and delay["slope"]["slope"] > 0)


def _bounded(row: Row) -> Finding:
    seen, why = _bounds(row), _told(row)
    if OUTSIDE in seen:
        return Finding(Outcome.refuted, why)
    return _open(row, why) if TOO_SHORT in seen else Finding(Outcome.confirmed, why)


def _needs_both(row: Row) -> Finding:
    return inconclusive(_told(row), "compares two kernels of one host, of which one was run")


CHECKS = {
    (VANILLA, False): Check(
        f"{STOCK}: slopes of request and response inside the bound, largest of both {SPIKE:g} times the median or "
        "more, and that of the cycle above both; an inconclusive run decides nothing",
        _spiky,
    ),
    (VANILLA, True): Check(
        f"{STOCK}: slopes of cycle and request (from its sending, or against the grid) above the bound with their "
        "whole intervals, by more than single delays differ by and than the control's; that of the response inside; "
        f"not confirmed also if the cycle's lies below {_FAR_BELOW:.0%} of what is printed",
        _grows,
    ),
    (RT, False): Check("none: it compares with vanilla on the same host", _needs_both),
    (RT, True): Check(
        f"{STOCK}: the slopes of all three delays inside the bound; that it is better than vanilla is left out, as it "
        "compares two kernels of one host",
        _bounded,
    ),
}
