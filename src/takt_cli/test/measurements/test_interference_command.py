# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt measure interference` with a stand-in for its program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from takt_cli.cli.main import cli
from takt_cli.results.interference import INTERFERENCE_FORMAT

CASES = ("publish-large", "add", "--front-end", "takt", "--turn", "1s")


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def measure(place: str, *arguments: str) -> Result:
    return takt("measure", "interference", *CASES, "--out", place, *arguments)


def test_each_case_is_measured_with_its_activity_and_without(stand_ins: Path) -> None:
    result = measure("i", "--rounds", "2", "--kept-heap", "0", "--kept-heap", "4096", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert [(case["case"], case["kept_heap_bytes"]) for case in summary["cases"]] == [
        ("add", 0),
        ("add", 4096),
        ("publish-large", 0),
        ("publish-large", 4096),
    ]
    case = summary["cases"][0]
    assert (case["with"]["releases"], case["without"]["releases"]) == (2000, 2000)
    assert (case["with"]["start_delay_us"]["p50"], case["without"]["start_delay_us"]["p50"]) == (30.3, 20.3)
    assert case["start_delay_ratio"]["p50"]["median"] == pytest.approx(30.3 / 20.3)
    assert case["waits"]["with"] == {"deferred": 4, "longest_section_ns": 9}
    assert case["did"]["peers"] == {"reader": {"times": 6, "bytes": 48}}
    assert [(each["starts"], each["known"]) for each in case["late_starts"].values()] == [(0, 0), (0, 0)]
    assert all(each["refused"] for each in case["late_starts"].values())
    assert {"result.json", "summary.json", "interference.svg", "fastdds.xml"} <= {p.name for p in Path("i").iterdir()}
    settings = INTERFERENCE_FORMAT.read(Path("i")).settings
    assert (settings.turn, settings.variants[1].case.name, settings.variants[1].kept_heap) == (10**9, "add", 4096)


def test_the_page_describes_each_case_once(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_REFUSED", "no real-time priority")
    shown = measure("i", "--rounds", "1", "--kept-heap", "0", "--kept-heap", "4096")
    assert shown.exit_code == 0, shown.stderr
    assert takt("report", "i").exit_code == 0
    page = Path("i/report.html").read_text("utf-8")
    description = "8 MB ten times a second to a reader outside"
    assert (shown.stdout.count(description), page.count(description)) == (1, 1)
    for line in ("not granted: no real-time priority", "it is not known which threads had the CPU: no rights"):
        assert line in " ".join(shown.stdout.split())
        assert line in page


def test_cases_are_compared_by_their_delays_and_misses(stand_ins: Path) -> None:
    for place, rounds in (("a", "2"), ("b", "3")):
        assert measure(place, "--rounds", rounds).exit_code == 0
    comparison = json.loads(takt("compare", "a", "b", "--json").stdout)
    metrics = {(each["executor_a"], each["metric"]): each for each in comparison["entries"]}
    kinds = [f"{turns} {level}" for turns in ("with the activity", "without it") for level in ("p50", "p99")]
    names = [*(f"start delay {kind}" for kind in kinds), "missed with the activity", "missed without it"]
    assert set(metrics) == {(case, name) for case in ("add, takt", "publish-large, takt") for name in names}
    assert metrics["add, takt", "start delay with the activity p50"]["a"] == 30.3
    assert metrics["add, takt", "missed without it"]["b"] == 0
    other = measure("c", "--rounds", "2", "--turn", "2s")
    assert other.exit_code == 0, other.stderr
    assert "turn (1000000000 / 2000000000)" in takt("compare", "a", "c").stderr


def test_jobs_without_room_end_the_measurement(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_DROPPED", "7")
    result = measure("i", "--rounds", "1")
    assert (result.exit_code, Path("i").exists()) == (1, False)
    assert "add, takt: 7 jobs were not recorded for lack of room; shorten the turns" in result.stderr
