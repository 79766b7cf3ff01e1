# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The machine that a guest runs on: QEMU with one CPU, whose clock counts the instructions executed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from takt_cli.errors import HostError, RunError, RunTimeout
from takt_cli.host.command import completed
from takt_cli.host.patience import Patience

_QEMU = "qemu-system-x86_64"
# One instruction takes 2^shift ns of the guest's time: with 1, the CPU executes 500 million instructions a second.
SHIFT = 1
# Nothing in the machine is random or depends on the host: the CPU model, the date and the seeds are fixed.
MACHINE = tuple(
    f"-machine pc,hpet=off -cpu Nehalem -smp 1 -accel tcg -icount shift={SHIFT},sleep=off "
    "-rtc base=2026-01-01,clock=vm -seed 1".split()
)
_BARE_OPTIONS = ("-no-user-config", "-nodefaults", "-display", "none", "-no-reboot")
# Mitigations would cost instructions without any benefit. A panic or a restart ends the machine.
_CMDLINE = (
    "console=ttyS0 quiet panic=-1 reboot=t nokaslr mitigations=off tsc=reliable clocksource=tsc nowatchdog "
    "PYTHONHASHSEED=0"
)
_DISK_SIZE = 8 << 30
_POLL_INTERVAL = 0.05


@dataclass(frozen=True)
class Machine:
    """A machine; `work` is a folder of its own for its disk and its console."""

    qemu: str
    work: Path

    @property
    def disk(self) -> Path:
        return self.work / "disk"

    def version(self) -> str:
        """Return QEMU's version."""
        line = completed([self.qemu, "--version"]).stdout.partition("\n")[0]
        return line.removeprefix("QEMU emulator version ").strip() or "unknown"

    def run(
        self, kernel: Path, archive: Path, memory: int, seconds: float, watch: Callable[[list[str]], None]
    ) -> list[str]:
        """Run the machine until it ends by itself, and return the console's lines. `memory` is in MiB; `seconds` limits
        the host's time that it may take. The machine never outlives this process. Raises a RunError."""
        console, errors = self.work / "console", self.work / "errors"
        console.touch()
        with self.disk.open("wb") as file:
            file.truncate(_DISK_SIZE)
        command = ["setpriv", "--pdeathsig", "KILL", self.qemu, *MACHINE, *_BARE_OPTIONS, "-m", f"{memory}M"]
        command += ["-kernel", str(kernel), "-initrd", str(archive), "-append", _CMDLINE]
        command += ["-serial", f"file:{console}"]
        command += ["-drive", f"file={self.disk},format=raw,if=virtio,cache=unsafe"]
        with errors.open("wb") as file:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True
            )
        try:
            patience = Patience()
            while process.poll() is None:
                watch(written_lines(console))
                if patience.waited() > seconds:
                    raise RunTimeout(f"the guest did not end within {seconds:.0f} s; {last_line(console)}")
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_INTERVAL)
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            raise RunError(f"{_QEMU} failed: {last_line(errors)}")
        return written_lines(console)


def find_qemu() -> str:
    """Return QEMU's path. Raises a HostError if it is not installed."""
    program = shutil.which(_QEMU)
    if program is None:
        raise HostError(f"a guest needs {_QEMU}, which is not installed; install the package qemu-system-x86")
    return program


def written_lines(file: Path) -> list[str]:
    """Return the lines written so far that are not blank."""
    return [line.strip() for line in file.read_text("utf-8", "replace").splitlines() if line.strip()]


def last_line(file: Path) -> str:
    """Return a file's last line, as part of an error message."""
    lines = written_lines(file) if file.exists() else []
    return f"its last line: {lines[-1][:300]}" if lines else "it reported nothing"
