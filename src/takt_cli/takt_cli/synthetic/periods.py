# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The periods of an application's callbacks."""

from __future__ import annotations

import math
import random

from takt_cli.synthetic import automotive
from takt_cli.synthetic.parameters import Automotive, LogUniform, Periods


def draw_periods(periods: Periods, count: int, chance: random.Random) -> list[int]:
    """Nanoseconds, one for each callback. Of a list each value goes to the same number of callbacks, or one more."""
    match periods:
        case Automotive():
            return automotive.draw_periods(count, chance)
        case LogUniform():
            return [_log_uniform(periods, chance) for _ in range(count)]
    turns, rest = divmod(count, len(periods))
    dealt = [*periods] * turns + chance.sample(periods, rest)
    chance.shuffle(dealt)
    return dealt


def _log_uniform(periods: LogUniform, chance: random.Random) -> int:
    """As Emberson, Stafford and Davis (WATERS 2010): down to a whole step, so the longest gets its step, too."""
    step = periods.step
    exponent = chance.uniform(math.log(periods.shortest), math.log(periods.longest + step))
    return min(max(int(math.exp(exponent)) // step * step, periods.shortest), periods.longest)
