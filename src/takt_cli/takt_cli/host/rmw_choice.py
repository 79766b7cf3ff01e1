# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The RMW that an environment selects, and whether its rcl library can use that one.

An rcl is linked either to `librmw_implementation.so`, which loads the selected RMW when a program starts, or to one
RMW. The second kind ends every program with another selection before its first line, with status 102.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from takt_cli.errors import HostError
from takt_cli.host.command import completed
from takt_cli.host.programs import ament_prefixes

CHOICE = "RMW_IMPLEMENTATION"
LOADER = "librmw_implementation.so"
_PRELOAD = "LD_PRELOAD"
# The variables that decide which libraries and which RMW are loaded.
_DECIDING_VARIABLES = (CHOICE, _PRELOAD, "LD_LIBRARY_PATH", "AMENT_PREFIX_PATH")
# Loads the first rcl found. Its constructor ends the process if it cannot use the selected RMW. Without an rcl, or
# with one that cannot be loaded, the outcome is unknown.
_LOAD = """
import ctypes, sys
for name in sys.argv[1:]:
    try:
        ctypes.CDLL(name)
        break
    except OSError:
        pass
"""
_PATIENCE = 30
# The messages with which rcl ends the process.
_BOUND = re.compile(r"identifier of '[^']*' but instead found '([^']+)'")
_NOT_LOADED = re.compile(r"dlopen error: (.+?), at ")


@dataclass(frozen=True)
class RmwRefusal:
    """The reason why no ROS 2 program starts with `rmw`. `bound` is the only RMW that this rcl can use, empty if that
    is not the reason. `loader` is the library that would let it use others, None if no prefix has it. `message` is
    rcl's message."""

    rmw: str
    bound: str
    message: str
    loader: Path | None

    @property
    def cause(self) -> str:
        if self.bound:
            return f"this rcl is bound to {self.bound}"
        return f"rcl cannot load it ({self.message})"

    @property
    def remedy(self) -> str:
        """Advice to the user in words, with a command if there is one."""
        if not self.bound:
            return f"install it, or unset {CHOICE}"
        if self.loader is None:
            return f"use a ROS 2 with rmw_implementation (no prefix in AMENT_PREFIX_PATH has it), or unset {CHOICE}"
        return f"export {_PRELOAD}={self.loader}, or unset {CHOICE}"

    def __str__(self) -> str:
        preload_text = f"preload {LOADER}: " if self.loader and self.bound else ""
        return f"{CHOICE}={self.rmw}: {self.cause}; {preload_text}{self.remedy}"


def rmw_variable(rmw: str | None) -> dict[str, str]:
    """Return the variable that selects an RMW for a process; nothing for None, which keeps the selection as it is."""
    return {CHOICE: rmw} if rmw else {}


def rmw_refusal(environment: Mapping[str, str]) -> RmwRefusal | None:
    """Return why programs do not start in `environment`, found out by loading its rcl there; None if they do or if it
    is unknown."""
    if not environment.get(CHOICE):
        return None
    return _refusal(tuple((name, environment[name]) for name in _DECIDING_VARIABLES if name in environment))


def usable_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment, with the loader preloaded if its rcl is bound to another RMW. Raises a HostError if that
    does not help or there is no loader."""
    refused = rmw_refusal(environment)
    if refused is None:
        return dict(environment)
    if refused.bound and refused.loader:
        preloads = [str(refused.loader), *filter(None, [environment.get(_PRELOAD)])]
        helped = dict(environment) | {_PRELOAD: os.pathsep.join(preloads)}
        remaining_refusal = rmw_refusal(helped)
        if remaining_refusal is None:
            return helped
        refused = remaining_refusal
    raise HostError(str(refused))


def preloaded_libraries(environment: Mapping[str, str]) -> list[str]:
    """Return the names of the libraries that are preloaded into every program."""
    return [Path(path).name for path in re.split(r"[: ]+", environment.get(_PRELOAD, "")) if path]


@lru_cache(maxsize=64)
def _refusal(deciding: tuple[tuple[str, str], ...]) -> RmwRefusal | None:
    environment = dict(deciding)
    prefixes = ament_prefixes(environment)
    rcl = [str(prefix / "lib" / "librcl.so") for prefix in prefixes]
    try:
        command = [sys.executable, "-I", "-S", "-c", _LOAD, "librcl.so", *rcl]
        result = completed(command, env=environment, timeout=_PATIENCE)
    except (OSError, subprocess.SubprocessError):
        return None
    if result.returncode == 0:
        return None
    bound, missing_library = _BOUND.search(result.stderr), _NOT_LOADED.search(result.stderr)
    if result.returncode < 0 and bound is None and missing_library is None:
        return None  # ended by a signal, which says nothing about rcl
    message = missing_library[1] if missing_library else f"status {result.returncode}"
    loader = next((path for prefix in prefixes if (path := prefix / "lib" / LOADER).is_file()), None)
    return RmwRefusal(environment[CHOICE], bound[1] if bound else "", message, loader)
