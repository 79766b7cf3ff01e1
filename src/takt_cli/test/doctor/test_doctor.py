# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the doctor on recorded hosts, and on this one."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner
from doctor_records import SWAPS, examine_record, run_doctor, write_common_files
from tuning_tree import FAIR_SERVER, add_thread, write

from takt_cli.cli.main import cli
from takt_cli.doctor.finding import EXIT_STATUS, Finding, Severity, worst_severity
from takt_cli.errors import HostError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program

CLOCK = "sys/devices/system/clocksource/clocksource0"


def test_a_board_with_preempt_rt(tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited")
    cpu = "sys/devices/system/cpu"
    files = {
        "proc/sys/kernel/osrelease": "6.6.31-rt31-v8+\n",
        "proc/sys/kernel/version": "#1 SMP PREEMPT_RT Wed May 1\n",
        "sys/kernel/realtime": "1\n",
        "boot/config-6.6.31-rt31-v8+": "CONFIG_PREEMPT_RT=y\nCONFIG_HIGH_RES_TIMERS=y\n",
        f"{CLOCK}/current_clocksource": "arch_sys_counter\n",
        f"{cpu}/isolated": "2-3\n",
        f"{cpu}/nohz_full": "2-3\n",
        f"{cpu}/cpu3/cpufreq/scaling_governor": "performance\n",
        f"{cpu}/cpu3/cpuidle/state0/latency": "0\n",
        f"{cpu}/cpu3/cpuidle/state0/disable": "0\n",
        f"{cpu}/cpu3/cpuidle/state1/latency": "300\n",
        f"{cpu}/cpu3/cpuidle/state1/disable": "1\n",
        "proc/interrupts": "     CPU0 CPU1 CPU2 CPU3\n 39: 999999 0 0 0 GICv2 189 Level eth0\n",
        "proc/irq/39/smp_affinity_list": "0-1\n",
        "proc/stat": "cpu  1 0 1 8 0 0 0 0 0 0\ncpu3 1 0 1 8 0 0 0 0 0 0\n",
    }
    for path, text in files.items():
        write(tmp_path / path, text)
    add_thread(tmp_path, 60, 60, "irq/39-eth0", "FIFO", 50)
    write(tmp_path / "fast.xml", "<segment_size>8388608</segment_size>")
    found = examine_record(tmp_path, 3, {"FASTDDS_DEFAULT_PROFILES_FILE": "/fast.xml"})
    assert found["kernel"].severity is Severity.fit
    assert found["kernel"].found.count("PREEMPT_RT") == 3
    fit = {subject for subject, finding in found.items() if finding.severity is Severity.fit}
    assert fit >= {
        *("limit of real-time priority", "limit of locked memory", "clock source", "timer resolution", "governor"),
        *("idle states", "isolation", "rival real-time threads", "IRQ placement", "swap", "virtual machine"),
        *("container", "RMW", "publication mode", "shared-memory segment"),
    }
    assert "arch_sys_counter" in found["clock source"].found
    assert worst_severity(list(found.values())) is Severity.note
    assert EXIT_STATUS[Severity.note] == 0


def test_a_relative_path_of_a_profile_is_one_from_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The profile is found in the folder in which the command is called, not in the root of the file system."""
    folder = tmp_path / "host" / str(tmp_path).lstrip("/")
    write(folder / "fast.xml", "<segment_size>8388608</segment_size>")
    monkeypatch.chdir(tmp_path)
    found = examine_record(tmp_path / "host", 3, {"FASTDDS_DEFAULT_PROFILES_FILE": "fast.xml"})
    assert found["shared-memory segment"].severity is Severity.fit


def test_a_laptop_as_it_is_bought(tmp_path: Path) -> None:
    write_common_files(tmp_path, 0, "8388608")
    cpu = "sys/devices/system/cpu"
    files = {
        "proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
        "proc/sys/kernel/version": "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1\n",
        "sys/kernel/debug/sched/preempt": "none (voluntary) full\n",
        f"{CLOCK}/current_clocksource": "hpet\n",
        f"{CLOCK}/available_clocksource": "hpet acpi_pm\n",
        "proc/timer_list": "Timer List\n  .resolution: 4000000 nsecs\n",
        f"{cpu}/cpu1/cpufreq/scaling_governor": "powersave\n",
        f"{cpu}/cpu1/cpuidle/state3/name": "C10\n",
        f"{cpu}/cpu1/cpuidle/state3/latency": "890\n",
        f"{cpu}/cpu1/cpuidle/state3/disable": "0\n",
        f"{cpu}/cpu1/topology/thread_siblings_list": "0-1\n",
        "proc/swaps": SWAPS + "/swap.img file 8388604 0 -2\n",
        "sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never\n",
        "proc/interrupts": "     CPU0 CPU1 CPU2 CPU3\n 16: 0 70000 0 0 IO-APIC 16-fasteoi i915\n",
    }
    for path, text in files.items():
        write(tmp_path / path, text)
    add_thread(tmp_path, 700, 700, "shell-rtkit", "RR", 99)
    write(tmp_path / "proc/700/task/700/status", "Cpus_allowed_list:\t0-3\n")
    add_thread(tmp_path, 701, 701, "shell-elsewhere", "FIFO", 99)
    write(tmp_path / "proc/701/task/701/status", "Cpus_allowed_list:\t2\n")
    found = examine_record(tmp_path, 1, {"RMW_FASTRTPS_PUBLICATION_MODE": "ASYNCHRONOUS"})
    assert found["kernel"].severity is Severity.warning
    assert "voluntary (debugfs)" in found["kernel"].found
    assert "preempt=full" in found["kernel"].mend
    unfit = {subject for subject, finding in found.items() if finding.severity is Severity.unfit}
    assert unfit == {"limit of real-time priority", "timer resolution"}
    assert "limits.d" in found["limit of real-time priority"].mend
    for subject, words in (
        ("clock source", "hpet"),
        ("governor", "powersave"),
        ("idle states", "C10 takes 890 us"),
        ("limit of locked memory", "8 MiB"),
        ("rival real-time threads", "shell-rtkit (700) RR 99"),
        ("publication mode", "ASYNCHRONOUS"),
    ):
        assert found[subject].severity is Severity.warning, subject
        assert words in found[subject].found
    assert "elsewhere" not in found["rival real-time threads"].found
    assert "i915) 70000 times" in found["IRQ placement"].found
    assert "CPU 1 shares its core with 0" in found["hyper-threading"].found
    assert "/swap.img" in found["swap"].found
    assert EXIT_STATUS[worst_severity(list(found.values()))] == 4


def test_processes_of_takt_that_share_a_cpu_are_rivals_of_each_other(tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited")
    subject = "rival real-time threads"

    def add_application(pid: int, cpus: str) -> Finding:
        add_thread(tmp_path, pid, pid, "robot", "OTHER", 0)
        add_thread(tmp_path, pid, pid + 1, "takt.w1", "FIFO", 46)
        write(tmp_path / f"proc/{pid}/comm", f"robot{pid}\n")
        write(tmp_path / f"proc/{pid}/task/{pid + 1}/status", f"Cpus_allowed_list:\t{cpus}\n")
        return examine_record(tmp_path, 1)[subject]

    alone = add_application(800, "1")
    assert (alone.severity, alone.found) == (Severity.fit, "none but those of robot800 (800), which uses takt")
    elsewhere = add_application(810, "2-3")
    assert elsewhere == alone
    shared = add_application(820, "0-1")
    assert (shared.severity, shared.found) == (
        Severity.note, "2 processes that use takt: robot800 (800), robot820 (820)",
    )  # fmt: skip
    assert "knows the others' tasks" in shared.costs


def test_a_container_in_a_virtual_machine(tmp_path: Path) -> None:
    write_common_files(tmp_path, 0, "65536", "0000000000800000")
    files = {
        "proc/sys/kernel/osrelease": "6.8.0\n",
        "proc/sys/kernel/version": "#1 SMP PREEMPT_DYNAMIC\n",
        "proc/cmdline": "preempt=full\n",
        ".dockerenv": "",
        "proc/cpuinfo": "processor : 0\nflags\t\t: fpu hypervisor avx\n",
        "proc/stat": "cpu  0\ncpu0 10 0 10 60 0 0 0 20 0 0\ncpu1 9 0 0 0 0 0 0 0 0 0\n",
        f"{CLOCK}/current_clocksource": "kvm-clock\n",
        "proc/mounts": "cgroup /sys/fs/cgroup/cpu cgroup rw,cpu 0 0\n",
        "proc/self/cgroup": "1:cpu:/docker/abc\n",
        "sys/fs/cgroup/cpu/docker/abc/cpu.rt_runtime_us": "0\n",
        "prefix/share/ament_index/resource_index/rmw_typesupport/rmw_cyclonedds_cpp": "",
    }
    for path, text in files.items():
        write(tmp_path / path, text)
    (tmp_path / "proc/config.gz").write_bytes(gzip.compress(b"CONFIG_PREEMPT_DYNAMIC=y\nCONFIG_PREEMPT_NONE=y\n"))
    found = examine_record(tmp_path, 0, {"AMENT_PREFIX_PATH": "/prefix"})
    # The kernel's command line overrides the setting that the kernel was built with.
    assert found["kernel"].severity is Severity.note
    assert "none (config)" in found["kernel"].found
    assert "/.dockerenv" in found["container"].found
    assert found["virtual machine"].severity is Severity.unfit
    assert "took 20.00%" in found["virtual machine"].found
    assert found["limit of real-time priority"].mend == "echo 500000 > /sys/fs/cgroup/cpu/docker/abc/cpu.rt_runtime_us"
    assert found["RMW"].severity is Severity.unfit
    assert "export RMW_IMPLEMENTATION=rmw_cyclonedds_cpp" in found["RMW"].mend


def test_signs_that_contradict_each_other(tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited")
    write(tmp_path / "proc/sys/kernel/version", "#1 SMP PREEMPT_RT\n")
    write(tmp_path / "proc/sys/kernel/osrelease", "6.6\n")
    write(tmp_path / "boot/config-6.6", "CONFIG_PREEMPT=y\n")
    found = examine_record(tmp_path, 0)
    assert found["kernel"].severity is Severity.warning
    assert "contradict" in found["kernel"].costs


def fair_server(root: Path, runtime: int) -> None:
    for name, value in (("runtime", runtime), ("period", 1_000_000_000)):
        write(root / FAIR_SERVER / "cpu2" / name, f"{value}\n")


def test_the_fair_server_as_the_kernel_tells_of_it(tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited")
    write(tmp_path / "proc/sys/kernel/osrelease", "6.12.0\n")
    for runtime, severity, words in (
        (50_000_000, Severity.note, "50 ms of every 1000 ms on CPU 2"),
        (200_000_000, Severity.warning, "200 ms of every 1000 ms on CPU 2"),
        (0, Severity.note, "off on CPU 2"),
    ):
        fair_server(tmp_path, runtime)
        row = examine_record(tmp_path, 2)["fair server"]
        assert (row.severity, row.found) == (severity, words)
        assert row.mend == ("takt tune apply --profile unthrottled --cpu 2" if runtime else "takt tune revert")


def test_a_fair_server_whose_files_are_not_visible(tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited")
    for release, mounts, severity, mend in (
        ("6.11.9\n", "", Severity.fit, ""),
        ("6.12.1-rt\n", "", Severity.note, "mount -t debugfs none /sys/kernel/debug, then takt tune apply"),
        ("7.0.0\n", "debugfs /sys/kernel/debug debugfs rw 0 0\n", Severity.note, "run as root"),
    ):
        write(tmp_path / "proc/sys/kernel/osrelease", release)
        write(tmp_path / "proc/mounts", mounts)
        row = examine_record(tmp_path, 0)["fair server"]
        assert row.severity is severity
        assert mend in row.mend
    # A locked-down kernel lists the files but nobody can read them. A folder in their place has the same effect.
    (tmp_path / FAIR_SERVER / "cpu0/runtime").mkdir(parents=True)
    row = examine_record(tmp_path, 0)["fair server"]
    assert (row.severity, "lockdown" in row.mend) == (Severity.note, True)


def test_throttling_by_the_rule_of_the_executors(tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited")
    write(tmp_path / "proc/sys/kernel/osrelease", "6.12.0\n")
    for runtime, severity, words in (
        (-1, Severity.note, "off"),
        (1_000_000, Severity.note, "off"),
        (950_000, Severity.note, "950 ms of every 1000 ms"),
        (500_000, Severity.warning, "500 ms of every 1000 ms"),
    ):
        write(tmp_path / "proc/sys/kernel/sched_rt_runtime_us", f"{runtime}\n")
        row = examine_record(tmp_path, 0)["real-time throttling"]
        assert (row.severity, row.found, bool(row.mend)) == (severity, words, True)
    # Where groups have no share of their own, a kernel with a fair server does not throttle.
    write(tmp_path / "boot/config-6.12.0", "CONFIG_PREEMPT_RT=y\n")
    assert examine_record(tmp_path, 0)["real-time throttling"].severity is Severity.fit
    write(tmp_path / "boot/config-6.12.0", "CONFIG_RT_GROUP_SCHED=y\n")
    assert examine_record(tmp_path, 0)["real-time throttling"].severity is Severity.warning


def test_a_host_whose_files_are_missing(tmp_path: Path) -> None:
    found = examine_record(tmp_path, 0)
    assert "no sign of a model" in found["kernel"].found
    assert found["timer resolution"].severity is Severity.note


# ---- this host ----------------------------------------------------------------------------------------------


def test_the_command_without_a_probe(stand_ins: Path) -> None:
    status, found = run_doctor("--probe", "0")
    assert status == EXIT_STATUS[worst_severity(list(found.values()))]
    assert not any(subject.startswith("wake-ups") for subject in found)
    assert found["memory lock"].found
    assert found["clock synchronisation"].found


def test_a_stall_probe_that_fails_is_reported(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_PROBE", "fail")
    done = CliRunner().invoke(cli, ["doctor", "--probe", "1"])
    assert done.exit_code == 1
    assert "CPU 77 does not exist" in done.stderr


def test_a_table_for_people() -> None:
    done = CliRunner().invoke(cli, ["doctor", "--probe", "0"])
    assert done.exit_code in {0, 3, 4}
    assert "is this host fit for real time" in done.stdout
    assert CliRunner().invoke(cli, ["doctor", "--probe", "-1"]).exit_code == 2


@pytest.mark.rights
@pytest.mark.programs
def test_the_real_probe() -> None:
    try:
        find_program("probe")
    except HostError as error:
        pytest.skip(str(error))
    cpu = allowed_cpus()[-1]
    status, found = run_doctor("--probe", "1", "--cpu", str(cpu))
    assert status in {0, 3, 4}
    seen = found[f"wake-ups on CPU {cpu}"]
    assert "late by" in seen.found
    assert "(p99.9)" in seen.found
    # Without real-time rights, the finding says so instead of judging.
    if found["limit of real-time priority"].severity is Severity.unfit:
        assert "ordinary priority" in seen.costs
