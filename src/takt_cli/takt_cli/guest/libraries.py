# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Finds the shared libraries that programs need, including those that ROS 2 loads by name at run time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from takt_cli.errors import HostError
from takt_cli.guest.python import interpreter
from takt_cli.host.command import completed
from takt_cli.host.programs import ament_prefixes

# A library: `libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)`; the loader: `/lib64/ld-linux-x86-64.so.2 (0x...)`.
_LINE = re.compile(r"^\s+(?:(\S+) => )?(/\S+|not found)(?: \(0x[0-9a-f]+\))?$", re.MULTILINE)
_LOADER = Path("/lib64/ld-linux-x86-64.so.2")
_INDEX = Path("/etc/ld.so.cache")
# The most libraries per call of the loader, as their names are one command-line argument.
_LIBRARIES_PER_CALL = 400
# RMW implementations, type support and logging are selected at run time.
_LOADED_BY_NAME = ("librmw_*.so", "lib*__rosidl_typesupport_*.so", "librosidl_typesupport_*.so", "librcl_logging_*.so")


def needed_libraries(paths: Iterable[Path]) -> set[Path]:
    """Return the libraries that this host's loader would load for the programs and libraries among these files and
    folders, including the loader and its index. Raises a HostError if a library is missing."""
    objects = sorted({each for path in paths for each in _objects(path)})
    if not objects:
        return set()
    libraries = [each for each in objects if ".so" in each.name]
    programs = [each for each in objects if ".so" not in each.name]
    needed = {path for path in (_LOADER, _INDEX) if path.exists()}
    for program in programs:
        needed |= _loaded(["--list", str(program)])
    if libraries:
        # Many at once, as if they were preloaded into the Python interpreter.
        for begin in range(0, len(libraries), _LIBRARIES_PER_CALL):
            search_path = ":".join(map(str, libraries[begin : begin + _LIBRARIES_PER_CALL]))
            needed |= _loaded(["--preload", search_path, "--list", str(interpreter())])
        # Of several libraries with the same name, preloading resolves only the first.
        names = {path.name for path in needed}
        for library in libraries:
            if library.name not in names:
                needed |= _loaded(["--list", str(library)])
    return needed


def _loaded(arguments: list[str]) -> set[Path]:
    paths = set()
    for name, place in _LINE.findall(completed([_LOADER, *arguments]).stdout):
        if place == "not found":
            raise HostError(f"the library {name} is missing, which a program for the guest needs; build takt anew")
        # The library's search path may contain `..`.
        paths.add(Path(os.path.normpath(place)))
    return paths


def libraries_of_ros() -> set[Path]:
    """Return the libraries that ROS 2 may load by name, from all prefixes in AMENT_PREFIX_PATH."""
    return {
        library
        for prefix in ament_prefixes()
        for pattern in _LOADED_BY_NAME
        for library in sorted((prefix / "lib").glob(pattern))
    }


def ament_index() -> set[Path]:
    """Return the ament index of every prefix, in which ROS 2 looks up installed packages."""
    indices = (prefix / "share" / "ament_index" for prefix in ament_prefixes())
    return {index for index in indices if index.is_dir()}


def _objects(path: Path) -> list[Path]:
    """Return the ELF files, which are programs or libraries: the file itself, or those in the folder."""
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    return [each for each in files if _magic(each) == b"\x7fELF"]


def _magic(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(4)
