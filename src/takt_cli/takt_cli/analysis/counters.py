# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the processes of a run counted themselves, warm-up included: by task, and of messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from takt_cli.results.run import RunProcess


class AgeCounters(msgspec.Struct, frozen=True):
    """What the executor did about jobs whose data would have been too old."""

    refreshed: int
    extra_releases: int
    stale_skipped: int
    stale_reported: int


class BudgetCounters(msgspec.Struct, frozen=True):
    """Releases while the previous job was unfinished; jobs that exhausted their budget; and those of them that
    continued at background priority."""

    overruns: int
    exhausted: int
    lowered: int


Counters = TypeVar("Counters", AgeCounters, BudgetCounters)


def counters(processes: Sequence[RunProcess], kind: type[Counters], task: int | None = None) -> Counters | None:
    """Return the counters of one task, or the sums over all if `task` is None, warm-up included; None if the executor
    does not have these counters."""
    names = kind.__struct_fields__
    entries = [
        entry
        for process in processes
        for entry in (process.statistics.tasks if process.statistics else ())
        if all(getattr(entry, name) is not None for name in names) and task in (None, entry.task)
    ]
    return kind(*(sum(getattr(entry, name) for entry in entries) for name in names)) if entries else None


class MessageTotals(msgspec.Struct, frozen=True):
    """Sums over all topics and readers. `missed`: sent but not delivered, because they were lost or replaced by a newer
    one in a queue; `replaced`: those that are known to have been replaced. `pool_exhausted`: how often no message was
    available in its pool."""

    published: int
    delivered: int
    missed: int
    replaced: int
    pool_exhausted: int


class SilentReader(msgspec.Struct, frozen=True):
    """A reader that received none of the messages published on a topic."""

    task: str
    topic: str
    published: int


def message_counts(processes: Sequence[RunProcess]) -> MessageTotals:
    """Return the sums over all topics and readers."""
    entries = [entry for process in processes for entry in process.messages]
    publishers = [entry for entry in entries if entry.role == "publisher"]
    readers = [entry for entry in entries if entry.role != "publisher"]
    return MessageTotals(
        published=sum(entry.count for entry in publishers),
        delivered=sum(entry.count for entry in readers),
        # A gap in the sequence numbers shows only with the next message, so what was replaced after the last one that
        # was delivered is not among `missed`.
        missed=sum(max(entry.missed, entry.replaced) for entry in readers),
        replaced=sum(entry.replaced for entry in readers),
        pool_exhausted=sum(entry.pool_exhausted for entry in publishers),
    )


def readers_without_messages(processes: Sequence[RunProcess], tasks: Sequence[str]) -> list[SilentReader]:
    """Return the readers that received nothing of what was published on a topic. `tasks`: the names of the tasks."""
    entries = [entry for process in processes for entry in process.messages]
    published: Counter[str] = Counter()
    for entry in entries:
        if entry.role == "publisher":
            published[entry.topic] += entry.count
    return [
        SilentReader(tasks[entry.task], entry.topic, published[entry.topic])
        for entry in entries
        if entry.role != "publisher" and not entry.count and published[entry.topic]
    ]
