# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the load beside a run, with the real stress-ng and with stand-ins for the C++ programs."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner
from run_results import read_json
from waiting import PATIENCE_S, alive, logged, wait_until, wait_until_ended

from takt_cli.cli.main import cli
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.system import THIS_HOST, System
from takt_cli.results.achieved import AchievedLoad
from takt_cli.surroundings.load import describe_load, parse_load


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["run", "app.yaml", "--executor", "takt", "--duration", "0.5", *arguments])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def stressors() -> set[int]:
    """Return the running stress-ng processes that were started in this test's folder."""
    found = set()
    for process in Path("/proc").iterdir():
        try:
            ours = process.name.isdigit() and (process / "cwd").readlink().is_relative_to(Path.cwd())
            if ours and (process / "comm").read_text("utf-8").startswith("stress-ng"):
                found.add(int(process.name))
        except OSError:
            continue
    return {pid for pid in found if alive(pid)}


@pytest.mark.usefixtures("spec")
def test_load_is_recorded_as_achieved_and_gone_at_the_end() -> None:
    summary = json.loads(run("--load", "cpu", "--out", "out", "--json"))
    assert summary["stress"]["asked"]["kinds"] == {"cpu": 1}
    assert summary["stress"]["by"].startswith("stress-ng, version")
    assert summary["stress"]["seconds"] > 0
    assert set(summary["stress"]["share_of_cpu"]) == {str(cpu) for cpu in allowed_cpus()}
    assert all(share > 0 for share in summary["stress"]["share_of_cpu"].values())
    assert read_json(Path("out"))["record"]["stress"] == summary["stress"]
    assert not stressors()
    assert "background load" in run("--load", "cpu", "--out", "shown")
    assert "background load" not in run("--out", "without")
    assert json.loads(run("--json", "--out", "none"))["stress"] is None


def children_of(pid: int) -> set[int]:
    return {int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()}


@pytest.mark.usefixtures("spec")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_load_ends_with_an_interrupted_run(number: signal.Signals) -> None:
    log = Path("log").absolute()
    process = subprocess.Popen(
        [sys.executable, "-m", "takt_cli", "run", "app.yaml", "--executor", "takt", "--load", "cpu", "--out", "out"],
        env=dict(os.environ) | {"STAND_IN_RUNNER": "hang", "STAND_IN_LOG": str(log), "TMPDIR": str(Path().absolute())},
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: len(logged(log)) == 2, "the probe and the runner start")
    sessions = [pid for pid in stressors() if pid in children_of(process.pid)]
    mine = {member.pid for session in sessions for member in THIS_HOST.members(session)} | set(sessions)
    assert len(sessions) == 1
    # Each worker is bound to a CPU of its own.
    places = {each.pid: os.sched_getaffinity(each.pid) for each in THIS_HOST.members(sessions[0])}
    assert sorted(cpu for place in places.values() for cpu in place) == allowed_cpus()
    process.send_signal(number)
    process.wait(PATIENCE_S)
    wait_until_ended(mine)


# A shell loop that works until the kernel has counted CPU time for it.
WORK_A_LITTLE = "until set -- $(cat /proc/$$/stat) && [ $((${14} + ${15})) -gt 0 ]; do :; done"


# A load whose workers have worked a little before they are waited for, and then sleep.
SLEEPING_WORKERS = f"for i in $(seq $2); do sh -c 'echo $$ >>$PIDS; {WORK_A_LITTLE}; exec sleep 1000' & done; wait"


def stand_in_load(does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a shell script the load. Return the file in which it may note the IDs of its workers."""
    program = tmp_path / "bin" / "stress-ng"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{does}\n", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    pids = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(pids))
    return pids


@pytest.mark.usefixtures("spec")
def test_a_load_that_uses_less_than_a_tick_has_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in_load(f"trap 'kill $(cat $PIDS); exit' INT; {SLEEPING_WORKERS}", tmp_path, monkeypatch)
    used = count(1, 1000)
    monkeypatch.setattr(System, "cpu_time", lambda _, worker: next(used) if worker.name == "sleep" else 0)
    members = System.members
    monkeypatch.setattr(System, "members", lambda *asked: [replace(each, seconds=0.0) for each in members(*asked)])
    share = json.loads(run("--load", "cpu", "--out", "out", "--json"))["stress"]["share_of_cpu"]
    assert all(0 < each < 0.01 for each in share.values())


@pytest.mark.usefixtures("spec")
@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("exec sleep 100", f"only 0 of the load's {len(allowed_cpus())} workers run after"),
        ("exit 7", "the load died"),
        (SLEEPING_WORKERS, "did not run to the end"),
    ],
)
def test_load_that_does_not_run_is_an_error(
    does: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = stand_in_load(does, tmp_path, monkeypatch)
    if "only 0" in says:
        monkeypatch.setattr("takt_cli.surroundings.stress._STARTING", 2.0)
    if "did not run" in says:
        # The load counts as running when its workers have done their work, however long that takes on a busy host.
        monkeypatch.setattr(System, "cpu_time", lambda _, worker: int(worker.name == "sleep"))
    command = ["run", "app.yaml", "--executor", "takt", "--load", "cpu", "--out", "out"]
    result = CliRunner().invoke(cli, command)
    assert result.exit_code == 1
    assert says in result.stderr
    assert not Path("out").exists()
    assert pids.exists() == ("$PIDS" in does)
    begun = pids.read_text("utf-8").split() if pids.exists() else []
    wait_until_ended(map(int, begun))


@pytest.mark.usefixtures("spec")
def test_without_stress_ng_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    result = CliRunner().invoke(cli, ["run", "app.yaml", "--executor", "takt", "--load", "cpu"])
    assert result.exit_code == 1
    assert "stress-ng is not installed" in result.stderr


def test_load_is_told_by_kind_and_cpu() -> None:
    assert describe_load(None) == "none"
    each = AchievedLoad(asked=parse_load("cpu"), by="stress-ng", share_of_cpu={"0": 0.984, "1": 0.25})
    assert describe_load(each) == "cpu: CPU 0 98 %, CPU 1 25 %"
    some = AchievedLoad(asked=parse_load("cpu=10,vm=10"), by="stress-ng", cpus_used={"cpu": 1.0, "vm": 0.5})
    assert describe_load(some) == "cpu 10, vm 10: 1.50 CPUs used"
