# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Rows that belong together in several files, found by their keys; that of a job is its task and its index."""

from __future__ import annotations

import numpy as np

from takt_cli.results.sample_files import Ints, Mask


def job_keys(task: Ints, index: Ints) -> Ints:
    """Return a sortable key for each job: task numbers and indices stay far below these powers of two."""
    return (np.asarray(task, np.int64) << 40) | np.asarray(index, np.int64)


def found_among(keys: Ints, others: Ints) -> tuple[Ints, Mask]:
    """Return the place of each key among others, and whether it is there; if it is not, the place means nothing."""
    order = np.argsort(others, kind="stable")
    place = np.searchsorted(others, keys, sorter=order)
    found: Mask = place < len(others)
    place[found] = order[place[found]]
    found[found] = others[place[found]] == keys[found]
    return place, found
