# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Random task sets, many of which are simulated together, each on a processor of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from takt_cli.results.sample_files import EXTRA, LATE, SKIPPED, UNFINISHED, Rows
from takt_cli.run.simulation import simulate
from takt_cli.spec.application import Application, Callback, Node, Qos, Topic

# All periods are multiples of this, so that hyperperiods are short: 80 and 120 units.
UNIT = 100_000
PERIODS = ((10, 20, 40, 80), (10, 12, 15, 20, 24, 30, 40, 60))
_TOGETHER = 100


def random_set(
    chance: random.Random, policy: str, synchronous: bool, sharing: bool, count: int | None = None
) -> Application:
    """Return a random application of `count` tasks, by default 2 to 6, with a utilisation from 0.4 to 1.02. With
    `sharing`, it may have groups of several tasks, and equal priorities."""
    periods = [UNIT * chance.choice(PERIODS[chance.randrange(2)]) for _ in range(count or chance.randint(2, 6))]
    if chance.random() < 0.7:
        kind = PERIODS[chance.randrange(2)]
        periods = [UNIT * chance.choice(kind) for _ in periods]
    load = chance.uniform(0.4, 1.02)
    parts = [chance.random() + 0.05 for _ in periods]
    priorities = chance.sample(range(1, 99), len(periods))
    if chance.random() < 0.5:
        # Rate monotonic priorities, as are usual: tasks with shorter periods are more urgent.
        order = sorted(range(len(periods)), key=lambda i: -periods[i])
        priorities = [sorted(priorities)[order.index(i)] for i in range(len(periods))]
    if sharing and chance.random() < 0.5:
        priorities = [chance.choice(priorities) for _ in priorities]
    deadlines = chance.choice(("implicit", "constrained", "beyond"))
    callbacks = []
    for i, period in enumerate(periods):
        wcet = max(1, int(load * parts[i] / sum(parts) * period))
        deadline, queue = period, 0
        if deadlines == "constrained":
            deadline = chance.randint(min(wcet, period), period)
        elif deadlines == "beyond":
            queue = chance.randint(1, 4)
            deadline = chance.randint(period // 2, (queue + 1) * period)
        phase = 0 if synchronous else chance.randrange(period)
        callbacks.append(Callback(f"c{i}", period, phase, deadline, priorities[i], wcet, queue))
    return Application("random", policy, Qos("reliable", 1), (), _nodes(chance, callbacks, sharing))


def _nodes(chance: random.Random, callbacks: list[Callback], sharing: bool) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for i, callback in enumerate(callbacks):
        if sharing and nodes and chance.random() < 0.5:
            nodes[-1] = replace(nodes[-1], callbacks=(*nodes[-1].callbacks, callback))
        else:
            nodes.append(Node(f"n{i}", chance.choice(("exclusive", "reentrant")), (callback,)))
    return tuple(nodes)


def with_ages(chance: random.Random, application: Application) -> Application:
    """Return the application with random reads among its tasks, each with a maximum age and none in a circle."""
    order = chance.sample(range(len(application.tasks)), len(application.tasks))
    changed: dict[int, Callback] = {}
    for place, index in enumerate(order):
        callback = replace(
            application.tasks[index].callback,
            publishes=(index,),
            extra_releases=chance.random() < 0.5,
            on_stale="skip" if chance.random() < 0.2 else "report",
        )
        if chance.random() < 0.5:
            callback = replace(callback, queue=callback.queue + 1)
        sources = [i for i in order[:place] if chance.random() < 0.4]
        ages = tuple(int(application.tasks[i].callback.period * chance.uniform(0.2, 3)) + 2 * UNIT for i in sources)
        changed[index] = replace(callback, reads=tuple(sources), max_ages=ages)
    numbers = iter(range(len(order)))
    return replace(
        application,
        topics=tuple(Topic(f"t{i}", 8) for i in range(len(order))),
        nodes=tuple(
            Node(node.name, node.group, tuple(changed[next(numbers)] for _ in node.callbacks))
            for node in application.nodes
        ),
    )


def with_budgets(chance: random.Random, application: Application) -> Application:
    """Return the application with random budgets, some below the WCET; where possible, such jobs may continue in the
    background."""

    def of(node: Node, callback: Callback) -> Callback:
        if chance.random() < 0.5:
            return callback
        lowered = (node.group == "reentrant" or len(node.callbacks) == 1) and chance.random() < 0.8
        budget = max(1, int(callback.wcet * chance.uniform(0.2, 1.2)))
        return replace(callback, budget=budget, on_budget="background" if lowered else "report")

    nodes = (replace(node, callbacks=tuple(of(node, each) for each in node.callbacks)) for node in application.nodes)
    return replace(application, nodes=tuple(nodes))


def with_both(chance: random.Random, application: Application) -> Application:
    return with_budgets(chance, with_ages(chance, application))


def simulated(sets: Sequence[Application], duration: int) -> list[Rows]:
    """Simulate applications that have the same policy. Return the jobs of each, with the task's index in its own
    application."""
    found: list[Rows] = []
    for begin in range(0, len(sets), _TOGETHER):
        some = sets[begin : begin + _TOGETHER]
        nodes: list[Node] = []
        topics: list[Topic] = []
        for s, each in enumerate(some):
            first_topic = len(topics)
            nodes += [_on(node, s, first_topic) for node in each.nodes]
            topics += [replace(topic, name=f"s{s}_{topic.name}") for topic in each.topics]
        together = replace(some[0], nodes=tuple(nodes), topics=tuple(topics))
        jobs = simulate(together, duration, len(some)).jobs
        first = np.cumsum([0] + [len(each.tasks) for each in some])
        number = np.searchsorted(first, jobs["task"], side="right") - 1
        jobs["task"] -= first[number].astype(np.uint32)
        found += [jobs[number == s] for s in range(len(some))]
    return found


def _on(node: Node, processor: int, first_topic: int) -> Node:
    callbacks = (
        replace(
            callback,
            processor=processor,
            reads=tuple(topic + first_topic for topic in callback.reads),
            publishes=tuple(topic + first_topic for topic in callback.publishes),
        )
        for callback in node.callbacks
    )
    return Node(f"s{processor}_{node.name}", node.group, tuple(callbacks))


def longest(application: Application, jobs: Rows) -> list[int]:
    """Return each task's longest response time, over the jobs on its grid that finished."""
    done = jobs[(jobs["finish"] >= 0) & ((jobs["flags"] & EXTRA) == 0)]
    worst = np.zeros(len(application.tasks), np.int64)
    np.maximum.at(worst, done["task"], done["finish"] - done["release"])
    return [int(value) for value in worst]


def missed(application: Application, jobs: Rows, end: int) -> bool:
    """Return whether any deadline up to `end` was missed."""
    jobs = jobs[(jobs["flags"] & EXTRA) == 0]
    deadlines = np.array([task.callback.deadline for task in application.tasks])[jobs["task"]]
    open_ = ((jobs["flags"] & UNFINISHED) != 0) & (jobs["release"] + deadlines <= end)
    return bool(np.any((jobs["flags"] & (LATE | SKIPPED)) != 0) or np.any(open_))
