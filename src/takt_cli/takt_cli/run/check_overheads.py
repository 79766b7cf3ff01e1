# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The costs of takt itself: per job and per preemption from its benchmarks, all others from `takt measure bounds`."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

from takt_cli.analysis.benchmark import BenchmarkResult, read_benchmark
from takt_cli.analysis.bounds import BoundsSummary
from takt_cli.errors import ResultError
from takt_cli.results.bounds import BOUNDS_FORMAT
from takt_cli.results.json_file import read_json
from takt_cli.results.result_file import SUMMARY_FILE, is_complete, kind_of
from takt_cli.statistics.percentiles import Percentiles, percentiles

# The percentile of the samples that is taken: their maximum is due to the host, not to takt.
LEVEL = "p99"


def overheads(folder: Path, tasks: int) -> dict[str, int]:
    """Return the costs in ns.

    From the result of `takt measure dispatch` or `preemption` this is `job` or `preemption`, from that of `all` both,
    from that of `bounds` every field of Costs. `tasks`: the number of tasks. Raises ResultError if `folder` has none of
    these results."""
    if kind_of(folder) == BOUNDS_FORMAT.kind:
        BOUNDS_FORMAT.read(folder)  # refuses another version
        measured = read_json(folder / SUMMARY_FILE, BoundsSummary)
        if measured.costs_not_known:
            reasons = "; ".join(measured.costs_not_known)
            raise ResultError(f"{folder}: the costs could not be measured there: {reasons}")
        return asdict(measured.costs_ns)
    parts = [folder / kind for kind in ("dispatch", "preemption") if is_complete(folder / kind)]
    measured_costs: dict[str, int] = {}
    for part in parts or [folder]:
        measured_costs |= _overhead(part, read_benchmark(part), tasks)
    return measured_costs


def _overhead(folder: Path, benchmark: BenchmarkResult, tasks: int) -> dict[str, int]:
    kind = benchmark.kind.name
    if kind == "dispatch":
        # The cost grows with the number of tasks: take the smallest number measured that is not below it, or the
        # largest.
        xs = benchmark.xs("executor")
        x = min((x for x in xs if x >= tasks), default=max(xs, default=0))
        return {"job": _level(folder, percentiles(benchmark.values("executor", x)))}
    if kind == "preemption":
        return {"preemption": _level(folder, percentiles(benchmark.values("takt", 0)))}
    raise ResultError(
        f"{folder}: is a result of {kind!r}; name one of takt measure dispatch, preemption, all or bounds"
    )


def _level(folder: Path, times: Percentiles) -> int:
    value = times.figure(LEVEL)
    if value is None:
        value = times.max
    if value is None:
        raise ResultError(f"{folder}: has no samples; measure again")
    return math.ceil(float(value))
