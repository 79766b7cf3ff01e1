# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether a kernel is PREEMPT_RT."""

from __future__ import annotations

from pathlib import Path


def runs_preempt_rt(root: Path = Path("/")) -> bool:
    """The one whose /proc and /sys are below `root`. The file in /sys is there with the patches for older kernels,
    the word in the version with every one."""
    return _text(root / "sys/kernel/realtime") == "1" or "PREEMPT_RT" in _text(root / "proc/version").split()


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
