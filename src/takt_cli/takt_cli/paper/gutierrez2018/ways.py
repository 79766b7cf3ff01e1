# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How the claims of the paper on its tests are judged, and the goals for takt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from takt_cli.paper.claims import Claim, Way
from takt_cli.paper.communication import VIRTUAL
from takt_cli.paper.gutierrez2018.cases import PART_OF_TEST, TESTS
from takt_cli.paper.gutierrez2018.rows import Effect, Kind, TripRow
from takt_cli.paper.paper import Parts
from takt_cli.paper.verdict import (
    Finding,
    NotJudged,
    Outcome,
    by_interval,
    count,
    holds,
    inconclusive,
    interval,
    number,
    too_short,
)

STOCK, TAKT, REFERENCE = "baseline1", "takt", "fastdds"
# Traffic has a significant effect if the median exceeds SIGNIFICANT times that without traffic. A share of messages of
# at most FEW_SHARE counts as few.
SIGNIFICANT, FEW_SHARE = 1.5, 1e-3
# If none of n messages failed, the true share may still be 3 / n (95 %, rule of three). So this number of messages must
# have been sent for "none" to be below FEW_SHARE.
LEAST_MESSAGES = round(3 / FEW_SHARE)
BOTH: tuple[Kind, ...] = ("missed", "lost")


class Measured(NamedTuple):
    """What a claim is judged by: the rows of its tests, and the effects of tuning in the part of the last one."""

    rows: dict[str, list[TripRow]]
    effects: list[Effect]

    @property
    def deciding(self) -> list[TripRow]:
        """The rows that decide a claim: those of baseline1 in each test, or of takt if there are none. Raises NotJudged
        if a test has neither."""
        deciding = []
        for rows in self.rows.values():
            stock, takt = ([row for row in rows if row.transport == name] for name in (STOCK, TAKT))
            if not stock and not takt:
                raise NotJudged(f"neither {STOCK} nor {TAKT} was run")
            deciding += stock or takt
        return deciding


def rows_of_test(parts: Parts, test: str) -> list[TripRow]:
    """Return the measured rows of a test; none if it was not run."""
    part = parts.get(PART_OF_TEST[test])
    return [] if part is None else [row for row in part.rows if row.test == test]


def measured(parts: Parts, claim: Claim[Any]) -> Measured:
    """Return what a claim is judged by. Raises NotJudged if some test was not run, or was run in virtual time."""
    rows = {test: rows_of_test(parts, test) for test in claim.tests}
    if missing := [test for test, found in rows.items() if not found]:
        raise NotJudged(f"{', '.join(missing)} was not run")
    if any(row.virtual for found in rows.values() for row in found):
        raise NotJudged(VIRTUAL)
    return Measured(rows, parts[PART_OF_TEST[claim.tests[-1]]].effects)


def describe_row(row: TripRow) -> str:
    """Describe the failed messages of a row, and its period if that was not kept."""
    due_to_host = sum(counts.n - counts.other for counts in (row.missed, row.lost))
    host = f", {due_to_host} more due to the host" if due_to_host else ""
    period = None if TESTS[row.test].judges_misses else row.effective_period_ms
    period_text = "" if period is None else f", a message every {number(period)} ms"
    return (
        f"{row.variant} in {row.test}: {row.missed.other} missed, {row.lost.other} lost of "
        f"{row.sent}{host}, {row.skipped.n} skipped{period_text}"
    )


class Seen(NamedTuple):
    """Whether messages failed in one way other than by stalls of the host: None if that is unknown, and why."""

    failed: bool | None
    why: str = ""
    too_short: bool = False


def _seen(row: TripRow, kind: Kind) -> Seen:
    counts = row.counts(kind)
    if row.doubts:
        return Seen(None, "; ".join(row.doubts))
    if counts.other:
        return Seen(True)
    if counts.n:
        return Seen(None, "all of them are due to the host")
    if kind == "missed" and row.skipped.n:
        return Seen(None, f"{row.skipped.n} cycles were skipped")
    if row.sent < LEAST_MESSAGES:
        hidden = min(300 / max(row.sent, 1), 100)
        return Seen(None, f"none of {row.sent} failed, but up to {hidden:.2g} % of all may", too_short=True)
    return Seen(False)


def _seen_in_each(rows: Sequence[TripRow], kinds: Sequence[Kind]) -> tuple[list[bool | None], str, Finding]:
    """Return what was seen in each row and kind, the figures as text, and the finding if that is undecidable."""
    answers = [_seen(row, kind) for row in rows for kind in kinds]
    why, doubts = "; ".join(map(describe_row, rows)), dict.fromkeys(each.why for each in answers if each.why)
    too_short_only = all(each.too_short for each in answers if each.failed is None)
    return [each.failed for each in answers], why, (too_short if too_short_only else inconclusive)(why, *doubts)


def _few(row: TripRow, kind: Kind, share: float = FEW_SHARE) -> bool:
    return row.counts(kind).other <= share * row.sent


