# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the checks of the thesis's claims: every claim has one, and each gives every outcome that it can have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import paper_samples as made
import pytest
from msgspec.structs import replace
from paper_samples import with_rows
from repository import ROOT

from takt_cli.paper.claims import ClaimVerdict
from takt_cli.paper.papers import find_paper
from takt_cli.paper.thesis2021.cases import KIB, MIB, Case, CaseRow, cases
from takt_cli.paper.thesis2021.data_age import AgeFigures
from takt_cli.paper.thesis2021.freshness import FreshnessFigures, FreshnessRow
from takt_cli.paper.thesis2021.misses import MissFigures
from takt_cli.paper.thesis2021.transport import TransportFigures
from takt_cli.paper.verdict import Outcome, Relation, Share, by_interval
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.confidence import MedianOfRounds

THESIS = find_paper("thesis2021")
CLAIMS = {claim.claim: claim for claim in THESIS.file.claims}
BLIND = {"blind": ["the stall probe was blind"]}


def test_every_claim_is_listed_once() -> None:
    assert len(THESIS.file.claims) == len(CLAIMS) == 22


def test_the_combinations_are_those_of_the_tables() -> None:
    assert len(cases("misses")) == 45
    assert len(cases("freshness")) == 36
    assert [case.nodes for case in cases("overhead")] == [*range(1, 11), 50, 50]
    for part in ("misses", "freshness", "overhead"):
        assert len({case.name for case in cases(part)}) == len(cases(part))


def verdicts(part: str, figures: Any) -> list[str]:
    """Return the verdicts on the claims of a part."""
    return [row.verdict for row in THESIS.verdicts({part: figures}) if row.part == part]


def found(claim: str, figures: Any | None) -> ClaimVerdict:
    """Return the claim whose text begins with `claim`, with its verdict."""
    each = CLAIMS.get(claim) or next(each for text, each in CLAIMS.items() if text.startswith(claim))
    rows = THESIS.verdicts({} if figures is None else {each.part: figures})
    (row,) = (row for row in rows if row.claim == each.claim)
    assert row.why
    assert row.rule
    return row


def verdict(claim: str, figures: Any | None) -> str:
    return found(claim, figures).verdict


@pytest.mark.parametrize("claim", list(CLAIMS))
def test_a_claim_without_runs_is_inconclusive(claim: str) -> None:
    assert verdict(claim, None) == "inconclusive"
    figures = made.all_parts()[CLAIMS[claim].part]
    empty: dict[str, Any] = {name: [] for name in ("rows", "ratios", "applications") if hasattr(figures, name)}
    assert verdict(claim, replace(figures, **empty)) == "inconclusive"


def test_what_was_measured_as_printed_confirms_what_is_said_of_baselines() -> None:
    rows = THESIS.verdicts(made.all_parts())
    assert {row.verdict for row in rows if "proposed" not in row.claim} == {"confirmed"}


Where: TypeAlias = "tuple[int, float, int | None]"


def changed(figures: MissFigures, percent: float, host: float, where: Where) -> MissFigures:
    """Return the figures with another share of baseline1's misses for these nodes, utilisation and size."""
    case = next(case for case in cases("misses") if (case.nodes, case.utilisation, case.size) == where)
    mine = (case.name, "baseline1")
    rows = [
        made.misses(case, "baseline1", percent, host) if (row.application, row.executor) == mine else row
        for row in figures.rows
    ]
    return replace(figures, rows=rows)


FIGURES = made.miss_figures()


@pytest.mark.parametrize(
    ("claim", "where", "percent", "host", "outcome"),
    [
        ("baseline1 at utilisation 1.0 without", (4, 1.0, None), 1.9, 1.0, "confirmed"),
        ("baseline1 at utilisation 1.0 without", (4, 1.0, None), 9.0, 0.0, "not confirmed"),
        ("baseline1 at utilisation 1.0 without", (4, 1.0, None), 9.0, 8.0, "inconclusive"),
        ("baseline1 at 4 nodes utilisation 1.0", (4, 1.0, 256 * KIB), 60.0, 1.0, "not confirmed"),
        ("baseline1 at 4 nodes utilisation 1.0", (4, 1.0, 256 * KIB), 20.0, 18.0, "inconclusive"),
        ("baseline1 at 4 nodes utilisation 0.75", (4, 0.75, 512 * KIB), 2.0, 0.0, "not confirmed"),
        ("baseline1 at 4 nodes utilisation 0.75", (4, 0.75, 512 * KIB), 2.0, 1.5, "inconclusive"),
        ("baseline1 at 4 nodes utilisation 0.75", (4, 0.75, None), 2.0, 0.0, "not confirmed"),
        ("baseline1 at 4 nodes utilisation 0.75", (4, 0.75, 2 * MIB), 0.0, 0.0, "confirmed"),
        ("baseline1 at 20 nodes utilisation 0.75", (20, 0.75, 512 * KIB), 0.0, 0.0, "not confirmed"),
        ("baseline1 at 20 nodes 8 MB", (20, 0.75, 8 * MIB), 80.0, 0.0, "confirmed"),
        ("baseline1 at 20 nodes 8 MB", (20, 0.75, 8 * MIB), 31.0, 0.0, "not confirmed"),
        ("baseline1 at 20 nodes 8 MB", (20, 0.75, 8 * MIB), 45.0, 40.0, "inconclusive"),
        ("baseline1 at 50 nodes utilisation 0.5", (50, 0.5, 512 * KIB), 3.0, 0.0, "not confirmed"),
    ],
)  # fmt: skip
def test_misses_of_baseline1_decide_its_claims(
    claim: str, where: Where, percent: float, host: float, outcome: str
) -> None:
    assert verdict(claim, changed(FIGURES, percent, host, where)) == outcome


