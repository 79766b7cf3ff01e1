# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the pages of all kinds of measurement in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Opened, open_browser, open_page
from page_samples import make_all_benchmarks, make_measured
from playwright.sync_api import Browser, ViewportSize

from takt_cli.measurements.registry import all_measurements
from takt_cli.results.benchmark import BENCHMARKS

PHONE: ViewportSize = {"width": 390, "height": 844}
# Arguments of the verb by kind.
KINDS = {
    **dict.fromkeys(BENCHMARKS, "--rounds 6"),
    "interference": "publish-large add --front-end takt --rounds 2 --turn 1s",
    "one-way": "--payload 512,1MiB --rounds 2 --duration 0.5",
    "soak": "--duration 20 --load none",
    "bounds": "--sets 3 --seed 1 --duration 1",
    "data-age": "--nodes 4 --phase 0ms --phase 30ms --duration 1",
    "overload": "--duration 0.5 --calm 0.2",
    "cyclic": "--duration 30 --rounds 1 --executor takt control",
    "round-trip": "--duration 1 --rounds 2 --transport takt udp",
    "timers": "--callbacks 4 --period 10ms --duration 1 --rounds 2 --executor takt takt:np-rm baseline0",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


def test_the_page_of_every_kind_is_tested() -> None:
    assert set(KINDS) == set(all_measurements())


def test_all_benchmarks_have_one_page(tmp_path: Path, browser: Browser) -> None:
    opened = open_page(browser, make_all_benchmarks(tmp_path))
    sections = opened.run(
        "() => [...document.querySelectorAll('main > section')].map((each) => each.getAttribute('aria-labelledby'))"
    )
    assert sections == [*(f"of-{name}" for name in BENCHMARKS), "settings"]
    _check_that_all_can_use(opened)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_drawn_and_can_be_used_by_all(kind: str, tmp_path: Path, browser: Browser) -> None:
    _check_that_all_can_use(open_page(browser, make_measured(tmp_path, kind, *KINDS[kind].split())))


def _check_that_all_can_use(opened: Opened) -> None:
    """Check that all plots are drawn and described, and that the page fits a phone and has no obstacles."""
    figures = json.loads(opened.run("() => document.getElementById('figures').textContent"))["plots"]
    drawn = opened.run(
        "() => [...document.querySelectorAll('figure.plot')].map((figure) => ({"
        " id: figure.id, traces: figure.querySelector('.drawing')._fullData.length,"
        " shapes: figure.querySelectorAll('.plot :is(.point path, .js-line, path.point)').length }))"
    )
    assert [(each["id"], each["traces"]) for each in drawn] == [(f["id"], len(f["figure"]["data"])) for f in figures]
    assert drawn
    assert all(each["shapes"] > 0 for each in drawn)
    described = opened.run("() => [...document.querySelectorAll('figcaption p')].map((p) => p.textContent.length)")
    assert min(described) > 40
    found = Axe().run(opened.page)
    assert found.response["violations"] == [], found.generate_report()
    opened.page.set_viewport_size(PHONE)
    opened.settled()
    assert opened.run("() => [document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    opened.check()
