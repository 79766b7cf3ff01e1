# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The paper's claims on its tests, the goals for takt, and the verdicts on both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from takt_cli.paper.gutierrez2018.cases import TESTS, parts
from takt_cli.paper.verdict import Claim, Finding, Goal, GoalResult, Outcome, inconclusive, number, to_json, too_short

Metrics = dict[str, Any]
Row = dict[str, Any]
STOCK, TAKT, REFERENCE = "baseline1", "takt", "fastdds"
MAX_RATIO = 1.25
# Traffic has a significant effect if the median exceeds SIGNIFICANT times that without traffic. A share of messages of
# at most FEW_SHARE counts as few.
SIGNIFICANT, FEW_SHARE = 1.5, 1e-3
# If none of n messages failed, the true share may still be 3 / n (95 %, rule of three). So this number of messages must
# have been sent for "none" to be below FEW_SHARE.
LEAST_MESSAGES = round(3 / FEW_SHARE)
MISSED, LOST = "missed", "lost"
BOTH = (MISSED, LOST)
_ROWS = f"{STOCK}, or {TAKT} if that was not run"
_FEW_PERCENT = f"{100 * FEW_SHARE:g} %"
_NONE_RULE = f"none means none of at least {LEAST_MESSAGES} messages"
_RULE = f"{_ROWS}: missed deadlines and losses that no stall of the host overlaps; {_NONE_RULE}"
SECTIONS = ("1", "2", "3", "4", "5")
_PART_OF_TEST = {test.name: name for name, tests in parts().items() for test in tests}


@dataclass(frozen=True)
class Check:
    """The check of a claim on the rows of some tests. `rule` describes the criterion for the reader."""

    claim: Claim
    tests: tuple[str, ...]
    rule: str
    decide: Callable[[dict[str, list[Row]], list[Metrics]], Finding]


def verdicts(statistics: dict[str, Metrics]) -> list[dict[str, Any]]:
    """Return a row for each claim. `statistics` are those of the parts that were run."""
    rows = []
    for check in CHECKS:
        rows_by_test = {test: rows_of(statistics, test) for test in check.tests}
        part = _PART_OF_TEST[check.tests[-1]]
        missing_tests = [test for test, test_rows in rows_by_test.items() if not test_rows]
        if missing_tests:
            finding = inconclusive(f"{', '.join(missing_tests)} was not run")
        elif any(row["virtual"] for test_rows in rows_by_test.values() for row in test_rows):
            finding = inconclusive("measured in virtual time, which is not used for verdicts")
        else:
            finding = check.decide(rows_by_test, statistics[part]["effects"])
        rows.append(to_json(check.claim, finding, check.rule) | {"part": f"test-{check.tests[-1][0]}"})
    return rows


def goals(statistics: dict[str, Metrics]) -> list[Goal]:
    """Return the goals for takt, with whether each was reached."""
    idle, loaded, plain = (rows_of(statistics, test) for test in ("1.C", "1.D", "1.B"))
    return [
        Goal(f"idle, 500 B, RT settings: takt's median round trip at most {MAX_RATIO} times raw Fast DDS's",
             *_near_fast_dds(idle)),
        Goal("under load takt loses and misses nothing with RT settings, while it misses deadlines without",
             *_holds_with_settings(loaded, plain)),
    ]  # fmt: skip


def rows_of(statistics: dict[str, Metrics], test: str) -> list[Row]:
    """Return the measured rows of a test; none if it was not run."""
    part = statistics.get(_PART_OF_TEST[test])
    return [] if part is None else [row for row in part["rows"] if row["test"] == test]


def failures(row: Row) -> tuple[int, int]:
    """Return the number of missed and lost messages: all of them, and those not due to the host."""
    kinds = [row[kind] for kind in BOTH]
    return sum(int(each["n"]) for each in kinds), sum(int(each["other"]) for each in kinds)


def describe_row(row: Row) -> str:
    """Describe the failed messages of a row, and its period if that was not kept."""
    all_failures, own_failures = failures(row)
    host = f", {all_failures - own_failures} more due to the host" if all_failures > own_failures else ""
    period = None if TESTS[row["test"]].judges_misses else row["effective_period_ms"]
    period_text = "" if period is None else f", a message every {number(period)} ms"
    return (
        f"{row['variant']} in {row['test']}: {row['missed']['other']} missed, {row['lost']['other']} lost of "
        f"{row['sent']}{host}, {row['skipped']['n']} skipped{period_text}"
    )


