# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Figures of a benchmark: ratios of variants to floors that were measured in the same rounds, and growth with x."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np

from takt_cli.errors import ResultError
from takt_cli.results.benchmark import BENCHMARKS, Benchmark, BenchmarkRecord, BenchmarkSettings, pass_folder
from takt_cli.results.origin import Host
from takt_cli.results.result_file import StoredResult, kind_of
from takt_cli.results.sample_files import SAMPLES, Rows, read_rows
from takt_cli.results.structures import extended
from takt_cli.statistics.confidence import MedianOfRounds, over_rounds
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles


class Figures(msgspec.Struct, frozen=True):
    """The times of a variant at x, in ns."""

    variant: str
    x: int
    ns: Percentiles


class Ratio(MedianOfRounds, frozen=True, kw_only=True):
    """The ratio of the medians of a variant at x to those of the variant `to` at `to_x`."""

    of: str
    to: str
    x: int
    to_x: int


class Limit(Ratio, frozen=True, kw_only=True):
    """A ratio whose upper bound is to be below a limit; `holds` is None if it has none, or if nothing could be
    preempted."""

    below: float
    holds: bool | None


class Difference(MedianOfRounds, frozen=True, kw_only=True):
    """The difference in ns of the medians of two variants at the same x, whose upper bound is to be below a limit;
    `holds` is None if it has no upper bound."""

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


