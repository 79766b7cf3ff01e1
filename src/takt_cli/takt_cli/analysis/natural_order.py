# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Natural sort order of names: n4 before n20."""

from __future__ import annotations

import re


def natural_key(name: str) -> tuple[str | int, ...]:
    """Return a sort key: words and numbers alternate, beginning with a word, which may be empty."""
    return tuple(int(part) if i % 2 else part for i, part in enumerate(re.split(r"([0-9]+)", name)))
