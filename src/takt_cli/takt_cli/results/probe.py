# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a stall probe wrote about itself."""

from __future__ import annotations

from typing import Any


def probes_saw_stalls(probes: list[dict[str, Any]]) -> bool:
    """Return whether each probe had the highest priority, so that it saw the host's stalls and not the lab's own
    load."""
    return all(int(probe.get("granted") or 0) > 0 and probe.get("granted") == probe.get("asked") for probe in probes)
