# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the doctor's findings on the limits of a process, which follow the rules of takt's executors and of the
kernel."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from doctor_records import examine_record, this_hosts_record, write_common_files
from separate_process import enter_user_namespace, in_separate_process, limited_in_user_namespace, without_right_to_lock
from tuning_tree import write

from takt_cli.doctor import rights
from takt_cli.doctor.finding import Finding, Severity
from takt_cli.errors import HostError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program

MIB = 1024 * 1024
ALL_RIGHTS = "000001ffffffffff"
CONTROLLERS = ("memory", "pids", "cpu")


@pytest.mark.parametrize(
    ("limit", "capabilities", "severity"),
    [
        ("unlimited", "0", Severity.fit),
        (str(64 * 1024 * MIB), "0", Severity.warning),
        (str(256 * MIB), "0", Severity.warning),
        ("65536", "0", Severity.warning),
        ("65536", "4000", Severity.fit),
    ],
)
def test_no_finite_limit_of_locked_memory_is_enough(
    limit: str, capabilities: str, severity: Severity, tmp_path: Path
) -> None:
    write_common_files(tmp_path, 99, limit, capabilities)
    row = examine_record(tmp_path, 0)["limit of locked memory"]
    assert row.severity is severity
    assert ("memlock unlimited" in row.mend) == (severity is Severity.warning)


@pytest.mark.rights
@pytest.mark.programs
@pytest.mark.parametrize("prepare", [None, without_right_to_lock, limited_in_user_namespace])
def test_doctor_and_a_program_of_takt_have_one_rule_of_locked_memory(
    prepare: Callable[[int], None] | None, tmp_path: Path
) -> None:
    try:
        probe = find_program("probe")
    except HostError as error:
        pytest.skip(str(error))
    out = tmp_path / "probe.npy"
    command = [str(probe), "--cpu", str(allowed_cpus()[-1]), "--duration-ns", "1000000", "--out", str(out)]

    def both() -> tuple[Finding, Finding | None]:
        subprocess.run(command, capture_output=True, check=True)
        return rights.memory_limit(this_hosts_record()), rights.memory_lock(this_hosts_record())

    limit, lock = in_separate_process(lambda: prepare(1024 * MIB) if prepare else None, both)
    locked = json.loads(out.with_suffix(".json").read_text())["memory_locked"]
    assert locked == (limit.severity is Severity.fit)
    assert locked == (lock.severity is Severity.fit)
    assert not (prepare and locked)


@pytest.mark.parametrize(
    ("limit", "severity", "words"),
    [
        (0, Severity.unfit, "ordinary priority"),
        (48, Severity.warning, "takt's threads need priorities up to 49"),
        (49, Severity.note, "probes"),
        (98, Severity.note, "probes"),
        (99, Severity.fit, ""),
    ],
)
def test_the_limit_of_priority_is_judged_by_the_priorities_that_takt_needs(
    limit: int, severity: Severity, words: str, tmp_path: Path
) -> None:
    write_common_files(tmp_path, limit, "unlimited")
    row = examine_record(tmp_path, 0)["limit of real-time priority"]
    assert row.severity is severity
    assert words in row.costs
    assert ("rtprio 99" in row.mend) == (severity is not Severity.fit)


def test_rights_of_a_user_namespace_lift_no_limit(tmp_path: Path) -> None:
    write_common_files(tmp_path, 0, "8388608", ALL_RIGHTS)
    rows = examine_record(tmp_path, 0)
    assert rows["limit of real-time priority"].severity is rows["limit of locked memory"].severity is Severity.fit
    write(tmp_path / "proc/self/uid_map", "         0       1000          1\n")
    rows = examine_record(tmp_path, 0)
    assert rows["limit of real-time priority"].severity is Severity.unfit
    assert rows["limit of locked memory"].severity is Severity.warning
    assert "user namespace" in rows["limit of locked memory"].found


def test_in_a_user_namespace_the_kernel_agrees() -> None:
    def both() -> tuple[int, Severity]:
        chrt = subprocess.run(["chrt", "--fifo", "1", "true"], capture_output=True, check=False)
        return chrt.returncode, rights.priority_limit(this_hosts_record()).severity

    status, severity = in_separate_process(enter_user_namespace, both)
    assert (status != 0) == (severity is Severity.unfit)


