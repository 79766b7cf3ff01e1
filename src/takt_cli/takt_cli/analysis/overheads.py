# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What takt itself costs, from its benchmarks: of a job, and of a preemption."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from takt_cli.analysis.benchmark import Benchmark, read_benchmark
from takt_cli.analysis.percentiles import percentiles
from takt_cli.errors import ResultError

# What is taken of the samples: their maximum is the host's, not takt's.
LEVEL = "p99"


def overheads(folder: Path, tasks: int) -> dict[str, int]:
    """`job` or `preemption`, ns, from the result of `takt measure dispatch` or `preemption`, or both from
    that of `all`; ResultError if it is none of these. `tasks`: how many there are."""
    parts = [folder / kind for kind in ("dispatch", "preemption") if (folder / kind / "run.json").exists()]
    found: dict[str, int] = {}
    for part in parts or [folder]:
        found |= _overhead(part, read_benchmark(part), tasks)
    return found


def _overhead(folder: Path, benchmark: Benchmark, tasks: int) -> dict[str, int]:
    kind = benchmark.record.get("kind")
    if kind == "dispatch":
        # The cost grows with the number of tasks: the least measured that is not below, or the most.
        xs = benchmark.xs("executor")
        x = min((x for x in xs if x >= tasks), default=max(xs, default=0))
        return {"job": _level(folder, percentiles(benchmark.values("executor", x)))}
    if kind == "preemption":
        return {"preemption": _level(folder, percentiles(benchmark.values("takt", 0)))}
    raise ResultError(f"{folder}: is a result of {kind!r}; name one of takt measure dispatch, preemption or all")


def _level(folder: Path, figures: dict[str, Any]) -> int:
    value = figures[LEVEL]
    if value is None:
        value = figures["max"]
    if value is None:
        raise ResultError(f"{folder}: has no samples; measure again")
    return math.ceil(float(value))
