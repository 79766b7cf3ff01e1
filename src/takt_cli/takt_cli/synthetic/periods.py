# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Draws the periods of an application's callbacks."""

from __future__ import annotations

import math
import random

from takt_cli.synthetic import automotive
from takt_cli.synthetic.parameters import Automotive, LogUniform, Periods


def draw_periods(periods: Periods, count: int, chance: random.Random) -> list[int]:
    """Draw `count` periods in nanoseconds. The periods of a list are used equally often, or once more."""
    match periods:
        case Automotive():
            return automotive.draw_periods(count, chance)
        case LogUniform():
            return [_log_uniform(periods, chance) for _ in range(count)]
    turns, remainder = divmod(count, len(periods))
    dealt = [*periods] * turns + chance.sample(periods, remainder)
    chance.shuffle(dealt)
    return dealt


def _log_uniform(periods: LogUniform, chance: random.Random) -> int:
    """Draw a period as in Emberson, Stafford and Davis (WATERS 2010): rounded down to a multiple of the step, with the
    range extended by one step for the longest period."""
    step = periods.step
    exponent = chance.uniform(math.log(periods.shortest), math.log(periods.longest + step))
    return min(max(int(math.exp(exponent)) // step * step, periods.shortest), periods.longest)
