# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The hosts on which the runs of a set were made, and the facts in which they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from takt_cli.results.origin import Host

# Facts that affect timing. Boards of one model with one system image have the same values.
FACTS: dict[str, Callable[[Host], Any]] = {
    "CPU model": lambda host: host.cpu_model,
    "number of CPUs": lambda host: host.cpus,
    "isolated CPUs": lambda host: host.isolated_cpus,
    "virtual machine": lambda host: host.virtual,
    "virtual time": lambda host: host.virtual_time,
    "kernel": lambda host: host.kernel,
    "preemption of the kernel": lambda host: host.preemption,
    "governor": lambda host: host.governor,
    "clock source": lambda host: host.clocksource,
    "real-time runtime": lambda host: host.rt_runtime_us,
    "real-time period": lambda host: host.rt_period_us,
}


def host_facts_of(host: Host) -> tuple[Any, ...]:
    """Return the facts of a host. Figures may be pooled among hosts for which these are equal."""
    return tuple(fact(host) for fact in FACTS.values())


@dataclass(frozen=True)
class Hosts:
    """The hosts of a set of runs. `run_counts`: the number of runs on each host, by host name. `differing_facts`: the
    facts in which hosts differ, with their values. `labels`: a label, such as `host 1`, for each combination of
    facts."""

    run_counts: dict[str, int]
    differing_facts: dict[str, list[str]]
    labels: dict[tuple[Any, ...], str]

    def label(self, host: Host) -> str | None:
        """Return the label of a host; None if all hosts have the same facts."""
        return self.labels[host_facts_of(host)] if len(self.labels) > 1 else None


def hosts_of(hosts: Sequence[Host]) -> Hosts:
    """Return the hosts of all runs of a set."""
    makes = dict.fromkeys(map(host_facts_of, hosts))
    values = {fact: dict.fromkeys(str(make[i]) for make in makes) for i, fact in enumerate(FACTS)}
    return Hosts(
        dict(Counter(host.hostname for host in hosts)),
        {fact: list(found) for fact, found in values.items() if len(found) > 1},
        {make: f"host {n}" for n, make in enumerate(makes, 1)},
    )
