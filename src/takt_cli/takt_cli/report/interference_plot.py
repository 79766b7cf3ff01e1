# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Interference as a plot: each case's start delays, with and without what is beside."""

from __future__ import annotations

from typing import Any

from takt_cli.report.style import COLOURS, plot, to_svg

_WIDTH, _ROW, _MARGIN = 7.6, 0.42, 1.3
_APART = 0.16
# Nothing is shown closer to 0, us.
_LEAST = 0.5
_LOOKS = (("without", "host", -_APART), ("with", "takt", _APART))


def interference_plot(summary: dict[str, Any]) -> str:
    """One SVG document: a line from p50 to the largest for each, with a mark at p99.9."""
    cases = summary["cases"]
    with plot(_WIDTH, _MARGIN + _ROW * len(cases)) as (figure, axes):
        for which, colour, aside in _LOOKS:
            for row, case in enumerate(cases):
                delay = case[which]["start_delay_us"]
                if not delay["n"]:
                    continue
                low, high = (max(delay[name], _LEAST) for name in ("p50", "max"))
                label = which if row == 0 else None
                axes.plot([low, high], [row + aside] * 2, color=COLOURS[colour], linewidth=3, label=label)
                if (tail := delay.get("p99.9")) is not None:
                    axes.plot([max(tail, _LEAST)], [row + aside], "|", color=COLOURS["ink"], markersize=8)
        axes.set_yticks(range(len(cases)), [f"{case['case']}, {case['front_end']}" for case in cases])
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlabel("start delay of the most urgent task, us: p50, p99.9 (mark), largest")
        axes.set_title("What is beside the most urgent task, by what it costs that")
        axes.grid(axis="x")
        axes.legend(loc="lower right")
        return to_svg(figure, "interference: start delays with and without what is beside")
