# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A host made of files that behaves like a kernel where it is tuned: threads, control groups, queueing disciplines."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from takt_cli.host.system import System
from takt_cli.host.task import POLICIES

_KERNEL = 0x00200000
FAIR_SERVER = "sys/kernel/debug/sched/fair_server"
V1_FILES = {
    "cpuset": {"cpuset.cpus": "", "cpuset.mems": ""},
    "cpu": {
        **{"cpu.cfs_quota_us": "-1", "cpu.cfs_period_us": "100000", "cpu.shares": "1024"},
        **{"cpu.rt_runtime_us": "0", "cpu.rt_period_us": ""},
    },
}
V2_FILES = {"cpuset.cpus": "", "cpuset.cpus.partition": "member", "cpu.max": "", "cpu.weight": "100"}


def stat_line(tid: int, name: str, policy: str = "OTHER", priority: int = 0, kernel: bool = False) -> str:
    number = next(number for number, known in POLICIES.items() if known == policy)
    fields = ["S", *["0"] * 5, str(_KERNEL if kernel else 0), *["0"] * 12, str(1000 + tid), *["0"] * 17]
    fields += [str(priority), str(number), "0", "0"]
    return f"{tid} ({name}) {' '.join(fields)}\n"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def add_thread(root: Path, pid: int, tid: int, name: str, policy: str = "OTHER", priority: int = 0) -> None:
    kernel = not name.startswith(("takt", "dds", "sh", "lab"))
    line = stat_line(tid, name, policy, priority, kernel)
    write(root / f"proc/{pid}/task/{tid}/stat", line)
    write(root / f"proc/{tid}/stat", line)
    write(root / f"proc/{tid}/cgroup", "2:cpuset:/\n1:cpu:/\n")
    if tid != pid:
        # In a real /proc, the thread can be opened by its ID but is not listed. Here it is listed, and has no threads.
        (root / f"proc/{tid}/task").mkdir(exist_ok=True)


def make_tree(root: Path, version: int = 1) -> Path:
    """Make the tree of a board with PREEMPT_RT, two CPUs, scaled clocks, an Ethernet interface, a takt process and a
    shell."""
    files = {
        "proc/sys/kernel/random/boot_id": "boot-1",
        "proc/sys/kernel/osrelease": "6.12.9-rt",
        "proc/sys/kernel/sched_rt_runtime_us": "950000",
        "sys/devices/system/cpu/online": "0-1",
        "proc/interrupts": "      CPU0  CPU1\n 24:  1  2  GICv2 189 Level  eth0\n 25:  0  0  GICv2 190 Level  eth0\n"
        " 30:  7  9  GICv2 33 Level  mmc0\nIPI0:  3  4  Rescheduling interrupts\n",
        "proc/irq/default_smp_affinity": "3",
        "sys/devices/virtual/workqueue/cpumask": "00000003",
        "sys/class/net/lo/mtu": "65536",
        "sys/class/net/eth0/device/vendor": "0x1",
        "dev/cpu_dma_latency": "",
    }
    for number in (24, 25, 30):
        files[f"proc/irq/{number}/smp_affinity_list"] = "0-1"
    for cpu in (0, 1):
        place = f"sys/devices/system/cpu/cpu{cpu}"
        files |= {
            f"{FAIR_SERVER}/cpu{cpu}/runtime": "50000000",
            f"{FAIR_SERVER}/cpu{cpu}/period": "1000000000",
            f"{place}/cpufreq/scaling_governor": "powersave",
            f"{place}/cpufreq/scaling_available_governors": "performance powersave",
        }
        for state, (name, latency) in enumerate((("POLL", 0), ("C1", 2), ("C6", 133))):
            files |= {
                f"{place}/cpuidle/state{state}/name": name,
                f"{place}/cpuidle/state{state}/latency": str(latency),
                f"{place}/cpuidle/state{state}/disable": "0",
            }
    mount = "sys/fs/cgroup"
    threads = [(14, 14, "ksoftirqd/0"), (22, 22, "ksoftirqd/1"), (60, 60, "irq/24-eth0"), (61, 61, "irq/25-eth0")]
    if version == 1:
        files["proc/mounts"] = "".join(f"cgroup /{mount}/{each} cgroup rw,{each} 0 0\n" for each in V1_FILES)
        for each, defaults in V1_FILES.items():
            for name, text in defaults.items():
                files[f"{mount}/{each}/{name}"] = text or "0"
            files[f"{mount}/{each}/tasks"] = "14 22 60 61 70 71 80 81 82 83 84".replace(" ", "\n")
    else:
        files["proc/mounts"] = f"cgroup2 /{mount} cgroup2 rw 0 0\n"
        files |= {f"{mount}/cgroup.controllers": "cpuset cpu io", f"{mount}/cgroup.subtree_control": "cpu"}
        files |= {f"{mount}/cgroup.procs": "14\n22\n60\n61"}
        for group, procs in (("user.slice", "70\n71"), ("system.slice", "80")):
            files |= {f"{mount}/{group}/cgroup.procs": procs, f"{mount}/{group}/cpuset.cpus": ""}
            files |= {f"{mount}/{group}/cpu.max": "max 100000"}
    for path, text in files.items():
        write(root / path, text + "\n")
    for thread in threads:
        add_thread(root, *thread, *(("FIFO", 50) if thread[2].startswith("irq") else ()))
    for pid, tid, name, policy, priority in (
        (70, 70, "sh", "OTHER", 0),
        (71, 71, "shell two) S", "BATCH", 0),
        (80, 80, "takt_app", "OTHER", 0),
        (80, 81, "takt.timer", "FIFO", 49),
        (80, 82, "takt.w1", "FIFO", 46),
        (80, 83, "takt.w2", "OTHER", 0),
        (80, 84, "dds.udp.7411", "FIFO", 48),
    ):
        add_thread(root, pid, tid, name, policy, priority)
        if version == 2:
            group = "user.slice" if pid < 80 else "system.slice"
            write(root / f"proc/{tid}/cgroup", f"0::/{group}\n")
    return root


