# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The outcome of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from takt_cli.batch.folder import BatchFolder
from takt_cli.errors import Interrupted
from takt_cli.results.batch import Item


@dataclass(frozen=True)
class Outcome:
    """The outcome of a batch: how many runs are done, which are missing with the last error of each, and further
    remarks."""

    folder: Path
    done: int
    total: int
    failed: dict[Item, str]
    notes: tuple[str, ...] = ()


def outcome(batch: BatchFolder, notes: Sequence[str] = ()) -> Outcome:
    """Return the outcome according to the journal."""
    state, items = batch.state(), batch.plan.items
    missing_items = [item for item in items if item not in state.finished]
    failed = {item: (state.errors(item) or ["not run"])[-1] for item in missing_items}
    return Outcome(batch.path, len(state.finished), len(items), failed, tuple(notes))


def interrupted(batch: BatchFolder) -> Interrupted:
    """Return the exception for an interrupted batch, whose message says how to continue."""
    finished_count = len(batch.state().finished)
    return Interrupted(
        f"interrupted; {finished_count} of {len(batch.plan.items)} runs are kept; "
        f"continue with: takt batch --resume {batch.path}"
    )
