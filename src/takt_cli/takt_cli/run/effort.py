# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Whether programs go on that say nothing: by the CPU time that they use."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.host.members import member
from takt_cli.host.processes import Child

# Who starts or ends has work to do. Who hangs has next to none, however often the middleware's threads wake.
_LEAST_SHARE = 0.05
# Between two looks, in s: CPU times are counted in ticks of 10 ms.
_LOOK_EVERY = 0.5


class Effort:
    """Of programs that share a CPU."""

    def __init__(self, children: Sequence[Child], now: float) -> None:
        self._children = children
        self._used: dict[int, float] = {}
        self._looked = now
        self._since = now
        self._before = self._total()

    def goes_on(self, now: float) -> bool:
        """Whether they are seen to have used the CPU since that was last seen; looks now and then."""
        if now < self._looked + _LOOK_EVERY:
            return False
        self._looked = now
        total = self._total()
        if total - self._before < _LEAST_SHARE * (now - self._since):
            return False
        self._since, self._before = now, total
        return True

    def _total(self) -> float:
        """What all have used together, those that have ended as far as it was seen."""
        for child in self._children:
            if (found := member(child.pid)) is not None:
                self._used[child.pid] = found.seconds
        return sum(self._used.values())
