# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the parts of a guest (archive, libraries and kernel), and of the messages if something is wrong. No guest is
booted here; test_guest_boots.py does that."""

from __future__ import annotations

import io
import lzma
import os
import pickle
import shutil
import stat
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from waiting import wait_until

from takt_cli.analysis.grid import Window
from takt_cli.analysis.hosts import FACTS
from takt_cli.analysis.timers import TimersSummary
from takt_cli.analysis.trips import Count, Outcomes, SkippedCount
from takt_cli.analysis.variants import verdict as judged
from takt_cli.analysis.verdict import unobserved_host_effects
from takt_cli.analysis.virtual_time import reasons_without_verdict, virtual_time_label
from takt_cli.cli.main import cli
from takt_cli.errors import HostError, RunError, RunTimeout, UsageError
from takt_cli.guest import guest as guest_module
from takt_cli.guest.archive import Archive
from takt_cli.guest.guest import Guest
from takt_cli.guest.kernel import Kernel, find_kernel
from takt_cli.guest.libraries import needed_libraries
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.facts import host_facts, runs_preempt_rt
from takt_cli.host.system import System
from takt_cli.measurements.timers import TIMERS
from takt_cli.options.kernel import cpu_count, cpu_on, cpus_on, on_kernel
from takt_cli.results import origin as origins
from takt_cli.results.origin import Host, Origin
from takt_cli.results.program import Probe
from takt_cli.results.result_file import RESULT_FILE, ResultFormat
from takt_cli.run.in_guest import OnKernel, _label, _packages
from takt_cli.run.progress import Progress
from takt_cli.run.timers import run_timers

# ---- the archive --------------------------------------------------------------------------------------------


def _entries(data: bytes) -> dict[str, tuple[int, bytes]]:
    """Return mode and content of each entry of an archive by name, as the kernel reads it."""
    found: dict[str, tuple[int, bytes]] = {}
    at = 0
    while True:
        assert data[at : at + 6] == b"070701"
        fields = [int(data[at + 6 + 8 * n : at + 14 + 8 * n], 16) for n in range(13)]
        size, length = fields[6], fields[11]
        name = data[at + 110 : at + 110 + length - 1].decode()
        begin = at + -(-(110 + length) // 4) * 4
        at = begin + -(-size // 4) * 4
        if name == "TRAILER!!!":
            assert at == len(data)
            return found
        assert name not in found
        found[name] = (fields[1], data[begin : begin + size])


def _archived(*paths: Path) -> dict[str, tuple[int, bytes]]:
    file = io.BytesIO()
    archive = Archive(file)
    archive.add_device(Path("/dev/console"), 5, 1)
    archive.add_content(Path("/init"), b"#!/bin/sh\n", 0o755)
    archive.add_host_files(paths)
    archive.write_trailer()
    return _entries(file.getvalue())


def test_an_archive_has_files_of_the_host_where_they_are(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "one.so.1").write_bytes(b"12345")
    (tmp_path / "lib" / "one.so").symlink_to("one.so.1")
    (tmp_path / "lib" / "tests").mkdir()
    (tmp_path / "lib" / "empty").touch(0o600)
    found = _archived(tmp_path / "lib" / "one.so", tmp_path / "lib")
    here = str(tmp_path / "lib").lstrip("/")
    assert found[f"{here}/one.so"] == (stat.S_IFLNK | 0o777, b"one.so.1")
    assert found[f"{here}/one.so.1"][1] == b"12345"
    assert found[f"{here}/empty"] == (stat.S_IFREG | 0o600, b"")
    assert f"{here}/tests" not in found
    assert found["dev/console"][0] == stat.S_IFCHR | 0o600
    assert found["init"] == (stat.S_IFREG | 0o755, b"#!/bin/sh\n")
    # Each folder comes before its files; otherwise the kernel drops them.
    names = list(found)
    assert all(str(Path(name).parent) in (".", *names[:at]) for at, name in enumerate(names))


def test_a_file_that_an_archive_cannot_contain_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="gone: cannot be copied into the guest: No such file"):
        _archived(tmp_path / "gone")


# ---- libraries ----------------------------------------------------------------------------------------------


def test_libraries_are_those_that_the_loader_takes(tmp_path: Path) -> None:
    assert shutil.which("sh") is not None
    (tmp_path / "folder").mkdir()
    shutil.copy("/bin/sh", tmp_path / "folder" / "program")
    (tmp_path / "folder" / "text").write_text("no program")
    names = {path.name for path in needed_libraries([tmp_path / "folder"])}
    assert "libc.so.6" in names
    assert any(name.startswith("ld-") for name in names)
    assert needed_libraries([tmp_path / "folder" / "text"]) == set()


def test_a_library_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tool(tmp_path, monkeypatch, "loader", "print('\\tlibodd.so.7 => not found')")
    monkeypatch.setattr("takt_cli.guest.libraries._LOADER", tmp_path / "tools" / "loader")
    with pytest.raises(HostError, match=r"libodd\.so\.7 is missing"):
        needed_libraries([Path("/bin/sh")])


def _tool(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, script: str) -> None:
    """Put a stand-in for a program of the system first in PATH."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    (tools / name).write_text(f"#!{sys.executable}\nimport os, signal, sys, time\n{script}\n")
    (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")


# ---- the kernel ---------------------------------------------------------------------------------------------


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace apt and dpkg by stand-ins that offer a package with one kernel. Each download adds a line to the file
    that is returned."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    members = {
        "./boot/vmlinuz-6.1.0-9-rt-amd64": b"MZ" + lzma.compress(b"\x7fELF kernel") + b"rest",
        "./lib/modules/x/kernel/drivers/virtio/virtio.ko": b"\0license=GPL\0depends=\0",
        "./lib/modules/x/kernel/drivers/virtio/virtio_ring.ko": b"\0depends=virtio\0",
        "./lib/modules/x/kernel/drivers/virtio/virtio-pci.ko": b"\0depends=virtio_ring,virtio\0",
        "./lib/modules/x/kernel/drivers/gpu/large.ko": b"\0depends=\0",
    }
    with tarfile.open(tmp_path / "tree.tar", "w") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    cache = "'linux-image-rt-amd64\\n  Depends: linux-image-6.1.0-9-rt-amd64'"
    show = "'Package: x\\nVersion: 6.1.99-2\\nArchitecture: amd64'"
    _tool(tmp_path, monkeypatch, "apt-cache", f"print({cache} if sys.argv[1] == 'depends' else {show})")
    log = tmp_path / "downloads"
    download = f"open({str(log)!r}, 'a').write(sys.argv[-1] + '\\n'); open('x.deb', 'w').close()"
    _tool(tmp_path, monkeypatch, "apt-get", download)
    unpack = f"sys.stdout.buffer.write(open({str(tmp_path / 'tree.tar')!r}, 'rb').read())"
    _tool(tmp_path, monkeypatch, "dpkg-deb", unpack)
    return log