def groups(root: Path, version: int, **files: str) -> None:
    """Put this process into a group `pod/box`, and write files of the controllers there. Names that begin with
    `above__` are files of the group above it."""
    write_common_files(root, 99, "unlimited")
    mount = "sys/fs/cgroup" if version == 2 else "sys/fs/cgroup/{}"
    for controller in CONTROLLERS:
        for name, text in files.items():
            above, _, plain = name.rpartition("__")
            if plain.startswith(controller):
                folder = mount.format(controller) + ("/pod" if above else "/pod/box")
                write(root / folder / plain.replace("_", ".", 1), f"{text}\n")
    if version == 2:
        write(root / "proc/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")
        write(root / "sys/fs/cgroup/cgroup.controllers", f"{' '.join(CONTROLLERS)}\n")
        write(root / "proc/self/cgroup", "0::/pod/box\n")
    else:
        write(
            root / "proc/mounts",
            "".join(f"cgroup /sys/fs/cgroup/{each} cgroup rw,{each} 0 0\n" for each in CONTROLLERS),
        )
        write(root / "proc/self/cgroup", "".join(f"5:{each}:/pod/box\n" for each in CONTROLLERS) + "0::/\n")


def test_memory_and_threads_of_a_group_of_the_second_version(tmp_path: Path) -> None:
    groups(tmp_path, 2, memory_max="419430400", memory_current="104857600", pids_max="100", pids_current="40")
    rows = examine_record(tmp_path, 0)
    assert rows["memory limit"].severity is rows["limit of threads"].severity is Severity.warning
    assert rows["memory limit"].found == "400 MiB, 300 of them left"
    assert rows["memory limit"].mend.startswith("echo 1073741824 > /sys/fs/cgroup/pod/box/memory.max")
    # Only memory that takt's processes use counts, because only that is locked.
    assert "what takt's processes use" in rows["memory limit"].costs
    groups(tmp_path, 2, memory_max="838860800", memory_current="104857600")
    assert examine_record(tmp_path, 0)["memory limit"].severity is Severity.fit
    assert rows["limit of threads"].found == "100 in this control group, 60 of them left"
    assert "echo max > /sys/fs/cgroup/pod/box/pids.max" in rows["limit of threads"].mend
    groups(tmp_path, 2, memory_max="max", pids_max="max")
    rows = examine_record(tmp_path, 0)
    assert rows["memory limit"].severity is rows["limit of threads"].severity is Severity.fit


def test_memory_and_threads_of_a_group_of_the_first_version(tmp_path: Path) -> None:
    groups(tmp_path, 1, memory_limit_in_bytes="9223372036854771712", pids_max="max")
    rows = examine_record(tmp_path, 0)
    assert rows["memory limit"].severity is rows["limit of threads"].severity is Severity.fit
    # The limit of the parent group applies as well.
    groups(tmp_path, 1, above__memory_limit_in_bytes="419430400", above__pids_max="64")
    rows = examine_record(tmp_path, 0)
    assert rows["memory limit"].severity is rows["limit of threads"].severity is Severity.warning
    assert "/sys/fs/cgroup/pids/pod/pids.max" in rows["limit of threads"].mend


@pytest.mark.parametrize(
    ("version", "files"),
    [
        (2, {"cpu_max": "150000 100000"}),
        (1, {"cpu_cfs_quota_us": "150000", "cpu_cfs_period_us": "100000"}),
        (1, {"above__cpu_cfs_quota_us": "150000", "above__cpu_cfs_period_us": "100000", "cpu_cfs_quota_us": "-1"}),
    ],
)
def test_cpu_time_of_a_group(version: int, files: dict[str, str], tmp_path: Path) -> None:
    groups(tmp_path, version, **files)
    row = examine_record(tmp_path, 0)["CPU limit"]
    assert (row.severity, row.found) == (Severity.warning, "1.5 CPUs")
    assert f"echo {'max' if version == 2 else '-1'} > /sys/fs/cgroup" in row.mend
    groups(tmp_path / "none", version, **{"cpu_max": "max 100000"} if version == 2 else {"cpu_cfs_quota_us": "-1"})
    assert examine_record(tmp_path / "none", 0)["CPU limit"].severity is Severity.fit


def test_a_group_named_from_outside_of_the_container_is_found_at_the_mount(tmp_path: Path) -> None:
    groups(tmp_path, 1)
    write(tmp_path / "sys/fs/cgroup/pids/pids.max", "64\n")
    assert examine_record(tmp_path, 0)["limit of threads"].severity is Severity.warning


@pytest.mark.parametrize(("capabilities", "severity"), [("0", Severity.warning), (ALL_RIGHTS, Severity.fit)])
def test_the_limit_of_threads_of_a_user(capabilities: str, severity: Severity, tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited", capabilities)
    with (tmp_path / "proc/self/limits").open("a") as limits:
        limits.write("Max processes             200                  200                  processes\n")
    row = examine_record(tmp_path, 0)["limit of threads"]
    assert row.severity is severity
    assert ("ulimit -u" in row.mend) == (severity is Severity.warning)
