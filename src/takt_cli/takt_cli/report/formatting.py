# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures and verdicts as text, with no more digits than are significant."""

from __future__ import annotations

from takt_cli.analysis.result import Result
from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.stalls.late_starts import LateStarts
from takt_cli.report.values import NONE, format_count, format_number
from takt_cli.results.verdict import TOO_SHORT, Verdict
from takt_cli.spec.units import format_duration
from takt_cli.statistics.confidence import Ends, PercentilesWithIntervals
from takt_cli.statistics.percentiles import LEVELS, Percentiles
from takt_cli.statistics.slope import Slope


def format_share(part: int, total: int) -> str:
    """Format a share in per cent: `31.4 %`. `0 %` and `100 %` appear only for exactly none and all."""
    if total == 0:
        return NONE
    if part == 0:
        return "0 %"
    percent = 100 * part / total
    if part == total or percent < 0.01:
        return "100 %" if part == total else "< 0.01 %"
    return f"{percent:.3g} %" if percent < 99.95 else "> 99.9 %"


def format_percentile(times: Percentiles, name: str, unit: str = "") -> str:
    """Format a percentile of summarised samples: `35.1 ms`. It is ∞ if the percentile is infinite, and a dash if there
    are too few samples for it."""
    value = times.figure(name)
    if value is None:
        _, least_count = LEVELS.get(name, (1.0, 1))
        return "\u221e" if times.infinite and times.n >= least_count else NONE
    return f"{format_number(value)} {unit}".rstrip()


def format_spread(times: Percentiles, unit: str) -> str:
    """Format p50, p99 and maximum: `0.42 · 1.3 · 7.9 ms`."""
    if not times.n:
        return NONE
    return f"{' · '.join(format_percentile(times, name) for name in ('p50', 'p99', 'max'))} {unit}".rstrip()


def format_spread_with_intervals(times: PercentilesWithIntervals, unit: str) -> str:
    """Format p50, p99 and maximum with 95 % intervals: `0.42 [0.41, 0.43] · 1.3 [too short to judge] · 7.9 ms`."""
    if not times.n:
        return NONE
    parts = [
        format_percentile(times, "p50") + _interval(times.p50_95),
        format_percentile(times, "p99") + _interval(times.p99_95),
        format_percentile(times, "max"),
    ]
    return f"{' · '.join(parts)} {unit}".rstrip()


def _interval(ends: Ends) -> str:
    if ends is None or isinstance(ends, str):
        return f" [{ends}]" if ends else ""
    low, high = ("\u221e" if end is None else format_number(end) for end in ends)
    return f" [{low}, {high}]"


def format_range(middle: float, low: float | None, high: float | None, style: str = "", unit: str = "") -> str:
    """Format a figure with its range or interval: `1.02 (0.99 to 1.05)`, or `1.02 (too short to judge)` without one.
    `style` is a format specification for all three; without one they have their significant digits."""

    def shown(value: float | None) -> str:
        return format(value, style) if style else format_number(value)

    ends = TOO_SHORT if low is None or high is None else f"{shown(low)} to {shown(high)}"
    return f"{shown(middle)}{unit} ({ends})"


def format_time(nanoseconds: int | None) -> str:
    """Format a duration in its shortest exact form, such as `1.5ms`; a dash for None."""
    return NONE if nanoseconds is None else format_duration(nanoseconds)


def format_interval(low: float | None, high: float | None, style: str = ".3g") -> str:
    """Format an interval as `1.2 to 3.4`, or `too short to judge` if there is none."""
    return TOO_SHORT if low is None else f"{low:{style}} to {high:{style}}"


def format_slope(slope: Slope, gap: str = " ") -> str:
    """Format a slope with its 95 % interval: `+0.02 (-0.10 to +0.14)`."""
    if slope.slope is None:
        return NONE
    return f"{slope.slope:+.2f}{gap}({format_interval(slope.low, slope.high, '+.2f')})"


def format_verdict(verdict: Verdict) -> str:
    """Format a verdict with its reasons: `inconclusive: the host itself stalled ...`."""
    return f"{verdict.outcome}: {'; '.join(verdict.why)}"


def describe_middleware(run: Result | SetRun) -> str:
    """Describe the middleware of a run: its RMW, the size of its message buffers, and its publication mode."""
    rmw, settings = run.record.rmw, run.origin.middleware
    if settings is None:
        return rmw
    if "cyclonedds" in rmw:
        description = f"{rmw}; socket receive buffers of up to {settings.socket_receive_buffer} bytes"
    else:
        description = (
            f"{rmw}; shared-memory segment {settings.shared_memory_segment} bytes for each participant; "
            f"{settings.publication_mode.lower()} publication"
        )
    return f"{description}; preloaded: {', '.join(settings.preloaded)}" if settings.preloaded else description


def format_with_causes(count: int, of_host: int, kept_off: int) -> str:
    """Format a count with its parts that are due to the host and kept off: `4 (3, 1)`."""
    return f"{format_count(count)} ({format_count(of_host)}, {format_count(kept_off)})"


def describe_holders(late: LateStarts) -> str:
    """Describe which threads had the CPU before late starts: `takt.w1 in 12: 8.1 ms, at most 1 200 us at a time`."""
    descriptions = [
        f"{each.who} in {format_count(each.starts)}: {format_number(each.total_ms)} ms, "
        f"at most {format_number(each.longest_us)} us at a time"
        for each in late.by
    ]
    if late.lost:
        descriptions.append(f"{format_count(late.lost)} context switches were lost from the kernel's record")
    return "; ".join(descriptions)