def test_misses_without_an_interval_are_too_short_to_judge() -> None:
    figures = with_rows(made.miss_figures(), lambda _: {"miss_ratio_95": TOO_SHORT})
    assert verdict("baseline1 at 4 nodes utilisation 1.0", figures) == TOO_SHORT
    why = found("baseline1 at utilisation 1.0 w", figures).why
    assert "95 %: too short to judge" in why
    assert why.endswith("measure longer")
    seen = [(goal.reached, goal.too_short) for goal in THESIS.goals({"misses": figures})][:2]
    assert seen == [(None, True)] * 2
    # Unobserved runs are inconclusive, not too short: measuring longer would not help.
    figures = with_rows(figures, lambda _: BLIND)
    assert verdict("baseline1 at 4 nodes utilisation 1.0", figures) == "inconclusive"
    (table,) = (each for name, each in THESIS.tables({"misses": figures}).items() if name.startswith("figures-5.2"))
    assert all(row[2] == TOO_SHORT for row in table.rows)


OVERALL, MORE = "utilisation 0.75 baseline against", "baseline1 at 20 nodes 8 MB"


def _with_interval(figures: MissFigures, by: float, executor: str = "baseline1") -> Any:
    """Return the figures with an interval for each share of this executor that is not 0, from the share divided by `by`
    to the share times `by`."""

    def change(row: CaseRow) -> dict[str, Any]:
        if row.executor != executor or not isinstance(row.miss_ratio_95, tuple):
            return {}
        return {"miss_ratio_95": (row.miss_ratio_95[0] / by, row.miss_ratio_95[0] * by)}

    return with_rows(figures, change)


def test_the_interval_of_a_mean_follows_from_those_of_the_shares() -> None:
    def of(takt: float, by: float, executor: str = "baseline1") -> str:
        return verdict(OVERALL, _with_interval(made.miss_figures(lambda _: takt), by, executor))

    assert (of(2.95, 1.01), of(2.95, 4.0), of(2.95, 4.0, "takt")) == ("confirmed", "inconclusive", "inconclusive")
    # Shares that are far enough apart differ even with these wide intervals.
    assert (of(0.0, 1.2), of(0.5, 2.0, "takt")) == ("better", "better")
    for executor in ("baseline1", "takt"):
        rows = made.miss_figures(lambda _: 0.5).rows
        short = [replace(row, miss_ratio_95=TOO_SHORT) if row.executor == executor else row for row in rows]
        assert verdict(OVERALL, replace(made.miss_figures(), rows=short)) == TOO_SHORT
    # The mean of twelve independent shares has a narrower interval than each of them.
    why = found(OVERALL, _with_interval(made.miss_figures(), 1.2)).why
    assert "baseline1 25.2 % (95 %: 23.5 to 27.3 %)" in why


def test_a_comparison_of_two_shares_takes_both_intervals() -> None:
    assert verdict(MORE, _with_interval(made.miss_figures(), 1.05)) == "confirmed"
    assert verdict(MORE, _with_interval(made.miss_figures(), 1.5)) == "inconclusive"


def test_where_nothing_is_missed_the_baseline_never_begins_to() -> None:
    rows = [made.misses(case, "baseline1", 0.0) for case in cases("misses")]
    assert verdict("baseline1 at 4 nodes utilisation 0.75", replace(FIGURES, rows=rows)) == "not confirmed"


