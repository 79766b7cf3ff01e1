# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of finding rows by the keys of their jobs."""

from __future__ import annotations

import numpy as np
import pytest

from takt_cli.analysis.job_keys import found_among, job_keys


@pytest.mark.parametrize("seed", range(20))
def test_rows_are_found_as_in_a_dictionary(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tasks, indices = rng.integers(0, 5, (2, 60)), rng.integers(0, 2**33, (2, 60))
    tasks[1, :30], indices[1, :30] = tasks[0, :30], indices[0, :30]
    keys = [job_keys(task, index) for task, index in zip(tasks, indices, strict=True)]
    others = rng.permutation(np.unique(keys[1]))[: 3 * seed]
    places = {int(key): place for place, key in enumerate(others)}
    place, found = found_among(keys[0], others)
    assert found.tolist() == [key in places for key in keys[0].tolist()]
    assert found.any() == (seed > 0)
    assert place[found].tolist() == [places[key] for key in keys[0][found].tolist()]


def test_keys_of_jobs_sort_by_task_then_index() -> None:
    keys = job_keys(np.array([1, 0, 1], np.uint32), np.array([0, 2**33, 7], np.uint64))
    assert np.argsort(keys).tolist() == [1, 0, 2]
