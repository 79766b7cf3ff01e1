# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Draws one application from one combination of parameters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic import automotive
from takt_cli.synthetic.exchange import Exchange, draw_exchange
from takt_cli.synthetic.parameters import Parameters
from takt_cli.synthetic.periods import draw_periods
from takt_cli.synthetic.priorities import draw_priorities
from takt_cli.synthetic.record import DrawnTask
from takt_cli.synthetic.restrictions import check_restrictions
from takt_cli.synthetic.text import Timing, spec_text
from takt_cli.synthetic.wcets import draw_deadlines, drawn_wcets, least_work, of_runnables

ALONE = "no callback publishes by its share: that takes at least two callbacks outside of chains"


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
    def tasks(self) -> list[DrawnTask]:
        """The tasks, for the record."""
        return [
            DrawnTask(
                task=task.id,
                period_ns=task.callback.period,
                wcet_ns=task.callback.wcet,
                utilisation=task.callback.utilisation,
                deadline_ns=task.callback.deadline,
                priority=task.callback.priority,
                **(_sums(self.runnables[i]) if self.runnables else {}),
            )
            for i, task in enumerate(self.spec.application.tasks)
        ]

    @property
    def chains(self) -> list[list[str]]:
        """The chains, as the ids of their tasks."""
        ids = [task.id for task in self.spec.application.tasks]
        return [[ids[i] for i in chain] for chain in self.exchange.chains]


def _sums(runnables: Sequence[automotive.Runnable]) -> dict[str, Any]:
    best, average = (sum(getattr(each, name) for each in runnables) for name in ("best", "average"))
    return {"runnables": len(runnables), "best_us": best, "average_us": average}


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