@pytest.mark.parametrize(
    ("claim", "takt", "outcome"),
    [
        ("proposed at utilisation 1.0", lambda _: 0.0, "better"),
        ("proposed at utilisation 1.0", made.prototype_misses, "confirmed"),
        ("proposed at utilisation 1.0", lambda case: 1.0 if case.nodes == 4 else 9.0, "confirmed"),
        ("proposed at utilisation 1.0", lambda case: 1.0 if case.nodes == 4 else 20.0, "not confirmed"),
        ("proposed at 50 nodes", lambda _: 0.0, "better"),
        ("proposed at 50 nodes", lambda case: 1.0 if case.utilisation == 1.0 else 0.0, "better"),
        ("proposed at 50 nodes", made.prototype_misses, "confirmed"),
        ("proposed at 50 nodes", lambda case: 1.0 if case.size == 8 * MIB else 0.0, "not confirmed"),
        ("utilisation 0.75 baseline against", lambda _: 0.0, "better"),
        ("utilisation 0.75 baseline against", lambda _: 2.95, "confirmed"),
        ("utilisation 0.75 baseline against", lambda _: 3.5, "confirmed"),
        ("utilisation 0.75 baseline against", lambda _: 30.0, "not confirmed"),
    ],
)
def test_misses_of_takt_beside_those_of_the_prototype(claim: str, takt: Callable[[Case], float], outcome: str) -> None:
    assert verdict(claim, made.miss_figures(takt)) == outcome


@pytest.mark.parametrize("claim", [claim.claim for claim in THESIS.file.claims if claim.part == "misses"])
def test_misses_of_unobserved_runs_decide_nothing(claim: str) -> None:
    rows = [made.misses(c, e, 50.0) for c in cases("misses") for e in ("baseline1", "takt")]
    row = found(claim, with_rows(replace(FIGURES, rows=rows), lambda _: BLIND))
    assert row.verdict == "inconclusive"
    assert "the stall probe was blind" in row.why


def test_without_misses_the_host_need_not_have_been_observed() -> None:
    figures = with_rows(FIGURES, lambda _: BLIND)
    assert verdict("proposed at 50 nodes", figures) == "better"
    assert verdict("baseline1 at utilisation 1.0 without", figures) == "confirmed"
    assert verdict("baseline1 at 20 nodes utilisation 0.75", figures) == "inconclusive"


def fresh(stale: int = 0, **changes: float) -> FreshnessFigures:
    """Return figures of the freshness part. `changes` are shares of baseline1 in applications whose names contain these
    keys."""

    def change(row: FreshnessRow) -> dict[str, Any]:
        name = row.application.replace("-", "_") if row.executor == "baseline1" else ""
        shares = [share for part, share in changes.items() if part in name]
        return {"stale_share": shares[0], "stale_share_runs": shares} if shares else {}

    figures: FreshnessFigures = with_rows(made.freshness_figures(stale), change)
    return figures


@pytest.mark.parametrize(
    ("claim", "figures", "outcome"),
    [
        ("baseline1 harmonic", fresh(n04_u50_harmonic=0.3), "not confirmed"),
        ("baseline1 non-harmonic 4", fresh(n04_u75_other=0.02), "not confirmed"),
        ("baseline1 non-harmonic 4", fresh(n04_u100_other=0.0), "not confirmed"),
        ("baseline1 non-harmonic 20", fresh(n20_u50_other_512KiB=0.2), "not confirmed"),
        ("baseline1 non-harmonic 50", fresh(n50_u100_other_8MiB=0.1), "not confirmed"),
        ("proposed", fresh(), "confirmed"),
    ],
)
def test_stale_executions_decide_their_claims(claim: str, figures: FreshnessFigures, outcome: str) -> None:
    assert verdict(claim, figures) == outcome


def test_one_stale_execution_of_takt_refutes_whatever_is_missing() -> None:
    figures = made.freshness_figures(stale_of_takt=1)
    assert verdict("proposed", replace(figures, rows=figures.rows[:2])) == "not confirmed"


@pytest.mark.parametrize(
    ("change", "outcomes"),
    [
        (-0.1, ["better"] * 3),
        (0.05, ["better"] * 3),
        (0.15, ["confirmed", "better", "better"]),
        (0.54, ["not confirmed", "confirmed", "better"]),
        (2.0, ["not confirmed"] * 3),
        (1.14, ["not confirmed", "not confirmed", "confirmed"]),
    ],
)
def test_overhead_beside_the_prototype_s(change: float, outcomes: list[str]) -> None:
    assert verdicts("overhead", made.overhead_figures(change)) == outcomes


@pytest.mark.parametrize(
    ("figures", "outcomes"),
    [
        (made.data_age_figures(), ["confirmed", "confirmed", "confirmed"]),
        (made.data_age_figures(bounded=10.0), ["confirmed", "confirmed", "better"]),
        (made.data_age_figures(bounded=35.0), ["confirmed", "confirmed", "not confirmed"]),
        (made.data_age_figures(above=2), ["confirmed", "not confirmed", "confirmed"]),
        (made.data_age_figures(above=2, host=2), ["confirmed", "inconclusive", "confirmed"]),
    ],
)
def test_data_age_decides_its_claims(figures: AgeFigures, outcomes: list[str]) -> None:
    assert verdicts("data-age", figures) == outcomes