class NoneFail(Way, frozen=True):
    """Nothing fails in any of the tests in the ways `kinds`, or little in those of `few`."""

    kinds: tuple[Kind, ...] = BOTH
    few: tuple[Kind, ...] = ()

    def judge(self, figures: Measured) -> Finding:
        rows = figures.deciding
        answer, why, open_finding = _seen_in_each(rows, self.kinds)
        spared = [kind in self.few and _few(row, kind) for row in rows for kind in self.kinds]
        if any(each and not spare for each, spare in zip(answer, spared, strict=True)):
            return Finding(Outcome.refuted, why)
        return open_finding if None in answer else Finding(Outcome.confirmed, why)


class ManyFail(Way, frozen=True):
    """More than the share `above` fails in each of the ways `kinds`."""

    kinds: tuple[Kind, ...]
    above: float = FEW_SHARE

    def judge(self, figures: Measured) -> Finding:
        rows = figures.deciding
        answer, why, open_finding = _seen_in_each(rows, self.kinds)
        few = [_few(row, kind, self.above) for row in rows for kind in self.kinds]
        if any(each is not None and less for each, less in zip(answer, few, strict=True)):
            return Finding(Outcome.refuted, why)
        return open_finding if None in answer else Finding(Outcome.confirmed, why)


class FewLost(Way, frozen=True):
    """Something is lost, but little.

    If nothing is lost the claim is not refuted, since one of the paper's three middlewares lost nothing either.
    """

    def judge(self, figures: Measured) -> Finding:
        rows = figures.deciding
        answer, why, open_finding = _seen_in_each(rows, ("lost",))
        if True in answer:
            return holds(all(_few(row, "lost") for row in rows), why)
        if None in answer:
            return open_finding
        return inconclusive(why, "nothing was lost, which does not contradict few losses")


class Unaffected(Way, frozen=True):
    """Nothing fails in the tests but the first, and medians are close to those of the first, measured at another
    time."""

    def judge(self, figures: Measured) -> Finding:
        first, *others = figures.rows
        finding = NoneFail().judge(Measured({test: figures.rows[test] for test in others}, []))
        medians = {(row.test, row.variant): row.round_trip_us.p50 for row in figures.deciding}
        idle = {variant: us for (test, variant), us in medians.items() if test == first}
        times = {key: us / before for key, us in medians.items() if us and (before := idle.get(key[1]))}
        if len(times) < len(medians):
            return inconclusive(finding.why, f"some rows have no median there or in {first}")
        why = f"{finding.why}; medians relative to {first}: " + ", ".join(
            f"{number(each)} times in {test}" for (test, _), each in times.items() if test != first
        )
        affected = finding.outcome == Outcome.confirmed and max(times.values(), default=0.0) > SIGNIFICANT
        return Finding(Outcome.refuted if affected else finding.outcome, why)


class Improves(Way, frozen=True):
    """The share of failed cycles falls, by its difference over the rounds for baseline1 or else takt."""

    def judge(self, figures: Measured) -> Finding:
        known = [each for name in (STOCK, TAKT) for each in figures.effects if each.variant.startswith(name)]
        if not known or (points := known[0].points) is None:
            raise NotJudged(f"neither {STOCK} nor {TAKT} was run in both tests")
        ratio = known[0].ratio
        why = f"{known[0].variant}: {points.median:+.3g} points of failed cycles{interval(points)}"
        why += f", median {number(ratio.median)} times{interval(ratio)}" if ratio else ""
        return by_interval(points, "below", 0.0, f"{why}, {count(points.rounds, 'round')}")


class NearRaw(Way, frozen=True):
    """takt's median round trip is at most so many times that of raw Fast DDS."""

    at_most: float

    def judge(self, figures: Measured) -> Finding:
        rows = [row for found in figures.rows.values() for row in found if row.transport == TAKT and row.ratio]
        if not rows or (ratio := rows[0].ratio) is None:
            raise NotJudged(f"{TAKT} and {REFERENCE} were not both run")
        why = f"{number(ratio.median)} times{interval(ratio)}, {count(ratio.rounds, 'round')}"
        why += f", interval over {ratio.over}"
        if ratio.low is not None and ratio.over != "rounds":
            return too_short(f"{why}, which does not cover differences between rounds")
        return by_interval(ratio, "at most", self.at_most, why)


class HoldsWithSettings(Way, frozen=True):
    """takt loses and misses nothing in the first test, but does in the second one, which is without settings."""

    def judge(self, figures: Measured) -> Finding:
        pair = [next((row for row in rows if row.transport == TAKT), None) for rows in figures.rows.values()]
        with_settings, without = pair
        if with_settings is None or without is None:
            raise NotJudged(f"{' and '.join(figures.rows)} were not both run with takt")
        what = f"with: {describe_row(with_settings)}; without: "
        why = what + describe_row(without)
        if with_settings.doubts:
            return inconclusive(why, *with_settings.doubts)
        # Failures that are due to the host do not count against takt.
        if any(counts.other for counts in (with_settings.missed, with_settings.lost, with_settings.skipped)):
            return Finding(Outcome.refuted, why)
        if with_settings.sent < LEAST_MESSAGES:
            return too_short(why, f"fewer than {LEAST_MESSAGES} messages do not suffice")
        answer, _, open_finding = _seen_in_each([without], BOTH)
        if None in answer and True not in answer:
            return Finding(open_finding.outcome, what + open_finding.why)
        return holds(True in answer, why)


WAYS = (NoneFail, ManyFail, FewLost, Unaffected, Improves, NearRaw, HoldsWithSettings)
