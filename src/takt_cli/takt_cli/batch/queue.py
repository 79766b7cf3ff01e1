# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The runs of a batch that are still to be done; failed ones are tried again at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from takt_cli.results.batch import TRIES, Item


@dataclass(frozen=True)
class Attempt:
    """An attempt at a run. `number` counts all attempts from 1; after the `last` one the run is given up."""

    item: Item
    number: int
    last: bool


class Queue:
    """Runs in the order of the plan. Failed ones come again after all others, when the cause may have passed."""

    def __init__(self, items: Iterable[Item], failures: Mapping[Item, int], repeat_failed: bool = False) -> None:
        """Queue the items that are still to be done. `failures` says how often each item has failed before. Items that
        have been given up are left out. With `repeat_failed`, all failed items are tried again, as if for the first
        time."""
        self._waiting: list[Attempt] = []
        self._retried: list[Attempt] = []
        for item in items:
            failed = failures.get(item, 0)
            if not failed:
                self._waiting.append(Attempt(item, 1, TRIES == 1))
            elif repeat_failed or failed < TRIES:
                self._retried.append(Attempt(item, failed + 1, not repeat_failed and failed + 1 >= TRIES))

    def __len__(self) -> int:
        return len(self._waiting) + len(self._retried)

    def take(self, last_application: str | None) -> Attempt | None:
        """Return the next attempt, if possible of another application than `last_application`; None if none is left."""
        # The plan's order avoids repetitions, but failed runs are in the order of their failures. So an application
        # that has most of them comes first, before repetitions become unavoidable.
        if not self._waiting and (place := _most_frequent(self._retried, last_application)) is not None:
            return self._retried.pop(place)
        for attempts in (self._waiting, self._retried):
            for place, attempt in enumerate(attempts):
                if attempt.item.application != last_application:
                    return attempts.pop(place)
        # All that is left is of that application.
        remaining = self._waiting or self._retried
        return remaining.pop(0) if remaining else None

    def put_back(self, attempt: Attempt) -> None:
        """Put back an attempt that external reasons have cut short: it comes next, with the same number."""
        self._waiting.insert(0, attempt)

    def failed(self, attempt: Attempt) -> bool:
        """Record that an attempt has failed, and return whether the run will be tried again."""
        if not attempt.last:
            self._retried.append(Attempt(attempt.item, attempt.number + 1, True))
        return not attempt.last


def _most_frequent(attempts: Sequence[Attempt], last_application: str | None) -> int | None:
    """Return the index of the first attempt of an application that makes up more than half of them, or None: later,
    repetitions of that application would be unavoidable."""
    counts = Counter(attempt.item.application for attempt in attempts if attempt.item.application != last_application)
    for place, attempt in enumerate(attempts):
        if 2 * counts[attempt.item.application] > len(attempts):
            return place
    return None
