# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs another program to its end."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def completed(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float | None = None,
    check: bool = False,
    start_new_session: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a program without input and return its status and what it wrote, as text whatever its bytes are. The options
    are those of `subprocess.run`."""
    return subprocess.run(
        command,
        env=env,
        cwd=cwd,
        timeout=timeout,
        check=check,
        start_new_session=start_new_session,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