def test_a_kernel_is_fetched_once_and_kept_small(debian: Path, tmp_path: Path) -> None:
    kernel = find_kernel("rt")
    assert (kernel.package, kernel.version) == ("linux-image-6.1.0-9-rt-amd64", "6.1.99-2")
    assert kernel.image.name == "vmlinux-6.1.0-9-rt-amd64"
    assert kernel.image.read_bytes() == b"\x7fELF kernel"
    # Each module comes after those that it needs, with - or _ in its name; built-in modules are left out.
    names = [path.name for path in kernel.modules(["virtio_pci", "built_in", "virtio"])]
    assert names == ["virtio.ko", "virtio_ring.ko", "virtio-pci.ko"]
    assert not list(kernel.folder.rglob("large.ko"))
    assert find_kernel("rt") == kernel
    assert debian.read_text("utf-8") == "linux-image-6.1.0-9-rt-amd64=6.1.99-2\n"
    assert [path.name for path in kernel.folder.parent.iterdir()] == [kernel.folder.name]


def test_a_kernel_that_cannot_be_fetched_leaves_nothing(
    debian: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tool(tmp_path, monkeypatch, "apt-get", "sys.exit('W: odd\\nE: Unable to fetch')")
    with pytest.raises(HostError, match="cannot be fetched: E: Unable to fetch; try `apt-get update`"):
        find_kernel("rt")
    assert list((tmp_path / "cache" / "takt" / "kernels").iterdir()) == []
    _tool(tmp_path, monkeypatch, "apt-cache", "print('linux-image-rt-amd64')")
    with pytest.raises(HostError, match="--kernel rt: apt does not know linux-image-rt-amd64; add Debian's"):
        find_kernel("rt")


# ---- a guest that fails -------------------------------------------------------------------------------------


def _guest(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: str,
    seconds: float = 60.0,
    disk: dict[str, bytes] | None = None,
    watch: Callable[[list[str]], None] = lambda _: None,
) -> origins.Guest:
    """Run `sh` and `cat` in a machine that only executes `script`, which writes to the console by say(line)."""
    boot = tmp_path / "kernel" / "boot"
    boot.mkdir(parents=True, exist_ok=True)
    (boot / "vmlinuz-1").touch()
    monkeypatch.setattr(guest_module, "find_kernel", lambda name: Kernel(name, "linux-image-1", "1-1", boot.parent))
    monkeypatch.setattr(guest_module, "standard_library", lambda: [])
    with tarfile.open(tmp_path / "results.tar", "w") as tar:
        for name, content in ({"guest.json": b"{}"} | (disk or {})).items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    results = f"open({str(tmp_path / 'results.tar')!r}, 'rb').read()"
    machine = f"""
if "--version" in sys.argv:
    print("QEMU emulator version 7.9.1 (Debian x)\\nCopyright")
    sys.exit()
words = ",".join(sys.argv).split(",")
console = next(w for w in words if w.startswith("file:"))[5:]
say = lambda text: open(console, "a").write(text + "\\r\\n")
send = lambda: open(next(w for w in words if w.startswith("file=/"))[5:], "r+b").write({results})
{script}"""
    _tool(tmp_path, monkeypatch, "qemu-system-x86_64", machine)
    return Guest().run([["sh", "-c", "true"], ["cat"]], [], seconds, tmp_path / "out", watch=watch)


def test_a_guest_returns_results_and_facts_about_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = {"rows.npy": b"rows", "guest.json": b'{"kernel": "1-rt"}'}
    facts = _guest(tmp_path, monkeypatch, "send(); say('guest: done')", disk=disk)
    assert (tmp_path / "out" / "rows.npy").read_bytes() == b"rows"
    assert facts.guest == {"kernel": "1-rt"}
    assert (facts.asked, facts.package) == ("rt", "linux-image-1")
    assert facts.qemu == "7.9.1 (Debian x)"
    assert facts.time == f"QEMU 7.9.1, {2**facts.icount_shift} ns an instruction"


def test_a_failure_in_a_guest_is_reported_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunError, match=r"the guest failed: \[ 3\.1\] Kernel panic - not syncing"):
        _guest(tmp_path, monkeypatch, "say('[ 3.1] Kernel panic - not syncing: no init'); say('[ 3.2] more')")
    with pytest.raises(RunError, match="the guest failed: guest: broken OSError"):
        _guest(tmp_path, monkeypatch, "say('guest: broken OSError(2)')")
    with pytest.raises(RunError, match="before it had sent its results; its last line: hello"):
        _guest(tmp_path, monkeypatch, "say('hello')")
    with pytest.raises(RunError, match="before it had sent its results; it reported nothing"):
        _guest(tmp_path, monkeypatch, "")
    with pytest.raises(RunError, match="qemu-system-x86_64 failed: its last line: no such machine"):
        _guest(tmp_path, monkeypatch, "sys.exit('no such machine')")
    said = "send(); say('guest: failed 1 3'); say('guest: done')"
    with pytest.raises(RunError, match="cat failed in the guest with status 3; its last line: no file"):
        _guest(tmp_path, monkeypatch, said, disk={"command-1.log": b"cat: hm\nno file\n"})


