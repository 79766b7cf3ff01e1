# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of charts as SVG documents."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from chart_samples import MARKS

from takt_cli.chart.axis import Axis, Tick, names_axis, rows_axis, size_axis
from takt_cli.chart.chart import Chart, Panel, side_by_side
from takt_cli.chart.marks import Bars, Box, Labels, Line, Mark, Points, boxes
from takt_cli.chart.style import COLOURS
from takt_cli.chart.svg import themed, to_svg, write_svgs


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def number_of(svg: str, element: str) -> int:
    return len(re.findall(f"<{element}[ >]", svg))


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.name or type(mark).__name__)
def test_every_mark_is_drawn_in_its_colour(mark: Mark) -> None:
    with_mark, without = (to_svg(Chart.of(Panel(marks))) for marks in ([mark], [Line([], [], colour="paper")]))
    colour = COLOURS["muted" if isinstance(mark, Labels) else mark.colour]
    assert with_mark.count(colour) > without.count(colour)
    assert "NaN" not in with_mark.upper().replace("NANO", "")
    if isinstance(mark, Labels):
        assert {"bold", "weak"} <= set(texts(with_mark))


@pytest.mark.parametrize("key", ["chart", "below", "right", "within", None])
def test_each_name_is_once_in_the_key(key: Any) -> None:
    marks = [*MARKS, Line([0], [0], name="line"), Bars([], [], name="nothing drawn")]
    found = texts(to_svg(Chart.of(Panel(marks, "title", key=key))))
    names = [mark.name for mark in MARKS if mark.name] + ["nothing drawn"]
    assert [found.count(name) for name in names] == [0 if key is None else 1] * len(names)


def test_the_same_chart_gives_the_same_document() -> None:
    first, second = (to_svg(Chart('a <title> & "more"', [[Panel(MARKS, "panel")]])) for _ in range(2))
    assert first == second
    assert first.startswith('<svg role="img" aria-label="a &lt;title> &amp; &quot;more&quot;"')
    assert not re.search(r"<metadata|<!--|DejaVu", first)


def test_a_themed_document_follows_light_and_dark_and_has_no_fixed_size() -> None:
    svg = themed(to_svg(Chart.of(Panel(MARKS, "panel"))))
    assert "var(--takt)" in svg
    assert not [colour for colour in COLOURS.values() if colour in svg]
    assert not re.search(r' (width|height)="', svg.split(">", 1)[0])


def test_axes_have_the_names_of_their_places() -> None:
    panel = Panel(
        [Points([0], [0])], x=names_axis(["none", "4KiB"], "size"), y=rows_axis([Tick(0, "a task", "late", True)])
    )
    svg = to_svg(Chart.of(panel))
    assert {"none", "4KiB", "size", "a task"} <= set(texts(svg))
    assert COLOURS["late"] in svg
    sizes = to_svg(Chart.of(Panel([Line([256, 2**20], [1, 2])], x=size_axis([256, 2**20]))))
    assert {"256B", "1MiB"} <= set(texts(sizes))


def test_panels_that_share_an_axis_show_its_places_once() -> None:
    def panel(name: str) -> Panel:
        return Panel([Line([0, 1], [0, 40 if name == "a" else 4])], name, y=Axis(low=0))

    def of_both(share: Any) -> list[str]:
        return texts(to_svg(Chart("both", [[panel("a")], [panel("b")]], share=share)))

    assert (of_both("").count("40"), of_both("xy").count("40")) == (1, 2)
    assert of_both("").count("0.2") == 2 * of_both("x").count("0.2") == 2


def test_an_inset_enlarges_a_part_and_frames_it() -> None:
    line, part = Line([0, 1, 2], [0, 100, 0]), Line([0.98, 1.02], [98, 98.5])
    plain, enlarged = (to_svg(Chart.of(Panel([line], inset=inset))) for inset in ([], [part]))
    assert COLOURS["stale"] not in plain
    assert COLOURS["stale"] in enlarged
    assert {"98.0", "98.5"} <= set(texts(enlarged)) - set(texts(plain))


def test_a_warning_and_texts_on_the_right_are_shown() -> None:
    panel = Panel([Points([0], [0]), Labels("right", [0], texts=["\nevery\n10ms"])], "panel")
    found = texts(to_svg(Chart("chart", [[panel]], warning="incomplete")))
    assert {"incomplete", "every", "10ms", "panel"} <= set(found)


def test_empty_places_are_left_blank() -> None:
    panels = [Panel(boxes([Box(0, 1, 2, 3, 4, 5, 6)]), name) for name in "abc"]
    svg = to_svg(Chart("three", side_by_side(panels)))
    assert [texts(svg).count(name) for name in "abc"] == [1, 1, 1]


def test_charts_are_written_under_their_names(tmp_path: Path) -> None:
    write_svgs(tmp_path, {"one": Chart.of(Panel(MARKS)), "two": Chart.of(Panel(MARKS))})
    assert {path.name for path in tmp_path.iterdir()} == {"one.svg", "two.svg"}
    assert (tmp_path / "one.svg").read_text("utf-8").startswith("<svg")
