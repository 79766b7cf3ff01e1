# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The Python that a guest gets: this one, without what nothing needs there."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

# Parts of the standard library that are large, and of no use without a screen or a network.
_LEFT_OUT = {"test", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "pydoc_data", "__pycache__"}
_PACKAGES = {"site-packages", "dist-packages"}


def interpreter() -> Path:
    """The program itself, outside any virtual environment."""
    return Path(os.path.realpath(sys.executable))


def standard_library() -> list[Path]:
    """Its files and folders; compiled ones with them."""
    root = Path(sysconfig.get_path("stdlib"))
    kept = [each for each in root.iterdir() if each.name not in _LEFT_OUT | _PACKAGES]
    compiled = root / "__pycache__"
    return [each for each in (*kept, compiled) if each.exists() and not each.name.startswith("config-")]
