# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of a reproduced paper: verdicts first, then plots and tables, and notes on the interpretation at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from takt_cli.paper.tables import goal_table, verdict_table
from takt_cli.paper.verdict import Outcome
from takt_cli.report.html import host_facts
from takt_cli.report.plotly_page import Section, study_page
from takt_cli.statistics.correlation import TOO_SHORT

Metrics = dict[str, Any]
_BETTER = "Better: {who} claims this of its prototype, and takt exceeds the claim."


def paper_page(
    summary: Metrics,
    title: str,
    claimant: str,
    sections: Sequence[Section],
    further_facts: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the page as HTML.

    `summary` is the content of paper.json. `claimant` is what makes the claims, such as "the thesis". `sections` come
    in the order of the page; those whose id is a part's name are linked from that part's claims. `further_facts` holds
    further facts of this paper's results.
    """
    setup, parts = summary["setup"], summary["parts"]
    ids = {section.id for section in sections} & {claim["part"] for claim in summary["claims"]}
    verdicts = [goal_table(summary["goals"]), verdict_table(summary["claims"], claimant, ids)]
    all_sections = [
        Section("verdicts", "Verdicts", summarise_verdicts(summary, claimant), tables=verdicts),
        *sections,
        Section("notes", "Interpretation and deviations", points=summary["notes"]),
    ]
    host = summary["host"] or {}
    facts = [("scale", f"{setup['scale']:g}"), ("CPUs", ", ".join(map(str, setup["cpus"])))]
    facts.append(("began", str(summary.get("began") or "-")))
    facts += [("not available", line) for line in absent_variants(summary)]
    facts += [*further_facts, *(host_facts(host) if host else [])]
    subtitle = [summary["title"], f"{len(parts)} of {summary['parts_in_all']} parts", f"scale {setup['scale']:g}"]
    if summary.get("began"):
        subtitle.append(str(summary["began"])[:10])
    if host.get("cpu_model"):
        subtitle.append(str(host["cpu_model"]))
    return study_page(title, subtitle, all_sections, facts, summary["faults"])


def absent_variants(summary: Metrics) -> list[str]:
    """Return what was to be measured but is not part of this build or not installed, each line once."""
    return list(dict.fromkeys(line for part in summary["parts"].values() for line in part.get("absent", [])))


def summarise_verdicts(summary: Metrics, claimant: str) -> list[str]:
    """Return sentences with the number of goals reached and the number of claims by verdict."""
    goals_by_answer = Counter(TOO_SHORT if goal.get("too_short") else goal["reached"] for goal in summary["goals"])
    open_text = f", {goals_by_answer[TOO_SHORT]} {TOO_SHORT}" if goals_by_answer[TOO_SHORT] else ""
    open_text += f", {goals_by_answer[None]} not decidable" if goals_by_answer[None] else ""
    claims_by_verdict = Counter(claim["verdict"] for claim in summary["claims"])
    # Only claims about a paper's own prototype can be exceeded by takt.
    outcomes = [Outcome.confirmed, *_BETTER_BY_CLAIMANT.get(claimant, ()), Outcome.refuted, Outcome.short, Outcome.open]
    verdict_text = ", ".join(f"{claims_by_verdict[outcome.value]} {outcome.value}" for outcome in outcomes)
    return [
        f"Of {len(summary['goals'])} goals for takt {goals_by_answer[True]} are reached{open_text}. "
        f"Of {len(summary['claims'])} claims of {claimant}: {verdict_text}.",
        *([_BETTER.format(who=claimant)] if claimant in _BETTER_BY_CLAIMANT else []),
    ]


_BETTER_BY_CLAIMANT = {"the thesis": (Outcome.better,)}