class TreeSystem(System):
    """The host of such a tree. Before change number `dies_at` it kills this process by SIGKILL; it refuses changes
    whose text contains `refuses`."""

    def __init__(self, root: Path, dies_at: int = 0, refuses: str = "") -> None:
        super().__init__(root)
        self.steps = 0
        self._dies_at = dies_at
        self._refuses = refuses

    def _step(self, what: str) -> None:
        self.steps += 1
        if self.steps == self._dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        if self._refuses and self._refuses in what:
            raise OSError(22, "Invalid argument")

    def write(self, path: str, text: str) -> None:
        self._step(f"{path} {text}")
        name = PurePosixPath(path).name
        if name in {"tasks", "cgroup.procs"} and path.startswith("sys/fs"):
            self._move(path, name, text)
        elif name == "cgroup.subtree_control":
            now = set((self.text(path) or "").split())
            now = now | {text[1:]} if text[0] == "+" else now - {text[1:]}
            super().write(path, " ".join(sorted(now)))
        elif name == "cpumask":
            super().write(path, text.zfill(8))
        else:
            super().write(path, text)

    def _move(self, path: str, name: str, number: str) -> None:
        group = str(PurePosixPath(path).parent)
        mount = next(
            (m for m in (f"sys/fs/cgroup/{each}" for each in V1_FILES) if group.startswith(m)), "sys/fs/cgroup"
        )
        for file in self.path(mount).rglob(name):
            rest = [each for each in file.read_text().split() if each != number]
            file.write_text("\n".join(rest))
        super().write(path, "\n".join([*(self.text(path) or "").split(), number]))
        lines = (self.text(f"proc/{number}/cgroup") or "").splitlines()
        controller = "" if mount.endswith("cgroup") else PurePosixPath(mount).name
        where = group.removeprefix(mount) or "/"
        new = [
            f"{line.split(':')[0]}:{controller}:{where}" if line.split(":")[1] == controller else line for line in lines
        ]
        super().write(f"proc/{number}/cgroup", "\n".join(new) + "\n")

    def make_folder(self, path: str) -> None:
        self._step(f"mkdir {path}")
        super().make_folder(path)
        parts = PurePosixPath(path.lstrip("/")).parts
        defaults = V1_FILES.get(parts[3], V2_FILES)
        names = {"tasks": "", "cgroup.procs": ""} if len(parts) > 4 else {"cgroup.procs": ""}
        for name, text in (defaults | names).items():
            self.path(path).joinpath(name).write_text(text)

    def remove_folder(self, path: str) -> None:
        self._step(f"rmdir {path}")
        for name in ("tasks", "cgroup.procs"):
            assert self.text(f"{path}/{name}") in {None, ""}, "a group with threads cannot be removed"
        for file in self.path(path).iterdir():
            file.unlink()
        super().remove_folder(path)

    def set_scheduling(self, tid: int, policy: str, priority: int, resets: bool) -> None:
        self._step(f"scheduling {tid} {policy} {priority} {resets}")
        task = self.task(tid)
        assert task is not None
        line = stat_line(tid, task.name, policy, priority, task.kernel)
        for file in (self.path(f"proc/{tid}/stat"), *self.path("proc").glob(f"*/task/{tid}/stat")):
            file.write_text(line)

    def run(self, command: Sequence[str]) -> str:
        """Run a stand-in for `tc` or mount, whose state is in a file of the tree."""
        file = self.path("tree/commands.json")
        file.parent.mkdir(exist_ok=True)
        known: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
        words = list(command)
        if words[:4] == ["tc", "-j", "qdisc", "show"]:
            return json.dumps([known.get(words[5], {"kind": "pfifo_fast", "handle": "0:", "root": True})])
        if words[:3] == ["tc", "class", "show"]:
            return str(known.get(f"classes of {words[4]}", ""))
        self._step(" ".join(words))
        if words[:3] == ["tc", "qdisc", "replace"]:
            known[words[4]] = {"kind": "htb", "handle": "7a:", "root": True}
        elif words[:3] == ["tc", "class", "replace"] and words[8] == "7a:20":
            known[f"classes of {words[4]}"] = (
                f"class htb 7a:20 root prio 1 rate {words[11]} ceil {words[13].title()} burst 1\n"
            )
        elif words[:3] == ["tc", "qdisc", "del"]:
            known = {name: value for name, value in known.items() if words[4] not in name}
        file.write_text(json.dumps(known)) if known else file.unlink(missing_ok=True)
        return ""


def picture(root: Path) -> dict[str, str]:
    """Return the contents of all files of the tree except tuning's own state; the members of groups are sorted."""
    found = {}
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        if path.is_file() and place.parts[:1] not in {("run",), ("tree",), ("dev",)}:
            words = path.read_text().split()
            found[str(place)] = " ".join(sorted(words) if path.name in {"tasks", "cgroup.procs"} else words)
    commands = root / "tree/commands.json"
    return found | ({"commands": commands.read_text()} if commands.exists() else {})
