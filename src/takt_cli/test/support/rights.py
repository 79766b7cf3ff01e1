# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Check whether a measurement of communication had the rights that it needs."""

from __future__ import annotations

from typing import Any


def is_short_of_rights(figures: dict[str, Any]) -> bool:
    """Return whether a variant was refused something, or its host was not observed. That a middleware cannot
    preallocate its history does not count as a refusal."""
    refused = [line for line in figures["refused"] if "cannot preallocate its history" not in line]
    return bool(refused) or not figures["stalls"]["seen"]
