# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of benchmarks, with stand-ins for their programs; no time is asserted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from takt_cli.analysis.benchmark import benchmark_summary, read_benchmark
from takt_cli.chart.marks import Line
from takt_cli.cli.main import cli
from takt_cli.report.kinds.benchmark import benchmark_charts
from takt_cli.results.benchmark import ALL_FORMAT, BENCHMARKS, BenchmarkSettings
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds


def measure(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, ["measure", *arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    summary: dict[str, Any] = json.loads(result.stdout)
    return summary


def ratio(summary: dict[str, Any], of: str, to: str, x: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in summary["ratios"] if (r["of"], r["to"], r["x"]) == (of, to, x))
    return found


def test_preemption_is_judged_by_the_upper_bound(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = measure("preemption", "--rounds", "8", "--turn", "5ms", "--out", "p")
    assert ratio(summary, "takt", "wake-up") == {
        "of": "takt", "to": "wake-up", "x": 0, "to_x": 0, "median": 1.2, "low": 1.2, "high": 1.2, "rounds": 8,
        "too_short": False,
    }  # fmt: skip
    assert [(limit["below"], limit["holds"]) for limit in summary["limits"]] == [(1.5, True)]
    # Three passes of ten wake-ups each; a wake-up beyond the histogram counts as the longest one.
    assert summary["cyclictest"] == {"n": 30, "p50": 3000.0, "p90": 4000.0, "p99": None, "max": 2000000.0}
    files = {path.name for path in Path("p").iterdir()}
    assert files == {"result.json", "summary.json", "fastdds.xml", "preemption.svg", "pass-1", "pass-2", "pass-3"}
    result = read_benchmark(Path("p"))
    assert list(result.samples["takt", 0]) == list(range(8))
    wakeups = result.wakeups
    assert wakeups is not None
    assert [np.count_nonzero(wakeups == each) for each in (3000, 4000, 2_000_000)] == [18, 9, 3]
    stricter = replace(BENCHMARKS["preemption"], limits=(("takt", "wake-up", 1.1),))
    monkeypatch.setitem(BENCHMARKS, "preemption", stricter)
    assert benchmark_summary(result).limits[0].holds is False


def test_without_rights_or_rounds_nothing_is_judged(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = measure("preemption", "--rounds", "2", "--turn", "5ms")
    assert summary["limits"][0]["holds"] is None
    assert summary["ratios"][0]["high"] is None
    monkeypatch.setenv("STAND_IN_REFUSED", "SCHED_FIFO refused: ask your administrator")
    summary = measure("preemption", "--rounds", "8", "--turn", "5ms")
    assert summary["limits"][0]["holds"] is None
    assert summary["refused"] == ["SCHED_FIFO refused: ask your administrator"]
    result = CliRunner().invoke(cli, ["measure", "preemption", "--rounds", "8", "--turn", "5ms"])
    assert "not granted: SCHED_FIFO refused" in result.stdout
    assert "takt / wake-up: inconclusive: 1.2 (1.2 to 1.2); without real-time rights" in result.stdout


def test_growth_is_fitted(stand_ins: Path) -> None:
    summary = measure("dispatch", "--rounds", "6", "--turn", "5ms")
    growth = {g["variant"]: g for g in summary["growth"]}
    assert growth["together"]["exponent"]["median"] == pytest.approx(0.25)
    assert growth["heap"]["exponent"]["median"] == pytest.approx(0.0)
    assert growth["heap"]["per_doubling_ns"]["median"] == pytest.approx(0.0)
    assert growth["executor"]["exponent"] is None  # at one x only
    assert ratio(summary, "together", "together", 1000)["median"] == pytest.approx(100**0.25)
    assert ratio(summary, "together", "heap", 1000)["median"] == pytest.approx(2 * 1000**0.25)


def test_a_floor_without_a_size_is_compared_with_every_size(stand_ins: Path) -> None:
    summary = measure("exchange", "--rounds", "5", "--turn", "1ms", "--out", "e")
    assert {r["to_x"] for r in summary["ratios"] if r["to"] == "wake-up"} == {0}
    assert ratio(summary, "loaned", "wake-up", 65536)["median"] == 0.5
    assert ratio(summary, "loaned", "loaned", 65536)["median"] == 1.0
    assert ratio(summary, "copied", "copied", 65536)["median"] == pytest.approx((900 + 65536) / 916)
    (panel,) = benchmark_charts(read_benchmark(Path("e")))["exchange"].panels
    lines = {mark.name: list(mark.x) for mark in panel.marks if isinstance(mark, Line)}
    assert (list(lines), lines["wake-up"]) == (["loaned", "copied", "wake-up"], [16, 65536])


def test_a_difference_is_judged_by_its_upper_bound(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = measure("trace", "--rounds", "6", "--turn", "1ms", "--out", "t")
    assert [(d["x"], round(d["median"]), d["holds"]) for d in summary["differences"]] == [
        (10, 40, True),
        (100, 40, True),
    ]
    monkeypatch.setitem(
        BENCHMARKS, "trace", replace(BENCHMARKS["trace"], differences=(("traced", "not traced", 20.0),))
    )
    assert benchmark_summary(read_benchmark(Path("t"))).differences[0].holds is False


def test_two_results_are_compared_by_variant_and_size(stand_ins: Path) -> None:
    for place, rounds in (("a", "9"), ("b", "12")):
        measure("exchange", "--rounds", rounds, "--turn", "1ms", "--out", place)
    result = CliRunner().invoke(cli, ["compare", "a", "b", "--json"])
    entries = {(each["executor_a"], each["metric"]): each for each in json.loads(result.stdout)["entries"]}
    assert {name for name, _ in entries} == {"loaned", "copied", "wake-up"}
    assert [what for name, what in entries if name == "loaned"] == [f"time, {n} p50" for n in ("16B", "1KiB", "64KiB")]
    assert entries["wake-up", "time p50"]["a"] == pytest.approx(1.8, rel=0.01)
    measure("section", "--rounds", "3", "--turn", "1ms", "--out", "c")
    refused = CliRunner().invoke(cli, ["compare", "a", "c"])
    assert "c: is of another kind than a" in refused.stderr


def test_samples_that_found_no_room_are_an_error(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_DROPPED", "7")
    result = CliRunner().invoke(cli, ["measure", "section", "--rounds", "3", "--turn", "1ms"])
    assert result.exit_code == 1
    assert "had no space for 21 samples" in result.stderr
    assert not list(Path().glob("results/*"))


def test_all_benchmarks_have_one_result_folder(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = measure("all", "--quick", "--out", "bench")
    assert set(summary) == {*BENCHMARKS, "folder"}
    for name in BENCHMARKS:
        assert Path(f"bench/{name}/{name}.svg").read_text("utf-8").startswith("<svg")
    # If one benchmark fails, the others are kept, and the exit status is 1.
    monkeypatch.setenv("STAND_IN_SWITCH", "fail")
    result = CliRunner().invoke(cli, ["measure", "all", "--quick", "--out", "part"])
    assert result.exit_code == 1
    assert "switch failed" in result.stderr
    assert "exponent +0.250" in result.stdout
    # The title of a benchmark whose turns have no fixed length does not mention a length.
    words = " ".join(result.stdout.split())
    assert re.search(r"nodes: the time [^;]*; \d+ rounds ┏", words)
    assert re.search(r"section: the [^;]*; \d+ rounds x \d+ ms ┏", words)
    assert {p.name for p in Path("part").iterdir()} == {*BENCHMARKS, "summary.json", "result.json"} - {"switch"}
    record = ALL_FORMAT.read(Path("part")).record
    assert (set(record.made), len(record.failed)) == (BENCHMARKS.keys() - {"switch"}, 1)
    # The page shows those that there are.
    report = CliRunner().invoke(cli, ["report", "part"])
    assert report.exit_code == 0, report.output
    page = Path("part/report.html").read_text("utf-8")
    assert {name for name in BENCHMARKS if f'id="of-{name}"' in page} == set(record.made)


def test_an_interval_is_over_rounds() -> None:
    assert over_rounds([1, 2, 3, 4]) == MedianOfRounds(median=2.5, low=None, high=None, rounds=4, too_short=True)
    wide = over_rounds([1.0, 9.0, 1.0, 1.2, 0.9, 1.1])
    assert (wide.median, wide.low, wide.high) == (1.05, 0.9, 9.0)
    values = np.random.default_rng(1).normal(10, 1, 200)
    narrow: Any = over_rounds(values)
    assert narrow.low < 10 < narrow.high
    assert narrow.high - narrow.low < 1


def test_rounds_are_dealt_out_over_passes() -> None:
    def parts(rounds: int) -> list[int]:
        return BenchmarkSettings("section", 0, rounds, 1, 3).rounds_of_passes

    assert [parts(n) for n in (1, 2, 3, 11)] == [[1], [1, 1], [1, 1, 1], [4, 4, 3]]


def test_a_pass_with_cyclictest_has_two_parts() -> None:
    settings = [BenchmarkSettings(kind, 0, 30, 10**9) for kind in ("preemption", "switch")]
    assert [each.parts for each in settings] == [6, 3]
    # Three passes with 10 rounds of two turns each, and as long with cyclictest.
    assert settings[0].seconds == pytest.approx(3 * (1 + 20 * 1.06 + 20))
