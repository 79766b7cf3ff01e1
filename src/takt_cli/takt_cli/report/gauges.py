# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Resources of a process over time (memory, open files, threads): rows of a table."""

from __future__ import annotations

from typing import Any

from takt_cli.report.formatting import NONE
from takt_cli.statistics.correlation import TOO_SHORT

_MIB = 2**20


def gauge_rows(gauges: dict[str, Any]) -> list[tuple[str, str]]:
    """Return a row for each gauge: its label, and its value at the beginning, at the end and the slope per hour."""
    return [(f"{name}, at start · at end · slope per hour", _row(name, gauge)) for name, gauge in gauges.items()]


def _row(name: str, gauge: dict[str, Any]) -> str:
    if gauge["first"] is None:
        return NONE
    scale, unit = (_MIB, " MiB") if name in {"resident", "heap"} else (1, "")
    first, last, slope = (gauge[key] / scale for key in ("first", "last", "per_hour"))
    remark = f" ({TOO_SHORT})" if gauge["too_short"] else ""
    return f"{first:.4g}{unit} · {last:.4g}{unit} · {slope:+.3g}{unit}{remark}"
