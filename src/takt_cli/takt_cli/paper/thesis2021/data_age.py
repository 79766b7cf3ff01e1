# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.5 of the thesis: the age of the data that the most urgent node uses, with and without a bound."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

from takt_cli.analysis.data_age import data_ages
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.paper.batch_part import BatchPart, Items, LazyApplication
from takt_cli.paper.paper import Setup
from takt_cli.paper.scale import SHORTEST, Scale
from takt_cli.paper.statistics import miss_row, seven_figures
from takt_cli.paper.thesis2021.cases import DURATION
from takt_cli.paper.thesis2021.data_age_checks import BASELINE1, BOUNDED, PHASES_MS, PROPOSED
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic.data_age_application import PERIODS, REST, DataAgeCase, OtherNode, data_age_spec
from takt_cli.synthetic.generate import generate
from takt_cli.synthetic.parameters import Parameters

_MS = 10**6
LIMIT = 40 * _MS
OTHERS = (4, 20, 50)
PHASES = tuple(phase * _MS for phase in PHASES_MS)
_EXECUTORS = {BASELINE1: ("baseline1", False), PROPOSED: ("takt", False), BOUNDED: ("takt", True)}


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


def _items(setup: Setup) -> Items:
    applications, pairs = [], []
    for others in OTHERS:
        for phase in PHASES:
            for bounded in (False, True):
                make_application = partial(_application, others, bounded, phase, setup.seed)
                applications.append(LazyApplication(_name(others, bounded, phase), others + 2, make_application))
            pairs += [(_name(others, bounded, phase), name) for name, bounded in _EXECUTORS.values()]
    length = max(round(DURATION * setup.factor / _MS) * _MS, SHORTEST)
    return Items(tuple(applications), tuple(pairs), Scale(setup.factor, 1, length))


def _statistics(results: ResultSet) -> dict[str, Any]:
    rows = []
    for others in OTHERS:
        for printed, (executor, bounded) in _EXECUTORS.items():
            names = {_name(others, bounded, phase) for phase in PHASES}
            runs = [run for run in results.runs if run.executor == executor and run.application in names]
            rows.append(
                {"nodes": others + 2, "executor": printed, "runs_by": executor, "bounded": bounded} | _row(runs)
            )
    return {"rows": rows, "limit_ms": LIMIT / _MS}


def _row(runs: list[SetRun]) -> dict[str, Any]:
    data = [data_ages(read_result(run.folder), LIMIT) for run in runs]
    ages = np.concatenate([np.empty(0), *(each.ages for each in data)])
    finite = np.isfinite(ages)
    return miss_row(runs) | {
        "age_ms": seven_figures(ages[finite] / _MS),
        "no_message_yet": int((~finite).sum()),
        "above_limit": sum(each.above_limit for each in data),
        "above_limit_host": sum(each.above_limit_host for each in data),
    }


DATA_AGE = BatchPart("data-age", "data age, tables 5.12 to 5.14, figures 5.11 to 5.13", _items, _statistics)
