# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is compared between runs: one figure each of a run, and how it varies within the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from takt_cli.analysis.bootstrap import LEAST_BLOCKS, Blocks, quantile_draws, ratio_draws
from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import LEVELS, Samples
from takt_cli.analysis.summary import Figures

Totals = dict[str, Any]
DRAWS = 2000


@dataclass(frozen=True)
class Metric:
    """`of`: the figure, from the totals of a run and its length in s; None where there is none. `fault`:
    whether less is better; else it is neither. `cost`: whether it is the executor's own time, which
    differs from run to run by what no interval within a run shows."""

    name: str
    unit: str
    of: Callable[[Totals, float], float | None]
    fault: bool = True
    cost: bool = False


def _share(count: Callable[[Totals], int]) -> Callable[[Totals, float], float | None]:
    return lambda totals, _: 100 * count(totals) / totals["jobs"] if totals["jobs"] else None


def _percent(name: str) -> Callable[[Totals, float], float | None]:
    return lambda totals, _: None if totals[name] is None else 100 * float(totals[name])


def _percentile(name: str, level: str) -> Callable[[Totals, float], float | None]:
    return lambda totals, _: totals[name].get(level)


def _cpu(part: str) -> Callable[[Totals, float], float | None]:
    return lambda totals, length: 100 * float(totals["cpu_by_class_s"][part]) / length


def _preempted(totals: Totals, _: float) -> float | None:
    figures = totals["preemptions"]
    return None if figures is None or not totals["jobs"] else figures["total"] / totals["jobs"]


METRICS = (
    Metric("deadline misses", "%", _share(lambda t: int(t["deadline_misses"]))),
    Metric("unforced misses", "%", _share(lambda t: int(t["unforced_misses"]) + int(t["unforced_skipped"]))),
    Metric("stale executions", "%", _percent("stale_ratio")),
    Metric("stale share by node", "%", _percent("stale_share_by_node")),
    Metric("data age p50", "ms", _percentile("data_age_ms", "p50")),
    Metric("data age p99", "ms", _percentile("data_age_ms", "p99")),
    Metric("response p50", "ms", _percentile("response_ms", "p50")),
    Metric("response p99", "ms", _percentile("response_ms", "p99")),
    Metric("dispatch overhead per job", "us", _percentile("dispatch_us", "per_job"), cost=True),
    Metric("dispatch, own thread p50", "us", _percentile("dispatch_us", "p50"), cost=True),
    Metric("dispatch, own thread p99", "us", _percentile("dispatch_us", "p99"), cost=True),
    Metric("decision p50", "us", _percentile("decision_us", "p50"), cost=True),
    Metric("decision p99", "us", _percentile("decision_us", "p99"), cost=True),
    Metric("release jitter p50", "us", _percentile("release_jitter_us", "p50"), cost=True),
    Metric("release jitter p99", "us", _percentile("release_jitter_us", "p99"), cost=True),
    Metric("preemptions per job", "", _preempted, fault=False),
    Metric("CPU inside callbacks", "%", _cpu("callbacks"), fault=False),
    Metric("CPU of the executor", "%", _cpu("executor"), cost=True),
    Metric("CPU of the middleware", "%", _cpu("middleware"), cost=True),
)
_SPREADS = {
    "data age": "data_age_ms",
    "response": "response_ms",
    "dispatch, own thread": "dispatch_us",
    "decision": "decision_us",
    "release jitter": "release_jitter_us",
}


def draws_within(figures: Figures, block: int, seed: int) -> dict[str, tuple[Samples, int]]:
    """Of one run by metric: its figure in each of many draws of blocks of the run, and how many blocks
    there are. Those that are read only at both ends of the window are not in it, nor those with
    too few blocks."""
    out, read = figures.outcomes, figures.executions
    found: dict[str, tuple[Samples, int]] = {}
    releases = Blocks(out.release, block, seed)
    if len(releases) >= LEAST_BLOCKS:
        unforced = figures.unforced | figures.unforced_skips
        for name, hits in (("deadline misses", out.missed), ("unforced misses", unforced)):
            found[name] = 100 * ratio_draws(hits, releases, DRAWS), len(releases)
        if figures.preemptions is not None:
            weights = releases.weights(DRAWS)
            sums = np.bincount(releases.place, weights=figures.preemptions, minlength=len(releases))
            found["preemptions per job"] = (weights @ sums) / (weights @ releases.sizes), len(releases)
    starts = Blocks(read.start, block, seed)
    if len(starts) >= LEAST_BLOCKS:
        found["stale executions"] = 100 * ratio_draws(read.stale, starts, DRAWS), len(starts)
        found["stale share by node"] = _stale_by_node(figures, block, seed)
    for name, timed in figures.timed().items():
        word = next(word for word, key in _SPREADS.items() if key == name)
        blocks = Blocks(timed.at, block, seed)
        levels = [level for level in ("p50", "p99") if len(timed.values) >= LEVELS[level][1]]
        if len(blocks) >= LEAST_BLOCKS and levels:
            drawn = quantile_draws(timed.values, blocks, [LEVELS[level][0] for level in levels], DRAWS)
            for column, level in enumerate(levels):
                found[f"{word} {level}"] = drawn[:, column], len(blocks)
    return found


def _stale_by_node(figures: Figures, block: int, seed: int) -> tuple[Samples, int]:
    application, out, read = figures.result.application, figures.outcomes, figures.executions
    node = np.array([task.node for task in application.tasks], np.int64)
    ran = out.select(out.begin >= 0)
    first = int(ran.begin.min())
    blocks = Blocks(ran.begin, block, seed)
    weights = blocks.weights(DRAWS)
    at = np.searchsorted(np.unique((ran.begin - first) // block), (read.start - first) // block)

    def by_node(task: Ints, place: Ints) -> Samples:
        count = len(application.nodes)
        sums = np.bincount(place * count + node[task], minlength=len(blocks) * count)
        drawn: Samples = weights @ sums.reshape(len(blocks), count)
        return drawn

    executions = by_node(ran.task, blocks.place)
    stale = by_node(read.task[read.stale], at[read.stale])
    there = executions > 0
    shares = np.where(there, stale / np.maximum(executions, 1), 0)
    return 100 * shares.sum(axis=1) / np.maximum(there.sum(axis=1), 1), len(blocks)