def test_a_guest_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = tmp_path / "pid"
    script = f"say('booting'); open({str(pid)!r}, 'w').write(str(os.getpid())); signal.pause()"

    def watch(_lines: list[str]) -> None:
        # Starting may take long on a busy host.
        wait_until(lambda: pid.exists() and pid.read_text("utf-8") != "", "the guest boots")

    with pytest.raises(RunTimeout, match="the guest did not end within 1 s; its last line: booting"):
        _guest(tmp_path, monkeypatch, script, seconds=1.0, watch=watch)
    assert not Path("/proc", pid.read_text("utf-8")).exists()


def test_programs_that_a_guest_lacks_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _tool(tmp_path, monkeypatch, "qemu-system-x86_64", "")
    monkeypatch.setattr(guest_module, "find_kernel", lambda name: Kernel(name, "p", "1", tmp_path))
    with pytest.raises(HostError, match="nowhere: this program is not installed on the host"):
        Guest().run([["nowhere"]], [], 1.0, tmp_path / "out")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostError, match="a guest needs qemu-system-x86_64, which is not installed; install"):
        Guest().run([["sh"]], [], 1.0, tmp_path / "out")


# ---- where to measure ---------------------------------------------------------------------------------------

_RT = "Linux version 6.12.0-rt (x@y) (gcc) #1 SMP PREEMPT_RT Debian 6.12.1 (2026-01-01)\n"
_ORDINARY = "Linux version 6.12.0 (x@y) (gcc) #1 SMP PREEMPT_DYNAMIC Debian 6.12.1 (2026-01-01)\n"


