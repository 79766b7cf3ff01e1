# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The Python for a guest: the host's interpreter and standard library, without parts that are useless in a guest."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

# Large parts of the standard library that are useless without a display or network.
_LEFT_OUT = {"test", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "pydoc_data", "__pycache__"}
_PACKAGES = {"site-packages", "dist-packages"}


def interpreter() -> Path:
    """Return the interpreter itself, outside of any virtual environment."""
    return Path(os.path.realpath(sys.executable))


def standard_library() -> list[Path]:
    """Return the files and folders of the standard library, including compiled ones."""
    root = Path(sysconfig.get_path("stdlib"))
    kept_entries = [each for each in root.iterdir() if each.name not in _LEFT_OUT | _PACKAGES]
    compiled = root / "__pycache__"
    return [each for each in (*kept_entries, compiled) if each.exists() and not each.name.startswith("config-")]
