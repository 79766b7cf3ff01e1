# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of surroundings with the real tools: set up, verified, watched, recorded and removed, also after kill -9."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import PATIENCE_S, wait_until, wait_until_ended

from takt_cli.errors import HostError, RunError, TaktError
from takt_cli.host.hierarchy import hierarchy_of
from takt_cli.host.system import THIS_HOST
from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.conditions import Conditions, Limits, Link, Load, Traffic
from takt_cli.results.json_file import encoded
from takt_cli.surroundings.leftovers import clean_leftovers
from takt_cli.surroundings.setup import RunningSurroundings, running_surroundings

pytestmark = pytest.mark.programs


def _may_make_all() -> bool:
    """Return whether this process may create namespaces, links and limits. That needs root, whatever the real-time
    rights, and a container may refuse it to root as well."""
    made = subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True, check=False).returncode == 0
    if (hierarchy := hierarchy_of(THIS_HOST, "cpu")) is None:
        return False
    root = THIS_HOST.path(hierarchy.mount)
    # In a container, the root group of cgroup version 2 has processes, so its child groups cannot have the controller.
    control = root / "cgroup.subtree_control"
    refused = (root / "cgroup.type").exists() and "cpu" not in control.read_text("utf-8").split()
    return made and os.geteuid() == 0 and os.access(root, os.W_OK) and not refused


ROOT = _may_make_all()
LOAD = Load({"cpu": 1, "io": 1, "hdd": 1})


def things_of(pid: int) -> list[str]:
    """Return the network namespaces and control groups that a process has created."""
    groups = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")
    places = (Path("/run/netns"), *groups)
    return [str(path) for place in places if place.is_dir() for path in place.glob(f"takt-{pid}-*")]


def children() -> set[int]:
    pids = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text("utf-8").split()
    return {int(pid) for pid in pids}


@pytest.fixture(autouse=True)
def _nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # A worker that waits for a busy disk ends late and reports its figures late.
    monkeypatch.setattr("takt_cli.surroundings.stress._ENDING", PATIENCE_S)
    before = children()
    yield
    assert not [pid for pid in children() - before if (found := THIS_HOST.task(pid)) is not None and found.alive]
    assert not things_of(os.getpid())
    assert not list(tmp_path.rglob("takt-scratch-*"))
    assert not list(Path(os.environ["TAKT_RECORD_DIR"]).glob("*.json"))


def wait_until_arrived(around: RunningSurroundings, mbit: float) -> None:
    """Wait until this amount of traffic has arrived in each direction."""

    def arrived() -> bool:
        around.check()
        traffic = around.achieved().traffic
        assert traffic is not None
        return all((flow.received_mbit or 0) * flow.seconds >= mbit for flow in traffic.flows.values())

    wait_until(arrived, f"{mbit} Mbit arrive in each direction")


def load_of(around: RunningSurroundings) -> AchievedLoad:
    load = around.achieved().load
    assert load is not None
    return load


@pytest.mark.rights
def test_load_is_reported_by_kind(tmp_path: Path) -> None:
    with running_surroundings(Conditions(LOAD), tmp_path) as around:
        so_far = load_of(around)
        # Enough for some rounds of work, even with a small share of a CPU.
        wait_until(lambda: cpu_time_used(load_of(around), "cpu") > 0.2, "the load works")
        assert around.inside("client") == []
        assert around.address("server") == "127.0.0.1"
    load = load_of(around)
    assert so_far.own_figures is None
    assert load.asked.kinds == {"cpu": 1, "io": 1, "hdd": 1}
    assert load.by.startswith("stress-ng, version")
    assert load.seconds >= so_far.seconds
    assert set(load.cpus_used) == {"cpu", "io", "hdd"}
    assert load.cpus_used["cpu"] > 0
    assert (load.counts_as_processes or 0) >= 1
    # On a busy disk, the first operation of a kind may take longer.
    assert load.own_figures is not None
    assert set(load.own_figures) == set(LOAD.kinds)
    assert (load.own_figures["cpu"].bogo_ops or 0) > 0


def cpu_time_used(load: AchievedLoad, kind: str) -> float:
    """Return the CPU time of the workers of a kind, in s."""
    return load.cpus_used[kind] * load.seconds


@pytest.mark.rights
def test_a_load_is_held_while_programs_start(tmp_path: Path) -> None:
    before = children()
    with running_surroundings(Conditions(Load({"cpu": 2})), tmp_path) as around:
        leader = next(iter(children() - before))

        def stopped() -> set[bool]:
            return {each.state == "T" for each in THIS_HOST.members(leader)}

        around.hold()
        wait_until(lambda: stopped() == {True}, "the workers stop")
        around.check()
        assert load_of(around).seconds > 0
        around.release()
        around.release()
        wait_until(lambda: stopped() == {False}, "the workers go on")
        wait_until(lambda: cpu_time_used(load_of(around), "cpu") > 0.2, "they work")
        around.hold()
    load = load_of(around)
    assert load.held_seconds > 0
    assert load.own_figures is not None
    assert (load.own_figures["cpu"].bogo_ops or 0) > 0  # the load was continued after it had been held


@pytest.mark.parametrize("victim", ["worker", "all"])
def test_a_load_that_dies_fails_the_run(tmp_path: Path, victim: str) -> None:
    before = children()

    def kill_and_watch() -> None:
        with running_surroundings(Conditions(Load({"cpu": 2})), tmp_path) as around:
            leader = next(iter(children() - before))
            worker = next(each for each in THIS_HOST.members(leader) if each.parent == leader)
            os.kill(worker.pid if victim == "worker" else leader, signal.SIGKILL)
            wait_until(around.check, "the check fails")

    with pytest.raises(RunError, match="worker of the load died" if victim == "worker" else "the load died"):
        kill_and_watch()


