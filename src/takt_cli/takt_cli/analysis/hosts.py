# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Which hosts the runs of a set come from, and what tells them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# What shapes timing; boards of one make and one image have it in common.
FACTS = {
    "CPU model": "cpu_model",
    "number of CPUs": "cpus",
    "isolated CPUs": "isolated_cpus",
    "virtual machine": "virtual",
    "virtual time": "virtual_time",
    "kernel": "kernel",
    "preemption of the kernel": "preemption",
    "governor": "governor",
    "clock source": "clocksource",
    "real-time runtime": "rt_runtime_us",
    "real-time period": "rt_period_us",
}


def make_of(record: dict[str, Any]) -> tuple[Any, ...]:
    """What the host of a run has in common with others that figures may be pooled with."""
    return tuple(record["host"].get(fact) for fact in FACTS.values())


@dataclass(frozen=True)
class Hosts:
    """`names`: how many runs each host has. `differ`: the facts in which they do; `makes` numbers what is
    alike, as `host 1`, where there is more than one kind."""

    names: dict[str, int]
    differ: dict[str, list[str]]
    makes: dict[tuple[Any, ...], str]

    def label(self, record: dict[str, Any]) -> str | None:
        """None where all hosts are alike."""
        return self.makes[make_of(record)] if len(self.makes) > 1 else None


def hosts(records: Iterable[dict[str, Any]]) -> Hosts:
    """Of all runs of a set, by their run.json."""
    listed = list(records)
    makes = dict.fromkeys(make_of(record) for record in listed)
    values = {fact: dict.fromkeys(str(make[i]) for make in makes) for i, fact in enumerate(FACTS)}
    return Hosts(
        dict(Counter(str(record["host"].get("hostname")) for record in listed)),
        {fact: list(found) for fact, found in values.items() if len(found) > 1},
        {make: f"host {n}" for n, make in enumerate(makes, 1)},
    )
