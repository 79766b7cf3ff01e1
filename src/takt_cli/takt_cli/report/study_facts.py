# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Facts that qualify a set of results: hosts, versions, settings and rights, and in which of them runs differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.run_summary import RunSummary
from takt_cli.report.formatting import describe_middleware
from takt_cli.report.grants import describe_downgrade, priorities
from takt_cli.report.html import host_facts, version_facts
from takt_cli.report.study import Study, format_median
from takt_cli.report.values import format_count
from takt_cli.results.origin import Origin

_MAX_VALUES = 4


def facts(study: Study) -> list[tuple[str, str]]:
    """Return pairs of label and value. If the runs differ in a fact, the value lists up to four different ones."""
    runs, origin, plan = study.runs, study.results.origin, study.results.plan
    rows = [("command", " ".join(origin.command)), ("began", origin.began)]
    if plan is not None:
        rows += [("seed of the order", str(plan.seed)), ("cool-down, s", f"{plan.cooldown / 1e9:g}")]
    rows += _merged(
        {"measured, s": f"{run.settings.duration / 1e9:g}", "warm-up, s": f"{run.settings.warmup / 1e9:g}"}
        | dict(host_facts(run.host))
        for run in runs
    )
    for name in study.executors:
        own = [run for run in runs if run.executor == name]
        rows += _merged(
            {f"{name}, policy": _policy(run.summary), f"{name}, priorities": priorities(run)} for run in own
        )
    if (cost := recording_cost(study)) is not None:
        rows.append(("measurement overhead per job, median", cost))
    return rows + _merged({"middleware": describe_middleware(run), **dict(version_facts(run.origin))} for run in runs)


def notes(study: Study) -> Iterator[str]:
    """Yield sentences that a reader must know before looking at the figures."""
    runs = study.runs
    if study.results.pending:
        yield f"The batch is not finished: {_runs(study.results.pending)} pending (takt batch --resume continues it)."
    if study.results.failed:
        count = len(study.results.failed)
        yield f"{_runs(count)} failed and {'is' if count == 1 else 'are'} missing from the figures: see section Runs."
    hosts = study.hosts
    listed_hosts = ", ".join(f"{name} ({_runs(many)})" for name, many in hosts.run_counts.items())
    if hosts.differing_facts:
        differences = "; ".join(f"{fact}: {' | '.join(values)}" for fact, values in hosts.differing_facts.items())
        yield (
            f"The runs were made on different kinds of hosts, {listed_hosts}; each kind has rows of its own. "
            f"{differences}."
        )
    elif len(hosts.run_counts) > 1:
        yield f"The runs were made on {len(hosts.run_counts)} hosts of one kind: {listed_hosts}."
    for setting, value in _SETTINGS.items():
        if len(values := {value(run) for run in runs}) > 1:
            yield f"Runs differ in {setting}: {_list(sorted(values))}."
    yield from _rights(runs)
    if stress := next((run.summary.stress for run in runs if run.summary.stress), None):
        yield f"A background load was running: {stress.asked.name}, by {stress.by}."
    if doubtful := [run.summary.verdict for run in runs if run.summary.verdict.outcome == "inconclusive"]:
        of_many = (
            f"{format_count(len(doubtful))} of {format_count(len(runs))} verdicts are inconclusive: the table of "
            "runs says why."
        )
        yield of_many if len(runs) > 1 else f"The verdict is inconclusive: {'; '.join(doubtful[0].why)}."


def _rights(runs: Sequence[SetRun]) -> Iterator[str]:
    """Yield sentences on rights that were not granted and on their consequences."""
    downgrades = Counter(line for run in runs if (line := describe_downgrade(run.executor, run.summary)) is not None)
    for line, times in downgrades.items():
        yield line if times == len(runs) else f"{line} ({format_count(times)} of {format_count(len(runs))} runs)"
    for line in dict.fromkeys(line for run in runs for line in run.summary.refused):
        yield f"Not granted: {line}"


def recording_cost(study: Study) -> str | None:
    """Return the CPU time per job that recording its samples takes, or None if it was not measured."""
    costs = [
        run.summary.measuring.ns_per_call.p50 / 1000
        for run in study.runs
        if run.summary.measuring is not None and run.summary.measuring.ns_per_call.p50 is not None
    ]
    return format_median(costs, "us") if costs else None


_SETTINGS: dict[str, Callable[[SetRun], str]] = {
    "the measured time": lambda run: f"{run.settings.duration / 1e9:g} s",
    "the warm-up": lambda run: f"{run.settings.warmup / 1e9:g} s",
    "the middleware": lambda run: run.record.rmw,
    "the version of takt": lambda run: _commit(run.origin),
}


def _runs(count: int) -> str:
    return f"{format_count(count)} {'run' if count == 1 else 'runs'}"


def _commit(origin: Origin) -> str:
    """Return the abbreviated commit, with a + if files had been changed, or takt's version if it is unknown."""
    commit = origin.commit or ""
    return commit[:9] + ("+" if commit.endswith("+") else "") if commit else str(origin.versions.get("takt"))


def _policy(summary: RunSummary) -> str:
    requested, in_use = summary.policy, summary.policy_in_use
    return requested if requested == in_use else f"{in_use} ({requested} requested)"


def _merged(facts_of_runs: Iterable[dict[str, str]]) -> list[tuple[str, str]]:
    """Return the facts of all runs, with the different values of each."""
    every = list(facts_of_runs)
    labels = dict.fromkeys(label for each in every for label in each)
    return [(label, _list(list(dict.fromkeys(each.get(label, "unknown") for each in every)))) for label in labels]


def _list(values: list[str]) -> str:
    return "; ".join(values[:_MAX_VALUES]) + (
        f" and {len(values) - _MAX_VALUES} more" if len(values) > _MAX_VALUES else ""
    )
