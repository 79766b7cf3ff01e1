# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where programs of ROS write their logs. One that cannot make its folder ends as it begins."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

VARIABLE = "ROS_LOG_DIR"


def log_folder(own: Path) -> str:
    """What the caller wants, where that can be written, or `own`: a home that is missing or cannot be written to must
    not stop a run."""
    wanted = os.environ.get(VARIABLE)
    return wanted if wanted and _can_be_written(wanted) else str(own)


@cache
def _can_be_written(wanted: str) -> bool:
    """Says once where it cannot."""
    try:
        folder = Path(wanted).expanduser()
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why: str | None = error.strerror
    except RuntimeError:
        why = "there is no home"
    else:
        why = None if os.access(folder, os.W_OK | os.X_OK) else "Permission denied"
    if why is not None:
        said = f"takt: {VARIABLE}={wanted} cannot be written: {why}; what programs log is not kept"
        print(said, file=sys.stderr)
    return why is None
