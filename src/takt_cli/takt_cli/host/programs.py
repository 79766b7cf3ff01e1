# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Finds the installed C++ programs of the lab."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from takt_cli.errors import HostError


def find_program(name: str) -> Path:
    """Return `lib/takt_lab/NAME` below a prefix in TAKT_PREFIX or AMENT_PREFIX_PATH. Raises a HostError if there is
    none."""
    program = _installed(f"lib/takt_lab/{name}", os.X_OK)
    if program is None:
        raise HostError(
            f"the program {name!r} of takt_lab is not installed under TAKT_PREFIX or AMENT_PREFIX_PATH; "
            "build it (make build) and start takt by ./takt, or source the workspace first"
        )
    return program


def inheritance_library() -> Path:
    """Return the path of libtakt_inheritance.so, which makes the mutexes of a process inherit priority. Raises a
    HostError if it is not installed."""
    library = _installed("lib/libtakt_inheritance.so")
    if library is None:
        raise HostError(
            "libtakt_inheritance.so is not installed under TAKT_PREFIX or AMENT_PREFIX_PATH; builds with sanitizers "
            "lack it, any other build has it (make build)"
        )
    return library


def ament_prefixes(environment: Mapping[str, str] | None = None, variable: str = "AMENT_PREFIX_PATH") -> list[Path]:
    """Return the prefixes in AMENT_PREFIX_PATH, or in another variable, of this process or another environment."""
    value = (os.environ if environment is None else environment).get(variable, "")
    return [Path(prefix) for prefix in value.split(os.pathsep) if prefix]


def _installed(path: str, rights: int = os.F_OK) -> Path | None:
    files = (prefix / path for prefix in ament_prefixes(variable="TAKT_PREFIX") or ament_prefixes())
    return next((file for file in files if file.is_file() and os.access(file, rights)), None)
