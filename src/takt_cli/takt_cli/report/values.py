# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Numbers as text. Nothing here needs a library that is slow to load, since screens that are live begin at once."""

from __future__ import annotations

from typing import TypeAlias

from rich.text import Text

NONE = "\u2013"
# What a cell of a table is made of.
Value: TypeAlias = str | Text | float | None


def format_number(value: float | None, digits: int = 3) -> str:
    """Format a number with `digits` significant digits, and without decimals from 100 on. Thousands are separated by
    thin spaces."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    if abs(value) >= 99.95:
        return f"{value:,.0f}".replace(",", "\u202f")
    text = f"{value:.{digits}g}"
    return f"{float(text):.6f}".rstrip("0").rstrip(".") if "e" in text else text


def format_count(value: int | None) -> str:
    """Format an integer with thin spaces between thousands, or a dash for None."""
    return NONE if value is None else f"{value:,}".replace(",", "\u202f")


def format_value(value: Value) -> str | Text:
    """Format a number as a count if it is an integer, else with its significant digits; a dash for None."""
    if isinstance(value, int):
        return format_count(value)
    return format_number(value) if value is None or isinstance(value, float) else value
