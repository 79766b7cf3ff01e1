# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plot of `takt measure interference`: the start delays of each case, with and without the interfering activity."""

from __future__ import annotations

from typing import Any

from takt_cli.report.style import COLOURS, plot, to_svg

_WIDTH, _ROW, _MARGIN = 7.6, 0.42, 1.3
_APART = 0.16
# The smallest value on the logarithmic axis, us; smaller delays are drawn there.
_SMALLEST_DELAY = 0.5
_STYLES = (("without", "host", -_APART), ("with", "takt", _APART))


def interference_plot(summary: dict[str, Any]) -> str:
    """Return the plot as an SVG document: for each case a line from p50 to the maximum, with a mark at p99.9."""
    cases = summary["cases"]
    with plot(_WIDTH, _MARGIN + _ROW * len(cases)) as (figure, axes):
        for turn_kind, colour, offset in _STYLES:
            for row, case in enumerate(cases):
                delay = case[turn_kind]["start_delay_us"]
                if not delay["n"]:
                    continue
                low, high = (max(delay[name], _SMALLEST_DELAY) for name in ("p50", "max"))
                label = turn_kind if row == 0 else None
                axes.plot([low, high], [row + offset] * 2, color=COLOURS[colour], linewidth=3, label=label)
                if (tail := delay.get("p99.9")) is not None:
                    axes.plot([max(tail, _SMALLEST_DELAY)], [row + offset], "|", color=COLOURS["ink"], markersize=8)
        axes.set_yticks(range(len(cases)), [f"{case['case']}, {case['front_end']}" for case in cases])
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlabel("start delay of the most urgent task, us: line from p50 to max, mark at p99.9")
        axes.set_title("Interference with the most urgent task")
        axes.grid(axis="x")
        axes.legend(loc="lower right")
        return to_svg(figure, "Interference: start delays of the most urgent task with and without each activity")
