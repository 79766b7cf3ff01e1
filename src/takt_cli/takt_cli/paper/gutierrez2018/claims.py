# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the paper says of its tests, and what comes of it here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from takt_cli.paper.gutierrez2018.cases import TESTS, parts
from takt_cli.paper.verdict import Claim, Finding, Goal, Outcome, Seen, inconclusive, number, to_json, too_short

Figures = dict[str, Any]
Row = dict[str, Any]
STOCK, TAKT, REFERENCE = "baseline1", "takt", "fastdds"
WITHIN = 1.25
# So many times the median without traffic is a significant effect; of messages, such a share is few.
SIGNIFICANT, FEW = 1.5, 1e-3
# None of n may still be 3 / n of all, at 95 %: so many must have been sent where none is to mean fewer than few.
LEAST = round(3 / FEW)
MISSED, LOST = "missed", "lost"
BOTH = (MISSED, LOST)
_ROWS = f"{STOCK}, else {TAKT}"
_FEW = f"{100 * FEW:g} %"
_NONE = f"none, of {LEAST} messages or more"
_RULE = f"{_ROWS}: missed deadlines and losses that no stall of the host overlaps; {_NONE}"
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
    kinds = [row[kind] for kind in BOTH]
    return sum(int(each["n"]) for each in kinds), sum(int(each["other"]) for each in kinds)


def told(row: Row) -> str:
    every, ours = failures(row)
    host = f", {every - ours} more of the host" if every > ours else ""
    period = None if TESTS[row["test"]].judges_misses else row["effective_period_ms"]
    kept = "" if period is None else f", a message each {number(period)} ms"
    return (
        f"{row['variant']} in {row['test']}: {row['missed']['other']} missed, {row['lost']['other']} lost of "
        f"{row['sent']}{host}, {row['skipped']['n']} skipped{kept}"
    )


def _judged(found: dict[str, list[Row]]) -> list[Row]:
    """The rows that a claim is judged by."""
    by = [[[row for row in there if row["transport"] == name] for name in (STOCK, TAKT)] for there in found.values()]
    return [row for stock, takt in by for row in stock or takt]


def _seen(row: Row, kind: str) -> Seen:
    """Whether messages failed in this way by no doing of the host; None where nobody can say, and why."""
    if row["verdict"]["outcome"] == "inconclusive":
        return Seen(None, "; ".join(row["verdict"]["why"]))
    if row[kind]["other"]:
        return Seen(True, "")
    if row[kind]["n"]:
        return Seen(None, "they are the host's")
    if kind == MISSED and row["skipped"]["n"]:
        return Seen(None, f"{row['skipped']['n']} cycles had no message")
    if row["sent"] < LEAST:
        hidden = min(300 / max(row["sent"], 1), 100)
        return Seen(None, f"none of {row['sent']} may still be {hidden:.2g} % of all", too_short=True)
    return Seen(False, "")


def _each(rows: Sequence[Row], kinds: Sequence[str]) -> tuple[list[bool | None], str, Finding]:
    """What was seen of each row and kind, with the figures, and what comes of it where nobody can say."""
    seen = [_seen(row, kind) for row in rows for kind in kinds]
    why, doubts = "; ".join(map(told, rows)), dict.fromkeys(each.why for each in seen if each.why)
    short = all(each.too_short for each in seen if each.reached is None)
    return [each.reached for each in seen], why, (too_short if short else inconclusive)(why, *doubts)


def _none(
    found: dict[str, list[Row]], _: list[Figures], kinds: Sequence[str] = BOTH, few: Sequence[str] = ()
) -> Finding:
    """Nothing fails in any of the tests, or little of the kinds in `few`."""
    rows = _judged(found)
    if len({row["test"] for row in rows}) < len(found):
        return _left_out()
    seen, why, open_ = _each(rows, kinds)
    spared = [kind in few and row[kind]["other"] <= FEW * row["sent"] for row in rows for kind in kinds]
    if any(each and not spare for each, spare in zip(seen, spared, strict=True)):
        return Finding(Outcome.refuted, why)
    return open_ if None in seen else Finding(Outcome.confirmed, why)


