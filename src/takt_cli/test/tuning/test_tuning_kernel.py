# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of knobs on the real kernel, as far as it permits them; everything is restored, whatever fails."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.host.hierarchy import hierarchy_of
from takt_cli.host.system import System
from takt_cli.host.task import Task
from takt_cli.tuning.profile import Profile, parse_profile
from takt_cli.tuning.queue_discipline import KERNELS_OWN, QueueDiscipline, two_classes
from takt_cli.tuning.setting import FileValue
from takt_cli.tuning.thread_priority import ThreadPriority
from takt_cli.tuning.tune import apply, revert
from takt_cli.tuning.tuned_host import tuned_host

pytestmark = [pytest.mark.programs, pytest.mark.rights]
RUNTIME = "/proc/sys/kernel/sched_rt_runtime_us"


def profile(text: str) -> Profile:
    return parse_profile(f"description: a test\n{text}\n".encode(), "x.yaml", "x", (os.cpu_count() or 1,))


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[System]:
    """Yield the real host, to one test at a time, with a state folder of its own. Former values are restored at the end
    by other means than those under test."""
    system = System()
    monkeypatch.setattr("takt_cli.tuning.state._FOLDER", str(tmp_path / "state"))
    with (Path(tempfile.gettempdir()) / "takt-test-tuning.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        runtimes = {path: path.read_text("utf-8") for path in runtime_files(system)}
        threads = [(task, os.sched_getscheduler(task.tid)) for task in soft_interrupts(system)]
        try:
            yield system
        finally:
            # The runtime of the root group must not exceed the system-wide one. The right order depends on the former
            # values, so both are written twice.
            for path, runtime in [*runtimes.items(), *runtimes.items()]:
                if path.read_text("utf-8") != runtime:
                    with suppress(OSError):
                        path.write_text(runtime)
            for task, policy in threads:
                if os.sched_getscheduler(task.tid) != policy:
                    os.sched_setscheduler(task.tid, policy, os.sched_param(task.priority))


def runtime_files(system: System) -> list[Path]:
    place = hierarchy_of(system, "cpu")
    group = [] if place is None else [system.path(f"{place.mount}/cpu.rt_runtime_us")]
    return [path for path in (Path(RUNTIME), *group) if path.exists()]


def soft_interrupts(system: System) -> list[Task]:
    return [task for task in system.tasks_of_kernel() if task.name.startswith("ksoftirqd/")]


def has_rights() -> bool:
    status = Path("/proc/self/status").read_text("utf-8")
    effective = int(next(line for line in status.splitlines() if line.startswith("CapEff")).split()[1], 16)
    return bool(effective >> 23 & 1) and realtime_granted()


def realtime_granted() -> bool:
    """Return whether this process may have a real-time priority: a user's limit may permit it, and a control group may
    refuse it to root."""
    return subprocess.run(["chrt", "--fifo", "1", "true"], capture_output=True, check=False).returncode == 0


def test_throttling_is_set_and_put_back(host: System) -> None:
    before = Path(RUNTIME).read_text("utf-8")
    if -1 < int(before) <= 949000:
        pytest.skip("this host has less than what is tried here")
    wanted = profile("throttling: {runtime_us: 949000}")
    if not os.access(RUNTIME, os.W_OK):
        with pytest.raises(HostError, match=r"root|Read-only"):
            apply(host, wanted)
        return
    with tuned_host(wanted, system=host) as record:
        assert Path(RUNTIME).read_text("utf-8") == "949000\n"
        assert record.lacking == []
    assert Path(RUNTIME).read_text("utf-8") == before


def test_a_runtime_that_the_kernel_refuses_changes_nothing(host: System) -> None:
    before = Path(RUNTIME).read_text("utf-8")
    # A runtime longer than the period: the kernel refuses the value when it is written.
    system_wide = FileValue(RUNTIME, "sched_rt_runtime_us")
    with pytest.raises(OSError, match=r"Invalid|denied|Read-only"):
        system_wide.write(host, "999999999")
    assert Path(RUNTIME).read_text("utf-8") == before


def test_threads_of_soft_interrupts_get_their_priority_and_their_old_one_back(host: System) -> None:
    threads = soft_interrupts(host)
    if not threads:
        pytest.skip("no kernel thread can be seen here")
    before = [os.sched_getscheduler(task.tid) for task in threads]
    wanted = profile("throttling: {runtime_us: 949000}\npriorities: {ksoftirqd: 2}")
    if not has_rights() or not os.access(RUNTIME, os.W_OK):
        runtime = Path(RUNTIME).read_text("utf-8")
        with pytest.raises(HostError, match=r"ksoftirqd|root|Read-only"):
            apply(host, wanted)
        # Changes made before the refusal were undone.
        assert Path(RUNTIME).read_text("utf-8") == runtime
        return
    apply(host, wanted)
    assert {os.sched_getscheduler(task.tid) for task in threads} == {os.SCHED_FIFO}
    assert {os.sched_getparam(task.tid).sched_priority for task in threads} == {2}
    assert len(revert(host)) >= len(threads) + 1
    assert [os.sched_getscheduler(task.tid) for task in threads] == before


def test_the_flag_of_a_thread_is_put_back(host: System) -> None:
    with subprocess.Popen(["sleep", "600"]) as child:
        try:
            if realtime_granted() and not has_rights():
                pytest.skip("real-time priorities are granted here by a limit only")
            if not has_rights():
                # Without rights the change is refused, and the thread keeps its priority.
                task = host.task(child.pid)
                assert task is not None
                with pytest.raises(PermissionError):
                    ThreadPriority.of(task).write(host, "FIFO 4")
                assert ThreadPriority.of(task).read(host) == "OTHER 0"
                return
            os.sched_setscheduler(child.pid, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(3))
            task = host.task(child.pid)
            assert task is not None
            setting = ThreadPriority.of(task)
            before = setting.read(host)
            assert before == "RR 3 reset-on-fork"
            setting.write(host, "FIFO 4")
            assert setting.read(host) == "FIFO 4"
            setting.write(host, before)
            assert os.sched_getscheduler(child.pid) == os.SCHED_RR | os.SCHED_RESET_ON_FORK
        finally:
            child.kill()


# ---- control groups of the first version ---------------------------------------------------------------------

# Calls itself like one of takt's threads and waits.
_NAMED = "import sys; open('/proc/self/comm', 'w').write(sys.argv[1]); print('ready', flush=True); sys.stdin.read()"


class SystemBelow(System):
    """The host as seen from one group in each hierarchy, as if that were the root, and with only some of the
    processes."""

    def __init__(self, groups: dict[str, str], pids: list[int]) -> None:
        super().__init__()
        self._groups = groups
        self._pids = pids

    def text(self, path: str) -> str | None:
        if path == "proc/mounts":
            return "\n".join(f"cgroup {group} cgroup rw,{name} 0 0" for name, group in self._groups.items())
        text = super().text(path)
        if text is not None and path.endswith("/cgroup"):
            for group in self._groups.values():
                text = text.replace(f"/{Path(group).name}", "", 1)
            text = text.replace(":\n", ":/\n") + ("/" if text.endswith(":") else "")
        return text

    def processes(self) -> list[int]:
        return self._pids


@pytest.fixture
def system_below(host: System) -> Iterator[tuple[SystemBelow, int, int]]:
    """Make groups of cpuset and cpu for the test, with a process of takt and another process in them. Yields the system
    and both process IDs."""
    places = {name: hierarchy_of(host, name) for name in ("cpuset", "cpu")}
    if any(place is None or place.version == 2 for place in places.values()):
        pytest.skip("control groups of the first version are not mounted")
    groups = {name: f"/{place.mount}/takt-test-{os.getpid()}" for name, place in places.items() if place is not None}
    children = []
    try:
        try:
            for group in groups.values():
                Path(group).mkdir()
            for name in ("cpuset.cpus", "cpuset.mems"):
                above = Path(groups["cpuset"]).parent / name
                Path(groups["cpuset"], name).write_text(above.read_text("utf-8"), "utf-8")
            runtime = Path(groups["cpu"], "cpu.rt_runtime_us")
            if runtime.exists():
                runtime.write_text("20000", "utf-8")
        except OSError as error:
            pytest.skip(f"control groups are not for us here: {error}")
        for name in ("takt.w1", "ordinary"):
            child = subprocess.Popen(
                [sys.executable, "-c", _NAMED, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            children.append(child)
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            for group in groups.values():
                Path(group, "cgroup.procs").write_text(str(child.pid), "utf-8")
        system = SystemBelow(groups, [child.pid for child in children])
        yield system, children[0].pid, children[1].pid
    finally:
        for child in children:
            child.kill()
            child.wait()
        for group in groups.values():
            for path in (*(Path(group).glob("*/")), Path(group)):
                if path.is_dir():
                    path.rmdir()


def test_isolation_in_groups_of_the_first_version(system_below: tuple[SystemBelow, int, int]) -> None:
    system, takt, other = system_below
    cpus = system.cpus()
    if len(cpus) < 2 or os.sched_getaffinity(takt) != set(cpus):
        pytest.skip("there is one CPU only, or not all are for us")
    wanted = parse_profile(
        b"description: x\nisolation: {rt_runtime_us: 10000}\nlimits: {cpu_share: 0.5}\n", "x.yaml", "x", (cpus[-1],)
    )

    def groups(pid: int) -> dict[str, str]:
        lines = (system.text(f"proc/{pid}/cgroup") or "").splitlines()
        return {line.split(":")[1]: line.split(":")[2] for line in lines if line.split(":")[1] in {"cpu", "cpuset"}}

    assert groups(takt) == groups(other) == {"cpu": "/", "cpuset": "/"}
    applied = apply(system, wanted)
    assert groups(takt)["cpuset"] == "/takt"
    assert groups(other) == {"cpu": "/takt.rest", "cpuset": "/takt.rest"}
    assert os.sched_getaffinity(takt) == {cpus[-1]}
    assert os.sched_getaffinity(other) == set(cpus[:-1])
    granted = {each.setting.label.rpartition("/")[2]: each.wanted for each in applied.granted}
    assert granted["takt.rest"] == "present"
    place = hierarchy_of(system, "cpu")
    assert place is not None
    assert system.integer(f"{place.mount}/takt.rest/cpu.cfs_quota_us") == round(0.5 * len(cpus) * 100000)
    if system.exists(f"{place.mount}/cpu.rt_runtime_us"):
        assert system.integer(f"{place.mount}/takt/cpu.rt_runtime_us") == 10000
        assert groups(takt)["cpu"] == "/takt"
    revert(system)
    assert groups(takt) == groups(other) == {"cpu": "/", "cpuset": "/"}
    assert os.sched_getaffinity(takt) == os.sched_getaffinity(other) == set(cpus)
    assert not system.exists(f"{place.mount}/takt")


def test_the_command_looks_without_changing() -> None:
    done = CliRunner().invoke(cli, ["tune", "apply", "--profile", "gutierrez4", "--dry-run"])
    assert done.exit_code == 0, done.output
    shown = CliRunner().invoke(cli, ["tune", "show", "--profile", "unthrottled", "--json"])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["would"]["profile"] == "unthrottled"


# ---- packets, in a network of their own ---------------------------------------------------------------------


class SystemInNamespace(System):
    """The host with the interfaces of another network namespace."""

    def __init__(self, namespace: str) -> None:
        super().__init__()
        self._namespace = namespace

    def run(self, command: Sequence[str]) -> str:
        return super().run(["ip", "netns", "exec", self._namespace, *command])


def test_queues_of_an_interface() -> None:
    name = f"takt-tune-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip("network namespaces are not for us here")
    try:
        link = ["ip", "-n", name, "link"]
        if subprocess.run([*link, "add", "va", "type", "veth", "peer", "vb"], check=False).returncode != 0:
            pytest.skip("there is no veth here")
        system, queue = SystemInNamespace(name), QueueDiscipline("va")
        before = system.run(["tc", "qdisc", "show", "dev", "va"])
        assert queue.read(system) == KERNELS_OWN
        try:
            system.run(["tc", "qdisc", "add", "dev", "va", "root", "htb"])
            system.run(["tc", "qdisc", "del", "dev", "va", "root"])
        except OSError as error:
            pytest.skip(f"this kernel has no such queues: {error}")
        for limit in (40, 1500, 0, 80):
            queue.write(system, two_classes(limit))
            assert queue.read(system) == two_classes(limit)
        queue.write(system, KERNELS_OWN)
        assert queue.read(system) == KERNELS_OWN
        assert system.run(["tc", "qdisc", "show", "dev", "va"]) == before
        system.run(
            ["tc", "qdisc", "add", "dev", "va", "root", "tbf", *["rate", "1mbit", "burst", "10k", "latency", "9ms"]]
        )
        assert (queue.read(system) or "").startswith("tbf")
    finally:
        subprocess.run(["ip", "netns", "del", name], check=False)
