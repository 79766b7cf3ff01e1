# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the search for priorities, against a search that tries all assignments."""

from __future__ import annotations

import itertools
import os
import random

import pytest
from msgspec.structs import replace
from random_task_sets import UNIT, random_set, with_ages

from takt_cli.schedulability.check import check
from takt_cli.schedulability.model import Costs, Demands, declared_wcets
from takt_cli.schedulability.priority_search import with_assigned_priorities
from takt_cli.schedulability.processor import Outcome
from takt_cli.spec.application import Application


@pytest.fixture(scope="module")
def chance() -> random.Random:
    seed = int(os.environ.get("TAKT_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"repeat with TAKT_SEED={seed}")
    return random.Random(seed)


def apart(application: Application) -> Application:
    return replace(application, nodes=tuple(replace(node, group="reentrant") for node in application.nodes))


def with_priorities(application: Application, order: tuple[int, ...]) -> Application:
    pairs = zip(application.tasks, order, strict=True)
    return application.with_callbacks({task.index: replace(task.callback, priority=each) for task, each in pairs})


@pytest.mark.parametrize("policy", ["fp", "np-fp"])
def test_priorities_are_found_where_there_are_any(chance: random.Random, policy: str) -> None:
    some = {True: 0, False: 0}
    for i in range(200):
        application = apart(random_set(chance, policy, True, False, chance.randint(2, 4)))
        demands = Demands(declared_wcets(application), Costs(preemption=2 * UNIT if i % 3 == 0 else 0))
        on = (0,) * len(application.tasks)
        found = with_assigned_priorities(application, on, demands)
        there_are = any(
            check(with_priorities(application, order), on, demands).outcome is Outcome.holds
            for order in itertools.permutations(range(1, len(on) + 1))
        )
        assert (found is not None) is there_are, (application, demands)
        some[there_are] += 1
    assert min(some.values()) > 10, some


@pytest.mark.parametrize("policy", ["fp", "np-fp", "dm"])
def test_priorities_are_found_for_a_set_that_holds_with_its_own(chance: random.Random, policy: str) -> None:
    """If a task set holds with its own priorities, the search finds priorities, too, although it ignores refreshing and
    knows little about groups."""
    holding = 0
    for _ in range(200):
        application = random_set(chance, policy, True, True)
        if len({task.callback.priority for task in application.tasks}) < len(application.tasks):
            continue
        application = with_ages(chance, application)
        demands, on = Demands(declared_wcets(application)), (0,) * len(application.tasks)
        if policy == "dm" or check(application, on, demands).outcome is not Outcome.holds:
            found = with_assigned_priorities(application, on, demands)
            assert found is None or check(found, on, demands).outcome is Outcome.holds
            continue
        holding += 1
        found = with_assigned_priorities(application, on, demands)
        assert found is not None, application
        assert check(found, on, demands).outcome is Outcome.holds
    assert policy == "dm" or holding > 0
