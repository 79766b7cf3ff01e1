# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What became of jobs whose data would have been too old, by the executor's own counters."""

from __future__ import annotations

from typing import Any

NAMES = ("refreshed", "extra_releases", "stale_skipped", "stale_reported")


def ages_of(processes: list[dict[str, Any]], task: int | None = None) -> dict[str, int] | None:
    """Of one task or of all, warm-up included; None where the executor does not count that."""
    entries = [
        entry
        for process in processes
        for entry in (process.get("statistics") or {}).get("tasks", [])
        if NAMES[0] in entry and task in (None, entry["task"])
    ]
    return {name: sum(int(entry[name]) for entry in entries) for name in NAMES} if entries else None
