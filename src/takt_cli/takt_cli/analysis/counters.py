# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Counters of the executor itself, by task."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.results.run import RunProcess

AGES = ("refreshed", "extra_releases", "stale_skipped", "stale_reported")
"""The counters of what the executor did about jobs whose data would have been too old."""
BUDGETS = ("overruns", "exhausted", "lowered")
"""Releases while the previous job was unfinished; jobs that exhausted their budget; and those of them that continued at
background priority."""


def counters(processes: Sequence[RunProcess], names: tuple[str, ...], task: int | None = None) -> dict[str, int] | None:
    """Return the counters of one task, or the sums over all if `task` is None, warm-up included; None if the executor
    does not have these counters."""
    entries = [
        entry
        for process in processes
        for entry in (process.statistics.tasks if process.statistics else ())
        if all(getattr(entry, name) is not None for name in names) and task in (None, entry.task)
    ]
    return {name: sum(getattr(entry, name) for entry in entries) for name in names} if entries else None
