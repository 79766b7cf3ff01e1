# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All claims that the thesis makes in its text, and the verdicts on them."""

from __future__ import annotations

from typing import Any

from takt_cli.paper.thesis2021 import (
    data_age_checks,
    freshness_checks,
    miss_checks,
    overhead_checks,
    printed,
    transport_checks,
)
from takt_cli.paper.thesis2021.checks import Check
from takt_cli.paper.verdict import inconclusive, to_json

CHECKS: dict[str, Check] = {
    check.claim: check
    for part in (transport_checks, overhead_checks, miss_checks, freshness_checks, data_age_checks)
    for check in part.CHECKS
}


def verdicts(parts: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each printed claim. `parts` are the figures of those that were run."""
    rows = []
    for claim in printed.claims():
        check = CHECKS[claim.claim]
        metrics = parts.get(check.part)
        finding = inconclusive(f"{check.part} was not run") if metrics is None else check.decide(metrics)
        rows.append(to_json(claim, finding, check.rule) | {"part": check.part})
    return rows
