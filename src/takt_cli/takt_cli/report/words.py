# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures and verdicts in words; nothing is printed with more digits than it means."""

from __future__ import annotations

from typing import Any

from takt_cli.analysis.correlation import TOO_SHORT
from takt_cli.analysis.percentiles import LEVELS

NONE = "\u2013"
WHAT = {
    "takt": "One process, one executor that schedules by priority, with preemption and fresh inputs.",
    "baseline0": "All nodes on one executor that works as the single-threaded one of ROS 2: no priorities.",
    "baseline1": "One process per node, each with its own priority; data travels through the middleware.",
    "takt-rclcpp": "The same application as nodes of rclcpp, under takt's executor.",
    "rclcpp-single": "As nodes of rclcpp, in one process, under its single-threaded executor.",
    "rclcpp-multi": "As nodes of rclcpp, in one process, under its multi-threaded executor.",
    "rclcpp-events": "As nodes of rclcpp, in one process, under its experimental events executor.",
}


def number(value: float | None, digits: int = 3) -> str:
    """Three significant digits, thousands separated by a thin space."""
    if value is None:
        return NONE
    if value == 0:
        return "0"
    if abs(value) >= 99.95:
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
    if part == whole or percent < 0.01:
        return "100 %" if part == whole else "< 0.01 %"
    return f"{percent:.3g} %" if percent < 99.95 else "> 99.9 %"


def percentile(figures: dict[str, Any], name: str, unit: str = "") -> str:
    """One of them: `35.1 ms`; infinite where the samples are, and nothing where n does not allow it."""
    value = figures.get(name)
    if value is None:
        _, least = LEVELS.get(name, (1.0, 1))
        return "\u221e" if figures.get("infinite") and figures["n"] >= least else NONE
    return f"{number(value)} {unit}".rstrip()


def spread(figures: dict[str, Any], unit: str) -> str:
    """`0.42 · 1.3 · 7.9 ms` for p50, p99 and maximum."""
    if not figures["n"]:
        return NONE
    return f"{' · '.join(percentile(figures, name) for name in ('p50', 'p99', 'max'))} {unit}".rstrip()


def sure_spread(figures: dict[str, Any], unit: str) -> str:
    """The same with the 95 % intervals of p50 and p99: `0.42 [0.41, 0.43] · 1.3 [too short to judge] · 7.9 ms`."""
    if not figures["n"]:
        return NONE
    parts = [percentile(figures, name) + _interval(figures.get(f"{name}_95")) for name in ("p50", "p99", "max")]
    return f"{' · '.join(parts)} {unit}".rstrip()


def _interval(ends: list[float | None] | str | None) -> str:
    if ends is None or isinstance(ends, str):
        return f" [{ends}]" if ends else ""
    low, high = ("\u221e" if end is None else number(end) for end in ends)
    return f" [{low}, {high}]"


def stress_line(stress: dict[str, Any] | None) -> str:
    """What ran beside: the share of each CPU that it got."""
    if stress is None:
        return "none"
    shares = (f"CPU {cpu} {100 * part:.0f} %" for cpu, part in stress["share_of_cpu"].items())
    return f"{stress['asked']}: {', '.join(shares)}"


def between(figures: dict[str, Any], style: str = ".3g") -> str:
    """`1.2 to 3.4`, of an interval; `too short to judge` of a figure that has none."""
    if figures["low"] is None:
        return TOO_SHORT
    return f"{figures['low']:{style}} to {figures['high']:{style}}"


def verdict_line(verdict: dict[str, Any]) -> str:
    """`inconclusive: the host itself stalled ...`"""
    return f"{verdict['outcome']}: {'; '.join(verdict['why'])}"


def middleware_words(record: dict[str, Any]) -> str:
    """The RMW of a run, the room it had for messages on their way, and how it publishes."""
    rmw, settings = str(record["rmw"]), record["middleware"]
    if "cyclonedds" in rmw:
        told = f"{rmw}; socket receive buffers of up to {settings.get('socket_receive_buffer', 'default')} bytes"
    else:
        told = (
            f"{rmw}; shared-memory segment {settings['shared_memory_segment']} bytes for each participant; "
            f"{str(settings['publication_mode']).lower()} publication"
        )
    preloaded = settings.get("preloaded")
    return f"{told}; preloaded: {', '.join(preloaded)}" if preloaded else told


def holder_words(late: dict[str, Any]) -> str:
    """`takt.w1 in 12: 8.1 ms, 1 200 us at a time; idle ...`"""
    told = [
        f"{each['who']} in {count(each['starts'])}: {number(each['total_ms'])} ms, "
        f"{number(each['longest_us'])} us at a time"
        for each in late["by"]
    ]
    if late["lost"]:
        told.append(f"{count(late['lost'])} records of the kernel were lost")
    return "; ".join(told)
