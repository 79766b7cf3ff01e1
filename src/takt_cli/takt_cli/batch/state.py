# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The state of a batch, as its journal and the folders of its runs agree on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from takt_cli.results.batch import Item
from takt_cli.results.journal import DONE, FAILED, Entry


@dataclass(frozen=True)
class State:
    """The state of a batch, with the journal that it follows from: which items are finished, and how often each
    failed."""

    finished: frozenset[Item]
    failures: Mapping[Item, int]
    entries: tuple[Entry, ...]

    def errors(self, item: Item) -> list[str]:
        return [entry.error or "" for entry in self.entries if entry.item == item and entry.outcome == FAILED]


def reconcile(entries: Collection[Entry], complete: Mapping[Item, str], planned: Collection[Item]) -> State:
    """Return the state of a batch. `complete` holds the runs whose complete folders exist, with their times; only these
    count as done. Missing journal entries are added, and entries without a folder left out."""
    items = set(planned)
    kept_entries: list[Entry] = []
    failures: Counter[Item] = Counter()
    noted_items: set[Item] = set()
    for entry in entries:
        if entry.item not in items or entry.item in noted_items:
            continue
        if entry.outcome == FAILED:
            failures[entry.item] += 1
        elif entry.item in complete:
            noted_items.add(entry.item)
        else:
            continue
        kept_entries.append(entry)
    for item, end_time in complete.items():
        if item in items - noted_items:
            attempt = failures[item] + 1
            kept_entries.append(Entry(item.application, item.executor, item.run, attempt, DONE, None, None, end_time))
    return State(frozenset(items & set(complete)), failures, tuple(kept_entries))
