# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the facts about the host that a result contains."""

from __future__ import annotations

import json

import pytest

from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.facts import host_facts, throttles


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


def test_the_facts_have_a_fair_server_entry_for_each_cpu() -> None:
    cpus = allowed_cpus()
    facts = host_facts(cpus)
    assert len(facts["fair_server_ns"]) == len(facts["fair_server_period_ns"]) == len(cpus)
    assert json.loads(json.dumps(facts)) == facts
