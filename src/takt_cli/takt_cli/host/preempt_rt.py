# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Detects PREEMPT_RT kernels."""

from __future__ import annotations

from takt_cli.host.system import THIS_HOST, System


def runs_preempt_rt(system: System = THIS_HOST) -> bool:
    """Return whether the kernel is PREEMPT_RT. The file in /sys exists with the patches for older kernels; every such
    kernel has the word in its version."""
    return system.text("sys/kernel/realtime") == "1" or "PREEMPT_RT" in system.words("proc/version")
