# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of cycles with the real program: the analysis can read what it leaves, with real-time rights and without. No
time is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from rights import is_short_of_rights

from takt_cli.analysis.cyclic import read_cyclic
from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.host.programs import find_program
from takt_cli.results.verdict import TOO_SHORT

pytestmark = [pytest.mark.programs, pytest.mark.exchange, pytest.mark.rights]


@pytest.mark.parametrize("executors", [("takt", "control"), ("baseline1",)])
def test_cycles_of_one_process_and_of_two(
    executors: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        find_program("cyclic")
    except HostError as error:
        pytest.skip(str(error))
    monkeypatch.chdir(tmp_path)
    short = ("--period", "5ms", "--duration", "1", "--warmup", "0.2", "--rounds", "1", "--out", "result", "--json")
    result = CliRunner().invoke(cli, ["measure", "cyclic", "--executor", *executors, *short])
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    read = read_cyclic(Path("result"))
    assert [figures["transport"] for figures in summary["variants"].values()] == list(executors)
    for variant, (name, figures) in zip(read.measurement.settings.variants, summary["variants"].items(), strict=True):
        files = [Path("result/round-1", f"{variant.tag}{side}.json") for side in ("", ".responder")]
        processes = [json.loads(each.read_text("utf-8")) for each in files if each.exists()]
        assert [each["side"] for each in processes] == (
            ["controller", "responder"] if executors == ("baseline1",) else ["both"]
        )
        # The depth is large enough that a late message is not replaced by the next one.
        assert {each["depth"] for each in processes} == {101}
        (rows,) = read.rows[name]
        assert ((rows["ideal"] - processes[0]["t0"]) % 5_000_000 == 0).all()
        assert (np.diff(rows["ideal"]) > 0).all()
        assert (rows["start"] >= rows["ideal"]).all()
        assert figures["sent"] + figures["skipped"]["n"] == 200
        assert figures["sent"] > figures["lost"]["n"], "not one response"
        for which in ("cycle", "request", "response"):
            delay = figures["delays"][which]
            assert delay["aligned_us"]["n"] > 0
            assert delay["within_bound"] == TOO_SHORT, "a second has no slope"
        # With rights everything is granted; without them the refusals are reported, and no verdict is `pass`.
        if is_short_of_rights(figures):
            assert figures["verdict"]["outcome"] != "pass"
