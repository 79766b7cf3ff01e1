# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of charts as Plotly's figures of a page, and of their keys."""

from __future__ import annotations

import json
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import open_browser, open_page
from chart_samples import MARKS

from takt_cli.chart.axis import Axis, names_axis, rows_axis, size_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Band, Bars, Labels, Limit, Line, Mark, Points, Ranges
from takt_cli.chart.page_figure import page_figure
from takt_cli.chart.style import COLOURS
from takt_cli.report.plotly_page import Plot, Section, study_page


def drawn(*marks: Mark, **panel: Any) -> dict[str, Any]:
    return page_figure(Chart.of(Panel(marks, "title", **panel))).json


def trace(mark: Mark) -> dict[str, Any]:
    (found,) = drawn(mark)["data"]
    return dict(found)


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.name or type(mark).__name__)
def test_every_mark_is_drawn_in_its_colour(mark: Mark) -> None:
    text = json.dumps(drawn(mark), allow_nan=False)
    assert COLOURS[mark.colour] in text or isinstance(mark, Labels)
    assert "bold" in text or not isinstance(mark, Labels)


def test_points_tell_their_texts_and_lead_to_their_links() -> None:
    for mark in (
        Points([1], [2], texts=["<b>a</b> & <img>"], links=["#run-1"], name="takt"),
        Line([1], [2], texts=["<b>a</b> & <img>"], links=["#run-1"], name="takt"),
        Bars([1], [2], texts=["<b>a</b> & <img>"], links=["#run-1"], name="takt"),
    ):
        found = trace(mark)
        assert (found["name"], found["customdata"], found["hovertext"]) == ("takt", ["#run-1"], ["<b>a</b> & &lt;img>"])
        assert found["hovertemplate"] == "%{hovertext}<extra></extra>"


def test_a_line_is_interrupted_where_a_value_is_unknown() -> None:
    found = trace(Line(np.array([0.0, 1.0, 2.0]), np.array([1.0, np.nan, 3.0]), "dash", steps=True))
    assert found["y"] == [1, None, 3]
    assert (found["mode"], found["line"]["dash"], found["line"]["shape"]) == ("lines", "dash", "hv")


def test_ranges_are_strokes_with_gaps() -> None:
    upright, lying = (trace(Ranges([(5, 1, 3), (6, 2, 4)], horizontal=horizontal)) for horizontal in (False, True))
    assert upright["x"] == lying["y"] == [5, 5, None, 6, 6, None]
    assert upright["y"] == lying["x"] == [1, 3, None, 2, 4, None]
    assert upright["hoverinfo"] == "skip"


def test_bars_stand_on_their_bases() -> None:
    upright = trace(Bars([0], [3], [2], 0.4))
    lying = trace(Bars([0], [3], [2], 0.4, horizontal=True, hollow=True))
    assert (upright["x"], upright["y"], upright["base"], upright["width"]) == ([0], [3], [2], 0.4)
    assert (lying["y"], lying["x"], lying["orientation"]) == ([0], [3], "h")
    assert lying["marker"]["line"]["color"] == COLOURS["takt"] != lying["marker"]["color"]


def test_points_at_the_edge_are_as_high_as_the_highest_value() -> None:
    found = drawn(Line([0, 1], [1, np.nan]), Points([0], [7]), Points([0.5], None, "cross"))["data"]
    assert found[2]["y"] == [7]


def test_limits_and_bands_reach_across_the_panel() -> None:
    upright, lying, band = drawn(Limit(3, "x"), Limit(4), Band(1, 2), Line([0], [0]))["layout"]["shapes"]
    assert (upright["x0"], upright["x1"], upright["xref"], upright["yref"]) == (3, 3, "x", "y domain")
    assert (lying["y0"], lying["y1"], lying["yref"], lying["xref"]) == (4, 4, "y", "x domain")
    assert (band["x0"], band["x1"], band["yref"]) == (1, 2, "y domain")


def test_axes_are_those_of_the_chart() -> None:
    layout = drawn(Line([256, 4096], [1, 2]), x=size_axis([256, 4096], "size"), y=Axis("us", low=0), height=5.0)[
        "layout"
    ]
    x, y = layout["xaxis"], layout["yaxis"]
    assert (x["type"], x["tickvals"], x["ticktext"], x["title"]["text"]) == (
        "log",
        [256, 4096],
        ["256B", "4KiB"],
        "size",
    )
    assert ("range" in y, y["title"]["text"], layout["height"], x["side"]) == (False, "us", 500, "top")
    log = drawn(Line([1], [1]), y=Axis(log=True, low=0.1, high=1000))["layout"]["yaxis"]
    assert log["range"] == pytest.approx([-1, 3])


def test_an_axis_keeps_the_end_that_is_given_when_it_is_drawn_again(tmp_path: Path) -> None:
    panels = [Panel([Line([1, 2], [5, 700])], y=y) for y in (Axis(low=0), Axis(high=900), Axis(low=1, log=True))]
    plot = Plot("plot", "plot", "", Chart("plot", [[panel] for panel in panels]))
    (file := tmp_path / "page.html").write_text(study_page("page", [], [Section("one", "One", plots=[plot])]), "utf-8")
    script = "() => ['', 2, 3].map((n) => document.querySelector('.drawing')._fullLayout['yaxis' + n].range)"
    with open_browser() as browser:
        opened = open_page(browser, file)
        opened.page.set_viewport_size({"width": 600, "height": 900})
        opened.settled()
        bottom, top, logarithmic = opened.run(script)
        opened.check()
    assert (bottom[0], top[1], logarithmic[0]) == (0, 900, 0)
    # The other ends follow the data.
    assert 700 < bottom[1] < 800
    assert -50 < top[0] < 5
    assert log10(700) < logarithmic[1] < 3


