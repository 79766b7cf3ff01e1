# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The parameters of tasks as arrays, with one element per task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TypeAlias

import numpy as np

from takt_cli.schedulability.task import Task

Integers: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.int64]]"
Mask: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.bool_]]"

# Up to this value, in ns (36 years), results of the analyses fit into 64 bits.
MAX_TIME = 1 << 60
# From this number of elements on, numpy arrays are faster than a Python loop.
ARRAYS_FROM = 24


class Columns:
    """The parameters of tasks, one array per parameter; times in ns."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.names = [task.name for task in tasks]
        self.period = integers([task.period for task in tasks])
        self.deadline = integers([task.deadline for task in tasks])
        self.jitter = integers([task.jitter for task in tasks])
        self.wcet = integers([task.wcet for task in tasks])
        self.section = integers([task.section for task in tasks])
        self.urgency = integers([task.urgency for task in tasks])
        self.level = integers([task.level for task in tasks])
        self.ceiling = integers([task.ceiling for task in tasks])
        self.background = np.array([task.background for task in tasks], bool)

    def with_wcets(self, wcets: Mapping[int, int]) -> Columns:
        """Return a copy with other WCETs for some tasks, given by their places."""
        changed = copy(self)
        changed.wcet = self.wcet.copy()
        changed.wcet[list(wcets)] = list(wcets.values())
        return changed


def integers(values: Sequence[int]) -> Integers:
    return np.array(values, np.int64)
