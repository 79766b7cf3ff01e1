# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt soak` with stand-ins for its programs."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from takt_cli.cli.main import cli
from takt_cli.results.soak import SOAK_FORMAT


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_a_soak_is_recorded_replayed_and_judged(stand_ins: Path) -> None:
    result = takt("soak", "--duration", "20", "--warmup", "1", "--load", "none", "--out", "s", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert (summary["jobs"], summary["misses"]["late"], summary["guests"]) == (2000, 0, 1)
    assert summary["gauges"]["heap"]["n"] == 200
    assert summary["stress"] is None
    assert summary["verdict"]["outcome"] in {"pass", "inconclusive"}
    files = {"result.json", "summary.json", "soak.svg", "soak.json", "stalls.json", "jobs.npy", "replay.npy"}
    assert files <= {path.name for path in Path("s").iterdir()}
    envelope = SOAK_FORMAT.read(Path("s"))
    assert (envelope.settings.duration, envelope.settings.load) == (20 * 10**9, None)
    assert envelope.record.process.tasks[0].period_ns == 10**7


def test_a_soak_has_a_page_with_its_verdict(stand_ins: Path) -> None:
    shown = takt("soak", "--duration", "10", "--load", "none")
    assert shown.exit_code == 0, shown.stderr
    (folder,) = Path("results").iterdir()
    assert folder.name.endswith("-soak-full-0.00277778h")
    assert shown.stdout.endswith(f"result: {folder}\n")
    assert takt("report", str(folder)).exit_code == 0
    page = (folder / "report.html").read_text("utf-8")
    outcome, why = json.loads((folder / "summary.json").read_text("utf-8"))["verdict"].values()
    for text in ("soak of 10 s, full, at utilisation 0.1", "scenario switches", outcome, why[0]):
        assert text in shown.stdout
        assert text in page
    assert "takt soak" in page
    assert "takt measure" not in page


def test_a_soak_cannot_be_compared_or_have_two_durations(stand_ins: Path) -> None:
    assert takt("soak", "--duration", "10", "--load", "none", "--out", "s").exit_code == 0
    assert "s: a result of takt soak cannot be compared with another" in takt("compare", "s", "s").stderr
    both = takt("soak", "--duration", "10", "--hours", "1")
    assert (both.exit_code, "give one of them, not both" in both.stderr) == (2, True)
