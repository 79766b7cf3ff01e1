# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the paper says of its tests, and what comes of it here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from takt_cli.paper.gutierrez2018.cases import parts
from takt_cli.paper.verdict import Claim, Finding, Goal, Outcome, inconclusive, number, to_json

Figures = dict[str, Any]
Row = dict[str, Any]
STOCK, TAKT, REFERENCE = "baseline1", "takt", "fastdds"
WITHIN = 1.25
# So many times the median without traffic is a significant effect; of messages, such a share is few.
SIGNIFICANT, FEW = 1.5, 1e-3
_RULE = "baseline1, of messages sent: missed deadlines and losses that no stall of the host overlaps"
SECTIONS = ("1", "2", "3", "4", "5")
_WHERE = {test.name: name for name, tests in parts().items() for test in tests}


@dataclass(frozen=True)
class Check:
    """Of a claim, on the rows of some tests. `rule` says what decides."""

    claim: Claim
    tests: tuple[str, ...]
    rule: str
    decide: Callable[[dict[str, list[Row]], list[Figures]], Finding]


def verdicts(figures: dict[str, Figures]) -> list[dict[str, Any]]:
    """A row for each claim. `figures`: of the parts that were run."""
    rows = []
    for check in CHECKS:
        found = {test: rows_of(figures, test) for test in check.tests}
        part = _WHERE[check.tests[-1]]
        missing = [test for test, there in found.items() if not there]
        if missing:
            finding = inconclusive(f"{', '.join(missing)} was not run")
        elif any(row["virtual"] for there in found.values() for row in there):
            finding = inconclusive("measured in virtual time, which no verdict rests on")
        else:
            finding = check.decide(found, figures[part]["effects"])
        rows.append(to_json(check.claim, finding, check.rule) | {"part": f"test-{check.tests[-1][0]}"})
    return rows


def goals(figures: dict[str, Figures]) -> list[Goal]:
    """What must be seen of takt."""
    idle, loaded, plain = (rows_of(figures, test) for test in ("1.C", "1.D", "1.B"))
    return [
        Goal(f"idle, 500 B, RT settings: takt's median round trip at most {WITHIN} times raw Fast DDS's", *_near(idle)),
        Goal("under load no loss and no missed deadline of takt with RT settings, while without it misses",
             *_holds(loaded, plain)),
    ]  # fmt: skip


def rows_of(figures: dict[str, Figures], test: str) -> list[Row]:
    part = figures.get(_WHERE[test])
    return [] if part is None else [row for row in part["rows"] if row["test"] == test]


def failures(row: Row) -> tuple[int, int]:
    """Missed deadlines and losses: all of them, and those that are not the host's."""
    kinds = (row["missed"], row["lost"])
    return sum(int(each["n"]) for each in kinds), sum(int(each["other"]) for each in kinds)


def told(row: Row) -> str:
    every, ours = failures(row)
    host = f", {every - ours} more of the host" if every > ours else ""
    return (
        f"{row['variant']} in {row['test']}: {row['missed']['other']} missed, {row['lost']['other']} lost of "
        f"{row['sent']}{host}, {row['skipped']['n']} skipped"
    )


def _clean(row: Row) -> bool | None:
    """Nothing missed or lost; None where nobody can say."""
    every, ours = failures(row)
    if every == 0:
        return None if row["sent"] == 0 else True
    return None if row["verdict"]["outcome"] == "inconclusive" or ours == 0 else False


def _none(found: dict[str, list[Row]], _: list[Figures], wanted: bool = True) -> Finding:
    """Of baseline1 nothing is missed or lost in any of the tests, or something in each."""
    rows = [row for there in found.values() for row in there if row["transport"] == STOCK]
    if len({row["test"] for row in rows}) < len(found):
        return inconclusive(f"{STOCK} was not run")
    seen, why = [_clean(row) for row in rows], "; ".join(map(told, rows))
    if any(each is (not wanted) for each in seen):
        return Finding(Outcome.refuted, why)
    if None in seen:
        doubts = [line for row in rows for line in row["verdict"]["why"] if row["verdict"]["outcome"] == "inconclusive"]
        return inconclusive(why, *(dict.fromkeys(doubts) or ["they are the host's"]))
    return Finding(Outcome.confirmed, why)


def _unaffected(found: dict[str, list[Row]], effects: list[Figures]) -> Finding:
    """Nothing fails with traffic, and medians are near that without, which was not measured in turns."""
    idle, *_ = found
    finding = _none({test: rows for test, rows in found.items() if test != idle}, effects)
    medians = {
        row["test"]: row["round_trip_us"]["p50"] for rows in found.values() for row in rows if row["transport"] == STOCK
    }
    if finding.outcome != Outcome.confirmed:
        return finding
    if any(medians.get(test) is None for test in found):
        return inconclusive(finding.why, f"{STOCK} has no median in {idle}")
    times = {test: us / medians[idle] for test, us in medians.items() if test != idle}
    why = f"{finding.why}; medians " + ", ".join(f"{number(each)} times in {test}" for test, each in times.items())
    return Finding(Outcome.confirmed if max(times.values()) <= SIGNIFICANT else Outcome.refuted, why)


def _few(found: dict[str, list[Row]], effects: list[Figures]) -> Finding:
    """Something is lost, but little."""
    finding = _no_loss(found, effects, wanted=False)
    rows = [row for there in found.values() for row in there if row["transport"] == STOCK]
    many = any(row["lost"]["other"] > FEW * row["sent"] for row in rows)
    return Finding(Outcome.refuted, finding.why) if many else finding


