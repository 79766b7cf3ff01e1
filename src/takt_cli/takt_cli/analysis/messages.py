# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Messages of a whole run, warm-up included: published, delivered to readers, and not delivered."""

from __future__ import annotations

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
