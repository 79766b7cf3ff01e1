# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A random order in which no application comes twice in a row."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")


def shuffled(groups: dict[str, list[T]], seed: int) -> list[T]:
    """All members in random order, neighbours of different groups; where one group outnumbers all others
    together, with as few neighbours of that group as there can be, anywhere in the order."""
    rng = random.Random(seed)
    left = {name: list(members) for name, members in groups.items() if members}
    for members in left.values():
        rng.shuffle(members)
    total = sum(map(len, left.values()))
    if not total:
        return []
    largest = max(left, key=lambda name: len(left[name]))
    surplus = [left[largest].pop() for _ in range(unavoidable(map(len, left.values())))]
    order = _apart(left, rng)
    # With the surplus put aside, every other place is of the largest group: any place beside one of them does.
    for each in surplus:
        order.insert(rng.randint(0, len(order)), (largest, each))
    return [member for _, member in order]


def unavoidable(sizes: Iterable[int]) -> int:
    """How many neighbours of one group any order of such groups has."""
    counts = list(sizes)
    largest = max(counts, default=0)
    return max(2 * largest - sum(counts) - 1, 0)


def neighbours(names: Iterable[Hashable]) -> int:
    """How often one comes twice in a row."""
    return sum(one == other for one, other in pairwise(names))


def _apart(left: dict[str, list[T]], rng: random.Random) -> list[tuple[str, T]]:
    """Where it can be done: a group is drawn by how many members it has left, unless one must come now or
    could not be dealt out any more."""
    order: list[tuple[str, T]] = []
    last = None
    n = sum(map(len, left.values()))
    while n:
        open_to = {name: len(members) for name, members in left.items() if name != last}
        pressing = [name for name, count in open_to.items() if 2 * count > n]
        last = pressing[0] if pressing else rng.choices(list(open_to), list(open_to.values()))[0]
        order.append((last, left[last].pop()))
        if not left[last]:
            del left[last]
        n -= 1
    return order
