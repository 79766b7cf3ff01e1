# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Finds the installed C++ programs of the lab."""

from __future__ import annotations

import os
from pathlib import Path

from takt_cli.errors import HostError


def find_program(name: str) -> Path:
    """Return `lib/takt_lab/NAME` below a prefix in TAKT_PREFIX or AMENT_PREFIX_PATH. Raises a HostError if there is
    none."""
    for prefix in _prefixes():
        program = prefix / "lib" / "takt_lab" / name
        if program.is_file() and os.access(program, os.X_OK):
            return program
    raise HostError(
        f"the program {name!r} of takt_lab is not installed under TAKT_PREFIX or AMENT_PREFIX_PATH; "
        "build it (make build) and start takt by ./takt, or source the workspace first"
    )


def inheritance_library() -> Path:
    """Return the path of libtakt_inheritance.so, which makes the mutexes of a process inherit priority. Raises a
    HostError if it is not installed."""
    for prefix in _prefixes():
        library = prefix / "lib" / "libtakt_inheritance.so"
        if library.is_file():
            return library
    raise HostError(
        "libtakt_inheritance.so is not installed under TAKT_PREFIX or AMENT_PREFIX_PATH; builds with sanitizers "
        "lack it, any other build has it (make build)"
    )


def _prefixes() -> list[Path]:
    value = os.environ.get("TAKT_PREFIX") or os.environ.get("AMENT_PREFIX_PATH", "")
    return [Path(prefix) for prefix in value.split(os.pathsep) if prefix]
