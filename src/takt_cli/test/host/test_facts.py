# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the facts about the host that a result contains."""

from __future__ import annotations

from pathlib import Path

import pytest
from tuning_tree import FAIR_SERVER, write

from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.facts import host_facts, throttles
from takt_cli.host.system import System


@pytest.mark.parametrize(
    ("runtime", "period", "stops"),
    [
        (950_000, 1_000_000, True),
        (0, 1_000_000, True),
        (1_000_000, 1_000_000, False),
        (-1, 1_000_000, False),
        (None, None, None),
    ],
)
def test_a_runtime_as_long_as_its_period_is_no_throttling(
    runtime: int | None, period: int | None, stops: bool | None
) -> None:
    assert throttles(runtime, period) is stops


def test_the_facts_are_those_of_the_host_below_a_root(tmp_path: Path) -> None:
    files = {
        "proc/cpuinfo": "processor\t: 0\nmodel name\t: A\nflags\t\t: fpu hypervisor\n\nmodel name\t: B\n",
        "proc/meminfo": "MemTotal:       4096 kB\nMemFree:  1 kB\n",
        "proc/sys/kernel/sched_rt_runtime_us": "-1",
        "proc/sys/kernel/sched_rt_period_us": "1000000",
        "sys/kernel/realtime": "1",
        f"{FAIR_SERVER}/cpu1/runtime": "50000000",
    }
    for path, text in files.items():
        write(tmp_path / path, text)
    facts = host_facts((1, 2), System(tmp_path))
    expected = {
        "cpu_model": "A",
        "virtual": True,
        "memory_kib": 4096,
        "rt_runtime_us": -1,
        "rt_throttling": False,
        "preemption": "PREEMPT_RT",
        "fair_server_ns": [50_000_000, None],
        "governor": None,
    }
    assert {name: getattr(facts, name) for name in expected} == expected


def test_the_facts_have_a_fair_server_entry_for_each_cpu() -> None:
    cpus = allowed_cpus()
    facts = host_facts(cpus)
    assert len(facts.fair_server_ns) == len(facts.fair_server_period_ns) == len(cpus)
