# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Claims of papers and goals for takt as data, and the verdicts on them."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from takt_cli.paper.verdict import Finding


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="way", tag=True):
    """A way to judge a claim. The fields of its classes are what the paper's file says of each claim."""

    def judge(self, figures: Any, /) -> Finding:
        """Return the verdict by the figures that `Paper.find` found for the claim. Raises NotJudged."""
        raise NotImplementedError


class Open(Way, frozen=True):
    """The claim cannot be judged here, whatever was run."""

    why: str


WayT = TypeVar("WayT", bound=Way)
# The part of a goal that is set for each part that was measured.
EACH = "each"


class Claim(msgspec.Struct, Generic[WayT], frozen=True, forbid_unknown_fields=True):
    """A claim as it is printed in a section, or a goal for takt: then only `claim`, `part`, `tests` and `judged` are
    given, and `part` may be EACH. `rule` describes for the reader how it is judged, with its tolerance: names in braces
    stand for the file's `texts` and for the fields of `judged`."""

    claim: str
    part: str
    judged: WayT
    section: str = ""
    printed: str = ""
    rule: str = ""
    tests: tuple[str, ...] = ()


class ClaimVerdict(msgspec.Struct, frozen=True):
    """A claim with its verdict, as in summary.json."""

    section: str
    claim: str
    printed: str
    verdict: str
    why: str
    rule: str
    part: str


class Goal(msgspec.Struct, frozen=True):
    """A goal for takt. `reached` is None if that cannot be decided, and `too_short` is true if a longer measurement
    could decide it."""

    goal: str
    reached: bool | None
    why: str
    too_short: bool = False
