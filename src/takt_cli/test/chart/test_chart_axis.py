# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the axes of charts, and of the marks that are made of samples."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from takt_cli.chart.axis import Tick, names_axis, rows_axis, size_axis
from takt_cli.chart.chart import Panel, side_by_side
from takt_cli.chart.curves import at_most, exceeding, keep_extremes, thinned_ranks, told_apart
from takt_cli.chart.marks import Bars, Box, Line, Points, Ranges, boxes

KIB = 1024


def test_sizes_are_named_as_everywhere() -> None:
    axis = size_axis([4 * KIB, 256, KIB * KIB, 256], "message size")
    assert axis.log
    assert axis.title == "message size"
    assert [(tick.at, tick.text) for tick in axis.ticks] == [(256, "256B"), (4 * KIB, "4KiB"), (KIB * KIB, "1MiB")]


def test_of_many_sizes_only_some_powers_of_two_are_named() -> None:
    ticks = size_axis([1500, *(2**n for n in range(4, 24))]).ticks
    assert 4 <= len(ticks) <= 8
    assert ticks[0].text == "16B"
    steps = {after.at / before.at for before, after in pairwise(ticks)}
    assert steps == {8.0}
    assert ticks[-1].at <= 2**23


def test_rows_are_counted_from_the_top_and_names_from_the_left() -> None:
    rows, names = rows_axis(["a", Tick(1, "b", "late", bold=True)]), names_axis(["a", "b"])
    assert [rows.low, rows.high] == pytest.approx([1.6, -0.6])
    assert [tick.text for tick in rows.ticks] == ["a", "b"]
    assert [names.low, names.high] == pytest.approx([-0.6, 1.6])


def test_a_distribution_counts_what_it_does_not_show() -> None:
    samples = np.array([3.0, 1.0, np.inf, 2.0])
    line = at_most(samples, name="ages")
    assert line.steps
    assert list(line.x) == [1, 2, 3]
    assert list(line.y) == [25, 50, 75]
    tail = exceeding(np.array([0.0, 3.0, 1.0, np.inf, 2.0]))
    assert list(tail.x) == [1, 2, 3]
    assert list(tail.y) == pytest.approx([0.8, 0.6, 0.4])


def test_a_curve_keeps_its_ends_and_its_tail() -> None:
    assert thinned_ranks(300).tolist() == list(range(300))
    kept = thinned_ranks(100_000)
    assert len(kept) <= 450
    assert kept[0] == 0
    assert kept[-10:].tolist() == list(range(99_990, 100_000))


def test_a_series_keeps_what_sticks_out() -> None:
    x, y = np.arange(10_000.0), np.ones(10_000)
    y[4321], y[17] = 99, -5
    kept_x, kept_y = keep_extremes(x, y, 400)
    assert len(kept_x) <= 400
    assert {(4321.0, 99.0), (17.0, -5.0)} <= set(zip(kept_x.tolist(), kept_y.tolist(), strict=True))


def test_series_of_one_colour_differ_in_their_lines() -> None:
    colours = {"a": "takt", "b": "late", "c": "takt", "d": "takt"}
    assert told_apart(colours) == {"a": "solid", "b": "solid", "c": "dash", "d": "dot"}


def test_a_box_is_made_of_five_figures_and_its_maximum() -> None:
    shown = [Box(0, 1, 2, 3, 4, 5, 9, "text", "#run-1"), Box(1, 1, 2, 3, 4, 5, 5)]
    marks = boxes(shown, "takt", "takt", 0.5)
    assert {mark.name for mark in marks} == {"takt"}
    (bars,) = (mark for mark in marks if isinstance(mark, Bars))
    assert (list(bars.at), list(bars.base or ()), list(bars.length)) == ([0, 1], [2, 2], [2, 2])
    assert (bars.hollow, list(bars.texts), list(bars.links)) == (True, ["text", ""], ["#run-1", ""])
    whiskers, median = (mark.strokes for mark in marks if isinstance(mark, Ranges))
    assert list(median) == [(3, -0.25, 0.25), (3, 0.75, 1.25)]
    assert set(whiskers) == {(0, 1, 2), (0, 4, 5), (1, 1, 2), (1, 4, 5)}
    beyond = next(mark for mark in marks if isinstance(mark, Points) and mark.shape == "dot")
    assert (list(beyond.x), list(beyond.y or ())) == ([0], [9])
    assert not any(mark.texts for mark in boxes([]))


def test_panels_side_by_side_fill_their_rows() -> None:
    panels = [Panel([Line([0], [0])], name, height=2.3) for name in "abc"]
    rows = side_by_side(panels)
    assert [[panel.title for panel in row] for row in rows] == [["a", "b"], ["c", "c"]]
    assert not rows[1][1].marks
    assert side_by_side(panels[:1]) == [panels[:1]]
