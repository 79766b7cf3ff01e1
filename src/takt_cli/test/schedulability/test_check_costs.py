# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the analyses with jitter, middleware sections and overheads, which the model lacks, against a scheduler that
has them."""

from __future__ import annotations

import dataclasses
import os
import random

import pytest
import reference_scheduler
from msgspec.structs import replace
from random_task_sets import UNIT, random_set

from takt_cli.schedulability.check import check
from takt_cli.schedulability.model import Costs, Demands, declared_wcets, task_set
from takt_cli.schedulability.processor import Outcome
from takt_cli.spec.application import Application, Callback, Topic

POLICIES = ("fp", "dm", "edf", "np-fp", "np-edf")
SETS = 60
_END = 240 * UNIT

Run = tuple[Application, Costs, list[int]]


@pytest.fixture(scope="module")
def chance() -> random.Random:
    seed = int(os.environ.get("TAKT_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"repeat with TAKT_SEED={seed}")
    return random.Random(seed)


def costs_of(chance: random.Random) -> Costs:
    def some(most: int) -> int:
        return chance.choice((0, chance.randrange(most)))

    return Costs(some(UNIT // 4), some(UNIT // 4), some(2 * UNIT), some(12 * UNIT))


def publishing(chance: random.Random, application: Application) -> Application:
    """Return the application with random publications, and thus with middleware sections."""
    numbers = iter(range(len(application.tasks)))

    def of(callback: Callback) -> Callback:
        number = next(numbers)
        return replace(callback, publishes=(number,) if chance.random() < 0.7 else ())

    nodes = tuple(replace(node, callbacks=tuple(map(of, node.callbacks))) for node in application.nodes)
    return replace(application, nodes=nodes, topics=tuple(Topic(f"t{i}", 8) for i in range(len(application.tasks))))


@pytest.fixture(scope="module")
def runs(chance: random.Random) -> list[Run]:
    found = []
    for policy in POLICIES:
        for i in range(SETS):
            application = publishing(chance, random_set(chance, policy, i % 3 == 0, i % 2 == 1))
            costs = costs_of(chance)
            wcets = declared_wcets(application)
            tasks = task_set(application, application.tasks, Demands(wcets, costs))
            worst = [0] * len(wcets)
            for _ in range(4):
                phases = [
                    chance.choice((t.phase, chance.randrange(2), chance.randrange(t.period))) for t in tasks.tasks
                ]
                times = reference_scheduler.responses(tasks, wcets, costs, phases, _END, chance)
                worst = [max(pair) for pair in zip(worst, times, strict=True)]
            found.append((application, costs, worst))
    return found


def above(run: Run, counted: Costs) -> bool:
    """Return whether a response time exceeds its bound, or a deadline is missed although the analysis says that the set
    holds."""
    application, _, worst = run
    found = check(application, [0] * len(worst), Demands(declared_wcets(application), counted))
    late = any(w > t.callback.deadline for w, t in zip(worst, application.tasks, strict=True))
    bounds = [found.responses[task.index].response for task in application.tasks]
    longer = any(b is not None and w > b for w, b in zip(worst, bounds, strict=True))
    return longer or (late and found.outcome is Outcome.holds)


def test_no_response_is_above_its_bound(runs: list[Run]) -> None:
    for run in runs:
        assert not above(run, run[1]), run


@pytest.mark.parametrize("forgotten", ["job", "preemption", "section", "jitter"])
def test_an_analysis_that_forgets_a_cost_is_caught(runs: list[Run], forgotten: str) -> None:
    assert sum(above(run, dataclasses.replace(run[1], **{forgotten: 0})) for run in runs) > 0
