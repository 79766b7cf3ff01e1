# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures and verdicts in words; nothing is printed with more digits than it means."""

from __future__ import annotations

from typing import Any

NONE = "\u2013"


def number(value: float | None, digits: int = 3) -> str:
    """Three significant digits, thousands separated by a thin space."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}".replace(",", "\u202f")
    text = f"{value:.{digits}g}"
    return f"{float(text):.6f}".rstrip("0").rstrip(".") if "e" in text else text


def count(value: int | None) -> str:
    return NONE if value is None else f"{value:,}".replace(",", "\u202f")


def share(part: int, whole: int) -> str:
    """`31.4 %`; `0` only where there is none at all."""
    if whole == 0:
        return NONE
    if part == 0:
        return "0 %"
    percent = 100 * part / whole
    return "< 0.01 %" if percent < 0.01 else f"{percent:.3g} %" if percent < 99.95 else "100 %"


def spread(figures: dict[str, Any], unit: str) -> str:
    """`0.42 · 1.3 · 7.9 ms` for p50, p99 and maximum."""
    if not figures["n"]:
        return NONE
    values = [number(figures[name]) if figures[name] is not None else "∞" for name in ("p50", "p99", "max")]
    if figures["p99"] is None and figures["n"] < 100:
        values[1] = NONE
    return " · ".join(values) + f" {unit}"


def verdict_line(verdict: dict[str, Any]) -> str:
    """`inconclusive: the host itself stalled ...`"""
    return f"{verdict['outcome']}: {'; '.join(verdict['why'])}"
