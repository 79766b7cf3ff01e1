# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Benchmarks: variants of one thing as ratios of what was measured in the same rounds, and how they grow."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from takt_cli.analysis.confidence import over_rounds
from takt_cli.analysis.files import SAMPLES, Rows, read_rows
from takt_cli.analysis.percentiles import percentiles
from takt_cli.errors import ResultError

SCHEMA_VERSION = 1

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Benchmark:
    """The result of one benchmark: `medians` of a variant at an x are of its rounds, in their order."""

    record: dict[str, Any]
    samples: Rows
    medians: dict[tuple[str, int], dict[int, float]]

    def values(self, variant: str, x: int) -> Floats:
        """Its samples in ns."""
        number = self.record["variants"].index(variant)
        mine = (self.samples["variant"] == number) & (self.samples["x"] == x)
        return np.asarray(self.samples["value"][mine], np.float64)

    def xs(self, variant: str) -> list[int]:
        return sorted(x for name, x in self.medians if name == variant)


def read_benchmark(folder: Path) -> Benchmark:
    """The result in `folder`; ResultError if it is none."""
    try:
        record = json.loads((folder / "run.json").read_text("utf-8"))
        names = record["variants"]
        samples = read_rows(folder / "samples.npy", SAMPLES)
        return Benchmark(record, samples, _medians(names, samples))
    except FileNotFoundError:
        raise ResultError(f"{folder}: holds no run.json; name the folder of a finished run") from None
    except KeyError:
        raise ResultError(f"{folder}: is not the result of a benchmark; name one of takt measure") from None
    except (OSError, ValueError, TypeError, IndexError) as error:
        raise ResultError(f"{folder}: is not the result of a benchmark: {error!r}") from None


def benchmark_summary(benchmark: Benchmark) -> dict[str, Any]:
    """All figures, as JSON. Times are in ns."""
    record = benchmark.record
    limits = {(limit["of"], limit["to"]): limit["below"] for limit in record["limits"]}
    ratios = [_ratio(benchmark, pair, x) for pair in record["ratios"] for x in benchmark.xs(pair["of"])]
    summary = {
        "schema_version": SCHEMA_VERSION,
        "kind": record["kind"],
        "x": record["x"],
        "rounds": record["rounds"],
        "turn_ms": record["turn_ns"] / 1e6,
        "figures": [
            {"variant": name, "x": x, "ns": percentiles(benchmark.values(name, x))}
            for name in record["variants"]
            for x in benchmark.xs(name)
        ],
        "ratios": ratios,
        "growth": [_growth(benchmark, name) for name in record["growth"]],
        "limits": [
            ratio | {"below": limits[ratio["of"], ratio["to"]], "holds": _holds(ratio, limits, record)}
            for ratio in ratios
            if (ratio["of"], ratio["to"]) in limits and ratio["to_x"] == ratio["x"]
        ],
        "differences": [
            _difference(benchmark, pair, x) for pair in record.get("differences", []) for x in benchmark.xs(pair["of"])
        ],
        "preempts": record["preempts"],
        "refused": record["refused"],
        "host": record["host"],
    }
    if record["cyclictest"] is not None:
        summary["cyclictest"] = percentiles(cyclictest_samples(record["cyclictest"]))
    return summary


def cyclictest_samples(histogram: dict[str, int]) -> Floats:
    """Its wake-ups in ns, from a histogram by ns; what is beyond its range is in its last place."""
    values = np.array([int(value) for value in histogram], np.float64)
    return np.repeat(values, np.array(list(histogram.values()), np.int64))


def _medians(names: list[str], samples: Rows) -> dict[tuple[str, int], dict[int, float]]:
    """By variant and x, then by round. One pass over the sorted samples: there may be millions."""
    order = np.lexsort((samples["round"], samples["x"], samples["variant"]))
    rows = samples[order]
    new = np.ones(len(rows), np.bool_)
    for field in ("variant", "x", "round"):
        new[1:] &= rows[field][1:] == rows[field][:-1]
    new[1:] = ~new[1:]
    begins = np.flatnonzero(new)
    medians: dict[tuple[str, int], dict[int, float]] = {}
    for begin, end in zip(begins, np.append(begins[1:], len(rows)), strict=True):
        first = rows[begin]
        place = medians.setdefault((names[first["variant"]], int(first["x"])), {})
        place[int(first["round"])] = float(np.median(rows["value"][begin:end]))
    return medians


def _ratio(benchmark: Benchmark, pair: dict[str, str], x: int) -> dict[str, Any]:
    """Of the medians of the same round. A variant that does not vary with x stands for all of them;
    one laid over itself: over its own smallest x."""
    of, to = pair["of"], pair["to"]
    there = benchmark.xs(to)
    to_x = there[0] if of == to or x not in there else x
    mine, theirs = benchmark.medians[of, x], benchmark.medians[to, to_x]
    shared = sorted(mine.keys() & theirs.keys())
    if not shared:
        raise ResultError(f"no round holds both {of} and {to}")
    ratios = [mine[number] / theirs[number] for number in shared]
    return {"of": of, "to": to, "x": x, "to_x": to_x, **over_rounds(ratios)}


def _difference(benchmark: Benchmark, pair: dict[str, Any], x: int) -> dict[str, Any]:
    """Of the medians of the same round at the same x, ns; whether its upper bound is below the limit."""
    mine, theirs = benchmark.medians[pair["of"], x], benchmark.medians.get((pair["to"], x), {})
    shared = sorted(mine.keys() & theirs.keys())
    if not shared:
        raise ResultError(f"no round holds both {pair['of']} and {pair['to']}")
    figures = over_rounds([mine[number] - theirs[number] for number in shared])
    holds = None if figures["high"] is None else bool(figures["high"] < pair["below_ns"])
    return {"of": pair["of"], "to": pair["to"], "x": x, **figures, "below_ns": pair["below_ns"], "holds": holds}


def _growth(benchmark: Benchmark, name: str) -> dict[str, Any]:
    """Two fits to each round's medians: cost = a + b log2 x, in ns, and cost = c x^exponent."""
    xs = benchmark.xs(name)
    every = [benchmark.medians[name, x] for x in xs]
    rounds = sorted(set.intersection(*(set(each) for each in every)))
    if len(xs) < 3 or not rounds:
        return {"variant": name, "base_ns": None, "per_doubling_ns": None, "exponent": None}
    costs = np.array([[each[number] for each in every] for number in rounds])
    log = np.log2(np.array(xs, np.float64))
    slope, base = np.polyfit(log, costs.T, 1)
    exponent = np.polyfit(log, np.log2(costs).T, 1)[0]
    return {
        "variant": name,
        "base_ns": over_rounds(base),
        "per_doubling_ns": over_rounds(slope),
        "exponent": over_rounds(exponent),
    }


def _holds(ratio: dict[str, Any], limits: dict[tuple[str, str], float], record: dict[str, Any]) -> bool | None:
    """Whether the upper bound is below the limit; None where nothing could preempt or be bounded."""
    if ratio["high"] is None or not record["preempts"]:
        return None
    return bool(ratio["high"] < limits[ratio["of"], ratio["to"]])
