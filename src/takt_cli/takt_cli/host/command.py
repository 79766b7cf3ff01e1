# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs another program to its end."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_LONGEST = 30.0


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


def output_of(command: Sequence[str]) -> str:
    """Run a program and return its standard output. Ctrl-C does not reach the program, which ends by itself. Raises an
    OSError with what the program says if it fails, is not installed, or takes too long."""
    try:
        result = completed(command, timeout=_LONGEST, start_new_session=True)
    except FileNotFoundError:
        raise FileNotFoundError(errno.ENOENT, f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise OSError(errno.ETIMEDOUT, f"it did not end within {_LONGEST:g} s") from None
    if result.returncode != 0:
        raise OSError(errno.EINVAL, " ".join(result.stderr.split())[:300] or "it reported nothing")
    return result.stdout
