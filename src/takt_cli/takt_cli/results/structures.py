# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Structures that have all fields of another one, and more."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

Extended = TypeVar("Extended", bound=msgspec.Struct)


def extended(content: msgspec.Struct, kind: type[Extended], **further: Any) -> Extended:
    """Return a structure of `kind`, which is derived from that of `content`, with its fields and `further` ones."""
    return kind(**msgspec.structs.asdict(content), **further)