def test_a_logarithmic_axis_names_the_powers_of_ten_or_what_lies_between() -> None:
    long, short = (drawn(Line([0, 1], [2, end]), y=Axis(log=True))["layout"]["yaxis"] for end in (20, 9))
    assert (long["dtick"], long["minorloglabels"]) == (1, "none")
    assert ("dtick" in short, short["minorloglabels"]) == (False, "complete")
    bars = drawn(Bars([0], [1], [9]), y=Axis(log=True))["layout"]["yaxis"]
    assert "dtick" not in bars


def test_long_names_along_the_x_axis_are_wrapped() -> None:
    names = ["50 nodes 20 % publishers", "two\nlines", "unbreakable_name"]
    layout = drawn(Points([0], [0]), x=names_axis(names), y=rows_axis(names[:1]))["layout"]
    assert layout["xaxis"]["ticktext"] == ["50 nodes 20<br>% publishers", "two<br>lines", "unbreakable_name"]
    assert layout["yaxis"]["ticktext"] == names[:1]


def test_labels_stand_at_their_points_or_at_the_edge() -> None:
    here, left = Labels([100], [2], texts=["strong\nweak"]), Labels("left", [2], texts=["strong"])
    right = Labels("right", [1], texts=["\nevery\n10ms"])
    layout = drawn(Line([1, 100], [1, 2]), here, left, right, x=Axis(log=True))["layout"]
    by_text = {note["text"]: note for note in layout["annotations"]}
    assert layout["margin"]["r"] > drawn(here, left)["layout"]["margin"]["r"]
    assert (by_text["<b>strong</b><br>weak"]["x"], by_text["<b>strong</b><br>weak"]["xref"]) == (log10(100), "x")
    assert (by_text["<b>strong</b>"]["x"], by_text["<b>strong</b>"]["xref"]) == (0, "paper")
    assert (by_text["every<br>10ms"]["x"], by_text["every<br>10ms"]["xref"]) == (1, "paper")


def test_panels_lie_one_below_the_other_under_their_titles() -> None:
    panels = [
        Panel([Line([0], [0], name="same")], name, height=height) for name, height in (("first", 2), ("second", 4))
    ]
    figure = page_figure(Chart("both", [panels], share="x"))
    layout = figure.json["layout"]
    first, second = layout["yaxis"]["domain"], layout["yaxis2"]["domain"]
    assert 0 == second[0] < second[1] < first[0] < first[1] < 1
    assert second[1] - second[0] == pytest.approx(2 * (first[1] - first[0]), rel=0.1)
    assert (layout["xaxis2"]["matches"], "matches" in layout["yaxis2"], layout["height"]) == ("x", False, 600)
    assert [axis["showticklabels"] for axis in (layout["xaxis"], layout["xaxis2"])] == [False, True]
    assert [(each["xaxis"], each["yaxis"]) for each in figure.json["data"]] == [("x", "y"), ("x2", "y2")]
    assert [note["text"] for note in layout["annotations"]] == ["<b>first</b>", "<b>second</b>"]
    assert [(entry.name, entry.traces) for entry in figure.key] == [("same", (0, 1))]
    assert not page_figure(Chart.of(panels[0])).json["layout"]["annotations"]


def test_an_inset_has_a_corner_of_its_own_and_its_part_is_framed() -> None:
    figure = drawn(Line([0, 1, 2], [0, 9, 0]), inset=[Line([0.9, 1.1], [8, 9])])
    assert [each["xaxis"] for each in figure["data"]] == ["x", "x2"]
    (frame,) = figure["layout"]["shapes"]
    assert (frame["x0"], frame["x1"], frame["y0"], frame["y1"]) == (0.9, 1.1, 8, 9)
    assert figure["layout"]["yaxis"]["domain"][1] < figure["layout"]["yaxis2"]["domain"][0]


def test_the_key_names_each_mark_once_as_its_last_one_looks() -> None:
    marks = [
        Bars([0], [1], name="takt", opacity=0.5),
        Points([0], [1], "diamond", name="takt"),
        Line([0], [1], "dot", name="baseline0", colour="baseline0"),
        Line([0], [1]),
        Limit(1, name="limit"),
        Bars([0], [1], name="baseline1", colour="baseline1", opacity=0.5),
        Points([0], [1], "cross", name="late", colour="late"),
        Ranges([(0, 1, 2)], name="range"),
    ]
    entries = page_figure(Chart.of(Panel(marks))).key
    assert [(each.name, each.colour, each.opacity, each.shape, each.dash, each.traces) for each in entries] == [
        ("takt", "takt", 1.0, "diamond", "solid", (0, 1)),
        ("baseline0", "baseline0", 1.0, "line", "dotted", (2,)),
        ("baseline1", "baseline1", 0.5, "box", "solid", (4,)),
        ("late", "late", 1.0, "cross", "solid", (5,)),
        ("range", "takt", 1.0, "line", "solid", (6,)),
    ]
