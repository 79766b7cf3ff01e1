# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Draws fixed priorities for the policy fp, which takt, its model and baseline1 all use."""

from __future__ import annotations

import random
from collections.abc import Sequence

# The range leaves room above and below for callbacks that users add.
HIGHEST, LOWEST = 90, 10


def draw_priorities(kind: str, periods: Sequence[int], chance: random.Random) -> list[int]:
    """Return the priorities of callbacks with these periods. Rate monotonic: the shorter the period, the higher; equal
    periods share a priority and therefore a level. Random: a different one for each callback. If there are more ranks
    than priorities, neighbouring ranks share one."""
    if kind == "rate-monotonic":
        order = sorted(set(periods))
        ranks = [order.index(period) for period in periods]
    else:
        ranks = chance.sample(range(len(periods)), len(periods))
    number, places = max(ranks) + 1, HIGHEST - LOWEST + 1
    if number == 1:
        return [(HIGHEST + LOWEST) // 2] * len(ranks)
    if number <= places:
        return [HIGHEST - rank * (places - 1) // (number - 1) for rank in ranks]
    return [HIGHEST - rank * places // number for rank in ranks]
