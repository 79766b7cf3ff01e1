# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.5 of the thesis: the age of the data that the most urgent node uses, with and without a bound."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from takt_cli.analysis.data_age import data_ages
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import ResultSet
from takt_cli.paper.batch_part import SHORTEST, BatchFigures, BatchPart, BatchSettings, Items, LazyApplication, Scale
from takt_cli.paper.claims import Way
from takt_cli.paper.statistics import Misses, Seven, find_row, find_rows, misses_of, seven_figures
from takt_cli.paper.thesis2021.cases import DURATION
from takt_cli.paper.verdict import Finding, Outcome, count, holds, inconclusive, missing_data, number
from takt_cli.results.structures import extended
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic.data_age_application import PERIODS, REST, DataAgeCase, OtherNode, data_age_spec
from takt_cli.synthetic.generate import generate
from takt_cli.synthetic.parameters import Parameters

_MS = 10**6
LIMIT = 40 * _MS
OTHERS = (4, 20, 50)
# With the reader and its producer.
APPLICATIONS = (6, 22, 52)
# The age depends on the reader's phase relative to its producer, which the thesis left to chance in each of its five
# runs. Here the phases are spread over the producer's period, with one run at each.
PHASES = tuple(phase * _MS for phase in (0, 10, 20, 30, 40))
BASELINE1, PROPOSED, BOUNDED = "baseline1", "proposed", "proposed with data age constraint"
"""The executors as the thesis's tables name them; takt runs in place of the latter two."""
_EXECUTORS = {BASELINE1: ("baseline1", False), PROPOSED: ("takt", False), BOUNDED: ("takt", True)}
# Our names of them.
NAMES = {BASELINE1: "baseline1", PROPOSED: "takt without a bound", BOUNDED: "takt with the bound"}


class AgeRow(Misses, frozen=True, kw_only=True):
    """The data age of the critical node under an executor, as the thesis's tables name it; `runs_by` is ours."""

    nodes: int
    executor: str
    runs_by: str
    bounded: bool
    age_ms: Seven | None
    no_message_yet: int
    above_limit: int
    above_limit_host: int

    @property
    def is_complete(self) -> bool:
        """True if there are runs at every phase, and samples."""
        return self.runs >= len(PHASES) and self.age_ms is not None


class AgeFigures(BatchFigures, frozen=True, kw_only=True):
    rows: list[AgeRow]
    limit_ms: float


def _application(others: int, bounded: bool, phase: int, seed: int) -> Spec:
    aged = DataAgeCase(others, LIMIT if bounded else None, phase, seed)
    text = data_age_spec(aged, _other_nodes(others, seed), "512KiB").encode()
    file = f"{_name(others, bounded, phase)}.yaml"
    return Spec(file, text, parse_spec(text, file))


@lru_cache(maxsize=8)
def _other_nodes(others: int, seed: int) -> tuple[OtherNode, ...]:
    """Return the other nodes of table 5.11, with evenly distributed periods and rate-monotonic priorities.

    The table's utilisation of 0.75 includes the reader and its producer.
    """
    application = generate(Parameters(others, round(REST, 9), PERIODS), seed).application
    return tuple(
        OtherNode(task.callback.period, task.callback.wcet, task.callback.priority) for task in application.tasks
    )


def _name(others: int, bounded: bool, phase: int) -> str:
    return f"n{others + 2:02}-{'bounded' if bounded else 'any-age'}-{phase // _MS}ms"


def _items(settings: BatchSettings) -> Items:
    applications, pairs = [], []
    for others in OTHERS:
        for phase in PHASES:
            for bounded in (False, True):
                make_application = partial(_application, others, bounded, phase, settings.seed)
                applications.append(LazyApplication(_name(others, bounded, phase), others + 2, make_application))
            pairs += [(_name(others, bounded, phase), name) for name, bounded in _EXECUTORS.values()]
    length = max(round(DURATION * settings.scale / _MS) * _MS, SHORTEST)
    return Items(applications, pairs, Scale(1, length))


def _figures(results: ResultSet, common: BatchFigures) -> AgeFigures:
    rows = [_row(results, others, executor) for others in OTHERS for executor in _EXECUTORS]
    return extended(common, AgeFigures, rows=rows, limit_ms=LIMIT / _MS)


def _row(results: ResultSet, others: int, printed: str) -> AgeRow:
    executor, bounded = _EXECUTORS[printed]
    names = {_name(others, bounded, phase) for phase in PHASES}
    runs = [run for run in results.runs if run.executor == executor and run.application in names]
    data = [data_ages(read_result(run.folder), LIMIT) for run in runs]
    ages = np.concatenate([np.empty(0), *(each.ages for each in data)])
    finite = np.isfinite(ages)
    return extended(
        misses_of(runs),
        AgeRow,
        nodes=others + 2,
        executor=printed,
        runs_by=executor,
        bounded=bounded,
        age_ms=seven_figures(ages[finite] / _MS),
        no_message_yet=int((~finite).sum()),
        above_limit=sum(each.above_limit for each in data),
        above_limit_host=sum(each.above_limit_host for each in data),
    )


PART = BatchPart("data-age", AgeFigures, _items, _figures)


class LowerAge(Way, frozen=True):
    """The mean age under an executor is below that under each of the others: better if the printed reduction is
    exceeded, confirmed if `least` is reached. Of several results the least favourable one decides."""

    nodes: int
    executor: str
    than: tuple[str, ...]
    least: float
    printed: float

    def judge(self, figures: AgeFigures) -> Finding:
        mean, text = self._mean(figures, self.executor)
        changes, texts = [], []
        for executor in self.than:
            other, other_text = self._mean(figures, executor)
            changes.append(100 * (mean / other - 1))
            texts.append(f"{changes[-1]:+.0f} %: {text}, {other_text}")
        largest, why = max(changes), "; ".join(texts)
        return Finding(Outcome.better, why) if largest < -self.printed else holds(largest <= -self.least, why)

    def _mean(self, figures: AgeFigures, executor: str) -> tuple[float, str]:
        """Return the mean age in ms and its description. Raises NotJudged unless there are runs at every phase."""
        row = find_row(figures.rows, nodes=self.nodes, executor=executor)
        if row is None or not row.is_complete or row.age_ms is None:
            raise missing_data(f"{NAMES[executor]} at every phase")
        mean = row.age_ms.mean
        return mean, f"{NAMES[executor]} {number(mean)} ms (n = {row.age_ms.n} in {count(row.runs, 'run')})"


class NeverOlder(Way, frozen=True):
    """No age is above the bound in any application."""

    def judge(self, figures: AgeFigures) -> Finding:
        found = find_rows(figures.rows, executor=BOUNDED)
        rows = [(row, ages) for row in found if (ages := row.age_ms) is not None]
        if not rows:
            raise missing_data("takt with the bound")
        above, host = sum(row.above_limit for row, _ in rows), sum(row.above_limit_host for row, _ in rows)
        oldest, total = max(ages.max for _, ages in rows), sum(ages.n or 0 for _, ages in rows)
        applications = f"{len(rows)} of {len(APPLICATIONS)} applications"
        why = f"{above} of {total} above 40 ms, the oldest {number(oldest)} ms, {applications}"
        why += f", {host} of them during stalls of the host" if host else ""
        if above > host:
            return Finding(Outcome.refuted, why)
        if len(rows) < len(APPLICATIONS) or not all(row.is_complete for row, _ in rows):
            return inconclusive(why, "some applications were not run at every phase")
        return inconclusive(why) if above else Finding(Outcome.confirmed, why)


WAYS = (LowerAge, NeverOlder)
