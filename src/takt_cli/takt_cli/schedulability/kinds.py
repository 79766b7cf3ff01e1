# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tasks that are alike in some of their numbers, counted as one: applications have few periods."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from takt_cli.schedulability.columns import Integers, Mask, integers


class Kinds:
    def __init__(self, tasks: Iterable[tuple[int, ...]]) -> None:
        """`tasks`: of each the numbers by which they are told apart."""
        numbers: dict[tuple[int, ...], int] = {}
        self.of = integers([numbers.setdefault(task, len(numbers)) for task in tasks])
        """The kind of each task."""
        self.values = tuple(integers(list(each)) for each in zip(*numbers, strict=True))
        """The numbers of each kind."""
        self._count = len(numbers)

    def __len__(self) -> int:
        return self._count

    def sums(self, values: Integers, there: Mask | None = None) -> Integers:
        """By kind: the sum over all tasks, or over those that are `there`."""
        found = np.zeros(self._count, np.int64)
        if there is None:
            np.add.at(found, self.of, values)
        else:
            np.add.at(found, self.of[there], values[there])
        return found
