# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of a benchmark: ratios of variants to floors that were measured in the same rounds, and growth with x."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from takt_cli.errors import ResultError
from takt_cli.results.sample_files import SAMPLES, Rows, read_rows
from takt_cli.results.structures import extended
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds
from takt_cli.statistics.percentiles import percentiles

SCHEMA_VERSION = 1

Floats = npt.NDArray[np.float64]


class Ratio(MedianOfRounds, frozen=True, kw_only=True):
    """The ratio of the medians of a variant at x to those of the variant `to` at `to_x`."""

    of: str
    to: str
    x: int
    to_x: int


class Limit(Ratio, frozen=True, kw_only=True):
    """A ratio whose upper bound is to be below a limit; `holds` is None if that cannot be judged."""

    below: float
    holds: bool | None


class Difference(MedianOfRounds, frozen=True, kw_only=True):
    """The difference in ns of the medians of two variants at the same x, whose upper bound is to be below a limit."""

    of: str
    to: str
    x: int
    below_ns: float
    holds: bool | None


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """Two fits to the medians of each round: cost = base + per_doubling log2 x, in ns, and cost = c x^exponent. None if
    x has too few values."""

    variant: str
    base_ns: MedianOfRounds | None = None
    per_doubling_ns: MedianOfRounds | None = None
    exponent: MedianOfRounds | None = None


@dataclass(frozen=True)
class Benchmark:
    """The result of one benchmark. `medians`: for each variant and x, the median in ns of each round."""

    record: dict[str, Any]
    samples: Rows
    medians: dict[tuple[str, int], dict[int, float]]

    def values(self, variant: str, x: int) -> Floats:
        """Return the samples of a variant at an x, in ns."""
        number = self.record["variants"].index(variant)
        selected = (self.samples["variant"] == number) & (self.samples["x"] == x)
        return np.asarray(self.samples["value"][selected], np.float64)

    def xs(self, variant: str) -> list[int]:
        """Return the values of x at which a variant was measured, ascending."""
        return sorted(x for name, x in self.medians if name == variant)


def read_benchmark(folder: Path) -> Benchmark:
    """Read the result in `folder`. Raises ResultError if there is none."""
    try:
        record = json.loads((folder / "run.json").read_text("utf-8"))
        names = record["variants"]
        samples = read_rows(folder / "samples.npy", SAMPLES)
        return Benchmark(record, samples, _medians(names, samples))
    except FileNotFoundError:
        raise ResultError(f"{folder}: has no run.json; name the folder of a finished run") from None
    except KeyError:
        raise ResultError(f"{folder}: is not the result of a benchmark; name one made by takt measure") from None
    except (OSError, ValueError, TypeError, IndexError) as error:
        raise ResultError(f"{folder}: is not the result of a benchmark: {error!r}") from None


