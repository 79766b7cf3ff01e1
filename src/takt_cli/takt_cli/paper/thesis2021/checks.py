# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a check of a claim is, and how figures of misses and stale data are laid beside printed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from takt_cli.paper.verdict import Finding, Share, inconclusive

Figures = dict[str, Any]
"""Of one part."""

# "About" a printed share, of a machine that is not ours: not more than half as much again, or as much less.
ABOUT = 1.5


@dataclass(frozen=True)
class Check:
    """Of one claim, named by its text. `rule` says which quantity decides, and how far it may be off."""

    claim: str
    part: str
    rule: str
    decide: Callable[[Figures], Finding]


# What is said of a rule that has but one figure of each side.
NO_INTERVAL = "by one figure of all runs, without an interval"


def missing(what: str) -> Finding:
    return inconclusive(f"no runs of {what}")


def about(share: Share, printed: float) -> bool | None:
    return share.within(printed / ABOUT, printed * ABOUT)