def _deciding_rows(rows_by_test: dict[str, list[Row]]) -> list[Row]:
    """Return the rows that decide a claim: those of baseline1 in each test, or of takt if there are none."""
    rows_by_executor = [
        [[row for row in test_rows if row["transport"] == name] for name in (STOCK, TAKT)]
        for test_rows in rows_by_test.values()
    ]
    return [row for stock, takt in rows_by_executor for row in stock or takt]


def _failures_seen(row: Row, kind: str) -> GoalResult:
    """Return whether messages failed in this way other than by stalls of the host; `reached` is None if undecidable."""
    if row["verdict"]["outcome"] == "inconclusive":
        return GoalResult(None, "; ".join(row["verdict"]["why"]))
    if row[kind]["other"]:
        return GoalResult(True, "")
    if row[kind]["n"]:
        return GoalResult(None, "all of them are due to the host")
    if kind == MISSED and row["skipped"]["n"]:
        return GoalResult(None, f"{row['skipped']['n']} cycles were skipped")
    if row["sent"] < LEAST_MESSAGES:
        hidden = min(300 / max(row["sent"], 1), 100)
        return GoalResult(None, f"none of {row['sent']} failed, but up to {hidden:.2g} % of all may", too_short=True)
    return GoalResult(False, "")


def _seen_in_each_row(rows: Sequence[Row], kinds: Sequence[str]) -> tuple[list[bool | None], str, Finding]:
    """Return what was seen in each row and kind, the figures as text, and the finding if that is undecidable."""
    answers = [_failures_seen(row, kind) for row in rows for kind in kinds]
    why, doubts = "; ".join(map(describe_row, rows)), dict.fromkeys(each.why for each in answers if each.why)
    too_short_only = all(each.too_short for each in answers if each.reached is None)
    return [each.reached for each in answers], why, (too_short if too_short_only else inconclusive)(why, *doubts)


def _check_none(
    rows_by_test: dict[str, list[Row]], _: list[Metrics], kinds: Sequence[str] = BOTH, rare_kinds: Sequence[str] = ()
) -> Finding:
    """Check that nothing fails in any of the tests, or little of the kinds in `rare_kinds`."""
    rows = _deciding_rows(rows_by_test)
    if len({row["test"] for row in rows}) < len(rows_by_test):
        return _left_out()
    answer, why, open_finding = _seen_in_each_row(rows, kinds)
    spared = [kind in rare_kinds and row[kind]["other"] <= FEW_SHARE * row["sent"] for row in rows for kind in kinds]
    if any(each and not spare for each, spare in zip(answer, spared, strict=True)):
        return Finding(Outcome.refuted, why)
    return open_finding if None in answer else Finding(Outcome.confirmed, why)


def _check_many(
    rows_by_test: dict[str, list[Row]], _: list[Metrics], kinds: Sequence[str], least_share: float = FEW_SHARE
) -> Finding:
    """Check that more than the share `least_share` fails in each of the ways `kinds`."""
    if not (rows := _deciding_rows(rows_by_test)):
        return _left_out()
    answer, why, open_finding = _seen_in_each_row(rows, kinds)
    exceeds_share = [row[kind]["other"] > least_share * row["sent"] for row in rows for kind in kinds]
    if any(each is not None and not more for each, more in zip(answer, exceeds_share, strict=True)):
        return Finding(Outcome.refuted, why)
    return open_finding if None in answer else Finding(Outcome.confirmed, why)


def _check_few(rows_by_test: dict[str, list[Row]], _: list[Metrics]) -> Finding:
    """Check that something is lost, but little.

    If nothing is lost the claim is not refuted, since one of the paper's three middlewares lost nothing either.
    """
    if not (rows := _deciding_rows(rows_by_test)):
        return _left_out()
    answer, why, open_finding = _seen_in_each_row(rows, (LOST,))
    if True not in answer:
        return (
            open_finding
            if None in answer
            else inconclusive(why, "nothing was lost, which does not contradict few losses")
        )
    few_lost = all(row["lost"]["other"] <= FEW_SHARE * row["sent"] for row in rows)
    return Finding(Outcome.confirmed if few_lost else Outcome.refuted, why)


