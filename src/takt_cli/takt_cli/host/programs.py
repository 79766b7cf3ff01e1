# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where the C++ programs of the lab are installed."""

from __future__ import annotations

import os
from pathlib import Path

from takt_cli.errors import HostError


def find_program(name: str) -> Path:
    """`lib/takt_lab/NAME` under a prefix of TAKT_PREFIX or AMENT_PREFIX_PATH; HostError if there is none."""
    for prefix in _prefixes():
        program = prefix / "lib" / "takt_lab" / name
        if program.is_file() and os.access(program, os.X_OK):
            return program
    raise HostError(
        f"the program {name!r} of takt_lab is not installed under TAKT_PREFIX or AMENT_PREFIX_PATH; "
        "build it (make build) and start takt by ./takt, or source the workspace first"
    )


def inheritance_library() -> Path:
    """libtakt_inheritance.so, which makes the mutexes of a process inherit priority; HostError if there is none."""
    for prefix in _prefixes():
        library = prefix / "lib" / "libtakt_inheritance.so"
        if library.is_file():
            return library
    raise HostError(
        "libtakt_inheritance.so is not installed under TAKT_PREFIX or AMENT_PREFIX_PATH; builds for sanitizers "
        "have none, another does (make build)"
    )


def _prefixes() -> list[Path]:
    value = os.environ.get("TAKT_PREFIX") or os.environ.get("AMENT_PREFIX_PATH", "")
    return [Path(prefix) for prefix in value.split(os.pathsep) if prefix]