def test_traffic_goes_both_ways_without_a_link(tmp_path: Path) -> None:
    with running_surroundings(Conditions(traffic=Traffic(2)), tmp_path) as around:
        wait_until_arrived(around, 1)
    traffic = around.achieved().traffic
    assert traffic is not None
    assert traffic.over == "loopback"
    for direction in ("client_to_server", "server_to_client"):
        # The rate is limited; after a delay, the sender catches up with the requested rate.
        assert 0 < (traffic.flows[direction].received_mbit or 0) < 2 * PATIENCE_S


def test_a_link_has_two_sides_traffic_and_limits(tmp_path: Path) -> None:
    conditions = Conditions(Load({"cpu": 1}), Traffic(8), Link(100), Limits(0.5, 4))
    if not ROOT:
        with pytest.raises(HostError, match=r"root|the limit on CPU time"), running_surroundings(conditions, tmp_path):
            pass
        return
    with running_surroundings(conditions, tmp_path) as around:
        sides = {side: devices(around.inside(side)) for side in ("client", "server")}
        assert all(set(found) == {"lo", "takt0"} for found in sides.values())
        assert len(things_of(os.getpid())) == 3
        assert around.address("client") != around.address("server")
        # Enough for what a receiver has buffered not to count.
        wait_until_arrived(around, 4)
    found = around.achieved()
    # The requested rate is twice the limit. The limit applies to the link; a receiver that had no CPU time has buffered
    # data to catch up with.
    assert found.traffic is not None
    assert found.link is not None
    assert found.limits is not None
    assert 0 < (found.traffic.flows["client_to_server"].received_mbit or 0) < 7
    assert found.link.sent["server_to_client"].bytes > 0
    assert found.limits.cpus == pytest.approx(0.5 * (os.cpu_count() or 1), abs=0.01)
    assert (found.limits.periods or 0) > 0


def devices(inside: list[str]) -> list[str]:
    table = subprocess.run([*inside, "cat", "/proc/net/dev"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^ *(\w+):", table, re.MULTILINE)


HOLDER = """
import os, shutil, signal, sys
from pathlib import Path
from takt_cli.results.conditions import Conditions, Limits, Link, Load, Traffic
from takt_cli.surroundings.setup import running_surroundings
tool = "stress" if shutil.which("stress") else "stress-ng"  # stress's workers live on
conditions = Conditions(Load({"cpu": 1, "hdd": 1}, tool), Traffic(1, "own"), Link(100), Limits(0.5))
if sys.argv[2] != "all":
    conditions = Conditions(conditions.load, Traffic(1))
with running_surroundings(conditions, Path(sys.argv[1])):
    print("here", flush=True)
    signal.pause()
"""


def test_leftovers_of_a_killed_command_are_removed_by_the_next(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path), "all" if ROOT else "some"]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "here\n"
        children = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text("utf-8")
        sessions = [int(pid) for pid in children.split()]
        ours = {each.pid for session in sessions for each in THIS_HOST.members(session)} | set(sessions)
        assert len(ours) >= 7  # stress and its two workers, four of iperf3
        assert clean_leftovers() == []  # nothing of a process that is still running is removed
    finally:
        holder.kill()
        holder.wait(PATIENCE_S)
        left = things_of(holder.pid)
        cleaned = clean_leftovers()
    assert len(left) == (5 if ROOT else 0)
    assert len([each for each in cleaned if each.startswith("session")]) == 5
    assert things_of(holder.pid) == []
    assert not list(tmp_path.glob("takt-scratch-*"))
    wait_until_ended(ours)


def test_an_exception_or_a_signal_removes_all_surroundings(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    # SIGINT is ignored if a shell has started the tests in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    with (
        pytest.raises(KeyboardInterrupt),
        running_surroundings(Conditions(LOAD, link=Link() if ROOT else None), tmp_path),
    ):
        signal.raise_signal(signal.SIGINT)


def test_a_missing_tool_is_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_args, **_more: None)
    for conditions, package in ((Conditions(LOAD), "stress-ng"), (Conditions(traffic=Traffic(1)), "iperf3")):
        with pytest.raises(TaktError, match=f"apt-get install {package}`"), running_surroundings(conditions, tmp_path):
            pass
    with (
        pytest.raises(TaktError, match="apt-get install iproute2`"),
        running_surroundings(Conditions(link=Link()), tmp_path),
    ):
        pass


@pytest.mark.rights
def test_without_the_right_a_link_is_refused_in_one_line(tmp_path: Path) -> None:
    take = (
        "from pathlib import Path\nimport sys\n"
        + HOLDER.split("conditions =", maxsplit=1)[0]
        + (
            "try:\n    with running_surroundings(Conditions(link=Link()), Path(sys.argv[1])):\n        pass\n"
            "except Exception as error:\n    print(type(error).__name__, error)\n"
        )
    )
    without = ["setpriv", "--bounding-set", "-net_admin,-sys_admin", "--inh-caps", "-net_admin,-sys_admin"]
    command = [*(without if ROOT else []), sys.executable, "-c", take, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert re.fullmatch(r"HostError .*need root.*start takt as root.*", said), said


def test_the_record_goes_into_json(tmp_path: Path) -> None:
    with running_surroundings(Conditions(), tmp_path) as around:
        pass
    assert json.loads(encoded(around.achieved())) == dict.fromkeys(("load", "traffic", "link", "limits"))
