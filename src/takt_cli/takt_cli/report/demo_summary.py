# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The summary of the demo: the figures of its executors, and a verdict in sentences."""

from __future__ import annotations

from typing import Any

from takt_cli.analysis.grants import uses_other_policy
from takt_cli.analysis.misses import unforced_total
from takt_cli.report.formatting import format_count, format_share
from takt_cli.report.grants import describe_downgrade
from takt_cli.results.origin import Host
from takt_cli.spec.executors import schedules

SCHEMA_VERSION = 4
_OF_A_RUN = ("policy", "policy_in_use", "refused", "verdict", "throttling", "stress", "measuring")


def demo_summary(summaries: dict[str, dict[str, Any]], host: Host) -> dict[str, Any]:
    """Return the demo's JSON, made from the summaries of its runs by executor."""
    return {
        "schema_version": SCHEMA_VERSION,
        "rmw": next(iter(summaries.values()))["rmw"],
        "executors": {
            name: {**summary["totals"], **{key: summary[key] for key in _OF_A_RUN}}
            for name, summary in summaries.items()
        },
        "host": host,
        "verdict": " ".join(sentences(summaries) + sentences_on_doubts(summaries)),
        "sentences": sentences(summaries),
        "doubts": sentences_on_doubts(summaries),
    }


def sentences(summaries: dict[str, dict[str, Any]]) -> list[str]:
    """Return one sentence for each executor that says which deadlines it met and whether its data was fresh."""
    return [
        _scheduled(name, summary) if schedules(name) else _unscheduled(name, summary["totals"])
        for name, summary in summaries.items()
    ]


def sentences_on_doubts(summaries: dict[str, dict[str, Any]]) -> list[str]:
    """Return sentences on executors that lacked rights, and on inconclusive verdicts with their reasons."""
    return [sentence for name, summary in summaries.items() if (sentence := describe_downgrade(name, summary))] + [
        f"For {name} the verdict is inconclusive: {'; '.join(summary['verdict'].why)}."
        for name, summary in summaries.items()
        if summary["verdict"].outcome == "inconclusive"
    ]


def _scheduled(name: str, summary: dict[str, Any]) -> str:
    totals, manner = summary["totals"], _manner(name, summary)
    unforced = unforced_total(totals)
    if totals["deadline_misses"] == 0:
        deadlines = f"met every one of {format_count(totals['jobs'])} deadlines"
    elif unforced == 0:
        deadlines = (
            f"missed {format_share(totals['deadline_misses'], totals['jobs'])} of its deadlines, "
            "all of them while the host stalled or because no schedule of its policy could have met them"
        )
    else:
        deadlines = (
            f"missed {format_count(unforced)} of {format_count(totals['jobs'])} deadlines that its policy could "
            "have met"
        )
    if totals["stale"] == 0:
        return f"{name}{manner} {deadlines}, and never ran on old data."
    stale = format_share(totals["stale"], totals["stale_n"])
    return f"{name}{manner} {deadlines}, and ran {stale} of its reading jobs on old data."


def _manner(name: str, summary: dict[str, Any]) -> str:
    if not uses_other_policy(name, summary["policy"], summary["policy_in_use"]):
        return ""
    return f", as {summary['policy_in_use']} instead of {summary['policy']},"


def _unscheduled(name: str, totals: dict[str, Any]) -> str:
    if totals["deadline_misses"]:
        deadlines = f"missed {format_share(totals['deadline_misses'], totals['jobs'])} of its deadlines"
    else:
        deadlines = "met every deadline"
    joined = "and" if bool(totals["deadline_misses"]) == bool(totals["stale"]) else "but"
    if totals["stale"]:
        data = f"ran {format_share(totals['stale'], totals['stale_n'])} of its reading jobs on old data"
    else:
        data = "never ran on old data"
    return f"{name} {deadlines}, {joined} {data}."
