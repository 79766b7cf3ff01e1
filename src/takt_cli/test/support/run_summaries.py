# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Changes of the summaries of runs."""

from __future__ import annotations

from typing import Any

import msgspec

from takt_cli.results.verdict import INCONCLUSIVE, Verdict


def set_response(summary: dict[str, Any], p50: float | None) -> None:
    """Let the median response time of all jobs be `p50`, in ms."""
    summary["totals"]["response_ms"] = msgspec.structs.replace(summary["totals"]["response_ms"], p50=p50)


def set_inconclusive(summary: dict[str, Any]) -> None:
    summary["verdict"] = Verdict(INCONCLUSIVE, ["the host stalled"])
