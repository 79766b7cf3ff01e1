# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Folders that nobody else has made in our place."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def is_own_folder(path: Path) -> bool:
    """Whether it is a folder, no link to one, of this user."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