def _left_out() -> Finding:
    return inconclusive(f"neither {STOCK} nor {TAKT} was run")


def _check_unaffected(rows_by_test: dict[str, list[Row]], effects: list[Metrics]) -> Finding:
    """Check that nothing fails with traffic, and that medians are close to those without, measured at another time."""
    idle, *others = rows_by_test
    finding = _check_none({test: rows_by_test[test] for test in others}, effects)
    medians = {(row["test"], row["variant"]): row["round_trip_us"]["p50"] for row in _deciding_rows(rows_by_test)}
    idle_medians = {variant: us for (test, variant), us in medians.items() if test == idle}
    times = {key: us / idle_medians[key[1]] for key, us in medians.items() if us and idle_medians.get(key[1])}
    if len(times) < len(medians):
        return inconclusive(finding.why, f"some rows have no median there or in {idle}")
    why = f"{finding.why}; medians relative to {idle}: " + ", ".join(
        f"{number(each)} times in {test}" for (test, _), each in times.items() if test != idle
    )
    affected = finding.outcome == Outcome.confirmed and max(times.values(), default=0.0) > SIGNIFICANT
    return Finding(Outcome.refuted if affected else finding.outcome, why)


def _check_improves(_: dict[str, list[Row]], effects: list[Metrics]) -> Finding:
    """Check that the share of failed cycles falls, by its difference over the rounds for baseline1 or else takt."""
    effects_known = [each for name in (STOCK, TAKT) for each in effects if each["variant"].startswith(name)]
    deciding_effect = next(iter(effects_known), None)
    if deciding_effect is None or deciding_effect["points"] is None:
        return inconclusive(f"neither {STOCK} nor {TAKT} was run in both tests")
    points, why = deciding_effect["points"], describe_effect(deciding_effect)
    if points["low"] is None:
        return too_short(why, "the rounds are too few or too alike for an interval")
    if points["low"] <= 0 <= points["high"]:
        return inconclusive(why, "the interval includes 0")
    return Finding(Outcome.confirmed if points["high"] < 0 else Outcome.refuted, why)


def describe_effect(effect: Metrics) -> str:
    """Describe the effect of tuning: `takt (...): +0.3 points of failed cycles (95 %: -0.1 to 0.7), ..., 5 rounds`."""
    points, ratio = effect["points"], effect["ratio"]
    lines = [f"{effect['variant']}: {points['median']:+.3g} points of failed cycles{_interval(points)}"]
    lines += [f"median {number(ratio['median'])} times{_interval(ratio)}"] if ratio else []
    return f"{', '.join(lines)}, {_rounds(points)}"


def _rounds(statistics: Metrics) -> str:
    return "1 round" if statistics["rounds"] == 1 else f"{statistics['rounds']} rounds"


def _interval(statistics: Metrics) -> str:
    return "" if statistics["low"] is None else f" (95 %: {statistics['low']:.3g} to {statistics['high']:.3g})"


def _near_fast_dds(rows: Sequence[Row]) -> GoalResult:
    takt_row = next((row for row in rows if row["transport"] == TAKT and row["ratio"]), None)
    if takt_row is None or takt_row["virtual"]:
        return GoalResult(None, f"{TAKT} and {REFERENCE} were not both run on a real host")
    ratio = takt_row["ratio"]
    why = f"{number(ratio['median'])} times{_interval(ratio)}, {_rounds(ratio)}, interval over {ratio['over']}"
    if ratio["low"] is None:
        return GoalResult(None, why, too_short=True)
    if ratio["over"] != "rounds":
        return GoalResult(None, f"{why}, which does not cover differences between rounds", too_short=True)
    if ratio["low"] <= MAX_RATIO < ratio["high"]:
        return GoalResult(None, f"{why}; the interval includes {MAX_RATIO}")
    return GoalResult(ratio["median"] <= MAX_RATIO, why)


