# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt measure one-way`: its figures from written samples, and its command with a stand-in program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from one_way_samples import write_one_way

from takt_cli.cli.main import cli
from takt_cli.measurements.one_way import BETWEEN, WAYS, read_one_way, summarise_one_way

SIZES = (512, 1 << 20)


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_figures_are_of_all_laps_and_ratios_of_the_same_laps(tmp_path: Path) -> None:
    # Each lap is slower than the one before, for all ways alike, which the ratios do not see.
    cost = {BETWEEN: 40_000.0, "baseline0": 20_000.0, "takt": 4_000.0, "copy": 1_000.0}
    write_one_way(tmp_path, SIZES, 3, 4, lambda way, _size, lap: cost[way] * (1 + lap))
    result = read_one_way(tmp_path)
    assert sorted(result.laps("takt", 512)) == list(range(12))
    summary = summarise_one_way(result)
    found = {(each.way, each.bytes): each for each in summary.figures}
    assert list(found) == [(way, size) for way in WAYS for size in SIZES]
    assert (found["takt", 512].us.n, found["takt", 512].us.max) == (12, 48.0)
    assert found["copy", 512].ratio_to_copy is None
    ratio = found["takt", 1 << 20].ratio_to_copy
    assert ratio is not None
    assert (ratio.median, ratio.rounds) == (4.0, 12)
    assert result.ratios(BETWEEN, "takt", 512) == [10.0] * 12


def test_ways_take_turns_and_each_is_a_process_of_its_own(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    result = takt("measure", "one-way", "--size", "1KiB", "--size", "4KiB", "--rounds", "2", "--out", "a", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert (summary["sizes"], summary["rounds"], summary["folder"]) == ([1024, 4096], 2, "a")
    files = {path.name for path in Path("a").iterdir()}
    assert files == {"result.json", "summary.json", "latency.svg", "fastdds.xml", "round-1", "round-2"}
    arguments = [json.loads(line)["args"] for line in Path("log").read_text("utf-8").splitlines()]
    near = [each for each in arguments if "--rounds" in each]
    ways = list(WAYS.values())
    assert [each["--way"] for each in near] == [*ways, *ways[1:], ways[0]]
    far = [each for each in arguments if each.get("--side") == "far"]
    assert [each["--way"] for each in far] == ["middleware"] * 2
    # Between processes it is measured for longer.
    assert {each["--way"]: int(each["--turn-ns"]) // 10**6 for each in near} == dict.fromkeys(ways, 50) | {
        "middleware": 250
    }


def test_a_table_has_a_row_for_each_way_and_size(stand_ins: Path) -> None:
    shown = takt("measure", "one-way", "--size", "4KiB", "--way", "takt", "--way", "copy", "--rounds", "1").stdout
    lines = [line for line in shown.splitlines() if "4KiB │" in line]
    assert [line.split()[1] for line in lines] == ["takt", "copy"]
    assert "4.02" in lines[0]
    assert "One-way latency of messages of 4KiB, 1 round " in shown


def test_two_results_are_compared_by_way_and_size(stand_ins: Path) -> None:
    for place, sizes in (("a", ["1KiB", "4KiB"]), ("b", ["4KiB", "8KiB"])):
        options = [word for size in sizes for word in ("--size", size)]
        assert takt("measure", "one-way", *options, "--rounds", "4", "--out", place).exit_code == 0
    comparison = json.loads(takt("compare", "a", "b", "--json").stdout)
    assert {each["metric"] for each in comparison["entries"]} == {"4KiB p50"}
    assert {each["executor_a"] for each in comparison["entries"]} == set(WAYS)
    assert {each["difference"] for each in comparison["entries"]} == {0.0}
    assert (
        takt("measure", "timers", "--callbacks", "1", "--period", "10ms", "--duration", "1", "--out", "c").exit_code
        == 0
    )
    assert "b: is of another kind than c" in takt("compare", "c", "b").stderr


@pytest.mark.parametrize(
    ("option", "value", "what"),
    [("--size", "0B", "not above 0"), ("--size", "65MiB", "at most 64MiB"), ("--size", "9", "no unit"),
     ("--cpu", "0,1,2", "one for each of the two sides"), ("--way", "rclcpp", "two-processes")],
)  # fmt: skip
def test_nonsense_is_refused(option: str, value: str, what: str, stand_ins: Path) -> None:
    result = takt("measure", "one-way", option, value)
    assert result.exit_code == 2
    assert what in result.stderr
    assert not list(Path().iterdir())


def test_samples_without_room_are_an_error(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_DROPPED", "7")
    result = takt("measure", "one-way", "--size", "1KiB", "--way", "takt", "--rounds", "1", "--out", "a")
    assert result.exit_code == 1
    assert "no room for 7 samples" in result.stderr
    assert not Path("a").exists()
