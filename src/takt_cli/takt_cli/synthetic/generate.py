# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Draws one application from one combination of parameters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from takt_cli.spec.application import Task
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic import automotive
from takt_cli.synthetic.exchange import Exchange, draw_exchange
from takt_cli.synthetic.parameters import Parameters
from takt_cli.synthetic.periods import draw_periods
from takt_cli.synthetic.priorities import draw_priorities
from takt_cli.synthetic.restrictions import check_restrictions
from takt_cli.synthetic.text import Timing, spec_text
from takt_cli.synthetic.wcets import draw_deadlines, drawn_wcets, least_work, of_runnables

ALONE = "no callback publishes by its share: that takes at least two callbacks outside of chains"


class DrawnTask(msgspec.Struct, frozen=True):
    """A drawn callback, and of how many runnables it consists if its WCET was drawn as theirs."""

    task: str
    period_ns: int
    wcet_ns: int
    utilisation: float
    deadline_ns: int
    priority: int
    runnables: int | UnsetType = UNSET
    best_us: float | UnsetType = UNSET
    average_us: float | UnsetType = UNSET

    @classmethod
    def of(cls, task: Task, runnables: Sequence[automotive.Runnable] | None) -> DrawnTask:
        """Describe a task; `runnables` is None if there are none in its application."""
        each = task.callback
        drawn = cls(task.id, each.period, each.wcet, each.utilisation, each.deadline, each.priority)
        if runnables is None:
            return drawn
        best, average = (sum(times) for times in ([r.best for r in runnables], [r.average for r in runnables]))
        return msgspec.structs.replace(drawn, runnables=len(runnables), best_us=best, average_us=average)


class DrawnApplication(msgspec.Struct, frozen=True):
    """A drawn application in generated.json."""

    seed: int
    parameters: dict[str, Any]
    utilisation_wanted: float
    utilisation: float
    topics: int
    readers: int
    chains: list[list[str]]
    notes: list[str]
    tasks: list[DrawnTask]


@dataclass(frozen=True)
class Generated:
    """A drawn application, with the parameters, seed and random choices that led to it."""

    spec: Spec
    parameters: Parameters
    seed: int
    exchange: Exchange
    notes: tuple[str, ...]
    runnables: tuple[tuple[automotive.Runnable, ...], ...] = ()

    @property
    def utilisation(self) -> float:
        return self.spec.application.utilisation

    @property
    def record(self) -> DrawnApplication:
        """What generated.json says about the application."""
        application = self.spec.application
        tasks = [DrawnTask.of(task, runnables) for task, runnables in zip_longest(application.tasks, self.runnables)]
        return DrawnApplication(
            seed=self.seed,
            parameters=self.parameters.plain(),
            utilisation_wanted=self.parameters.utilisation,
            utilisation=self.utilisation,
            topics=len(application.topics),
            readers=len(self.exchange.reads),
            chains=[[application.tasks[i].id for i in chain] for chain in self.exchange.chains],
            notes=list(self.notes),
            tasks=tasks,
        )


def generate(parameters: Parameters, seed: int, name: str | None = None) -> Spec:
    """Draw an application: the same for the same parameters and seed. Raises a ParameterError."""
    return draw(parameters, seed, name).spec


def draw(
    parameters: Parameters, seed: int, name: str | None = None, origin: str = "", notes: tuple[str, ...] = ()
) -> Generated:
    """Draw an application with its random choices. `origin` and `notes` become comments at the head of the spec."""
    parameters.check()
    chance = random.Random(f"takt/{seed}")
    periods = draw_periods(parameters.periods, parameters.tasks, chance)
    exchange = draw_exchange(parameters, periods, chance)
    least_wcets = least_work(parameters, periods, exchange)
    runnables: list[list[automotive.Runnable]] = []
    if parameters.wcets == "automotive":
        wcets, runnables = of_runnables(parameters, periods, least_wcets, chance)
    else:
        wcets = drawn_wcets(parameters, periods, least_wcets, chance)
    deadlines = draw_deadlines(parameters, periods, wcets, chance)
    priorities = draw_priorities(parameters.priorities, periods, chance)
    timing = [Timing(*each) for each in zip(periods, wcets, deadlines, priorities, strict=True)]
    counts = parameters.callbacks_of_nodes()
    chance.shuffle(counts)
    application_name = name or "synthetic"
    notes += _notes(parameters, exchange)
    text = spec_text(application_name, parameters, counts, timing, exchange, [origin, *notes])
    file = f"{application_name}.yaml"
    application = parse_spec(text.encode(), file)
    check_restrictions(application, parameters.nodes)
    spec = Spec(file, text.encode(), application)
    return Generated(spec, parameters, seed, exchange, notes, tuple(map(tuple, runnables)))


def _notes(parameters: Parameters, exchange: Exchange) -> tuple[str, ...]:
    notes = [ALONE] if parameters.alone else []
    if parameters.multi_rate is not None:
        wanted_topics = parameters.multi_rate.topics
        fewer = sum(1 < len(sources) < wanted_topics for sources in exchange.reads.values())
        if fewer:
            notes.append(f"{fewer} readers read fewer than {wanted_topics} topics: publishers have no further periods")
    return tuple(notes)