def _no_loss(found: dict[str, list[Row]], _: list[Figures], wanted: bool = True) -> Finding:
    """The same of losses alone: the period that a deadline comes from is not kept."""
    rows = [row for there in found.values() for row in there if row["transport"] == STOCK]
    if not rows:
        return inconclusive(f"{STOCK} was not run")
    why = "; ".join(f"{told(row)}, a message each {number(row['effective_period_ms'] or 0)} ms" for row in rows)
    lost = [row["lost"]["other"] > 0 for row in rows]
    if not any(lost) and any(row["lost"]["n"] for row in rows):
        return inconclusive(why, "they are the host's")
    return Finding(Outcome.confirmed if all(each is (not wanted) for each in lost) else Outcome.refuted, why)


def _improves(_: dict[str, list[Row]], effects: list[Figures]) -> Finding:
    """By the difference of failed cycles over the rounds, of baseline1, or of takt where that was left out."""
    known = [each for name in (STOCK, TAKT) for each in effects if each["variant"].startswith(name)]
    mine = next(iter(known), None)
    if mine is None or mine["points"] is None:
        return inconclusive(f"neither {STOCK} nor {TAKT} was run both ways")
    points, why = mine["points"], effect_told(mine)
    if points["low"] is None:
        return inconclusive(why, "too few rounds for an interval")
    if points["low"] <= 0 <= points["high"]:
        return inconclusive(why, "the interval has 0 in it")
    return Finding(Outcome.confirmed if points["high"] < 0 else Outcome.refuted, why)


def effect_told(effect: Figures) -> str:
    """`takt (...): +0.3 points of failed cycles (95 %: -0.1 to 0.7), median 1.02 times (95 %: ...), 5 rounds`"""
    points, ratio = effect["points"], effect["ratio"]
    lines = [f"{effect['variant']}: {points['median']:+.3g} points of failed cycles{_interval(points)}"]
    lines += [f"median {number(ratio['median'])} times{_interval(ratio)}"] if ratio else []
    return f"{', '.join(lines)}, {points['rounds']} rounds"


def _interval(figures: Figures) -> str:
    return "" if figures["low"] is None else f" (95 %: {figures['low']:.3g} to {figures['high']:.3g})"


def _near(rows: Sequence[Row]) -> tuple[bool | None, str]:
    ours = next((row for row in rows if row["transport"] == TAKT and row["ratio"]), None)
    if ours is None or ours["virtual"]:
        return None, f"{TAKT} and {REFERENCE} were not both run on a real host"
    found = ours["ratio"]
    why = f"{number(found['median'])} times{_interval(found)}, {found['rounds']} rounds, interval over {found['over']}"
    if found["low"] is not None and found["low"] <= WITHIN < found["high"]:
        return None, f"{why}; the interval has {WITHIN} in it"
    return found["median"] <= WITHIN, why


def _holds(loaded: Sequence[Row], plain: Sequence[Row]) -> tuple[bool | None, str]:
    pair = [next((row for row in rows if row["transport"] == TAKT), None) for rows in (loaded, plain)]
    ours, without = pair
    if ours is None or without is None or ours["virtual"]:
        return None, "not both were run on a real host"
    why = f"with: {told(ours)}; without: {told(without)}"
    clean, clean_without = _clean(ours), _clean(without)
    if clean is None and ours["verdict"]["outcome"] == "inconclusive":
        return None, "; ".join([why, *ours["verdict"]["why"]])
    # What only the host did is none of takt's.
    if clean is False or ours["sent"] == 0:
        return False, why
    return None if clean_without is None else not clean_without, why


def _check(section: str, claim: str, value: str, tests: str, decide: Any, rule: str = _RULE) -> Check:
    return Check(Claim(section, claim, value), tuple(tests.split()), rule, decide)


_LOST = (
    "baseline1: losses that no stall of the host overlaps; missed deadlines do not count where the period is unknown"
)
CHECKS = (
    _check("B.1, table I", "idle without RT settings", "no missed deadline, no loss", "1.A", _none),
    _check("B.1, table III", "under load without RT settings", "a high number of missed deadlines", "1.B",
           partial(_none, wanted=False)),
    _check("B.1, table II", "idle with RT settings", "no missed deadline, no loss", "1.C", _none),
    _check("B.1, table IV", "under load with RT settings", "no missed deadline, no loss", "1.D", _none),
    _check("B.2, tables XIV, V and VII", "1, 40 and 80 Mbit/s of traffic without load",
           "does not affect round trips significantly", "1.C 2.A 2.C 2.E", _unaffected,
           f"{_RULE}; medians up to {SIGNIFICANT:g} times that of 1.C"),
    _check("B.2, tables XV and VI", "1 and 40 Mbit/s of traffic under load", "still under 10 ms", "2.B 2.D", _none),
    _check("B.2, table VIII", "80 Mbit/s of traffic under load", "many missed deadlines and lost messages", "2.F",
           partial(_none, wanted=False)),
    _check("B.3, table X", "32 KB", "no loss", "3.A", _no_loss, _LOST),
    _check("B.3, table XI", "32 KB under load", "no loss", "3.B", _no_loss, _LOST),
    _check("B.3, table XII", "128 KB under load", "packet loss", "3.C", partial(_no_loss, wanted=False), _LOST),
    _check("B.4, tables VIII and IX", "priorities of the kernel's threads, 2.F against 4.A", "a clear improvement",
           "2.F 4.A", _improves,
           "baseline1, else takt: difference of the share of cycles late, lost or skipped over rounds; its interval"),
    _check("B.5", "1 Mbit/s of traffic under load for 12 h", "no loss, no relevant amount of missed deadlines", "5.A",
           _none),
    _check("B.5, table XIII", "40 Mbit/s of traffic under load for 12 h", "some messages lost, few", "5.B",
           _few, f"{_LOST}; few are up to {FEW:g} of those sent"),
)  # fmt: skip
