# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the figures of benchmarks, with stand-ins for the programs; no time is asserted."""

from __future__ import annotations

import json
import re
import stat
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from takt_cli.analysis.benchmark import benchmark_summary, cyclictest_samples, read_benchmark
from takt_cli.cli.main import cli
from takt_cli.run.benchmark import KINDS, BenchmarkSettings
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds

CYCLICTEST = """#!{python}
import json, sys
out = [a.partition("=")[2] for a in sys.argv if a.startswith("--json=")][0]
thread = {{"cycles": 10, "max": 2000000, "histogram": {{"3000": 6, "4000": 3}}}}
open(out, "w").write(json.dumps({{"thread": {{"0": thread}}}}))
"""


@pytest.fixture
def _cyclictest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "cyclictest"
    program.parent.mkdir()
    program.write_text(CYCLICTEST.format(python=sys.executable), "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")


def measure(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, ["measure", *arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    summary: dict[str, Any] = json.loads(result.stdout)
    return summary


def ratio(summary: dict[str, Any], of: str, to: str, x: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in summary["ratios"] if (r["of"], r["to"], r["x"]) == (of, to, x))
    return found


@pytest.mark.usefixtures("_cyclictest")
def test_preemption_is_judged_by_the_upper_bound(stand_ins: Path) -> None:
    summary = measure("preemption", "--rounds", "8", "--turn", "5ms", "--out", "p")
    assert ratio(summary, "takt", "wake-up") == {
        "of": "takt", "to": "wake-up", "x": 0, "to_x": 0, "median": 1.2, "low": 1.2, "high": 1.2, "rounds": 8,
        "too_short": False,
    }  # fmt: skip
    assert [(limit["below"], limit["holds"]) for limit in summary["limits"]] == [(1.5, True)]
    # Three passes of ten wake-ups each; a wake-up beyond the histogram counts as the longest one.
    assert summary["cyclictest"] == {"n": 30, "p50": 3000.0, "p90": 4000.0, "p99": None, "max": 2000000.0}
    assert {p.name for p in Path("p").iterdir()} == {
        "run.json", "samples.npy", "summary.json", "fastdds.xml", "preemption.svg"
    }  # fmt: skip
    record = json.loads(Path("p/run.json").read_text("utf-8"))
    assert len(record["processes"]) == 3
    assert set(np.load("p/samples.npy")["round"].tolist()) == set(range(8))
    record["limits"][0]["below"] = 1.1
    Path("p/run.json").write_text(json.dumps(record), "utf-8")
    assert benchmark_summary(read_benchmark(Path("p")))["limits"][0].holds is False


@pytest.mark.usefixtures("_cyclictest")
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
    assert "not judged" in result.stdout


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
    summary = measure("exchange", "--rounds", "5", "--turn", "1ms")
    assert {r["to_x"] for r in summary["ratios"] if r["to"] == "wake-up"} == {0}
    assert ratio(summary, "loaned", "wake-up", 65536)["median"] == 0.5
    assert ratio(summary, "loaned", "loaned", 65536)["median"] == 1.0
    assert ratio(summary, "copied", "copied", 65536)["median"] == pytest.approx((900 + 65536) / 916)


def test_a_difference_is_judged_by_its_upper_bound(stand_ins: Path) -> None:
    summary = measure("trace", "--rounds", "6", "--turn", "1ms", "--out", "t")
    assert [(d["x"], round(d["median"]), d["holds"]) for d in summary["differences"]] == [
        (10, 40, True),
        (100, 40, True),
    ]
    record = json.loads(Path("t/run.json").read_text("utf-8"))
    record["differences"][0]["below_ns"] = 20
    Path("t/run.json").write_text(json.dumps(record), "utf-8")
    assert benchmark_summary(read_benchmark(Path("t")))["differences"][0].holds is False


def test_samples_that_found_no_room_are_an_error(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_DROPPED", "7")
    result = CliRunner().invoke(cli, ["measure", "section", "--rounds", "3", "--turn", "1ms"])
    assert result.exit_code == 1
    assert "had no space for 21 samples" in result.stderr
    assert not list(Path().glob("results/*"))


@pytest.mark.usefixtures("_cyclictest")
def test_all_benchmarks_have_one_result_folder(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = measure("all", "--quick", "--out", "bench")
    assert set(summary) == {*KINDS, "folder"}
    for name in KINDS:
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
    assert {p.name for p in Path("part").iterdir()} == {*KINDS, "summary.json"} - {"switch"}


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
        return BenchmarkSettings(KINDS["section"], 0, rounds, 1, 3).parts

    assert [parts(n) for n in (1, 2, 3, 11)] == [[1], [1, 1], [1, 1, 1], [4, 4, 3]]


def test_a_histogram_is_taken_apart() -> None:
    assert cyclictest_samples({"3": 2, "5": 1}).tolist() == [3.0, 3.0, 5.0]
