# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of analyses of many tasks: they agree with simple analyses on few tasks, and their effort grows slowly."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import plain_analysis as plain
import pytest
from msgspec.structs import replace
from random_task_sets import UNIT, random_set

import takt_cli
from takt_cli.schedulability import earliest_deadline, fixed_priority
from takt_cli.schedulability.check import check
from takt_cli.schedulability.check_summary import check_summary
from takt_cli.schedulability.columns import integers
from takt_cli.schedulability.deadline_growth import DeadlineGrowth
from takt_cli.schedulability.due_work import DueWork
from takt_cli.schedulability.model import Costs, Demands, declared_wcets, task_set
from takt_cli.schedulability.priority_growth import PriorityGrowth
from takt_cli.schedulability.processor import Outcome, holds
from takt_cli.schedulability.processor_demand import demand, processor_demand
from takt_cli.schedulability.proposals import proposed_changes
from takt_cli.schedulability.task import TaskSet
from takt_cli.schedulability.wcet_limits import WcetLimits, wcet_limits
from takt_cli.schedulability.workload import Workload, workload
from takt_cli.spec.application import Application, Callback, Node, Qos, Topic

PACKAGE = str(Path(takt_cli.__file__).parent)
FIXED = ("fp", "np-fp", "dm", "np-dm")
DEADLINES = ("edf", "np-edf")
NEARLY_FULL = 0.998


