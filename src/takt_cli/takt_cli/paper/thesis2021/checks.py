# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The comparison of measured shares with printed ones, and other functions that all checks of the thesis's claims
use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from takt_cli.paper.verdict import Finding, Share, inconclusive

Metrics = dict[str, Any]
"""The figures of one part."""

# A share is "about" a printed one, which was measured on another machine, within this factor in either direction.
ABOUT_FACTOR = 1.5


@dataclass(frozen=True)
class Check:
    """The check of one claim, which is named by its text. `rule` describes the criterion and its tolerance."""

    claim: str
    part: str
    rule: str
    decide: Callable[[Metrics], Finding]


# Ends the rules that compare single values.
NO_INTERVAL = "a single value over all runs, without interval"


def missing_data(data: str) -> Finding:
    """Return the finding on a claim whose runs are missing."""
    return inconclusive(f"no runs of {data}")


def compare_with_printed(share: Share, printed: float) -> bool | None:
    """Return whether the share is about the printed one; None if that depends on host misses or chance."""
    return share.within(printed / ABOUT_FACTOR, printed * ABOUT_FACTOR)
