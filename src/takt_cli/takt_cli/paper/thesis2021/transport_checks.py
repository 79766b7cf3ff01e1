# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The checks of the claims of section 2.4: the time from before publishing to the callback, by way of the message."""

from __future__ import annotations

from functools import partial

from takt_cli.paper.thesis2021.cases import KIB, MIB
from takt_cli.paper.thesis2021.checks import Check, Metrics, missing_data
from takt_cli.paper.verdict import Finding, Outcome, inconclusive, number, too_short

PART = "transport"


def _faster(size: int, printed: float, statistics: Metrics) -> Finding:
    """Compare the medians of the same rounds, with the interval of their ratio over the rounds."""
    ratio = next((r for r in statistics["ratios"] if (r["to"], r["bytes"]) == ("baseline0", size)), None)
    if ratio is None:
        return missing_data(f"messages of {size} bytes both ways")
    has_interval = ratio["low"] is not None
    interval = (
        f"95 %: {number(ratio['low'])} to {number(ratio['high'])}"
        if has_interval
        else "the rounds are too few or too alike for an interval"
    )
    why = f"{number(ratio['median'])} times as fast ({interval}, n = {ratio['rounds']} rounds)"
    if not has_interval:
        return too_short(why)
    if ratio["low"] <= printed < ratio["high"]:
        return inconclusive(why, f"the interval includes {number(printed)}")
    return Finding(Outcome.confirmed if ratio["median"] > printed else Outcome.refuted, why)


CHECKS = tuple(
    Check(
        f"intra-process transport against FastRTPS at {name}",
        PART,
        "ratio of the median transport time between two processes to that inside one under baseline0, median over the "
        f"rounds: above {printed}",
        partial(_faster, size, printed),
    )
    for name, size, printed in (("256 KB", 256 * KIB, 6), ("1 MB", MIB, 10))
)
