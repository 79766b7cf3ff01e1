# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of a set of results: medians of each case, all runs with links to their files, and failed runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from takt_cli.analysis.run_summary import RunTotals
from takt_cli.report.formatting import format_percentile, format_share
from takt_cli.report.measures import AGE, DECISION, DISPATCH, MISSES, RESPONSE, STALE
from takt_cli.report.plotly_page import Card, Table
from takt_cli.report.study import Study, format_median
from takt_cli.report.texts import EXECUTOR_DESCRIPTIONS
from takt_cli.report.values import format_count, format_number
from takt_cli.results.verdict import Verdict

_OUTCOMES = ("pass", "fail", "inconclusive")


def cards(study: Study) -> list[Card]:
    """Return a card for each executor with its most important figures over all of its runs."""
    return [
        executor_card(name, [run.summary.totals for run in own], [run.summary.verdict for run in own])
        for name in study.executors
        for own in [[run for run in study.runs if run.executor == name]]
    ]


def overview_table(study: Study) -> Table:
    """Return the table of cases: for each application under each executor the median over its runs and the range."""
    rows = []
    for case, runs in study.cases.items():
        application = study.applications[case.application]
        rows.append({
            "application": case.application,
            "executor": case.executor,
            "runs": str(len(runs)),
            "missed": format_median([MISSES.of(run) for run in runs], "%"),
            "unforced misses": format_median([run.summary.totals.unforced for run in runs]),
            "host misses": format_median([run.summary.totals.host_misses for run in runs]),
            "stale executions": format_median([STALE.of(run) for run in runs], "%"),
            "data age p99, ms": format_median([AGE.of(run, application).p99 for run in runs]),
            "response p99, % of deadline": format_median([RESPONSE.of(run, application).tail for run in runs]),
            "dispatch overhead per job, us": format_median([DISPATCH.of(run) for run in runs]),
            "decision time p99, us": format_median([DECISION.of(run, application).p99 for run in runs]),
            "verdicts": outcomes(run.summary.verdict for run in runs),
        })  # fmt: skip
    caption = "Each application under each executor: median over the runs (range)"
    return Table.of(caption, rows, [study.links(runs) for runs in study.cases.values()])


def runs_table(study: Study) -> Table:
    """Return the table of all runs in the order in which they were run. The figures of the page link to its rows."""
    rows = []
    for run in study.runs:
        totals, verdict = run.summary.totals, run.summary.verdict
        share = format_share(totals.deadline_misses, totals.jobs)
        rows.append({
            "application": study.name(run),
            "executor": run.executor,
            "run": str(run.run),
            "jobs": format_count(totals.jobs),
            "missed": f"{format_count(totals.deadline_misses)} ({share}{_interval(totals.miss_ratio_95)})",
            "unforced": format_count(totals.unforced),
            "host": format_count(totals.host_misses),
            "stale": f"{format_count(totals.stale)} of {format_count(totals.stale_n)}",
            "data age p99, ms": format_percentile(totals.data_age_ms, "p99"),
            "response p99, % of deadline": format_number(RESPONSE.of(run, study.application(run)).tail),
            "dispatch overhead per job, us": format_number(totals.dispatch_us.per_job),
            "decision time p99, us": format_percentile(totals.decision_us, "p99"),
            "verdict": verdict.outcome,
            "why": "; ".join(verdict.why),
        })  # fmt: skip
    return Table.of(
        "All runs in the order in which they were made; misses with their 95 % intervals",
        rows,
        [study.files(run) for run in study.runs],
        anchors=[study.anchor(run) for run in study.runs],
        links_title="files",
    )


def failed_table(study: Study) -> Table | None:
    """Return the table of runs that failed in all attempts, with their errors; None if there are none."""
    if not study.results.failed:
        return None
    rows = [(f.application, f.executor, str(f.run), str(f.attempts), f.error) for f in study.results.failed]
    return Table("Runs that failed in all attempts", ("application", "executor", "run", "attempts", "error"), rows)


def outcomes(verdicts: Iterable[Verdict]) -> str:
    """Return the outcome if all runs have the same, else the number of each: `4 pass, 1 inconclusive`."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    if len(counts) == 1:
        return str(next(iter(counts)))
    return ", ".join(f"{counts[name]} {name}" for name in _OUTCOMES if counts[name])


def executor_card(name: str, every: Sequence[RunTotals], verdicts: Sequence[Verdict]) -> Card:
    """Return the card of an executor with the totals and the verdicts of its runs."""
    jobs, missed, stale, readers = (
        sum(getattr(totals, key) for totals in every) for key in ("jobs", "deadline_misses", "stale", "stale_n")
    )
    avoidable = sum(totals.unforced for totals in every)
    ages = [age for totals in every if (age := totals.data_age_ms.p99) is not None]
    outcome = next((each for each in ("fail", "inconclusive") if each in {v.outcome for v in verdicts}), "pass")
    one = every[0] if len(every) == 1 else None
    passed = f"{sum(verdict.outcome == 'pass' for verdict in verdicts)} of {len(every)} pass"
    entries = [
        ("missed deadlines", format_share(missed, jobs), f"{format_count(missed)} of {format_count(jobs)}"),
        (
            "unforced misses",
            format_share(avoidable, jobs),
            f"{format_count(avoidable)} that the policy could have avoided",
        ),
        ("stale executions", format_share(stale, readers), f"{format_count(stale)} of {format_count(readers)}"),
        (
            "data age, p99",
            f"{format_number(max(ages, default=None))} ms",
            f"n {format_count(one.data_age_ms.n)}" if one else "of the run with the highest",
        ),
        (
            "dispatch overhead per job",
            format_median([DISPATCH.value(totals) for totals in every], "us").partition(" (")[0],
            f"n {format_count(one.dispatch_us.jobs)}" if one else f"median of {len(every)} runs",
        ),
    ]
    return Card(
        name,
        EXECUTOR_DESCRIPTIONS.get(name, ""),
        outcome,
        verdicts[0].why if one else [outcomes(verdicts)],
        entries if one else [("verdicts", passed, outcomes(verdicts)), *entries],
    )


def _interval(ends: Sequence[float] | str | None) -> str:
    """Format the 95 % interval of a share as `, [low, high]` in per cent; empty if there is none."""
    if isinstance(ends, str):
        return f", {ends}"
    low, high = (format_number(100 * end) for end in ends or (0, 0))
    return "" if low == high else f", [{low}, {high}]"
