# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Resources of a process over time (memory, open files, threads): rows of a table."""

from __future__ import annotations

from takt_cli.analysis.gauges import GAUGES, Gauge, Gauges
from takt_cli.report.formatting import NONE
from takt_cli.statistics.correlation import TOO_SHORT

_MIB = 2**20


def gauge_rows(gauges: Gauges) -> list[tuple[str, str]]:
    """Return a row for each gauge: its label, and its value at the beginning, at the end and the slope per hour."""
    return [(f"{name}, at start · at end · slope per hour", _row(name, getattr(gauges, name))) for name in GAUGES]


def _row(name: str, gauge: Gauge) -> str:
    if gauge.first is None or gauge.last is None or gauge.per_hour is None:
        return NONE
    scale, unit = (_MIB, " MiB") if name in {"resident", "heap"} else (1, "")
    first, last, slope = (each / scale for each in (gauge.first, gauge.last, gauge.per_hour))
    remark = f" ({TOO_SHORT})" if gauge.too_short else ""
    return f"{first:.4g}{unit} · {last:.4g}{unit} · {slope:+.3g}{unit}{remark}"