def benchmark_summary(benchmark: Benchmark) -> dict[str, Any]:
    """Return all figures of a benchmark, for JSON. Times are in ns unless a key says otherwise."""
    record = benchmark.record
    limits = {(limit["of"], limit["to"]): limit["below"] for limit in record["limits"]}
    ratios = [_ratio(benchmark, pair, x) for pair in record["ratios"] for x in benchmark.xs(pair["of"])]
    summary = {
        "schema_version": SCHEMA_VERSION,
        "kind": record["kind"],
        "x": record["x"],
        "rounds": record["rounds"],
        "turn_ms": record["turn_ns"] / 1e6 if record["turn_ns"] is not None else None,
        "figures": [
            {"variant": name, "x": x, "ns": percentiles(benchmark.values(name, x))}
            for name in record["variants"]
            for x in benchmark.xs(name)
        ],
        "ratios": ratios,
        "growth": [_growth(benchmark, name) for name in record["growth"]],
        "limits": [
            _limit(ratio, limits[ratio.of, ratio.to], record)
            for ratio in ratios
            if (ratio.of, ratio.to) in limits and ratio.to_x == ratio.x
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
    """Return the wake-up latencies that cyclictest measured, in ns, from its histogram. Values beyond the range of the
    histogram are in its last bin."""
    values = np.array([int(value) for value in histogram], np.float64)
    return np.repeat(values, np.array(list(histogram.values()), np.int64))


def _medians(names: list[str], samples: Rows) -> dict[tuple[str, int], dict[int, float]]:
    """Return the medians by variant and x, then by round. One pass over sorted samples, as there may be millions."""
    order = np.lexsort((samples["round"], samples["x"], samples["variant"]))
    rows = samples[order]
    is_first_of_group = np.ones(len(rows), np.bool_)
    for field in ("variant", "x", "round"):
        is_first_of_group[1:] &= rows[field][1:] == rows[field][:-1]
    is_first_of_group[1:] = ~is_first_of_group[1:]
    begins = np.flatnonzero(is_first_of_group)
    medians: dict[tuple[str, int], dict[int, float]] = {}
    for begin, end in zip(begins, np.append(begins[1:], len(rows)), strict=True):
        first = rows[begin]
        place = medians.setdefault((names[first["variant"]], int(first["x"])), {})
        place[int(first["round"])] = float(np.median(rows["value"][begin:end]))
    return medians


def _ratio(benchmark: Benchmark, pair: dict[str, str], x: int) -> Ratio:
    """Return the ratio of the medians of the same rounds, over the rounds. If the floor does not vary with x, its one
    value is used for all; a variant compared with itself is divided by its value at the smallest x."""
    of, to = pair["of"], pair["to"]
    reference_xs = benchmark.xs(to)
    to_x = reference_xs[0] if of == to or x not in reference_xs else x
    numerators, denominators = benchmark.medians[of, x], benchmark.medians[to, to_x]
    shared = sorted(numerators.keys() & denominators.keys())
    if not shared:
        raise ResultError(f"no round has samples of both {of} and {to}")
    ratios = [numerators[number] / denominators[number] for number in shared]
    return extended(over_rounds(ratios), Ratio, of=of, to=to, x=x, to_x=to_x)


def _difference(benchmark: Benchmark, pair: dict[str, Any], x: int) -> Difference:
    """Return the difference in ns of the medians of the same rounds at the same x, and whether its upper bound is below
    the limit."""
    minuends, subtrahends = benchmark.medians[pair["of"], x], benchmark.medians.get((pair["to"], x), {})
    shared = sorted(minuends.keys() & subtrahends.keys())
    if not shared:
        raise ResultError(f"no round has samples of both {pair['of']} and {pair['to']}")
    metrics = over_rounds([minuends[number] - subtrahends[number] for number in shared])
    holds = None if metrics.high is None else bool(metrics.high < pair["below_ns"])
    return extended(metrics, Difference, of=pair["of"], to=pair["to"], x=x, below_ns=pair["below_ns"], holds=holds)


def _growth(benchmark: Benchmark, name: str) -> Growth:
    xs = benchmark.xs(name)
    medians = [benchmark.medians[name, x] for x in xs]
    rounds = sorted(set.intersection(*(set(each) for each in medians)))
    if len(xs) < 3 or not rounds:
        return Growth(variant=name)
    costs = np.array([[each[number] for each in medians] for number in rounds])
    log = np.log2(np.array(xs, np.float64))
    slope, base = np.polyfit(log, costs.T, 1)
    exponent = np.polyfit(log, np.log2(costs).T, 1)[0]
    return Growth(
        variant=name,
        base_ns=over_rounds(base),
        per_doubling_ns=over_rounds(slope),
        exponent=over_rounds(exponent),
    )


def _limit(ratio: Ratio, below: float, record: dict[str, Any]) -> Limit:
    """Return whether the upper bound of the ratio is below its limit; None if the ratio has no interval, or if nothing
    could be preempted."""
    holds = None if ratio.high is None or not record["preempts"] else bool(ratio.high < below)
    return extended(ratio, Limit, below=below, holds=holds)
