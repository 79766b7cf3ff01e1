# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt measure one-way` with a stand-in program: its variants, its figures, its report and its comparison."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from takt_cli.cli.main import cli

SHORT = ("--period", "1ms", "--warmup", "0.02", "--duration", "0.1", "--turn", "5", "--no-rt")


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def one_way(*arguments: str) -> Result:
    return takt("measure", "one-way", *SHORT, *arguments)


def logged(side: str) -> list[dict[str, str]]:
    entries = [json.loads(line) for line in Path("log").read_text("utf-8").splitlines()]
    return [each["args"] for each in entries if each["args"].get("--side") == side]


def test_places_and_sizes_are_measured_together_and_compared_with_raw_fast_dds(stand_ins: Path) -> None:
    result = one_way("--payload", "256,4KiB", "--rounds", "2", "--out", "a", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["sizes"] == [256, 4096]
    assert list(summary["variants"]) == [
        *(f"{name} ({rmw}), no rt" for name, rmw in (("takt", "rmw_fastrtps_cpp"), ("baseline1", "rmw_fastrtps_cpp"))),
        *(f"{name} (raw), no rt" for name in ("fastdds", "cyclonedds", "udp")),
        *(f"{name} (rmw_fastrtps_cpp), no rt, one process" for name in ("takt", "baseline0")),
    ]
    small, large = summary["variants"]["takt (rmw_fastrtps_cpp), no rt"]["sizes"]
    assert (small["bytes"], small["messages"], small["lost"]) == (256, 100, 0)
    # The stand-in takes 110 us for takt, 100 us for raw Fast DDS, and 1 ns for each byte.
    assert small["latency_us"]["max"] == pytest.approx(110 + 0.256 + 0.6)
    assert large["latency_us"]["p50"] == pytest.approx(110 + 4.096 + 0.3, abs=0.2)
    assert small["ratio"]["to"] == "fastdds (raw), no rt"
    assert small["ratio"]["median"] == pytest.approx(1.1, abs=0.01)
    assert small["publish_us"]["p50"] == 3
    assert small["cpu_us"] == {"sender": 50, "receiver": 50}
    inside = summary["variants"]["takt (rmw_fastrtps_cpp), no rt, one process"]["sizes"][0]
    assert inside["latency_us"]["max"] == pytest.approx(11 + 0.256 + 0.6)
    assert inside["ratio"] is None
    assert inside["cpu_us"] == {"sender": 50, "receiver": None}


def test_each_receiver_is_a_process_with_a_port_for_each_size(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    options = ("--transport", "udp", "--place", "process", "--receivers", "3", "--payload", "1,2", "--rounds", "1")
    result = one_way(*options, "--out", "a", "--json")
    assert result.exit_code == 0, result.stderr
    (figures, _) = json.loads(result.stdout)["variants"]["udp (raw), no rt"]["sizes"]
    assert figures["messages"] == 150
    # The third receiver is 2 us later than the first one.
    assert figures["latency_us"]["max"] == pytest.approx(50 + 0.001 + 0.6 + 2)
    (sender,) = logged("sender")
    receivers = logged("receiver")
    assert [each["--receiver"] for each in receivers] == ["1", "2", "3"]
    ports = [int(each["--here"].rpartition(":")[2]) for each in receivers]
    assert ports == [ports[0], ports[0] + 2, ports[0] + 4]
    assert sender["--there"] == receivers[0]["--here"]
    assert {each["--there"] for each in receivers} == {sender["--here"]}


def test_a_message_that_does_not_arrive_is_lost_and_counts_as_infinitely_long(
    stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_LOST", "3")
    result = one_way("--transport", "takt", "--place", "process", "--payload", "1KiB", "--rounds", "1", "--json")
    assert result.exit_code == 0, result.stderr
    (figures,) = json.loads(result.stdout)["variants"]["takt (rmw_fastrtps_cpp), no rt"]["sizes"]
    assert (figures["messages"], figures["lost"], figures["lost_host"]) == (100, 3, 0)
    assert (figures["latency_us"]["max"], figures["latency_us"]["infinite"]) == (None, 3)


def test_each_size_has_as_many_turns_as_the_others(stand_ins: Path) -> None:
    options = ("--transport", "udp", "--place", "process", "--payload", "1,2,3", "--rounds", "1")
    result = one_way(*options, "--duration", "0.101", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["duration_s"] == 0.105
    assert [each["messages"] for each in summary["variants"]["udp (raw), no rt"]["sizes"]] == [35] * 3


def test_a_table_has_a_row_for_each_variant_and_size(stand_ins: Path) -> None:
    shown = one_way("--payload", "256,...", "--rounds", "1")
    assert shown.exit_code == 2
    assert "two rising sizes must be before the dots" in shown.stderr
    shown = one_way("--transport", "takt", "--payload", "256,1KiB,...,16KiB", "--rounds", "1", "--out", "a")
    assert shown.exit_code == 0, shown.stderr
    # What is the same in all rows is said once.
    assert "transport: takt, RMW: rmw_fastrtps_cpp, settings: no rt" in " ".join(shown.stdout.split())
    lines = [line for line in shown.stdout.splitlines() if re.match("│ [0-9]+(B|KiB)", line)]
    assert [line.split()[1] for line in lines] == ["256B"] * 2 + ["1KiB"] * 2 + ["4KiB"] * 2 + ["16KiB"] * 2
    assert ["one" in line for line in lines] == [False, True] * 4
    assert (Path("a") / "latency.svg").exists()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--place", "process", "--place", "link"), "cannot be in one measurement"),
        (("--link", "100", "--place", "process"), "is not on the way"),
        (("--transport", "baseline0", "--place", "process"), "which does not fit"),
        (("--payload", "128MiB"), "is more than 64MiB"),
        (("--transport", "pigeons"), "is not known"),
    ],
)
def test_wrong_options_are_refused_in_one_line(stand_ins: Path, options: tuple[str, ...], error: str) -> None:
    result = one_way(*options)
    assert result.exit_code == 2
    assert error in " ".join(result.stderr.split())


def test_two_results_are_compared_by_variant_and_size(stand_ins: Path) -> None:
    for place, sizes in (("a", "1KiB,4KiB"), ("b", "4KiB,8KiB")):
        options = ("--transport", "takt", "--place", "process", "--payload", sizes, "--rounds", "4", "--out", place)
        assert one_way(*options).exit_code == 0
    comparison = json.loads(takt("compare", "a", "b", "--json").stdout)
    assert {each["metric"] for each in comparison["entries"]} == {"4KiB p50", "4KiB lost"}
    assert {each["difference"] for each in comparison["entries"]} == {0.0}
