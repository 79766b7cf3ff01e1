# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Classes of tasks with equal parameters, each counted as one task, since applications have few different periods."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from takt_cli.schedulability.columns import Integers, Mask, integers


class TaskClasses:
    """The classes of equal tasks ("kinds")."""

    def __init__(self, tasks: Iterable[tuple[int, ...]]) -> None:
        """Sort tasks into kinds. `tasks` holds for each task the parameters that must be equal within a kind."""
        numbers: dict[tuple[int, ...], int] = {}
        self.class_of_task = integers([numbers.setdefault(task, len(numbers)) for task in tasks])
        """The kind of each task, as an index."""
        self.values = tuple(integers(list(each)) for each in zip(*numbers, strict=True))
        """The value of each parameter in each kind."""
        self._count = len(numbers)

    def __len__(self) -> int:
        return self._count

    def sums(self, values: Integers, selected: Mask | None = None) -> Integers:
        """Return for each kind the sum of `values` over its tasks, or over those selected by the mask `selected`."""
        sums = np.zeros(self._count, np.int64)
        if selected is None:
            np.add.at(sums, self.class_of_task, values)
        else:
            np.add.at(sums, self.class_of_task[selected], values[selected])
        return sums
