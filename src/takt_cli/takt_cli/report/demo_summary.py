# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The demo's figures: three executors under the same application, and a verdict in plain words."""

from __future__ import annotations

from typing import Any

from takt_cli.report.words import count, share

SCHEMA_VERSION = 1


def demo_summary(summaries: dict[str, dict[str, Any]], host: dict[str, Any]) -> dict[str, Any]:
    """The demo as JSON, from the summaries of its runs by executor."""
    return {
        "schema_version": SCHEMA_VERSION,
        "rmw": next(iter(summaries.values()))["rmw"],
        "executors": {
            name: {**summary["totals"], "verdict": summary["verdict"], "throttling": summary["throttling"]}
            for name, summary in summaries.items()
        },
        "host": host,
        "verdict": " ".join(sentences(summaries)),
        "sentences": sentences(summaries),
    }


def sentences(summaries: dict[str, dict[str, Any]]) -> list[str]:
    """What the demo showed, in plain words, a sentence for each executor; and where it cannot judge."""
    lines = [_takt(summaries["takt"])] if "takt" in summaries else []
    lines += [_baseline(name, summary["totals"]) for name, summary in summaries.items() if name != "takt"]
    unsure = [name for name, summary in summaries.items() if summary["verdict"]["outcome"] == "inconclusive"]
    if unsure:
        why = "; ".join(dict.fromkeys(w for name in unsure for w in summaries[name]["verdict"]["why"]))
        lines.append(f"For {' and '.join(unsure)} the verdict is inconclusive: {why}.")
    return lines


def _takt(summary: dict[str, Any]) -> str:
    totals = summary["totals"]
    unforced = totals["unforced_misses"] + totals["unforced_skipped"]
    if totals["deadline_misses"] == 0:
        deadlines = f"met every one of {count(totals['jobs'])} deadlines"
    elif unforced == 0:
        deadlines = (
            f"missed {share(totals['deadline_misses'], totals['jobs'])} of its deadlines, "
            "none of which its policy could have met"
        )
    else:
        deadlines = f"missed {count(unforced)} of {count(totals['jobs'])} deadlines that its policy could have met"
    if totals["stale"] == 0:
        return f"takt {deadlines}, and never ran on old data."
    return f"takt {deadlines}, and ran {share(totals['stale'], totals['stale_n'])} of its reading jobs on old data."


def _baseline(name: str, totals: dict[str, Any]) -> str:
    missed = share(totals["deadline_misses"], totals["jobs"])
    stale = share(totals["stale"], totals["stale_n"])
    return f"{name} missed {missed} of its deadlines and ran {stale} of its reading jobs on old data."
