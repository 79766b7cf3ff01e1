# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a process needed over time: rows of a table, and a plot of its memory."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
from matplotlib.axes import Axes

from takt_cli.analysis.correlation import TOO_SHORT
from takt_cli.analysis.files import Rows
from takt_cli.report.style import COLOURS
from takt_cli.report.words import NONE

_MIB = 2**20


def gauge_rows(gauges: dict[str, Any]) -> list[tuple[str, str]]:
    """One for each gauge."""
    return [(f"{name}, at first · at last · slope an hour", _row(name, gauge)) for name, gauge in gauges.items()]


def _row(name: str, gauge: dict[str, Any]) -> str:
    if gauge["first"] is None:
        return NONE
    scale, unit = (_MIB, " MiB") if name in {"resident", "heap"} else (1, "")
    first, last, slope = (gauge[key] / scale for key in ("first", "last", "per_hour"))
    aside = f" ({TOO_SHORT})" if gauge["too_short"] else ""
    return f"{first:.4g}{unit} · {last:.4g}{unit} · {slope:+.3g}{unit}{aside}"


def draw_memory(axes: Axes, at: npt.NDArray[Any], gauges: Rows) -> None:
    """Resident memory and heap at the places `at`."""
    for name, colour in (("resident", "takt"), ("heap", "baseline0")):
        axes.plot(at, gauges[name] / _MIB, color=COLOURS[colour], linewidth=1.4, label=name)
    axes.set_ylim(bottom=0)
    axes.set_title("Memory of the process, MiB")
