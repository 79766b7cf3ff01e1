# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The verdict on a result, with its reasons."""

from __future__ import annotations

import msgspec

PASS, FAIL, INCONCLUSIVE, TOO_SHORT = "pass", "fail", "inconclusive", "too short to judge"


class Verdict(msgspec.Struct, frozen=True):
    """`outcome`: pass, fail, inconclusive, or too short to judge; `why`: its reasons, at least one."""

    outcome: str
    why: list[str]
