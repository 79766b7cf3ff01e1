# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A guest: runs programs of this host on one of Debian's kernels, from RAM, in time that counts instructions."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from takt_cli.errors import HostError, RunError
from takt_cli.guest import init_process
from takt_cli.guest.archive import Archive
from takt_cli.guest.kernel import find_kernel
from takt_cli.guest.libraries import needed_libraries
from takt_cli.guest.machine import MACHINE, SHIFT, Machine, find_qemu, last_line
from takt_cli.guest.python import interpreter, standard_library
from takt_cli.host.scratch import scratch_folder
from takt_cli.results import origin

_MODULES_OF_DISK = ("virtio_pci", "virtio_blk")


@dataclass(frozen=True)
class Guest:
    """A guest's configuration. `kernel` is one of KERNELS. Those `modules` that are not built in are loaded before
    anything runs, and `settings` are written below /proc/sys. `memory` is in MiB, in addition to that for the files."""

    kernel: str = "rt"
    modules: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    memory: int = 1024

    def run(
        self,
        commands: Sequence[Sequence[str]],
        files: Iterable[Path],
        seconds: float,
        results: Path,
        contents: Mapping[str, bytes] | None = None,
        environment: Mapping[str, str] | None = None,
        watch: Callable[[list[str]], None] = lambda _: None,
    ) -> origin.Guest:
        """Run `commands` one after the other, with `files` of this host under their own paths, `contents` by path, the
        libraries that they need, and `environment` (None: this process's). Afterwards the folder `results` holds what
        the commands left in their working folder, and their output in command-N.log.

        The guest may take `seconds` of the host's time; `watch` is called repeatedly with the lines on the console.
        Returns a record of the guest. Raises a HostError if something is missing, a RunError if a command fails or the
        kernel panics, a RunTimeout if the guest does not end in time.
        """
        qemu = find_qemu()
        kernel = find_kernel(self.kernel)
        located_commands = [[_program(command[0]), *command[1:]] for command in commands]
        python = interpreter()
        all_files = {*files, *(Path(command[0]) for command in located_commands), python, *standard_library()}
        modules, disk = kernel.modules(self.modules), kernel.modules(_MODULES_OF_DISK)
        plan = {
            "commands": located_commands,
            "environment": dict(os.environ if environment is None else environment),
            "settings": dict(self.settings),
            "modules": [str(path) for path in modules],
            "disk": [str(path) for path in disk if path not in modules],
        }
        source = Path(init_process.__file__).read_text("utf-8").partition("\n")[2]
        with scratch_folder("guest") as work:
            with (work / "initrd").open("wb") as file:
                archive = Archive(file)
                archive.add_device(Path("/dev/console"), 5, 1)
                archive.add_content(Path("/init"), f"#!{python} -S\n{source}".encode(), 0o755)
                for path, content in {init_process.PLAN: json.dumps(plan).encode(), **(contents or {})}.items():
                    archive.add_content(Path(path), content)
                archive.add_host_files(sorted(all_files | needed_libraries(all_files) | {*modules, *disk}))
                archive.write_trailer()
            # While the kernel unpacks the archive, it is in memory twice.
            memory = self.memory + 2 * ((work / "initrd").stat().st_size >> 20)
            machine = Machine(qemu, work)
            console = machine.run(kernel.image, work / "initrd", memory, seconds, watch)
            _check(console)
            _unpack(machine.disk, results)
            _check_commands(console, commands, results)
            version = machine.version()
        return origin.Guest(
            asked=self.kernel,
            package=kernel.package,
            package_version=kernel.version,
            guest=json.loads((results / init_process.FACTS).read_text("utf-8")),
            qemu=version,
            machine=" ".join(MACHINE),
            memory_mib=memory,
            icount_shift=SHIFT,
            time=f"QEMU {version.split()[0]}, {2**SHIFT} ns an instruction",
        )


def _program(name: str) -> str:
    program_path = shutil.which(name)
    if program_path is None:
        raise HostError(f"{name}: this program is not installed on the host, so the guest cannot run it; install it")
    return str(Path(program_path).absolute())


def _check(console: list[str]) -> None:
    """Raise a RunError if the guest did not run to its end."""
    broken = [
        line for line in console if "Kernel panic" in line or line.startswith(f"{init_process.MESSAGE_PREFIX}broken ")
    ]
    if broken:
        raise RunError(f"the guest failed: {broken[0]}")
    if f"{init_process.MESSAGE_PREFIX}done" not in console:
        words = f"its last line: {console[-1][:300]}" if console else "it reported nothing"
        raise RunError(f"the guest ended before it had sent its results; {words}")


def _check_commands(console: list[str], commands: Sequence[Sequence[str]], results: Path) -> None:
    """Raise a RunError if a command failed."""
    for line in console:
        if line.startswith(f"{init_process.MESSAGE_PREFIX}failed "):
            number, status = line.split()[2:4]
            words = last_line(results / f"command-{number}.log")
            raise RunError(f"{Path(commands[int(number)][0]).name} failed in the guest with status {status}; {words}")


def _unpack(disk: Path, results: Path) -> None:
    results.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(disk, mode="r:") as tar:
            for member in tar:
                if member.isdir() or member.isfile():
                    tar.extract(member, results, set_attrs=False)
    except (OSError, tarfile.TarError) as error:
        raise RunError(f"the guest's results cannot be read: {error}") from None
