# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Detects PREEMPT_RT kernels."""

from __future__ import annotations

from pathlib import Path


def runs_preempt_rt(root: Path = Path("/")) -> bool:
    """Return whether the kernel whose /proc and /sys are below `root` is PREEMPT_RT. The file in /sys exists with the
    patches for older kernels; every such kernel has the word in its version."""
    return _text(root / "sys/kernel/realtime") == "1" or "PREEMPT_RT" in _text(root / "proc/version").split()


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
