# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Comparison of two results: for each metric better, worse or no difference, with the interval of the difference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import RUN, ResultSet, SetRun
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.comparison.comparability import differing_conditions, require_alike, version_notes
from takt_cli.comparison.comparison import DEFAULT, ComparedSide, Comparison, Request
from takt_cli.comparison.entry import INCONCLUSIVE, Entry
from takt_cli.comparison.metric import METRICS, Metric, intervals_within
from takt_cli.errors import ResultError
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.difference import (
    Difference,
    difference_from_interval,
    difference_of_means,
    difference_of_rare_shares,
    difference_of_sequences,
    has_few_hits,
)

ALL = "all applications"
# With fewer runs, or applications, their spread cannot be estimated.
_LEAST_RUNS, _LEAST_APPLICATIONS = 3, 3
_MAX_NAMED = 3
# For the costs of the executor, two single runs must differ by more than this share: two runs of the same application
# have differed by as much.
COST_MARGIN = 0.5


@dataclass(frozen=True)
class _Pair:
    """The runs of one application that are compared. `alone_a`, `alone_b`: whether that side's batch has no other runs,
    among which these would have been run in random order."""

    application: str
    executors: tuple[str, str]
    a: tuple[SetRun, ...]
    b: tuple[SetRun, ...]
    alone_a: bool = False
    alone_b: bool = False


def compare(a: ResultSet, b: ResultSet, request: Request = DEFAULT) -> Comparison:
    """Return the comparison of two sets of runs.

    Two single runs are compared whatever their executors, and sets by equal executors, unless the request names some.
    Raises ResultError if A and B have nothing in common, or if hosts or settings differ unless it is forced."""
    pairs = _pairs(a, b, request.executors)
    entries: list[Entry] = []
    reasons: list[str] = []
    for pair in pairs:
        unlike = differing_conditions(pair.a, pair.b)
        hint = " (for a change of the spec, see the tables of the two runs)"
        require_alike(a.folder, b.folder, unlike, request.force, hint)
        reasons += unlike
        compare_pair = _compare_run_sets if len(pair.a) > 1 or len(pair.b) > 1 else _compare_single_runs
        entries += [replace(entry, unlike=tuple(unlike)) for entry in compare_pair(pair, request.margin)]
    entries = [*_compare_over_applications(entries, request.margin, pairs), *entries]
    notes = version_notes(a.runs[0].envelope.origin, b.runs[0].envelope.origin)
    return Comparison.of(_side(a), _side(b), entries, reasons, notes)


def _side(side: ResultSet) -> ComparedSide:
    conclusive = sum(_conclusive(run) for run in side.runs)
    return ComparedSide(str(side.folder), side.kind, len(side.runs), len(side.failed), side.pending, conclusive)


def _pairs(a: ResultSet, b: ResultSet, executors: tuple[str, str] | None) -> list[_Pair]:
    if not a.runs or not b.runs:
        raise ResultError(f"{(b if a.runs else a).folder}: has no finished run; compare another result")
    if executors is None and a.kind == b.kind == RUN:
        one, other = a.runs[0], b.runs[0]
        return [_Pair(one.application, (one.executor, other.executor), a.runs, b.runs)]
    runs_a, runs_b = _grouped(a.runs), _grouped(b.runs)
    pairs = [
        _Pair(
            application,
            (executor, other),
            runs_a[application, executor],
            runs_b[application, other],
            len(runs_a) == 1,
            len(runs_b) == 1,
        )
        for application, executor in sorted(runs_a)
        for other in [executor if executors is None else executors[1]]
        if (application, other) in runs_b and (executors is None or executor == executors[0])
    ]
    if not pairs:
        sides = [_names_in_words(each) for each in (runs_a, runs_b)]
        raise ResultError(f"{a.folder} and {b.folder}: nothing is in both: {sides[0]} in A, {sides[1]} in B")
    return pairs


def _names_in_words(groups: Iterable[tuple[str, str]]) -> str:
    """Return some of the names in words, since there may be hundreds."""
    names = [f"{name} under {executor}" for name, executor in sorted(groups)]
    return ", ".join(names[:_MAX_NAMED]) + (f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else "")


def _grouped(runs: Iterable[SetRun]) -> dict[tuple[str, str], tuple[SetRun, ...]]:
    groups: dict[tuple[str, str], tuple[SetRun, ...]] = {}
    for run in runs:
        key = run.application, run.executor
        groups[key] = (*groups.get(key, ()), run)
    return groups