def _host(root: Path, version: str, realtime: str | None) -> System:
    (root / "proc").mkdir(parents=True)
    (root / "proc" / "version").write_text(version)
    if realtime is not None:
        (root / "sys" / "kernel").mkdir(parents=True)
        (root / "sys" / "kernel" / "realtime").write_text(realtime)
    return System(root)


def test_a_host_on_preempt_rt_is_known_by_either_sign(tmp_path: Path) -> None:
    assert runs_preempt_rt(_host(tmp_path / "mainline", _RT, None))
    assert runs_preempt_rt(_host(tmp_path / "patched", "Linux version 4.14.0-rt\n", "1\n"))
    assert not runs_preempt_rt(_host(tmp_path / "ordinary", _ORDINARY, None))
    assert not runs_preempt_rt(_host(tmp_path / "off", _ORDINARY, "0\n"))
    assert not runs_preempt_rt(System(tmp_path / "nothing"))


def test_a_host_on_preempt_rt_needs_no_guest_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("takt_cli.options.kernel.runs_preempt_rt", lambda: False)
    assert on_kernel(None).guest is None
    assert [getattr(on_kernel(name).guest, "kernel", None) for name in ("rt", "vanilla")] == ["rt", "vanilla"]
    monkeypatch.setattr("takt_cli.options.kernel.runs_preempt_rt", lambda: True)
    assert on_kernel("rt").guest is None
    assert on_kernel("vanilla").guest is not None


def test_a_guest_has_one_cpu() -> None:
    guest = OnKernel(Guest())
    assert (cpu_on(guest, None), cpu_on(guest, 0)) == (0, 0)
    assert cpu_on(OnKernel(), None) == allowed_cpus()[-1]
    assert (cpus_on(guest, None), cpus_on(guest, (0, 0)), cpu_count(guest)) == ((0,), (0,), 1)
    assert cpu_count(OnKernel()) == len(allowed_cpus())
    with pytest.raises(UsageError, match="--cpu 3: a guest of --kernel has CPU 0 only"):
        cpu_on(guest, 3)
    with pytest.raises(UsageError, match="--cpu 0,1: a guest of --kernel has CPU 0 only"):
        cpus_on(guest, (0, 1))


def test_a_guest_reaches_no_other_machine() -> None:
    arguments = ["measure", "round-trip", "--kernel", "vanilla", "--server", "127.0.0.1"]
    result = CliRunner().invoke(cli, arguments)
    assert isinstance(result.exception, UsageError) or "--kernel: a guest has no network" in result.output


