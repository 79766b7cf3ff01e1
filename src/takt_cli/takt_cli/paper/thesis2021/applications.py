# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Specs for the thesis's combinations of parameters, made by the generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.paper.batch_part import BatchSettings, Items, LazyApplication
from takt_cli.paper.scale import scale_for
from takt_cli.paper.statistics import misses_of
from takt_cli.paper.thesis2021.cases import DURATION, RUNS, Case, CaseRowT
from takt_cli.spec.load import Spec
from takt_cli.synthetic.generate import generate
from takt_cli.synthetic.parameters import Parameters

_MS = 10**6


def items(settings: BatchSettings, cases: Sequence[Case], executors: Sequence[str]) -> Items:
    """Return every case under every executor, with the number and length of runs of the scale."""
    applications = [LazyApplication(case.name, case.nodes, partial(spec_of, case, settings.seed)) for case in cases]
    pairs = [(case.name, executor) for case in cases for executor in executors]
    return Items(applications, pairs, scale_for(settings.scale, RUNS, DURATION))


def case_rows(
    kind: type[CaseRowT],
    results: ResultSet,
    cases: Sequence[Case],
    executors: Sequence[str],
    further: Callable[[list[SetRun]], dict[str, Any]] = lambda _: {},
) -> list[CaseRowT]:
    """Return a row of every case under every executor, with the misses and the `further` fields of its runs."""
    rows = []
    for case in cases:
        for executor in executors:
            runs = runs_of_application(results, case.name, executor)
            misses = msgspec.structs.asdict(misses_of(runs))
            rows.append(kind(executor=executor, **case.fields, **misses, **further(runs)))
    return rows


def runs_of_application(results: ResultSet, application: str, executor: str) -> list[SetRun]:
    """Return the runs of an application under an executor."""
    return [run for run in results.runs if (run.application, run.executor) == (application, executor)]


def spec_of(case: Case, seed: int) -> Spec:
    """Return the generated spec of a case.

    All message sizes use the same seed, so that only the WCETs differ, which include the filling of messages.
    """
    parameters = Parameters(
        nodes=case.nodes,
        utilisation=case.utilisation,
        periods=tuple(period * _MS for period in case.periods),
        pubsub=case.pubsub,
        message_size=case.size,
    )
    return generate(parameters, seed, case.name)
