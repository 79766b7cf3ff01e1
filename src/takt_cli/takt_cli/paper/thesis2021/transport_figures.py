# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures of the thesis's section 2.4, the time from before publishing to the callback by way of the message, and
how its claims are judged by them."""

from __future__ import annotations

import msgspec

from takt_cli.paper.claims import Way
from takt_cli.paper.paper import Figures
from takt_cli.paper.statistics import Seven
from takt_cli.paper.verdict import Finding, count, exceeds, interval, missing_data, number
from takt_cli.statistics.confidence import MedianOfRounds


class TransportRow(msgspec.Struct, frozen=True, kw_only=True):
    """The times of the messages of one size by one way; `runs` are rounds."""

    way: str
    bytes: int
    us: Seven | None
    runs: int


class WayRatio(MedianOfRounds, frozen=True, kw_only=True):
    """How many times as fast messages of one size are by the way `to` as by the way `of`."""

    of: str
    to: str
    bytes: int


class TransportFigures(Figures, frozen=True, kw_only=True):
    """The figures of the part. `ratios` are of the medians of the same rounds, with their intervals."""

    rows: list[TransportRow]
    ratios: list[WayRatio]


class Faster(Way, frozen=True):
    """Messages of this size are more than so many times as fast inside a process under an executor as between two."""

    to: str
    size: int
    above: float

    def judge(self, figures: TransportFigures) -> Finding:
        ratio = next((each for each in figures.ratios if (each.to, each.bytes) == (self.to, self.size)), None)
        if ratio is None:
            return missing_data(f"messages of {self.size} bytes both ways")
        text = f"{number(ratio.median)} times as fast{interval(ratio)}, {count(ratio.rounds, 'round')}"
        return exceeds(ratio, self.above, text)


WAYS = (Faster,)