@pytest.fixture(scope="module")
def chance() -> random.Random:
    seed = int(os.environ.get("TAKT_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"repeat with TAKT_SEED={seed}")
    return random.Random(seed)


def drawn(chance: random.Random, policy: str, count: int | None = None) -> TaskSet:
    """Draw a random task set; some have costs, many different periods, or tasks that read a topic."""
    application = random_set(chance, policy, chance.random() < 0.5, chance.random() < 0.5, count)
    if chance.random() < 0.3:
        application = with_callbacks(application, lambda c: with_longer_period(c, chance.randrange(100)))
    if chance.random() < 0.5:
        application = replace(application, topics=(Topic("t", 8),))
        application = with_callbacks(application, lambda c: replace(c, reads=(0,) if chance.random() < 0.5 else ()))
    costs = Costs()
    if chance.random() < 0.5:
        costs = Costs(
            job=chance.choice((0, UNIT // 20)),
            preemption=chance.choice((0, UNIT // 10)),
            section=chance.choice((0, UNIT // 2)),
            jitter=chance.choice((0, 0, UNIT // 3, UNIT)),
            release=chance.choice((0, UNIT // 50)),
            others=chance.choice((0, UNIT // 5)),
            burst=chance.choice((0, UNIT)),
        )
    return task_set(application, application.tasks, Demands(declared_wcets(application), costs))


def with_callbacks(application: Application, changed: Callable[[Callback], Callback]) -> Application:
    nodes = (replace(node, callbacks=tuple(map(changed, node.callbacks))) for node in application.nodes)
    return replace(application, nodes=tuple(nodes))


def with_longer_period(callback: Callback, more: int) -> Callback:
    deadline = callback.deadline + more if callback.deadline == callback.period else callback.deadline
    return replace(callback, period=callback.period + more, deadline=deadline)


# ---- the fast analyses agree with the plain ones


@pytest.mark.parametrize("policy", FIXED)
def test_responses_by_priority_are_those_of_the_plain_analysis(chance: random.Random, policy: str) -> None:
    bounded = 0
    for _ in range(150):
        tasks = drawn(chance, policy)
        for index, bound in enumerate(fixed_priority.responses(tasks, range(len(tasks.tasks)))):
            if bound.response is None and "too many" in bound.why:
                continue
            assert (bound.response, bound.blocking, bound.blocker) == plain.fixed_priority(tasks, index), (tasks, index)
            bounded += bound.response is not None
    assert bounded > 100


@pytest.mark.parametrize("policy", DEADLINES)
def test_responses_by_deadline_are_those_of_the_plain_analysis(chance: random.Random, policy: str) -> None:
    bounded = 0
    for _ in range(150):
        tasks = drawn(chance, policy)
        # The plain analysis examines whole busy periods, which are very long or endless on an almost full processor.
        if tasks.utilisation > NEARLY_FULL:
            continue
        for index, bound in enumerate(earliest_deadline.responses(tasks, range(len(tasks.tasks)))):
            if bound.response is not None:
                assert bound == plain.earliest_deadline(tasks, index), (tasks, index)
                bounded += 1
    assert bounded > 100


def test_processor_demand_is_that_of_the_plain_analysis(chance: random.Random) -> None:
    """The analysis says that the demand fits if and only if it does so within all lengths up to the hyperperiod; a
    length that it names is exceeded."""
    outcomes = {True: 0, False: 0}
    for _ in range(300):
        tasks = drawn(chance, chance.choice(DEADLINES))
        if tasks.utilisation > 1 or tasks.hyperperiod > 10_000 * UNIT or any(t.jitter for t in tasks.tasks):
            continue
        found = processor_demand(tasks)
        lengths = {
            task.deadline + k * task.period for task in tasks.tasks for k in range(tasks.hyperperiod // task.period)
        }

        def exceeded(length: int, of: TaskSet = tasks) -> bool:
            return demand(of, length) + plain.blocking_of_deadline(of, length)[0] > length

        assert found.fits is not any(map(exceeded, lengths)), tasks
        assert found.length is None or exceeded(found.length), tasks
        outcomes[found.fits] += 1
    assert min(outcomes.values()) > 5, outcomes


@pytest.mark.parametrize("policy", [*FIXED, *DEADLINES])
def test_a_larger_wcet_than_the_largest_permitted_one_does_not_hold(chance: random.Random, policy: str) -> None:
    some = 0
    for _ in range(200):
        tasks = drawn(chance, policy)
        # On a full processor, the busy periods of the plain analysis are as long as the hyperperiod.
        if tasks.hyperperiod > 10_000 * UNIT or any(task.jitter for task in tasks.tasks):
            continue
        growth = DeadlineGrowth(tasks) if tasks.by_deadline else PriorityGrowth(tasks)
        for index, task in enumerate(tasks.tasks):
            least, most = chance.randrange(0, task.wcet + 1), max(task.deadline, task.wcet)
            found = growth.largest(index, least, most)
            if found is None:
                assert not holds(plain.with_one(tasks, index, least)), (tasks, index, least)
                continue
            assert least <= found <= most
            assert holds(plain.with_one(tasks, index, found)), (tasks, index, found)
            if found < most:
                some += 1
                assert not holds(plain.with_one(tasks, index, found + 1)), (tasks, index, found)
    assert some > 20


def test_many_parts_are_counted_as_few_are(chance: random.Random) -> None:
    """Workloads use arrays if they have many parts, and a loop if they have few or if instants are very large; both
    give the same result."""
    parts = [(chance.randint(10**7, 10**9), chance.randint(0, 10**9), chance.randint(0, 10**6)) for _ in range(40)]
    periods, jitters, wcets = (integers(list(each)) for each in zip(*parts, strict=True))
    many = workload(periods, jitters, wcets)
    few = [workload(periods[i : i + 4], jitters[i : i + 4], wcets[i : i + 4]) for i in range(0, 40, 4)]
    for length in (0, 1, *(chance.randint(0, 10**15) for _ in range(20)), 1 << 62):
        assert many.up_to(length) == sum(each.up_to(length) for each in few)
        assert many.before(length) == sum(each.before(length) for each in few)
    assert many.plus(7, 3, 5).up_to(100) == many.up_to(100) + 15 * 5


# ---- the effort grows slowly


def equal_tasks(count: int, policy: str) -> TaskSet:
    """Return a task set with a utilisation of 0.5."""
    application = alike_application(count, policy, 0.5)
    return task_set(application, application.tasks, Demands(declared_wcets(application)))


def alike_application(count: int, policy: str, utilisation: float) -> Application:
    """Return an application with this utilisation, five different periods, rate-monotonic priorities and two tasks per
    node."""
    chance = random.Random(7)
    periods = [UNIT * chance.choice((100, 200, 400, 500, 1000)) for _ in range(count)]
    order = sorted(range(count), key=lambda i: -periods[i])
    priorities = {index: 1 + 98 * place // count for place, index in enumerate(order)}
    callbacks = [
        Callback(f"c{i}", period, 0, period, priorities[i], int(period * utilisation / count))
        for i, period in enumerate(periods)
    ]
    nodes = [Node(f"n{i}", "exclusive", tuple(callbacks[i : i + 2])) for i in range(0, count, 2)]
    return Application("alike", policy, Qos("reliable", 1), (), tuple(nodes))


@pytest.mark.parametrize("policy", ["fp", "dm", "np-dm", "edf", "np-edf"])
def test_the_number_of_examined_instants_grows_linearly(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With four times the tasks, work is counted at not much more than four times as many instants."""
    counted = {100: 0, 400: 0}
    for kind in (Workload, DueWork):
        up_to = kind.up_to

        def noted(self: Any, length: int, up_to: Callable[[Any, int], int] = up_to) -> int:
            counted[len(tasks.tasks)] += 1
            return up_to(self, length)

        monkeypatch.setattr(kind, "up_to", noted)
    for count in counted:
        tasks = equal_tasks(count, policy)
        analysis = earliest_deadline if tasks.by_deadline else fixed_priority
        analysis.responses(tasks, range(count))
        growth = DeadlineGrowth(tasks) if tasks.by_deadline else PriorityGrowth(tasks)
        for index in range(count):
            assert growth.largest(index, 0, tasks.tasks[index].deadline) is not None
    assert 0 < counted[100] < 100 * 150, counted
    assert counted[400] < 6 * counted[100], counted


def connected(count: int, policy: str, utilisation: float, aged: bool) -> Application:
    """Return the application of `alike_application` with topics: tasks form chains of five, each of which reads what
    the one before publishes, and one task in ten also reads the first topic. With `aged`, the last task of each chain
    bounds the age of what it reads."""
    application = alike_application(count, policy, utilisation)
    periods = [task.callback.period for task in application.tasks]
    numbers = iter(range(count))

    def reading(callback: Callback) -> Callback:
        i = next(numbers)
        reads = (() if i % 5 == 0 else (i - 1,)) + ((0,) if i % 10 == 3 else ())
        bounded = aged and i % 5 == 4
        ages = tuple(3 * periods[each] for each in reads) if bounded else ()
        return replace(callback, reads=reads, publishes=(i,), max_ages=ages)

    return replace(with_callbacks(application, reading), topics=tuple(Topic(f"t{i}", 8) for i in range(count)))


def calls_of(what: Callable[[], Any]) -> int:
    """Return how many functions of takt_cli are called while `what` runs."""
    calls, before = 0, sys.getprofile()

    def noted(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(PACKAGE)

    sys.setprofile(noted)
    try:
        what()
    finally:
        sys.setprofile(before)
    return calls


def check_completely(application: Application, outcome: Outcome, with_room: bool) -> None:
    """Do all that `takt check` does: analysis with reads and refreshes, chains, and proposals. With `with_room`, also
    compute how far WCETs may grow, which takes a complete analysis for each step if ages are bounded."""
    on, demands = (0,) * len(application.tasks), Demands(declared_wcets(application))
    checked = check(application, on, demands)
    rooms = {p.number: wcet_limits(application, p, demands) for p in checked.processors} if with_room else {}
    summary = check_summary(checked, rooms)
    mended = proposed_changes(checked, on, rooms or {0: WcetLimits(Fraction(0), {})})
    assert checked.outcome is outcome
    assert len(summary.reads) >= 4 * len(on) // 5
    assert len(summary.chains) >= len(on) // 5
    assert bool(mended) == (with_room and outcome is Outcome.fails)


@pytest.mark.parametrize("policy", ["fp", "dm", "np-dm", "edf", "np-edf"])
@pytest.mark.parametrize(
    ("utilisation", "aged"),
    [(0.5, False), (0.5, True), (1.2, False), (1.2, True)],
    ids=["", "aged", "full", "full aged"],
)
def test_the_effort_for_a_complete_answer_grows_about_linearly(policy: str, utilisation: float, aged: bool) -> None:
    """With topics, reads and bounds of the age, four times the tasks need less than ten times as many function
    calls."""
    outcome = Outcome.fails if utilisation > 1 else Outcome.holds
    counted = {
        count: calls_of(partial(check_completely, connected(count, policy, utilisation, aged), outcome, not aged))
        for count in (100, 400)
    }
    assert 0 < counted[100] < 2500 * 100, counted
    assert counted[400] < 10 * counted[100], counted
