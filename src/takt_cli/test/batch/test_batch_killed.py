# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a batch of real runs that is killed during a run and then resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from spec_samples import GOOD
from waiting import wait_until

from takt_cli.analysis.result_set import read_set
from takt_cli.errors import HostError
from takt_cli.host.programs import find_program

pytestmark = pytest.mark.programs

BATCH = [sys.executable, "-m", "takt_cli", "batch"]
OUT = Path("out")


@pytest.fixture(autouse=True)
def _the_programs_are_there() -> None:
    try:
        find_program("runner")
    except HostError as error:
        (pytest.fail if os.environ.get("TAKT_REQUIRE_PROGRAMS") else pytest.skip)(str(error))


def in_mid_run() -> bool:
    """Return whether a run is done and another one has begun."""
    return bool(lines()) and any(OUT.glob("runs/*/*/.*.partial/fastdds.xml"))


def held_in_mid_run(process: subprocess.Popen[bytes]) -> bool:
    """Stop the process during a run, so that it is still in that run when it is killed, however long that takes on a
    busy host. Return whether this succeeded."""
    if not in_mid_run():
        return False
    process.send_signal(signal.SIGSTOP)
    state = Path(f"/proc/{process.pid}/stat")
    wait_until(lambda: process.poll() is not None or state.read_text("utf-8").split()[2] == "T", "it is stopped")
    if in_mid_run():
        return True
    process.send_signal(signal.SIGCONT)
    return False


def lines() -> list[bytes]:
    journal = OUT / "journal.jsonl"
    return journal.read_bytes().splitlines() if journal.exists() else []


def marked(mark: bytes) -> list[str]:
    """Return the processes whose environment contains the mark."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and mark in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


def test_a_killed_batch_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("apps").mkdir()
    for name in ("one", "two"):
        Path(f"apps/{name}.yaml").write_text(GOOD, "utf-8")
    small = ["--executors", "takt", "--runs", "2", "--duration", "0.3", "--warmup", "0.1", "--cooldown", "0"]
    mark = f"TAKT_TEST={uuid.uuid4()}"
    env = os.environ | dict([mark.split("=")])
    with subprocess.Popen([*BATCH, "apps", *small, "--out", "out"], env=env) as process:
        wait_until(lambda: process.poll() is not None or held_in_mid_run(process), "a run is held")
        assert process.poll() is None
        process.kill()
    # The processes that the batch had started end as well.
    wait_until(lambda: not marked(mark.encode()), "all that it started is gone")
    kept = lines()
    done = {path: path.stat().st_mtime_ns for path in OUT.glob("runs/*/*/[0-9]*/result.json")}
    assert 0 < len(kept) < 4
    assert list(OUT.glob("runs/*/*/.*.partial"))
    subprocess.run([*BATCH, "--resume", "out"], check=True, capture_output=True)
    assert lines()[: len(kept)] == kept
    items = [(e["application"], e["run"], e["outcome"]) for e in map(json.loads, lines())]
    assert sorted(items) == [(name, run, "done") for name in ("one", "two") for run in (1, 2)]
    assert {path: path.stat().st_mtime_ns for path in done} == done
    assert not list(OUT.rglob("*.partial"))
    assert len(read_set(OUT).runs) == 4
