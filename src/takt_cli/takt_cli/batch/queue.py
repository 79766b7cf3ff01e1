# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is still to be run, with second tries at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from takt_cli.batch.plan import Item

# How often an item is tried: what makes a run fail (a middleware that hangs) seldom does it twice.
TRIES = 2


@dataclass(frozen=True)
class Attempt:
    """`number` counts from 1 over all there were of the item; after the `last` it is given up."""

    item: Item
    number: int
    last: bool


class Queue:
    """In the order of the plan. What failed comes once more after everything else, when its cause may have passed."""

    def __init__(self, items: Iterable[Item], failures: Mapping[Item, int], anew: bool = False) -> None:
        """`failures`: how often each has failed before. Those that were given up are left out, unless all
        that failed are to be tried `anew`, as if it were the first time."""
        self._waiting: list[Attempt] = []
        self._retried: list[Attempt] = []
        for item in items:
            failed = failures.get(item, 0)
            if not failed:
                self._waiting.append(Attempt(item, 1, TRIES == 1))
            elif anew or failed < TRIES:
                self._retried.append(Attempt(item, failed + 1, not anew and failed + 1 >= TRIES))

    def __len__(self) -> int:
        return len(self._waiting) + len(self._retried)

    def take(self, last: str | None) -> Attempt | None:
        """The next one, of another application than `last` wherever there is one."""
        # What is left of the plan is in an order that was drawn; second tries come as they failed, so one whose
        # application has most of them must not be left for last.
        if not self._waiting and (place := _pressing(self._retried, last)) is not None:
            return self._retried.pop(place)
        for attempts in (self._waiting, self._retried):
            for place, attempt in enumerate(attempts):
                if attempt.item.application != last:
                    return attempts.pop(place)
        # Whatever is left is of that application.
        rest = self._waiting or self._retried
        return rest.pop(0) if rest else None

    def put_back(self, attempt: Attempt) -> None:
        """It could not be finished, which was not its fault: it comes next, as the same attempt."""
        self._waiting.insert(0, attempt)

    def failed(self, attempt: Attempt) -> bool:
        """Whether it will be tried once more."""
        if not attempt.last:
            self._retried.append(Attempt(attempt.item, attempt.number + 1, True))
        return not attempt.last


def _pressing(attempts: Sequence[Attempt], last: str | None) -> int | None:
    """The first of an application that more than half of them are of: later they could not be kept apart any more."""
    counts = Counter(attempt.item.application for attempt in attempts if attempt.item.application != last)
    for place, attempt in enumerate(attempts):
        if 2 * counts[attempt.item.application] > len(attempts):
            return place
    return None
