# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs a measurement on another kernel: the same function with the same settings, here or inside a guest."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

import takt_cli
from takt_cli.errors import HostError
from takt_cli.guest.guest import Guest
from takt_cli.guest.kernel import KERNELS
from takt_cli.guest.libraries import ament_index, libraries_of_ros
from takt_cli.guest.python import interpreter
from takt_cli.host.programs import find_program
from takt_cli.host.scratch import scratch_folder
from takt_cli.host.versions import commit
from takt_cli.results import origin
from takt_cli.results.folder import now
from takt_cli.results.result_file import RESULT_FILE, read_origin, replace_origin
from takt_cli.run.inside_guest import FOLDER, PART
from takt_cli.run.progress import Progress

Settings = TypeVar("Settings")
Measurement = Callable[[Settings, Path, list[str], Progress], None]

# Limits of this host's time, in s: for starting a guest, and per second of a measurement whose CPU is never idle.
_STARTING, _PER_SECOND = 300.0, 30.0
# The environment variables that a measurement may use. Others are left out, so that all runs are alike.
_ENVIRONMENT = ("AMENT_PREFIX_PATH", "LD_LIBRARY_PATH", "PATH", "RMW_IMPLEMENTATION", "ROS_DISTRO", "TAKT_PREFIX")
_FIXED_ENVIRONMENT = {
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "ROS_VERSION": "2",
    "ROS_PYTHON_VERSION": "3",
    "PYTHONHASHSEED": "0",
}
# The guest for each kernel, with the modules that links between network namespaces need.
GUEST = {name: Guest(name, modules=("veth", "sch_tbf", "sch_htb", "sch_prio", "cls_u32")) for name in KERNELS}
# The file in the guest with the function that it is to call.
_CALL_FILE = "/call.pickle"
# A script that prints the files of all modules that the call needs.
_LIST_MODULES = """
import json, pickle, sys
pickle.loads(sys.stdin.buffer.read())
import takt_cli.run.inside_guest
files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
print(json.dumps([file for file in files if file]))
"""


@dataclass(frozen=True)
class OnKernel:
    """The kernel to measure on. Without a guest it is this host's, whether or not a kernel was asked for."""

    guest: Guest | None = None

    def measure(
        self,
        function: Measurement[Settings],
        settings: Settings,
        folder: Path,
        command: list[str],
        progress: Progress,
        *,
        programs: Sequence[str],
        seconds: float,
        tools: Sequence[str] = (),
    ) -> None:
        """Call `function`, which must belong to a module and leaves its result in `folder`. In a guest, these programs
        of the lab, those of the system's `tools` that are installed, and CPU 0 are available, and every result says in
        its origin that it is `virtual`. `seconds` is the duration by the clock that the measurement sees. Raises a
        TaktError."""
        if self.guest is None:
            function(settings, folder, command, progress)
            return
        progress.say(f"starting a guest on Debian's {self.guest.kernel} kernel")
        call, start_time = pickle.dumps((function, settings)), now()
        with scratch_folder("guest-out") as out:
            guest = self.guest.run(
                [[str(interpreter()), "-S", "-m", "takt_cli.run.inside_guest", _CALL_FILE]],
                _files(call, programs, tools),
                _STARTING + _PER_SECOND * seconds,
                out,
                contents={_CALL_FILE: call},
                environment=_environment(),
                watch=_Watch(progress, seconds),
            )
            for each in (out / FOLDER).iterdir():
                shutil.move(each, folder / each.name)
        _label(folder, guest, command, start_time)


THIS_KERNEL = OnKernel()


class _Watch:
    """Translates the progress that a guest reports on its console."""

    def __init__(self, progress: Progress, seconds: float) -> None:
        self._progress = progress
        self._seconds = seconds
        self._parts_reported = 0

    def __call__(self, console: list[str]) -> None:
        parts = [line.removeprefix(PART) for line in console if line.startswith(PART)]
        for line in parts[self._parts_reported :]:
            length, _, name = line.partition(" ")
            if self._parts_reported:
                self._progress.end()
            self._progress.begin(name, float(length))
            self._parts_reported += 1
        self._progress.draw()


def _label(folder: Path, guest: origin.Guest, command: list[str], start_time: str) -> None:
    """Add to each result that its time is virtual, and what the guest cannot know."""
    own_commit = commit()
    for path in folder.rglob(RESULT_FILE):
        host = read_origin(path.parent).host
        known: dict[str, Any] = {"commit": own_commit, "command": command, "began": start_time, "virtual": guest}
        if host is not None:
            known["host"] = msgspec.structs.replace(host, virtual_time=guest.time)
        replace_origin(path.parent, **known)


def _environment() -> dict[str, str]:
    """Return the guest's environment, in which Python finds the same modules as this process."""
    own_variables = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    package = str(Path(takt_cli.__file__).parents[1])
    return (
        own_variables
        | _FIXED_ENVIRONMENT
        | {"PYTHONPATH": os.pathsep.join([package, *(path for path in sys.path if path)])}
    )


def _files(call: bytes, programs: Sequence[str], tools: Sequence[str]) -> set[Path]:
    system = {Path(tool_path) for name in tools if (tool_path := shutil.which(name))}
    lab_programs = {find_program(name) for name in programs}
    return system | lab_programs | libraries_of_ros() | ament_index() | _packages(call)


def _packages(call: bytes) -> set[Path]:
    """Return the Python packages that the call needs, completely and with their version information."""
    environment = os.environ | {"PYTHONPATH": _environment()["PYTHONPATH"]}
    result = subprocess.run(
        [sys.executable, "-c", _LIST_MODULES], input=call, capture_output=True, env=environment, check=False
    )
    if result.returncode:
        words = (result.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"])[-1]
        raise HostError(f"the measurement cannot be transferred into a guest: {words}")
    modules = [Path(module) for module in json.loads(result.stdout)]
    standard = Path(sysconfig.get_path("stdlib"))
    files: set[Path] = set()
    for root in {Path(path) for path in sys.path if path} | {Path(takt_cli.__file__).parents[1]}:
        if root in (standard, standard / "lib-dynload") or not root.is_dir():
            continue
        for name in {module.relative_to(root).parts[0] for module in modules if module.is_relative_to(root)}:
            files |= {root / name, *root.glob(f"{name}.libs"), *root.glob(f"{name}-*.dist-info")}
        files |= set(root.glob("ros_*.dist-info"))
    return files
