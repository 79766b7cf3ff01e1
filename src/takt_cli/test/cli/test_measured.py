# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt compare` and `takt report` on results of round trips and cycles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from communication_samples import become_virtual

from takt_cli.cli.main import cli


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, list(arguments))


def measure(kind: str, place: str, *more: str, rounds: int = 3) -> None:
    result = run("measure", kind, "--duration", "1", "--rounds", str(rounds), "--out", place, *more)
    assert result.exit_code == 0, result.stderr


def delay_replies(place: str, by: int) -> None:
    """Delay every reply by this many ns."""
    for path in Path(place).rglob("*.trips.npy"):
        rows = np.load(path)
        rows["received"] += by
        np.save(path, rows)


@pytest.mark.parametrize("rounds", [1, 6])
def test_two_results_are_compared_variant_by_variant(rounds: int, stand_ins: Path) -> None:
    for place in "ab":
        measure("round-trip", place, "--transport", "takt", "udp", rounds=rounds)
    delay_replies("b", 50_000)
    comparison = json.loads(run("compare", "a", "b", "--json").stdout)
    found = {(each["executor_a"], each["metric"]): each for each in comparison["entries"]}
    entry = found["takt (rmw_fastrtps_cpp), rt", "round trip p50"]
    assert entry["difference"] == pytest.approx(50)
    assert (entry["verdict"], entry["over"]) == ("worse", "runs" if rounds == 6 else "samples")
    assert found["udp (raw), rt", "round trip p50"]["verdict"] == "worse"
    # Neither result has missed cycles; the interval is that of a hundred stretches without one, not zero.
    missed = found["udp (raw), rt", "missed cycles"]
    assert (missed["difference"], missed["over"], missed["verdict"]) == (0, "samples", "no difference")
    assert missed["low"] == pytest.approx(-missed["high"])
    assert 3 < missed["high"] < 20
    shown = " ".join(run("compare", "a", "b").stdout.split())
    assert "round trip p50" in shown
    # Costs have no margin here, and figures with one value per run are not compared.
    assert "over samples: there are too few rounds, or they are too similar or without an event" in shown
    assert "costs count as different" not in shown


def test_what_should_not_be_compared_is_refused(stand_ins: Path) -> None:
    measure("round-trip", "a", "--transport", "takt", rounds=1)
    measure("round-trip", "b", "--transport", "takt", "--payload", "9000", rounds=1)
    measure("cyclic", "c", "--executor", "takt", rounds=1)
    refused = run("compare", "a", "b")
    assert refused.exit_code == 1
    assert "payload (500 / 9000)" in refused.stderr
    assert "forced" in run("compare", "a", "b", "--force").stdout
    assert "c: is of another kind than a" in run("compare", "a", "c").stderr
    Path("d").mkdir()
    assert "d: holds no result; name the folder of a finished one" in run("compare", "a", "d").stderr


@pytest.mark.parametrize("kind", ["round-trip", "cyclic"])
def test_a_guest_is_never_compared_with_a_host(kind: str, stand_ins: Path) -> None:
    for place in "ab":
        measure(kind, place, rounds=1)
    become_virtual(Path("b"))
    for sides in ("ab", "ba"):
        refused = run("compare", *sides, "--force")
        assert refused.exit_code == 1
        assert "b is of a guest's virtual time and a of a real host: they are never comparable" in refused.stderr
    become_virtual(Path("a"))
    comparison = json.loads(run("compare", "a", "b", "--json").stdout)
    assert {each["verdict"] for each in comparison["entries"]} == {"inconclusive"}
    assert run("report", "a").exit_code == 0
    assert "virtual: kernel 6.1.0-rt" in Path("a/report.html").read_text("utf-8")


def test_cycles_are_compared_by_their_delays(stand_ins: Path) -> None:
    for place in "ab":
        measure("cyclic", place, "--executor", "takt", rounds=1)
    comparison = json.loads(run("compare", "a", "b", "--json").stdout)
    metrics = {each["metric"]: each["verdict"] for each in comparison["entries"]}
    assert metrics["request delay p99"] == "no difference"
    assert {"cycle delay p50", "response delay p50", "skipped cycles"} <= set(metrics)


@pytest.mark.parametrize("kind", ["round-trip", "cyclic"])
def test_a_page_shows_every_variant(kind: str, stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOST", "2")
    measure(kind, "a", rounds=2)
    result = run("report", "a", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["kind"] == kind
    page = Path("a/report.html").read_text("utf-8")
    for each in ("takt (rmw_fastrtps_cpp), rt", "over time", "share that took longer", "no load and no traffic"):
        assert each in page
