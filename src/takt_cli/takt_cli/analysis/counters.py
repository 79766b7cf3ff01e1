# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the executor itself has counted of its tasks."""

from __future__ import annotations

from typing import Any

AGES = ("refreshed", "extra_releases", "stale_skipped", "stale_reported")
"""What became of jobs whose data would have been too old."""
BUDGETS = ("overruns", "exhausted", "lowered")
"""Releases that found the previous job unfinished; jobs that used up their budget, and of those the
ones that went on in the background."""


def counters(processes: list[dict[str, Any]], names: tuple[str, ...], task: int | None = None) -> dict[str, int] | None:
    """Of one task or of all, warm-up included; None where the executor does not count that."""
    entries = [
        entry
        for process in processes
        for entry in (process.get("statistics") or {}).get("tasks", [])
        if all(name in entry for name in names) and task in (None, entry["task"])
    ]
    return {name: sum(int(entry[name]) for entry in entries) for name in names} if entries else None
