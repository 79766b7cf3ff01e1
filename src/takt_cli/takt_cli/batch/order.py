# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A random order in which no application follows itself."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")


def shuffled(groups: dict[str, list[T]], seed: int) -> list[T]:
    """Return all members in random order, such that neighbours belong to different groups. If one group is larger than
    all others together, as few neighbours as possible are of that group, at random places."""
    rng = random.Random(seed)
    remaining = {name: list(members) for name, members in groups.items() if members}
    for members in remaining.values():
        rng.shuffle(members)
    total = sum(map(len, remaining.values()))
    if not total:
        return []
    largest = max(remaining, key=lambda name: len(remaining[name]))
    surplus = [remaining[largest].pop() for _ in range(unavoidable(map(len, remaining.values())))]
    order = _arrange_apart(remaining, rng)
    # Without the surplus, every second member is of the largest group: so any place is next to one of them.
    for each in surplus:
        order.insert(rng.randint(0, len(order)), (largest, each))
    return [member for _, member in order]


def unavoidable(sizes: Iterable[int]) -> int:
    """Return how many pairs of neighbours from the same group cannot be avoided with groups of these sizes."""
    counts = list(sizes)
    largest = max(counts, default=0)
    return max(2 * largest - sum(counts) - 1, 0)


def neighbours(names: Iterable[Hashable]) -> int:
    """Return how often a name is followed by the same name."""
    return sum(one == other for one, other in pairwise(names))


def _arrange_apart(remaining: dict[str, list[T]], rng: random.Random) -> list[tuple[str, T]]:
    """Order members where it is possible to keep groups apart: a group is drawn with the probability of its remaining
    members, unless one group must come next because it could not be kept apart later."""
    order: list[tuple[str, T]] = []
    last_name = None
    remaining_count = sum(map(len, remaining.values()))
    while remaining_count:
        open_to = {name: len(members) for name, members in remaining.items() if name != last_name}
        pressing = [name for name, count in open_to.items() if 2 * count > remaining_count]
        last_name = pressing[0] if pressing else rng.choices(list(open_to), list(open_to.values()))[0]
        order.append((last_name, remaining[last_name].pop()))
        if not remaining[last_name]:
            del remaining[last_name]
        remaining_count -= 1
    return order
