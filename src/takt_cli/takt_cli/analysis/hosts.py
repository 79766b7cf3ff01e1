# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The hosts on which the runs of a set were made, and the facts in which they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

# Facts that affect timing. Boards of one model with one system image have the same values.
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


def host_facts_of(record: dict[str, Any]) -> tuple[Any, ...]:
    """Return the facts of a run's host. Figures may be pooled among hosts for which these are equal."""
    return tuple(record["host"].get(fact) for fact in FACTS.values())


@dataclass(frozen=True)
class Hosts:
    """The hosts of a set of runs. `run_counts`: the number of runs on each host, by host name. `differing_facts`: the
    facts in which hosts differ, with their values. `labels`: a label, such as `host 1`, for each combination of
    facts."""

    run_counts: dict[str, int]
    differing_facts: dict[str, list[str]]
    labels: dict[tuple[Any, ...], str]

    def label(self, record: dict[str, Any]) -> str | None:
        """Return the label of the run's host; None if all hosts have the same facts."""
        return self.labels[host_facts_of(record)] if len(self.labels) > 1 else None


def hosts_of(records: Iterable[dict[str, Any]]) -> Hosts:
    """Return the hosts of all runs of a set, from the records in their run.json."""
    record_list = list(records)
    makes = dict.fromkeys(host_facts_of(record) for record in record_list)
    values = {fact: dict.fromkeys(str(make[i]) for make in makes) for i, fact in enumerate(FACTS)}
    return Hosts(
        dict(Counter(str(record["host"].get("hostname")) for record in record_list)),
        {fact: list(found) for fact, found in values.items() if len(found) > 1},
        {make: f"host {n}" for n, make in enumerate(makes, 1)},
    )