class BenchmarkSummary(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a benchmark. `x` is what was varied, if anything; `cyclictest` has the latencies of the host, in
    ns, if they were measured."""

    kind: str
    x: str
    rounds: int
    turn_ms: float | None
    figures: list[Figures]
    ratios: list[Ratio]
    growth: list[Growth]
    limits: list[Limit]
    differences: list[Difference]
    preempts: bool
    refused: list[str]
    host: Host | None
    cyclictest: Percentiles | None


@dataclass(frozen=True)
class BenchmarkResult(StoredResult[BenchmarkSettings, BenchmarkRecord]):
    """A result: the samples of each variant at each x, by round."""

    samples: dict[tuple[str, int], dict[int, Rows]]

    @property
    def kind(self) -> Benchmark:
        return self.settings.kind

    @cached_property
    def medians(self) -> dict[tuple[str, int], dict[int, float]]:
        """For each variant and x, the median in ns of each round."""
        return {
            place: {number: float(np.median(rows["value"])) for number, rows in rounds.items()}
            for place, rounds in self.samples.items()
        }

    def values(self, variant: str, x: int) -> Samples:
        """Return the samples of a variant at an x, in ns."""
        rounds = self.samples.get((variant, x), {})
        return np.concatenate([np.empty(0), *(rows["value"] for rows in rounds.values())])

    def xs(self, variant: str) -> list[int]:
        """Return the values of x at which a variant was measured, ascending."""
        return sorted(x for name, x in self.samples if name == variant)

    def paired(self, of: str, to: str, x: int, to_x: int) -> list[tuple[float, float]]:
        """Return the medians of two variants in the rounds that have samples of both."""
        one, other = self.medians[of, x], self.medians.get((to, to_x), {})
        pairs = [(one[number], other[number]) for number in sorted(one.keys() & other.keys())]
        if not pairs:
            raise ResultError(f"no round has samples of both {of} and {to}")
        return pairs

    @property
    def wakeups(self) -> Samples | None:
        """The latencies that cyclictest measured, in ns; longer ones than its histogram has count as the longest."""
        if (histogram := self.record.cyclictest) is None:
            return None
        return np.repeat(np.array(list(histogram), np.float64), np.array(list(histogram.values()), np.int64))


def read_benchmark(folder: Path) -> BenchmarkResult:
    """Read the result in `folder`. Raises ResultError if there is none."""
    if (kind := BENCHMARKS.get(kind_of(folder) or "")) is None:
        raise ResultError(f"{folder}: is not the result of a benchmark; name one made by takt measure")
    envelope = kind.format.read(folder)
    parts: list[Rows] = []
    rounds = envelope.settings.rounds_of_passes
    for number in range(len(rounds)):
        rows: Rows = np.array(read_rows(pass_folder(folder, number) / f"{kind.name}.samples.npy", SAMPLES))
        rows["round"] += sum(rounds[:number])
        parts.append(rows)
    return BenchmarkResult(folder, envelope, _grouped(envelope.record.variants, np.concatenate(parts)))


def benchmark_summary(benchmark: BenchmarkResult) -> BenchmarkSummary:
    """Return all figures of a benchmark."""
    kind, settings, record = benchmark.kind, benchmark.settings, benchmark.record
    ratios = [_ratio(benchmark, of, to, x) for of, to in kind.ratios for x in benchmark.xs(of)]
    return BenchmarkSummary(
        kind=kind.name,
        x=kind.x,
        rounds=settings.rounds,
        turn_ms=settings.turn / 1e6 if kind.turn_is_given else None,
        figures=[
            Figures(name, x, percentiles(benchmark.values(name, x)))
            for name in record.variants
            for x in benchmark.xs(name)
        ],
        ratios=ratios,
        growth=[_growth(benchmark, name) for name in kind.growth],
        limits=[
            extended(ratio, Limit, below=below, holds=_is_below(ratio, below) if record.preempts else None)
            for of, to, below in kind.limits
            for ratio in ratios
            if (ratio.of, ratio.to, ratio.to_x) == (of, to, ratio.x)
        ],
        differences=[
            _difference(benchmark, of, to, x, below) for of, to, below in kind.differences for x in benchmark.xs(of)
        ],
        preempts=record.preempts,
        refused=record.refused,
        host=benchmark.origin.host,
        cyclictest=None if benchmark.wakeups is None else percentiles(benchmark.wakeups),
    )


def _grouped(names: list[str], samples: Rows) -> dict[tuple[str, int], dict[int, Rows]]:
    """Return the samples by variant and x, then by round. One pass over sorted samples, as there may be millions."""
    rows = samples[np.lexsort((samples["round"], samples["x"], samples["variant"]))]
    places = rows[["variant", "x", "round"]]
    begins = np.flatnonzero(np.append(True, places[1:] != places[:-1]))
    groups: dict[tuple[str, int], dict[int, Rows]] = {}
    for group in np.split(rows, begins[1:]):
        first = group[0]
        groups.setdefault((names[first["variant"]], int(first["x"])), {})[int(first["round"])] = group
    return groups


def _ratio(benchmark: BenchmarkResult, of: str, to: str, x: int) -> Ratio:
    """Return the ratio of the medians of the same rounds, over the rounds. If the floor does not vary with x, its one
    value is used for all; a variant compared with itself is divided by its value at the smallest x."""
    to_xs = benchmark.xs(to)
    to_x = x if of != to and x in to_xs else min(to_xs, default=x)
    ratios = [one / other for one, other in benchmark.paired(of, to, x, to_x)]
    return extended(over_rounds(ratios), Ratio, of=of, to=to, x=x, to_x=to_x)


def _difference(benchmark: BenchmarkResult, of: str, to: str, x: int, below: float) -> Difference:
    """Return the difference in ns of the medians of the same rounds at the same x, over the rounds."""
    metrics = over_rounds([one - other for one, other in benchmark.paired(of, to, x, x)])
    return extended(metrics, Difference, of=of, to=to, x=x, below_ns=below, holds=_is_below(metrics, below))


def _is_below(figure: MedianOfRounds, limit: float) -> bool | None:
    """Return whether the upper bound is below a limit; None if there is none."""
    return None if figure.high is None else figure.high < limit


def _growth(benchmark: BenchmarkResult, name: str) -> Growth:
    xs = benchmark.xs(name)
    medians = [benchmark.medians[name, x] for x in xs]
    if len(xs) < 3 or not (rounds := sorted(set.intersection(*map(set, medians)))):
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
