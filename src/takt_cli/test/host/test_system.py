# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the view of the host: files below a root, threads, lists of CPUs, hierarchies of control groups."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tuning_tree import add_thread, write

from takt_cli.host.control_group import oom_kills, refused_threads
from takt_cli.host.cpu_list import format_cpus, format_mask, parse_cpus, parse_mask
from takt_cli.host.device_interrupts import device_interrupts
from takt_cli.host.hierarchy import Hierarchy, hierarchy_of, mount_of
from takt_cli.host.realtime import realtime_threads
from takt_cli.host.system import THIS_HOST, System


@given(st.sets(st.integers(0, 200)))
def test_cpus_are_read_back_as_they_were_written(cpus: set[int]) -> None:
    assert parse_cpus(format_cpus(cpus)) == parse_mask(format_mask(cpus)) == sorted(cpus)


def test_cpus_are_written_as_the_kernel_does() -> None:
    assert format_cpus([5, 0, 2, 1]) == "0-2,5"
    assert [format_mask(cpus) for cpus in ((), (0, 3), (33,))] == ["0", "9", "2,00000000"]
    assert parse_cpus("no list") == []


def test_a_file_that_cannot_be_read_is_empty_or_unknown(tmp_path: Path) -> None:
    system = System(tmp_path)
    unknown = (system.text("proc/x"), system.integer("proc/x"), system.memory("MemTotal"), system.task(1))
    assert unknown == (None, None, None, None)
    empty = (system.lines("proc/x"), system.words("proc/x"), system.cpu_list("proc/x"), system.mounts())
    assert empty == ([], [], [], [])
    assert system.table("proc/x") == {}
    assert system.cpus() == [0]
    assert not system.real
    with pytest.raises(FileNotFoundError):
        system.write("proc/x", "1")


def test_a_table_has_the_first_of_several_values(tmp_path: Path) -> None:
    write(tmp_path / "proc/cpuinfo", "model name\t: A: b\n\nmodel name\t: C\n")
    write(tmp_path / "proc/vmstat", "oom_kill 3\noom_kill_other 4\n")
    assert System(tmp_path).table("/proc/cpuinfo")["model name"] == "A: b"
    assert oom_kills(System(tmp_path)) == 3


def test_the_kernel_describes_this_process() -> None:
    us = THIS_HOST.task(os.getpid())
    assert us is not None
    assert (us.pid, us.parent, us.session) == (os.getpid(), os.getppid(), os.getsid(0))
    assert us.alive
    assert us.seconds > 0
    assert not us.kernel
    assert us.started in {task.started for task in THIS_HOST.tasks(us.pid)}
    assert THIS_HOST.may_run_on(us, os.sched_getaffinity(0))
    assert not THIS_HOST.may_run_on(us, [])
    assert THIS_HOST.real


def test_threads_that_may_not_run_on_a_cpu_are_no_rivals_there(tmp_path: Path) -> None:
    for tid, name, policy in ((7, "shell", "FIFO"), (8, "shy", "RR"), (9, "shop", "OTHER"), (10, "irq/3-x", "FIFO")):
        add_thread(tmp_path, tid, tid, name, policy, 5)
    write(tmp_path / "proc/8/task/8/status", "Name:\tshy\nCpus_allowed_list:\t0,2-3\n")
    assert [thread.tid for thread in realtime_threads([1], System(tmp_path))] == [7]
    assert [thread.tid for thread in realtime_threads([3], System(tmp_path))] == [7, 8]


def test_version_2_is_preferred_if_it_has_the_controller(tmp_path: Path) -> None:
    system = System(tmp_path)
    write(tmp_path / "proc/mounts", "tmpfs / tmpfs rw 0 0\nc /cpu cgroup rw,cpuacct,cpu 0 0\nc /two cgroup2 rw 0 0\n")
    write(tmp_path / "proc/self/cgroup", "3:cpuacct,cpu:/one\n0::/two\n")
    write(tmp_path / "two/cgroup.controllers", "hugetlb memory\n")
    first, second = hierarchy_of(system, "cpu"), hierarchy_of(system, "memory")
    assert (first, second) == (Hierarchy("cpu", "cpu"), Hierarchy("two"))
    assert [(each.version, each.group_of(system)) for each in (first, second) if each] == [(1, "/one"), (2, "/two")]
    assert (mount_of(system, "cpuacct,cpu"), mount_of(system, ""), mount_of(system, "pids")) == ("cpu", "two", None)
    write(tmp_path / "two/cgroup.controllers", "cpu memory\n")
    assert hierarchy_of(system, "cpu") == Hierarchy("two")
    assert hierarchy_of(system, "pids") is None


def test_threads_that_a_limit_prevented_are_counted_in_all_groups_above(tmp_path: Path) -> None:
    write(tmp_path / "proc/mounts", "c /pids cgroup rw,pids 0 0\n")
    write(tmp_path / "proc/self/cgroup", "3:pids:/pod/box\n")
    for group, count in (("pod", 2), ("pod/box", 5), ("other", 9)):
        write(tmp_path / f"pids/{group}/pids.events", f"max {count}\n")
    assert refused_threads(System(tmp_path)) == 7


def test_interrupts_are_counted_by_the_cpus_that_are_online(tmp_path: Path) -> None:
    text = "      CPU0  CPU2\n 24:  1  2  GICv2 189 Level  eth0\n 30:  7\nIPI0:  3  4  Rescheduling interrupts\n"
    write(tmp_path / "proc/interrupts", text)
    found = device_interrupts(System(tmp_path))
    assert set(found) == {24, 30}
    assert (found[24].counts, found[24].names, found[24].handler) == ({0: 1, 2: 2}, "GICv2 189 Level eth0", "eth0")
    assert (found[30].counts, found[30].names) == ({0: 7}, "")