def _many(found: dict[str, list[Row]], _: list[Figures], kinds: Sequence[str], above: float = FEW) -> Finding:
    """More than such a share fails, in each of the ways."""
    if not (rows := _judged(found)):
        return _left_out()
    seen, why, open_ = _each(rows, kinds)
    many = [row[kind]["other"] > above * row["sent"] for row in rows for kind in kinds]
    if any(each is not None and not more for each, more in zip(seen, many, strict=True)):
        return Finding(Outcome.refuted, why)
    return open_ if None in seen else Finding(Outcome.confirmed, why)


def _few(found: dict[str, list[Row]], _: list[Figures]) -> Finding:
    """Something is lost, but little. That nothing is refutes nothing: one of the paper's three lost nothing either."""
    if not (rows := _judged(found)):
        return _left_out()
    seen, why, open_ = _each(rows, (LOST,))
    if True not in seen:
        return open_ if None in seen else inconclusive(why, "nothing was lost, which is few")
    few = all(row["lost"]["other"] <= FEW * row["sent"] for row in rows)
    return Finding(Outcome.confirmed if few else Outcome.refuted, why)


def _left_out() -> Finding:
    return inconclusive(f"neither {STOCK} nor {TAKT} was run")


def _unaffected(found: dict[str, list[Row]], effects: list[Figures]) -> Finding:
    """Nothing fails with traffic, and medians are near that without, which was not measured in turns."""
    idle, *others = found
    finding = _none({test: found[test] for test in others}, effects)
    medians = {(row["test"], row["variant"]): row["round_trip_us"]["p50"] for row in _judged(found)}
    without = {variant: us for (test, variant), us in medians.items() if test == idle}
    times = {key: us / without[key[1]] for key, us in medians.items() if us and without.get(key[1])}
    if len(times) < len(medians):
        return inconclusive(finding.why, f"not every one has a median there and in {idle}")
    why = f"{finding.why}; medians " + ", ".join(
        f"{number(each)} times in {test}" for (test, _), each in times.items() if test != idle
    )
    affected = finding.outcome == Outcome.confirmed and max(times.values(), default=0.0) > SIGNIFICANT
    return Finding(Outcome.refuted if affected else finding.outcome, why)


def _improves(_: dict[str, list[Row]], effects: list[Figures]) -> Finding:
    """By the difference of failed cycles over the rounds, of baseline1, or of takt where that was left out."""
    known = [each for name in (STOCK, TAKT) for each in effects if each["variant"].startswith(name)]
    mine = next(iter(known), None)
    if mine is None or mine["points"] is None:
        return inconclusive(f"neither {STOCK} nor {TAKT} was run both ways")
    points, why = mine["points"], effect_told(mine)
    if points["low"] is None:
        return too_short(why, "too few rounds for an interval, or too alike")
    if points["low"] <= 0 <= points["high"]:
        return inconclusive(why, "the interval has 0 in it")
    return Finding(Outcome.confirmed if points["high"] < 0 else Outcome.refuted, why)


def effect_told(effect: Figures) -> str:
    """`takt (...): +0.3 points of failed cycles (95 %: -0.1 to 0.7), median 1.02 times (95 %: ...), 5 rounds`"""
    points, ratio = effect["points"], effect["ratio"]
    lines = [f"{effect['variant']}: {points['median']:+.3g} points of failed cycles{_interval(points)}"]
    lines += [f"median {number(ratio['median'])} times{_interval(ratio)}"] if ratio else []
    return f"{', '.join(lines)}, {_rounds(points)}"


def _rounds(figures: Figures) -> str:
    return "1 round" if figures["rounds"] == 1 else f"{figures['rounds']} rounds"


def _interval(figures: Figures) -> str:
    return "" if figures["low"] is None else f" (95 %: {figures['low']:.3g} to {figures['high']:.3g})"


def _near(rows: Sequence[Row]) -> Seen:
    ours = next((row for row in rows if row["transport"] == TAKT and row["ratio"]), None)
    if ours is None or ours["virtual"]:
        return Seen(None, f"{TAKT} and {REFERENCE} were not both run on a real host")
    found = ours["ratio"]
    why = f"{number(found['median'])} times{_interval(found)}, {_rounds(found)}, interval over {found['over']}"
    if found["low"] is None:
        return Seen(None, why, too_short=True)
    if found["over"] != "rounds":
        return Seen(None, f"{why}, which does not know how rounds differ", too_short=True)
    if found["low"] <= WITHIN < found["high"]:
        return Seen(None, f"{why}; the interval has {WITHIN} in it")
    return Seen(found["median"] <= WITHIN, why)