def _measurement(settings: str, folder: Path, command: list[str], _progress: Progress) -> None:
    (folder / "run.json").write_text(f"{settings} {command}")


def test_on_this_host_a_measurement_is_just_made(tmp_path: Path) -> None:
    with Progress(1, 1) as progress:
        OnKernel().measure(_measurement, "set", tmp_path, ["takt"], progress, programs=(), seconds=1.0)
    assert (tmp_path / "run.json").read_text("utf-8") == "set ['takt']"


def test_a_guest_gets_the_packages_that_a_measurement_imports() -> None:
    names = {path.name for path in _packages(pickle.dumps((run_timers, None)))}
    assert {"takt_cli", "msgspec"} <= names
    # Timers are measured without numpy, which takes a guest long to load.
    assert not {"numpy", "plotly"} & names
    with pytest.raises(HostError, match="cannot be transferred into a guest"):
        _packages(b"no pickle")


# ---- labels -------------------------------------------------------------------------------------------------

_VIRTUAL = {
    "asked": "rt", "package": "linux-image-1", "package_version": "1-1", "qemu": "7.9.1", "machine": "microvm",
    "memory_mib": 512, "icount_shift": 1, "guest": {"kernel": "6.1.0-9-rt-amd64", "realtime": True},
    "time": "QEMU 7.9.1, 2 ns an instruction",
}  # fmt: skip
_FORMAT = ResultFormat("test", 1, str, str)


def _origin(host: Host | None = None, virtual: origins.Guest | None = None) -> Origin:
    return Origin(command=[], began="", versions={}, commit=None, host=host, virtual=virtual)


def test_a_result_of_a_guest_says_so_and_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    host = host_facts((0,))
    for folder in (tmp_path, tmp_path / "part"):
        _FORMAT.write(folder, _origin(host), "settings", "record")
    _label(tmp_path, msgspec.convert(_VIRTUAL, origins.Guest), ["takt", "measure"], "2026-01-02")
    for path in [folder / RESULT_FILE for folder in (tmp_path, tmp_path / "part")]:
        text = path.read_text("utf-8")
        assert all(word in text for word in ('"virtual"', '"virtual_time"', '"measure"', '"commit"', '"2026-01-02"'))
    assert _FORMAT.read(tmp_path).origin.virtual == msgspec.convert(_VIRTUAL, origins.Guest)
    said = virtual_time_label(msgspec.convert(_VIRTUAL, origins.Guest))
    assert said is not None
    assert said.startswith("virtual: kernel 6.1.0-9-rt-amd64 (PREEMPT_RT) in QEMU 7.9.1, 2 ns an instruction")
    assert virtual_time_label(None) is None
    # Such a result is neither compared nor pooled with those of real hosts, and never gets the verdict `pass`.
    assert "virtual time" in FACTS
    guest = msgspec.convert(_VIRTUAL, origins.Guest)
    seen = Probe(asked=99, granted=99)
    assert "its time is virtual" in unobserved_host_effects(False, _origin(host, guest), [seen], Window(0, 0, 1))[0]
    none = Count(n=0, host=0, other=0, explained=0)
    skipped = SkippedCount(n=0, host=0, other=0, explained=0, waiting=0, starved=0)
    outcomes = Outcomes(sent=100, missed=none, missed_from_intended=none, lost=none, skipped=skipped)
    assert judged(outcomes, reasons_without_verdict(guest)).outcome == "inconclusive"
    assert judged(outcomes, reasons_without_verdict(None)).outcome == "pass"


def test_what_is_shown_of_a_guest_says_so() -> None:
    summary = TimersSummary(
        callbacks=2, nodes=1, period_ms=10.0, phases="equal", duration_s=1.0, rounds=1, rmw=None, executors={},
        floors={}, host=None, virtual=None,
    )  # fmt: skip
    origin = _origin(virtual=msgspec.convert(_VIRTUAL, origins.Guest))
    shown = [str(part) for part in TIMERS.report(summary, origin)]
    assert any(line.startswith("virtual: kernel 6.1.0-9-rt-amd64") for line in shown)
    assert not any("virtual" in str(part) for part in TIMERS.report(summary, _origin()))