def _holds_with_settings(loaded: Sequence[Row], plain: Sequence[Row]) -> GoalResult:
    pair = [next((row for row in rows if row["transport"] == TAKT), None) for rows in (loaded, plain)]
    with_settings, without_settings = pair
    if with_settings is None or without_settings is None or with_settings["virtual"]:
        return GoalResult(None, "1.B and 1.D were not both run with takt on a real host")
    why = f"with: {describe_row(with_settings)}; without: {describe_row(without_settings)}"
    if with_settings["verdict"]["outcome"] == "inconclusive":
        return GoalResult(None, "; ".join([why, *with_settings["verdict"]["why"]]))
    # Failures that are due to the host do not count against takt.
    if any(with_settings[kind]["other"] for kind in (*BOTH, "skipped")):
        return GoalResult(False, why)
    if with_settings["sent"] < LEAST_MESSAGES:
        return GoalResult(None, f"{why}; fewer than {LEAST_MESSAGES} messages do not suffice", too_short=True)
    answer_without, _, open_finding = _seen_in_each_row([without_settings], BOTH)
    if True in answer_without:
        return GoalResult(True, why)
    return (
        GoalResult(
            None,
            f"with: {describe_row(with_settings)}; without: {open_finding.why}",
            open_finding.outcome is Outcome.short,
        )
        if None in answer_without
        else GoalResult(False, why)
    )


def _check(section: str, claim: str, value: str, tests: str, decide: Any, rule: str = _RULE) -> Check:
    return Check(Claim(section, claim, value), tuple(tests.split()), rule, decide)


_LOSSES = (
    f"{_ROWS}: losses that no stall of the host overlaps; missed deadlines are not judged where the period is unknown; "
    f"{_NONE_RULE}"
)
_MANY_RULE = f"{_RULE}; many means more than {_FEW_PERCENT} of the messages sent, of each kind"
CHECKS = (
    _check("B.1, table I", "idle without RT settings", "no missed deadline, no loss", "1.A", _check_none),
    _check("B.1, table III", "under load without RT settings", "a high number of missed deadlines", "1.B",
           partial(_check_many, kinds=(MISSED,)), _MANY_RULE),
    _check("B.1, table II", "idle with RT settings", "no missed deadline, no loss", "1.C", _check_none),
    _check("B.1, table IV", "under load with RT settings", "no missed deadline, no loss", "1.D", _check_none),
    _check("B.2, tables XIV, V and VII", "1, 40 and 80 Mbit/s of traffic without load",
           "does not affect round trips significantly", "1.C 2.A 2.C 2.E", _check_unaffected,
           f"{_RULE}; medians at most {SIGNIFICANT:g} times that of 1.C, a single value each, without interval"),
    _check("B.2, tables XV and VI", "1 and 40 Mbit/s of traffic under load", "still under 10 ms", "2.B 2.D",
           _check_none),
    _check("B.2, table VIII", "80 Mbit/s of traffic under load", "many missed deadlines and lost messages", "2.F",
           partial(_check_many, kinds=BOTH), _MANY_RULE),
    _check("B.3, table X", "32 KB", "no loss", "3.A", partial(_check_none, kinds=(LOST,)), _LOSSES),
    _check("B.3, table XI", "32 KB under load", "no loss", "3.B", partial(_check_none, kinds=(LOST,)), _LOSSES),
    _check("B.3, table XII", "128 KB under load", "packet loss", "3.C",
           partial(_check_many, kinds=(LOST,), least_share=0.0), _LOSSES),
    _check("B.4, tables VIII and IX", "priorities of the kernel's threads, 2.F against 4.A", "a clear improvement",
           "2.F 4.A", _check_improves,
           f"{_ROWS}: the interval, over rounds, of the difference in the share of cycles late, lost or skipped"),
    _check("B.5", "1 Mbit/s of traffic under load for 12 h", "no loss, no relevant amount of missed deadlines", "5.A",
           partial(_check_none, rare_kinds=(MISSED,)),
           f"{_RULE}; up to {_FEW_PERCENT} of missed deadlines count as not relevant"),
    _check("B.5, table XIII", "40 Mbit/s of traffic under load for 12 h", "some messages lost, few", "5.B",
           _check_few, f"{_LOSSES}; few means at most {_FEW_PERCENT} of the messages sent"),
)  # fmt: skip
