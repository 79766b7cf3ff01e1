# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the counts of messages, and of readers that received none."""

from __future__ import annotations

from typing import Any

from run_results import process
from run_summaries import run_summary, run_totals

from takt_cli.analysis.counters import SilentReader, message_counts, readers_without_messages
from takt_cli.report.tables.run import lines_on_silent_readers


def writer(topic: str, count: int) -> dict[str, Any]:
    return {"topic": topic, "task": 0, "role": "publisher", "count": count, "failures": 0, "pool_exhausted": 0}


def reader(topic: str, task: int, count: int) -> dict[str, Any]:
    return {"topic": topic, "task": task, "role": "subscription", "count": count, "missed": 0, "replaced": 0}


def test_readers_that_received_none_of_the_published_messages_are_named() -> None:
    tasks = ["lidar/grab", "planner/plan", "controller/steer"]
    processes = [
        process(messages=[writer("scan", 70), writer("plan", 0)]),
        process(messages=[writer("scan", 50), *(reader(name, 1, 0) for name in ("scan", "plan", "outside/gps"))]),
        process(messages=[reader("scan", 2, 119)]),
        process(),
    ]
    assert message_counts(processes).delivered == 119
    silent = readers_without_messages(processes, tasks)
    assert silent == [SilentReader("planner/plan", "scan", 120)]
    (line,) = lines_on_silent_readers(run_summary(totals=run_totals(unheard=silent)))
    assert line.startswith("planner/plan received none of 120 messages on 'scan'")
    assert lines_on_silent_readers(run_summary()) == []


def test_messages_that_were_replaced_after_the_last_delivery_are_missed_too() -> None:
    # Of 10 messages, 4 were delivered, and 3 lie in gaps between them. The last 3 were replaced or wait in the queue.
    at_the_end = reader("scan", 1, 4) | {"missed": 3, "replaced": 5}
    lost_too = reader("scan", 2, 4) | {"missed": 5, "replaced": 2}
    counts = message_counts([process(messages=[writer("scan", 10), at_the_end, lost_too])])
    assert (counts.missed, counts.replaced) == (5 + 5, 5 + 2)
