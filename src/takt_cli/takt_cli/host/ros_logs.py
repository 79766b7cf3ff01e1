# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder that ROS programs write their logs to. A program that cannot create its log folder ends at once."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

VARIABLE = "ROS_LOG_DIR"


def log_folder(default: Path) -> str:
    """Return the caller's log folder if it is writable, else `default`: a home folder that is missing or read-only must
    not prevent a run."""
    requested_folder = os.environ.get(VARIABLE)
    return requested_folder if requested_folder and _can_be_written(requested_folder) else str(default)


@cache
def _can_be_written(path: str) -> bool:
    """Return whether the folder is writable; if not, print that once."""
    try:
        folder = Path(path).expanduser()
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason: str | None = error.strerror
    except RuntimeError:
        reason = "there is no home folder"
    else:
        reason = None if os.access(folder, os.W_OK | os.X_OK) else "Permission denied"
    if reason is not None:
        warning = f"takt: {VARIABLE}={path} cannot be written: {reason}; the logs of programs are not kept"
        print(warning, file=sys.stderr)
    return reason is None
