# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of a reproduced paper: verdicts first, then plots and tables, and notes on the interpretation at the end."""

from __future__ import annotations

from collections import Counter

from takt_cli.paper.papers import find_paper
from takt_cli.paper.result import PaperResult, PaperSummary
from takt_cli.paper.tables import goal_table, verdict_table
from takt_cli.paper.verdict import Outcome
from takt_cli.report.html import host_facts
from takt_cli.report.plotly_page import Section, study_page
from takt_cli.results.verdict import TOO_SHORT


def paper_page(result: PaperResult) -> str:
    """Return the page as HTML. Claims are linked to the section of their part."""
    paper, summary, origin = find_paper(result.settings.paper), result.summary, result.origin
    file, options = paper.file, result.settings.options
    sections = paper.sections(summary.parts)
    ids = {section.id for section in sections} & {claim.part for claim in summary.claims}
    verdicts = [goal_table(summary.goals), verdict_table(summary.claims, file.claimant, ids)]
    all_sections = [
        Section("verdicts", "Verdicts", summarise_verdicts(result), tables=verdicts),
        *sections,
        Section("notes", "Interpretation and deviations", points=list(file.notes)),
    ]
    facts = [("scale", f"{options.scale:g}"), ("CPUs", ", ".join(map(str, options.cpus))), ("began", origin.began)]
    facts += [("not available", line) for line in absent_variants(summary)]
    facts += [*paper.facts(summary.parts), *host_facts(result.host)]
    measured = f"{len(summary.parts)} of {len(paper.parts)} parts"
    subtitle = [file.title, measured, f"scale {options.scale:g}", origin.began[:10]]
    if result.host.cpu_model:
        subtitle.append(result.host.cpu_model)
    return study_page(file.page_title, subtitle, all_sections, facts, summary.faults)


def absent_variants(summary: PaperSummary) -> list[str]:
    """Return what was to be measured but is not part of this build or not installed, each line once."""
    return list(dict.fromkeys(line for part in summary.parts.values() for line in part.absent))


def summarise_verdicts(result: PaperResult) -> list[str]:
    """Return sentences with the number of goals reached and the number of claims by verdict."""
    file, summary = find_paper(result.settings.paper).file, result.summary
    goals_by_answer = Counter(TOO_SHORT if goal.too_short else goal.reached for goal in summary.goals)
    open_text = f", {goals_by_answer[TOO_SHORT]} {TOO_SHORT}" if goals_by_answer[TOO_SHORT] else ""
    open_text += f", {goals_by_answer[None]} not decidable" if goals_by_answer[None] else ""
    claims_by_verdict = Counter(claim.verdict for claim in summary.claims)
    better = [Outcome.better] if file.prototype else []
    outcomes = [Outcome.confirmed, *better, Outcome.refuted, Outcome.short, Outcome.open]
    verdict_text = ", ".join(f"{claims_by_verdict[outcome.value]} {outcome.value}" for outcome in outcomes)
    sentences = [
        f"Of {len(summary.goals)} goals for takt {goals_by_answer[True]} are reached{open_text}. "
        f"Of {len(summary.claims)} claims of {file.claimant}: {verdict_text}."
    ]
    if file.prototype:
        sentences.append(f"Better: {file.claimant} claims this of its prototype, and takt exceeds the claim.")
    return sentences