def _conclusive(run: SetRun) -> bool:
    return run.summary.verdict.outcome != INCONCLUSIVE


# ---- two runs -----------------------------------------------------------------------------------------------


def _compare_single_runs(pair: _Pair, margin: float) -> list[Entry]:
    """Compare two single runs, by the interval of each figure within its run."""
    (one,), (other,) = pair.a, pair.b
    intervals_of_sides = [intervals_within(RunAnalysis(read_result(run.folder))) for run in (one, other)]
    entries = []
    for metric in METRICS:
        entry = _entry(pair, metric, [_value(one, metric)], [_value(other, metric)])
        if entry is None:
            continue
        if metric.name in intervals_of_sides[0] and metric.name in intervals_of_sides[1]:
            figure_a, figure_b = (side[metric.name] for side in intervals_of_sides)
            entry = replace(entry, over="samples", n_a=figure_a.n, n_b=figure_b.n)
            least_difference = max(margin, COST_MARGIN) if metric.cost else margin
            if (difference := figure_b.minus(figure_a)).is_given:
                entry = entry.judged(metric.fault, least_difference, difference_from_interval(difference))
            else:
                entry = replace(entry, verdict=TOO_SHORT, why="the samples of a run are too correlated")
        else:
            missing = np.isnan(entry.difference or 0.0)
            entry = replace(entry, why="a figure is missing" if missing else "one figure for each run")
        entries.append(entry.doubtful([name for name, run in (("A", one), ("B", other)) if not _conclusive(run)]))
    return entries


# ---- sets ---------------------------------------------------------------------------------------------------


def _compare_run_sets(pair: _Pair, margin: float) -> list[Entry]:
    """Compare two sets of runs. Each run counts as one value."""
    sides = [tuple(run for run in side if _conclusive(run)) for side in (pair.a, pair.b)]
    enough = min(map(len, sides)) >= _LEAST_RUNS
    # Otherwise the means of all runs are shown, without a verdict.
    sides = sides if enough else [pair.a, pair.b]
    if paired := enough and _interleaved(*sides):
        sides = [tuple(sorted(side, key=lambda run: run.began or "")) for side in sides]
    alone = not paired and (pair.alone_a or pair.alone_b)
    if alone:
        sides = [tuple(sorted(side, key=lambda run: run.began or "")) for side in sides]
    entries = []
    for metric in METRICS:
        values = [[_value(run, metric) for run in side] for side in sides]
        entry = _entry(pair, metric, *values)
        if entry is None:
            continue
        entry = replace(entry, over="runs", n_a=len(values[0]), n_b=len(values[1]), paired=paired)
        job_counts = (_job_count(sides[0], metric), _job_count(sides[1], metric))
        rare = _compare_rare_events(metric, values, job_counts, in_turns=not alone)
        if not enough:
            entry = replace(entry, why=f"fewer than {_LEAST_RUNS} conclusive runs")
        elif rare is not None:
            entry = _compare_over_runs(replace(entry, paired=False), metric, margin, rare.difference, alone)
        elif alone and all(np.isfinite(each).all() for each in values):
            difference = difference_of_sequences(np.array(values[0]), np.array(values[1]))
            entry = _compare_over_runs(entry, metric, margin, difference, alone)
        else:
            difference = difference_of_means(np.array(values[0]), np.array(values[1]), paired)
            entry = _compare_over_runs(entry, metric, margin, difference, False)
        entries.append(entry)
    return entries


def _compare_over_runs(
    entry: Entry, metric: Metric, margin: float, difference: Difference | None, alone_in_batch: bool
) -> Entry:
    if difference is None and alone_in_batch:
        return replace(entry, verdict=TOO_SHORT, why="too few runs, or too similar ones, with no others in between")
    if difference is not None and difference.certain:
        return replace(entry, verdict=TOO_SHORT, why=f"all {entry.over} have the same figure: their spread is unknown")
    return entry.judged(metric.fault, margin, difference)


@dataclass(frozen=True)
class _RareEventDifference:
    """The difference of shares of rare events; None where it is too short to judge."""

    difference: Difference | None


