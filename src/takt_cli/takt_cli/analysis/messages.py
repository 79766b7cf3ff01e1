# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Counts of messages over a whole run, warm-up included: published, delivered to readers, and not delivered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from takt_cli.results.run import RunProcess


def message_counts(processes: Sequence[RunProcess]) -> dict[str, int]:
    """Return sums over all topics and readers. `missed`: sent but not delivered, because they were lost or replaced by
    a newer one in a queue; `replaced`: those that are known to have been replaced. `pool_exhausted`: how often no
    message was available in its pool."""
    total = {"published": 0, "delivered": 0, "missed": 0, "replaced": 0, "pool_exhausted": 0}
    for process in processes:
        for entry in process.messages:
            if entry.role == "publisher":
                total["published"] += entry.count
                total["pool_exhausted"] += entry.pool_exhausted
            else:
                total["delivered"] += entry.count
                # A gap in the sequence numbers shows only with the next message, so what was replaced after the last
                # one that was delivered is not among `missed`.
                total["missed"] += max(entry.missed, entry.replaced)
                total["replaced"] += entry.replaced
    return total


def readers_without_messages(processes: Sequence[RunProcess], tasks: Sequence[str]) -> list[dict[str, Any]]:
    """Return the readers that received nothing of what was published on a topic. `tasks`: the names of the tasks."""
    entries = [entry for process in processes for entry in process.messages]
    published: Counter[str] = Counter()
    for entry in entries:
        if entry.role == "publisher":
            published[entry.topic] += entry.count
    return [
        {"task": tasks[entry.task], "topic": entry.topic, "published": published[entry.topic]}
        for entry in entries
        if entry.role != "publisher" and not entry.count and published[entry.topic]
    ]
