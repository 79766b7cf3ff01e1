# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The summary of the demo: the figures of its executors, and a verdict in sentences."""

from __future__ import annotations

import msgspec

from takt_cli.analysis.grants import uses_other_policy
from takt_cli.analysis.recording_cost import RecordingCost
from takt_cli.analysis.run_summary import RunSummary, RunTotals
from takt_cli.report.formatting import format_share
from takt_cli.report.grants import describe_downgrade
from takt_cli.report.values import format_count
from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.origin import Host
from takt_cli.results.structures import extended
from takt_cli.results.verdict import Verdict
from takt_cli.spec.executors import schedules


class DemoExecutor(RunTotals, frozen=True, kw_only=True):
    """The figures of an executor: those over all tasks, and what else the summary of its run has of the whole run."""

    policy: str
    policy_in_use: str
    refused: list[str]
    throttling: bool
    stress: AchievedLoad | None
    measuring: RecordingCost | None
    verdict: Verdict


class DemoSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a demo. `verdict` has all sentences; `retried` says which runs were made twice, and why."""

    rmw: str
    executors: dict[str, DemoExecutor]
    host: Host
    verdict: str
    sentences: list[str]
    doubts: list[str]
    retried: list[str]


def demo_summary(summaries: dict[str, RunSummary], host: Host, retried: list[str]) -> DemoSummary:
    """Return the demo's figures, made from the summaries of its runs by executor."""
    judged, doubts = sentences(summaries), sentences_on_doubts(summaries)
    own_fields = [name for name in DemoExecutor.__struct_fields__ if name in RunSummary.__struct_fields__]
    return DemoSummary(
        rmw=next(iter(summaries.values())).rmw,
        executors={
            name: extended(each.totals, DemoExecutor, **{field: getattr(each, field) for field in own_fields})
            for name, each in summaries.items()
        },
        host=host,
        verdict=" ".join(judged + doubts),
        sentences=judged,
        doubts=doubts,
        retried=retried,
    )


def sentences(summaries: dict[str, RunSummary]) -> list[str]:
    """Return one sentence for each executor that says which deadlines it met and whether its data was fresh."""
    return [
        _scheduled(name, summary) if schedules(name) else _unscheduled(name, summary.totals)
        for name, summary in summaries.items()
    ]


def sentences_on_doubts(summaries: dict[str, RunSummary]) -> list[str]:
    """Return sentences on executors that lacked rights, and on inconclusive verdicts with their reasons."""
    return [sentence for name, summary in summaries.items() if (sentence := describe_downgrade(name, summary))] + [
        f"For {name} the verdict is inconclusive: {'; '.join(summary.verdict.why)}."
        for name, summary in summaries.items()
        if summary.verdict.outcome == "inconclusive"
    ]


def _scheduled(name: str, summary: RunSummary) -> str:
    totals, manner = summary.totals, _manner(name, summary)
    if totals.deadline_misses == 0:
        deadlines = f"met every one of {format_count(totals.jobs)} deadlines"
    elif totals.unforced == 0:
        deadlines = (
            f"missed {format_share(totals.deadline_misses, totals.jobs)} of its deadlines, "
            "all of them while the host stalled or because no schedule of its policy could have met them"
        )
    else:
        deadlines = (
            f"missed {format_count(totals.unforced)} of {format_count(totals.jobs)} deadlines that its policy could "
            "have met"
        )
    if totals.stale == 0:
        return f"{name}{manner} {deadlines}, and never ran on old data."
    stale = format_share(totals.stale, totals.stale_n)
    return f"{name}{manner} {deadlines}, and ran {stale} of its reading jobs on old data."


def _manner(name: str, summary: RunSummary) -> str:
    if not uses_other_policy(name, summary.policy, summary.policy_in_use):
        return ""
    return f", as {summary.policy_in_use} instead of {summary.policy},"


def _unscheduled(name: str, totals: RunTotals) -> str:
    if totals.deadline_misses:
        deadlines = f"missed {format_share(totals.deadline_misses, totals.jobs)} of its deadlines"
    else:
        deadlines = "met every deadline"
    joined = "and" if bool(totals.deadline_misses) == bool(totals.stale) else "but"
    if totals.stale:
        data = f"ran {format_share(totals.stale, totals.stale_n)} of its reading jobs on old data"
    else:
        data = "never ran on old data"
    return f"{name} {deadlines}, {joined} {data}."
