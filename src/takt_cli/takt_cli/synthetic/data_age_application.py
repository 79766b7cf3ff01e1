# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The applications of the data-age experiment (section 5.5 of the thesis): a reader, its producer, and other nodes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from takt_cli.spec.units import format_duration
from takt_cli.synthetic.text import yaml_text

_US, _MS = 1000, 1_000_000
PERIODS = (10 * _MS, 20 * _MS, 40 * _MS)
# Rate monotonic, all of them above the producer's (1) and below the reader's (98).
_PRIORITIES = dict(zip(PERIODS, (60, 40, 20), strict=True))
READER_PERIOD, PRODUCER_PERIOD, CRITICAL_WCET = 100 * _MS, 50 * _MS, 1 * _MS
UTILISATION = 0.75
# The utilisation that remains for the other nodes.
REST = UTILISATION - CRITICAL_WCET / READER_PERIOD - CRITICAL_WCET / PRODUCER_PERIOD


class OtherNode(NamedTuple):
    """A node beside reader and producer. Times in nanoseconds."""

    period: int
    wcet: int
    priority: int


@dataclass(frozen=True)
class DataAgeCase:
    """An application of the experiment. Times in nanoseconds. `nodes` is the number of other nodes, `max_age` the bound
    of the reader's data age (None for no bound), `phase` the reader's phase."""

    nodes: int
    max_age: int | None
    phase: int = 0
    seed: int = 1

    @property
    def name(self) -> str:
        bound = f"at most {format_duration(self.max_age)}" if self.max_age else "any age"
        return f"{self.nodes} further nodes, {bound}" + (f", {format_duration(self.phase)} apart" if self.phase else "")

    @property
    def folder(self) -> str:
        return f"{self.nodes}-nodes-{'bounded' if self.max_age else 'any-age'}-{format_duration(self.phase)}"


def data_age_spec(case: DataAgeCase, other_nodes: Sequence[OtherNode] | None = None, size: str = "512000B") -> str:
    """Return the spec as YAML. Without `other_nodes` these are drawn: the same for the same number of nodes and seed,
    regardless of the bound and the phase."""
    wcet = format_duration(CRITICAL_WCET)
    reader = {
        "name": "read",
        "period": format_duration(READER_PERIOD),
        "phase": format_duration(case.phase),
        "wcet": wcet,
        "priority": "98",
        "reads": "[data]",
    }
    if case.max_age:
        reader["max_age"] = f"{{data: {format_duration(case.max_age)}}}"
    producer = {"name": "produce", "period": format_duration(PRODUCER_PERIOD), "wcet": wcet, "priority": "1"}
    nodes = {"reader": [reader], "producer": [producer | {"publishes": "[data]", "extra_releases": "true"}]}
    for i, other in enumerate(_draw_other_nodes(case) if other_nodes is None else other_nodes):
        timing = {"period": format_duration(other.period), "wcet": format_duration(other.wcet)}
        nodes[f"node{i}"] = [{"name": "work", **timing, "priority": str(other.priority)}]
    return yaml_text(case.name, "fp", {"data": size}, nodes)


def _draw_other_nodes(case: DataAgeCase) -> list[OtherNode]:
    chance = random.Random(case.seed * 1000 + case.nodes)
    nodes = []
    for share in shares(case.nodes, REST, chance):
        period = chance.choice(PERIODS)
        nodes.append(OtherNode(period, max(int(share * period) // _US, 1) * _US, _PRIORITIES[period]))
    return nodes


def shares(count: int, total: float, chance: random.Random) -> list[float]:
    """Utilisations of `count` tasks that add up to `total`, uniformly distributed (UUniFast)."""
    result = []
    for remaining_count in range(count - 1, 0, -1):
        remaining_total = total * chance.random() ** (1 / remaining_count)
        result.append(total - remaining_total)
        total = remaining_total
    return [*result, total]