def _compare_rare_events(
    metric: Metric, values: Sequence[npt.ArrayLike], job_counts: tuple[int, int], in_turns: bool = True
) -> _RareEventDifference | None:
    """Compare shares of which one side has hardly any hits, where `job_counts` are the numbers of jobs of each side.
    Return None if the metric is no share, or if every run has hits."""
    scale = 100 if metric.unit == "%" else 1
    sides = [np.asarray(side, np.float64) / scale for side in values]
    if metric.hits is None or not min(job_counts) or not all(np.isfinite(side).all() for side in sides):
        return None
    if not any(map(has_few_hits, sides)):
        return None
    # Some metrics are counts: a job may have more than one event.
    largest_count = max(1.0, *(float(side.max()) for side in sides))
    shares_a, shares_b = (side / largest_count for side in sides)
    difference = difference_of_rare_shares(shares_a, shares_b, job_counts, in_turns)
    return _RareEventDifference(difference and difference.times(largest_count * scale))


def _job_count(runs: Iterable[SetRun], metric: Metric) -> int:
    """Return the number of jobs to which the share refers."""
    return 0 if metric.hits is None else sum(metric.hits(run.summary.totals) for run in runs)


def _interleaved(one: Sequence[SetRun], other: Sequence[SetRun]) -> bool:
    """Return whether the runs of both sides, equal in number, took turns, so that slow changes affected both alike."""
    if len(one) != len(other) or len(one) < _LEAST_RUNS:
        return False
    start_times = [[run.began for run in side] for side in (one, other)]
    if None in start_times[0] or None in start_times[1]:
        return False
    marked = sorted([(str(at), 0) for at in start_times[0]] + [(str(at), 1) for at in start_times[1]])
    changes = sum(x[1] != y[1] for x, y in pairwise(marked))
    # Two batches one after the other have one change; random turns have about as many changes as runs of one side.
    return changes >= len(one) / 2 and changes > 1


def _compare_over_applications(entries: Sequence[Entry], margin: float, pairs: Sequence[_Pair]) -> list[Entry]:
    """Compare over applications. Each one counts as one value, the mean of its runs."""
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        if entry.over == "runs" and entry.why is None:
            groups.setdefault((entry.executor_a, entry.executor_b, entry.metric), []).append(entry)
    metrics = {metric.name: metric for metric in METRICS}
    runs = {(pair.application, *pair.executors): (pair.a, pair.b) for pair in pairs}
    new_entries = []
    for (one, other, name), entries_of_metric in groups.items():
        if len(entries_of_metric) < _LEAST_APPLICATIONS:
            continue
        values_a, values_b = (
            np.array([entry.a for entry in entries_of_metric]),
            np.array([entry.b for entry in entries_of_metric]),
        )
        n = len(entries_of_metric)
        entry = Entry(
            ALL, one, other, name, metrics[name].unit, float(values_a.mean()), float(values_b.mean()),
            float((values_b - values_a).mean()), over="applications", n_a=n, n_b=n, paired=True,
            unlike=tuple(dict.fromkeys(reason for entry in entries_of_metric for reason in entry.unlike)),
        )  # fmt: skip
        sides_by_application = [runs[each.application, one, other] for each in entries_of_metric]
        job_counts = [sum(_job_count(sides[side], metrics[name]) for sides in sides_by_application) for side in (0, 1)]
        # The spread among applications is not random: pairs tell more, as long as their figures differ.
        all_equal = np.ptp(values_a) == 0 or np.ptp(values_b) == 0
        rare = (
            _compare_rare_events(metrics[name], (values_a, values_b), (job_counts[0], job_counts[1]))
            if all_equal
            else None
        )
        difference = difference_of_means(values_a, values_b, paired=True) if rare is None else rare.difference
        new_entries.append(_compare_over_runs(entry, metrics[name], margin, difference, False))
    return new_entries


# ---- one entry ----------------------------------------------------------------------------------------------


def _value(run: SetRun, metric: Metric) -> float:
    """Return the figure of a run: NaN if it has none, infinite if too many samples are infinite."""
    value = metric.compute(run.summary.totals, run.summary.duration_s)
    return math.nan if value is None else value


def _entry(pair: _Pair, metric: Metric, values_a: Sequence[float], values_b: Sequence[float]) -> Entry | None:
    """Return an entry without a verdict; None if neither side has the figure."""
    if np.isnan(values_a).all() and np.isnan(values_b).all():
        return None
    with np.errstate(invalid="ignore"):
        a, b = float(np.mean(values_a)), float(np.mean(values_b))
    one, other = pair.executors
    return Entry(pair.application, one, other, metric.name, metric.unit, a, b, b - a)
