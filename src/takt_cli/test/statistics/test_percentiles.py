# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the five figures of a distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest

from takt_cli.statistics.percentiles import five_numbers


def test_quartiles_are_interpolated_as_in_printed_tables() -> None:
    # The thesis prints quartiles such as 40.25 of ages that are whole milliseconds.
    assert five_numbers(np.array([41.0, 38.0, 40.0, 43.0])) == [38.0, 39.5, 40.5, 41.5, 43.0]


@pytest.mark.filterwarnings("error")
def test_five_figures_without_samples_or_with_infinite_ones_are_not_finite() -> None:
    assert all(math.isnan(value) for value in five_numbers(np.empty(0)))
    low, q1, median, q3, high = five_numbers(np.array([1.0, 2.0, 3.0, np.inf]))
    assert (low, q1, median) == (1.0, 1.75, 2.5)
    assert not np.isfinite(q3)
    assert not np.isfinite(high)
    assert not np.isfinite(five_numbers(np.array([1.0, np.inf, np.inf]))[2])
