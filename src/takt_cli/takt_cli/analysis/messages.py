# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Messages of a whole run, warm-up included: published, delivered to readers, and not delivered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any


def messages(processes: list[dict[str, Any]]) -> dict[str, int]:
    """Sums over all topics and readers. `missed`: sent but not delivered, be it lost on the way or
    replaced by a newer one in a queue; of those, `replaced` are known to be of the second kind.
    `pool_exhausted`: how often a message could not be had from its pool."""
    total = {"published": 0, "delivered": 0, "missed": 0, "replaced": 0, "pool_exhausted": 0}
    for process in processes:
        for entry in process.get("messages", []):
            if entry["role"] == "publisher":
                total["published"] += int(entry["count"])
                total["pool_exhausted"] += int(entry.get("pool_exhausted", 0))
            else:
                total["delivered"] += int(entry["count"])
                total["missed"] += int(entry["missed"])
                total["replaced"] += int(entry["replaced"])
    return total


def unheard(processes: list[dict[str, Any]], tasks: Sequence[str]) -> list[dict[str, Any]]:
    """Readers, of `tasks` by number, that were given nothing of what was published on a topic."""
    entries = [entry for process in processes for entry in process.get("messages", [])]
    published: Counter[str] = Counter()
    for entry in entries:
        if entry["role"] == "publisher":
            published[entry["topic"]] += int(entry["count"])
    return [
        {"task": tasks[entry["task"]], "topic": entry["topic"], "published": published[entry["topic"]]}
        for entry in entries
        if entry["role"] != "publisher" and not entry["count"] and published[entry["topic"]]
    ]
