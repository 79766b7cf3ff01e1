# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Random applications that can really be run on one CPU, and the application that measures takt's own costs there."""

from __future__ import annotations

import random
from dataclasses import dataclass

from takt_cli.spec.units import format_duration
from takt_cli.synthetic.data_age_application import shares
from takt_cli.synthetic.text import yaml_text

_US, _MS = 1000, 1_000_000
# Chosen so that a few seconds contain many jobs and the hyperperiod is short.
_PERIODS = ((8, 16, 32, 64), (10, 12, 15, 20, 24, 30, 40, 60))
# The shortest WCET: far above takt's own costs.
_SHORTEST = 300 * _US
_UTILISATIONS = (0.4, 0.9)


@dataclass(frozen=True)
class RandomApplication:
    """Identifies a random application. `attempt` counts the ones drawn for the same seed and number."""

    seed: int
    number: int
    policy: str
    attempt: int = 0

    @property
    def name(self) -> str:
        return f"set-{self.number:02}-{self.policy}"


def random_spec(random_application: RandomApplication) -> str:
    """Return the spec as YAML: 3 to 6 tasks at a utilisation of 0.4 to 0.9. In about every other application some tasks
    share a node, so that their jobs exclude each other; in about every third one reads what another publishes."""
    chance = random.Random(f"{random_application.seed}/{random_application.number}/{random_application.attempt}")
    count = chance.randint(3, 6)
    kind = chance.choice(_PERIODS)
    periods = sorted(_MS * chance.choice(kind) for _ in range(count))
    priorities = sorted(chance.sample(range(1, 99), count), reverse=True)
    if chance.random() < 0.3:
        chance.shuffle(priorities)  # otherwise a shorter period has a higher priority, as is usual
    has_groups, constrained = chance.random() < 0.5, chance.random() < 0.4
    utilisations = shares(count, chance.uniform(*_UTILISATIONS), chance)
    chance.shuffle(utilisations)
    tasks = []
    for i, (period, share) in enumerate(zip(periods, utilisations, strict=True)):
        wcet = max(int(share * period), _SHORTEST) // _US * _US
        deadline = chance.randint(max(wcet, period // 2) // _US, period // _US) * _US if constrained else period
        phase = 0 if has_groups else chance.randrange(period // _US) * _US
        timing = {"period": period, "phase": phase, "deadline": deadline, "wcet": wcet}
        tasks.append((f"c{i}", timing, priorities[i]))
    exchange = chance.sample(range(count), 2) if chance.random() < 1 / 3 else []
    return _spec_text(random_application, tasks, exchange, _nodes(chance, count, chance.random() < 0.5))


def _nodes(chance: random.Random, count: int, has_groups: bool) -> list[list[int]]:
    nodes: list[list[int]] = []
    for i in chance.sample(range(count), count):
        if has_groups and nodes and len(nodes[-1]) < 3 and chance.random() < 0.5:
            nodes[-1].append(i)
        else:
            nodes.append([i])
    if has_groups and len(nodes) == count:
        nodes[-2:] = [nodes[-2] + nodes[-1]]
    return nodes


def _spec_text(
    random_application: RandomApplication,
    tasks: list[tuple[str, dict[str, int], int]],
    exchange: list[int],
    nodes: list[list[int]],
) -> str:
    topics = {"data": "4KiB"} if exchange else {}
    callbacks = []
    for i, (name, timing, priority) in enumerate(tasks):
        durations = {key: format_duration(value) for key, value in timing.items()}
        exchanged = {("publishes", "reads")[exchange.index(i)]: "[data]"} if i in exchange else {}
        callbacks.append({"name": name, **durations, "priority": str(priority), **exchanged})
    grouped = {f"n{n}": [callbacks[i] for i in members] for n, members in enumerate(nodes)}
    return yaml_text(random_application.name, random_application.policy, topics, grouped)
