# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a host grants, in what a measurement of communication tells."""

from __future__ import annotations

from typing import Any


def is_short_of_rights(figures: dict[str, Any]) -> bool:
    """Whether a variant was refused something, or its host not watched. That a middleware cannot preallocate
    its history is no lack of rights."""
    refused = [line for line in figures["refused"] if "cannot preallocate its history" not in line]
    return bool(refused) or not figures["stalls"]["seen"]
