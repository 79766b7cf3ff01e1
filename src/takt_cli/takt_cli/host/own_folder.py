# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Protects against folders that another user has created under the expected name."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def is_own_folder(path: Path) -> bool:
    """Return whether the path is a folder, not a link to one, and belongs to this user."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
