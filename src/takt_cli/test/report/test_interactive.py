# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a study's page as text: it loads nothing from outside, and no text becomes markup."""

from __future__ import annotations

import json
import re
from typing import Any

import plotly.graph_objects as go
import pytest
from page_elements import HOSTILE, Elements, plot

from takt_cli.report.plotly_figures import key_entries, styled_figure
from takt_cli.report.plotly_page import Link, Section, Table, study_page
from takt_cli.report.style import COLOURS


def test_no_text_becomes_markup() -> None:
    section = Section("one", HOSTILE, [HOSTILE], [plot(HOSTILE)], [Table(HOSTILE, [HOSTILE], [[HOSTILE]])])
    page = study_page(HOSTILE, [HOSTILE], [section], [(HOSTILE, HOSTILE)], [HOSTILE])
    elements = Elements(page)
    assert [tag for tag, _ in elements.found].count("script") == 3
    assert not [tag for tag, _ in elements.found if tag == "img"]
    shown = [text for text in elements.texts if "alert" in text]
    assert len(shown) >= 10
    assert all(HOSTILE.strip("\u2028") in text for text in shown)
    drawn = json.loads(elements.scripts["figures"])["plots"][0]["figure"]["data"][0]
    assert drawn["name"] == re.sub("<", "&lt;", HOSTILE)
    assert drawn["name"] == drawn["y"][0]


def test_nothing_comes_from_outside() -> None:
    page = study_page("A study", [], [Section("one", "One", (), [plot()])])
    for tag, attributes in Elements(page).found:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert re.match(r"#|data:,$|$", attributes.get(name) or ""), (tag, attributes)
    style = "".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    assert len(style) > 1000
    assert not re.search(r"@import|url\(", style)


@pytest.mark.parametrize(
    "href", ["https://example.org", "//example.org/x", "javascript:alert(1)", "/etc/passwd", "DATA:x"]
)
def test_a_link_leads_nowhere_else(href: str) -> None:
    with pytest.raises(ValueError, match="is not a link within the page"):
        Table("t", ["a"], [["x"]], [[Link("1", href)]])


def test_a_table_is_whole() -> None:
    with pytest.raises(ValueError, match="2 links for 1 rows"):
        Table("t", ["a"], [["x"]], [[], []])
    with pytest.raises(ValueError, match="one cell for each column"):
        Table("t", ["a", "b"], [["x"]])


def test_places_on_the_page_have_one_name_each() -> None:
    with pytest.raises(ValueError, match="ids"):
        study_page("t", [], [Section("misses", "One", (), [plot()])])
    with pytest.raises(ValueError, match="ids"):
        study_page("t", [], [Section("One two", "One")])
    with pytest.raises(ValueError, match="different titles"):
        study_page("t", [], [Section("one", "One", (), [plot(), plot(id_="again")])])


def test_columns_of_figures_are_known() -> None:
    rows = [("a", "1.5 %", "pass", ""), ("b", "\u2013", "1", ""), ("c", "< 0.01 %", "fail", "")]
    assert Table("t", ("name", "misses", "verdict", "none"), rows).kinds == ["text", "", "text", "text"]


def test_prose_is_set_in_lines_and_verdicts_are_seen_at_once() -> None:
    why = "2 of 3 were late because of something that takes a whole line to tell"
    table = Table("t", ("claim", "seen", "why"), [("one", "no", why)] * 13, verdict="seen", never_folded=True)
    assert table.kinds == ["text", "text verdict", "text prose"]
    page = study_page("t", [], [Section("one", "One", points=["of `a<b`"], tables=[table])])
    assert page.count('<b class="bad">no</b>') == 13
    assert 'role="rowheader"' in page
    assert "<details" not in page
    assert "of <code>a&lt;b</code>" in page


def test_a_figure_gets_the_look_of_the_page_under_its_own() -> None:
    figure = go.Figure(go.Scatter(x=[1, 2], y=[1, 2]))
    figure.update_layout(xaxis_title="ms", xaxis_type="log", yaxis2={"overlaying": "y"}, height=500)
    layout: dict[str, Any] = styled_figure(figure.to_plotly_json())["layout"]
    assert layout["height"] == 500
    assert layout["xaxis"]["type"] == "log"
    assert layout["xaxis"]["title"]["text"] == "ms"
    assert all(layout[name]["gridcolor"] == COLOURS["line"] for name in ("xaxis", "yaxis", "yaxis2"))
    assert "template" not in layout


def test_long_names_of_categories_are_wrapped() -> None:
    names = ["50 nodes 20 % publishers", "one", "unbreakable_name"]
    figure = go.Figure([go.Bar(x=names, y=[1, 2, 3]), go.Bar(y=names, x=[1, 2, 3], orientation="h")])
    figure.update_xaxes(categoryarray=names)
    made = styled_figure(figure.to_plotly_json())
    wrapped = ["50 nodes 20<br>% publishers", "one", "unbreakable_name"]
    assert made["data"][0]["x"] == made["layout"]["xaxis"]["categoryarray"] == wrapped
    assert made["data"][1]["y"] == names


def test_the_key_names_each_colour_once() -> None:
    figure = go.Figure()
    for panel in ("x", "x2"):
        for name in ("takt", "baseline0"):
            figure.add_scatter(
                x=[1], y=[1], name=name, legendgroup=name, line_color=COLOURS[name], mode="lines", xaxis=panel
            )
    figure.add_bar(x=[1], y=[1], name="odd", showlegend=False)
    figure.add_bar(x=[1], y=[1])
    figure.add_bar(x=[1], y=[1], name="odd", marker_color="#123456", opacity=0.5)
    entries = key_entries(figure.to_plotly_json())
    assert [(e.name, e.colour, e.shape, e.traces) for e in entries] == [
        ("takt", "takt", "line", (0, 2)),
        ("baseline0", "baseline0", "line", (1, 3)),
        ("odd", "#123456", "box", (4, 6)),
    ]
    assert entries[2].opacity == 0.5
    dashed = key_entries(
        go.Figure(go.Scatter(x=[1], y=[1], name="a", line_dash="dot", mode="lines+markers")).to_plotly_json()
    )
    assert [(entry.shape, entry.dash) for entry in dashed] == [("line", "dotted")]