@pytest.mark.parametrize(
    ("figures", "outcomes"),
    [
        (made.transport_figures(20), ["confirmed", "confirmed"]),
        (made.transport_figures(8), ["confirmed", "not confirmed"]),
        (made.transport_figures(6), ["inconclusive", "not confirmed"]),
        (made.transport_figures(20, rounds=3), [TOO_SHORT, TOO_SHORT]),
    ],
)
def test_transports_decide_their_claims(figures: TransportFigures, outcomes: list[str]) -> None:
    assert verdicts("transport", figures) == outcomes


def test_a_part_that_is_incomplete_decides_nothing() -> None:
    overhead = made.overhead_figures()
    overhead.applications[3] = replace(overhead.applications[3], cheaper=None)
    assert verdicts("overhead", overhead) == ["inconclusive", "better", "better"]
    assert [goal.reached for goal in THESIS.goals({"overhead": overhead})][-3:] == [None, True, True]
    ages = with_rows(made.data_age_figures(), lambda row: {"runs": 4} if row.bounded else {})
    assert verdicts("data-age", ages) == ["confirmed", "inconclusive", "inconclusive"]


def test_goals_are_reached_or_not_reached_or_unknown() -> None:
    parts = made.all_parts()
    assert {goal.reached for goal in THESIS.goals(parts)} == {True}
    assert {goal.reached for goal in THESIS.goals({})} == {None}
    worse = {
        "overhead": made.overhead_figures(0.1),
        "misses": with_rows(made.miss_figures(), lambda _: {"unforced_misses": 1}),
        "freshness": made.freshness_figures(1),
        "data-age": made.data_age_figures(above=1),
    }
    assert {goal.reached for goal in THESIS.goals(worse)} == {False}
    clouded = with_rows(made.miss_figures(host=99), lambda row: {"host_misses": row.deadline_misses})
    reached = [goal.reached for goal in THESIS.goals({"misses": clouded})][:2]
    assert reached == [None, None]


def test_a_share_is_judged_only_where_the_host_s_part_does_not_matter() -> None:
    share = Share(10.0, 4.0, 100, 1, None)
    assert share.below(3) is False
    assert share.below(11) is True
    assert share.below(5) is None
    assert share.within(5, 9) is None
    assert "4 % without host misses" in share.text()
    near = Share(10.0, 10.0, 100, 1, (8.0, 12.0))
    assert [near.below(limit) for limit in (7, 9, 11, 13)] == [False, None, None, True]
    assert near.within(7, 13) is True
    assert near.within(9, 13) is None
    assert near.within(13, 20) is False
    blind = Share(10.0, 10.0, 100, 1, None, ("blind",))
    assert blind.below(11) is True
    assert blind.below(5) is None


@pytest.mark.parametrize(
    ("relation", "limit", "low", "high", "verdict"),
    [
        ("above", 6.0, 6.1, 9.0, Outcome.confirmed),
        ("above", 6.0, 6.0, 9.0, Outcome.open),
        ("above", 6.0, 4.0, 6.0, Outcome.refuted),
        ("at most", 1.25, 1.0, 1.25, Outcome.confirmed),
        ("at most", 1.25, 1.25, 1.5, Outcome.open),
        ("at most", 1.25, 1.26, 1.5, Outcome.refuted),
        ("below", 0.0, -3.0, -0.1, Outcome.confirmed),
        ("below", 0.0, -3.0, 0.0, Outcome.open),
        ("below", 0.0, 0.0, 2.0, Outcome.refuted),
    ],
)
def test_an_interval_that_ends_at_the_limit_is_judged_as_the_claim_says(
    relation: Relation, limit: float, low: float, high: float, verdict: Outcome
) -> None:
    figures = MedianOfRounds(median=(low + high) / 2, low=low, high=high, too_short=False, rounds=12)
    assert by_interval(figures, relation, limit, "why").outcome is verdict


def test_a_share_that_ends_at_a_limit_is_judged_as_the_claim_says() -> None:
    share = Share(12.0, 12.0, 100, 1, (10.0, 15.0))
    assert (share.about(10.0), share.about(15.0), share.about(9.9)) == (True, True, None), "66.7 to 150 % includes both"
    assert (share.below(15.0), share.below(15.1), share.below(10.0)) == (None, True, False), "below excludes the limit"


def test_the_reference_tells_every_rule_and_note() -> None:
    text = (ROOT / "docs" / "reference" / "paper.md").read_text("utf-8")
    rules = [THESIS.file.rule(claim) for claim in THESIS.file.claims]
    assert [rule for rule in rules if f"| {rule} |" not in text] == []
    assert [note for note in THESIS.file.notes if f"- {note}" not in text] == []