def _holds(loaded: Sequence[Row], plain: Sequence[Row]) -> Seen:
    pair = [next((row for row in rows if row["transport"] == TAKT), None) for rows in (loaded, plain)]
    ours, without = pair
    if ours is None or without is None or ours["virtual"]:
        return Seen(None, "not both were run on a real host")
    why = f"with: {told(ours)}; without: {told(without)}"
    if ours["verdict"]["outcome"] == "inconclusive":
        return Seen(None, "; ".join([why, *ours["verdict"]["why"]]))
    # What only the host did is none of takt's.
    if any(ours[kind]["other"] for kind in (*BOTH, "skipped")):
        return Seen(False, why)
    if ours["sent"] < LEAST:
        return Seen(None, f"{why}; of fewer than {LEAST} messages nobody can say so", too_short=True)
    bare, _, open_ = _each([without], BOTH)
    if True in bare:
        return Seen(True, why)
    return (
        Seen(None, f"with: {told(ours)}; without: {open_.why}", open_.outcome is Outcome.short)
        if None in bare
        else Seen(False, why)
    )


def _check(section: str, claim: str, value: str, tests: str, decide: Any, rule: str = _RULE) -> Check:
    return Check(Claim(section, claim, value), tuple(tests.split()), rule, decide)


_LOSSES = (
    f"{_ROWS}: losses that no stall of the host overlaps; missed deadlines do not count where the period is unknown; "
    f"{_NONE}"
)
_MANY = f"{_RULE}; many are more than {_FEW} of those sent, of each kind"
CHECKS = (
    _check("B.1, table I", "idle without RT settings", "no missed deadline, no loss", "1.A", _none),
    _check("B.1, table III", "under load without RT settings", "a high number of missed deadlines", "1.B",
           partial(_many, kinds=(MISSED,)), _MANY),
    _check("B.1, table II", "idle with RT settings", "no missed deadline, no loss", "1.C", _none),
    _check("B.1, table IV", "under load with RT settings", "no missed deadline, no loss", "1.D", _none),
    _check("B.2, tables XIV, V and VII", "1, 40 and 80 Mbit/s of traffic without load",
           "does not affect round trips significantly", "1.C 2.A 2.C 2.E", _unaffected,
           f"{_RULE}; medians up to {SIGNIFICANT:g} times that of 1.C, one figure of each, without an interval"),
    _check("B.2, tables XV and VI", "1 and 40 Mbit/s of traffic under load", "still under 10 ms", "2.B 2.D", _none),
    _check("B.2, table VIII", "80 Mbit/s of traffic under load", "many missed deadlines and lost messages", "2.F",
           partial(_many, kinds=BOTH), _MANY),
    _check("B.3, table X", "32 KB", "no loss", "3.A", partial(_none, kinds=(LOST,)), _LOSSES),
    _check("B.3, table XI", "32 KB under load", "no loss", "3.B", partial(_none, kinds=(LOST,)), _LOSSES),
    _check("B.3, table XII", "128 KB under load", "packet loss", "3.C",
           partial(_many, kinds=(LOST,), above=0.0), _LOSSES),
    _check("B.4, tables VIII and IX", "priorities of the kernel's threads, 2.F against 4.A", "a clear improvement",
           "2.F 4.A", _improves,
           f"{_ROWS}: difference of the share of cycles late, lost or skipped over rounds; its interval"),
    _check("B.5", "1 Mbit/s of traffic under load for 12 h", "no loss, no relevant amount of missed deadlines", "5.A",
           partial(_none, few=(MISSED,)), f"{_RULE}; up to {_FEW} of missed deadlines are not relevant"),
    _check("B.5, table XIII", "40 Mbit/s of traffic under load for 12 h", "some messages lost, few", "5.B",
           _few, f"{_LOSSES}; few are up to {_FEW} of those sent"),
)  # fmt: skip
