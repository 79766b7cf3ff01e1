# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a study's page as text: it loads nothing from outside, and no text becomes markup."""

from __future__ import annotations

import json
import re

import pytest
from page_elements import HOSTILE, Elements, plot

from takt_cli.report.plotly_page import Link, Section, Table, study_page


def test_no_text_becomes_markup() -> None:
    section = Section("one", HOSTILE, [HOSTILE], [plot(HOSTILE)], [Table(HOSTILE, [HOSTILE], [[HOSTILE]])])
    page = study_page(HOSTILE, [HOSTILE], [section], [(HOSTILE, HOSTILE)], [HOSTILE])
    elements = Elements(page)
    assert [tag for tag, _ in elements.found].count("script") == 3
    assert not [tag for tag, _ in elements.found if tag == "img"]
    shown = [text for text in elements.texts if "alert" in text]
    assert len(shown) >= 10
    assert all(HOSTILE.strip("\u2028") in text for text in shown)
    drawn = json.loads(elements.scripts["figures"])["plots"][0]["figure"]
    assert drawn["data"][0]["name"] == re.sub("<", "&lt;", HOSTILE)
    assert drawn["data"][0]["name"] == drawn["layout"]["yaxis"]["ticktext"][0]


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


def test_verdicts_of_runs_and_of_claims_are_marked_alike() -> None:
    table = Table("t", ["verdict"], [["pass"]], verdict="verdict")
    marks = [table.outcome(each) for each in ("pass", "confirmed", "fail", "not confirmed", "inconclusive")]
    assert marks == ["good", "good", "bad", "bad", "open"]


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
