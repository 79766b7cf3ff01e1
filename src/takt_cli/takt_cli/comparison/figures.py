# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The figures by which two measurements are compared: of each there is one for each variant, over its rounds."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from takt_cli.comparison.entry import Entry
from takt_cli.results.sample_files import Ints, Mask
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.confidence import difference, difference_of_shares, in_order_of_time, interval_without_hits
from takt_cli.statistics.confidence import quantile as quantile_of
from takt_cli.statistics.confidence import share as share_of
from takt_cli.statistics.difference import (
    Difference,
    difference_from_interval,
    difference_of_means,
    difference_of_sequences,
    has_few_hits,
)
from takt_cli.statistics.percentiles import LEVELS, Samples, percentiles

Round = TypeVar("Round")
_COMPARED_LEVELS = ("p50", "p99")
# With fewer cases their spread cannot be estimated.
_LEAST_CASES = 3


@dataclass(frozen=True)
class Figure(ABC, Generic[Round]):
    """A figure of a variant. `rounds` is what each round contributes, in their order; `fault`: less is better,
    otherwise neither is."""

    name: str
    unit: str
    rounds: Sequence[Round]
    fault: bool = True

    @property
    @abstractmethod
    def value(self) -> float:
        """The figure of all rounds together."""

    @abstractmethod
    def of_rounds(self) -> Samples:
        """Return the figure of each round."""

    def compare(self, other: Figure[Round], entry: Entry, margin: float) -> Entry:
        """Return the entry with the comparison of this figure, of A, with that of B. Each round counts as one value; if
        they are too few or too correlated, their samples do."""
        of_rounds = difference_of_sequences(self.of_rounds(), other.of_rounds())
        if of_rounds is not None:
            entry = replace(entry, over="runs", n_a=len(self.rounds), n_b=len(other.rounds))
            return entry.judged(self.fault, margin, of_rounds)
        return self.compare_samples(other, entry, margin)

    @abstractmethod
    def compare_samples(self, other: Figure[Round], entry: Entry, margin: float) -> Entry:
        """Return the entry with the comparison by the samples of all rounds, if there are any."""


@dataclass(frozen=True)
class PerRound(Figure[float]):
    """A figure of which each round has one value, such as CPU time per callback."""

    @property
    def value(self) -> float:
        return float(np.mean(self.rounds))

    def of_rounds(self) -> Samples:
        return np.array(self.rounds)

    def compare_samples(self, other: Figure[float], entry: Entry, margin: float) -> Entry:  # noqa: ARG002
        entry = replace(entry, over="runs", n_a=len(self.rounds), n_b=len(other.rounds))
        return replace(entry, verdict=TOO_SHORT, why="rounds that are too few or too similar")


@dataclass(frozen=True)
class PerCase(PerRound):
    """A figure of which each case has one value, such as each task set. The cases are the same in both results, and
    compared in pairs."""

    def compare(self, other: Figure[float], entry: Entry, margin: float) -> Entry:
        entry = replace(entry, over="cases", n_a=len(self.rounds), n_b=len(other.rounds), paired=True)
        if min(entry.n_a, entry.n_b) < _LEAST_CASES:
            return replace(entry, verdict=TOO_SHORT, why=f"fewer than {_LEAST_CASES} cases")
        return entry.judged(self.fault, margin, difference_of_means(self.of_rounds(), other.of_rounds(), paired=True))


@dataclass(frozen=True)
class Quantile(Figure[tuple[Ints, Samples]]):
    """A quantile of times, of which each round has the instants and the values. Infinite values count."""

    level: str = "p50"

    @property
    def value(self) -> float:
        return self._of(np.concatenate([values for _, values in self.rounds]))

    def of_rounds(self) -> Samples:
        return np.array([self._of(values) for _, values in self.rounds])

    def compare_samples(self, other: Figure[tuple[Ints, Samples]], entry: Entry, margin: float) -> Entry:
        pooled = [[np.concatenate(each) for each in zip(*side.rounds, strict=True)] for side in (self, other)]
        entry = replace(entry, over="samples", n_a=len(pooled[0][0]), n_b=len(pooled[1][0]))
        share, _ = LEVELS[self.level]
        interval_a, interval_b = (quantile_of(in_order_of_time(values, at), share) for at, values in pooled)
        if not (interval_a.is_given and interval_b.is_given):
            return replace(entry, verdict=TOO_SHORT, why="few rounds, and samples that are too correlated")
        return entry.judged(self.fault, margin, difference_from_interval(difference(interval_b, interval_a)))

    def _of(self, values: Samples) -> float:
        value = percentiles(values).figure(self.level)
        return math.inf if value is None else float(value)


@dataclass(frozen=True)
class Share(Figure[Mask]):
    """The share of hits in per cent, of which each round has a mask in order of time."""

    @property
    def value(self) -> float:
        return float(self.of_rounds().mean())

    def of_rounds(self) -> Samples:
        return np.array([100 * each.mean() if len(each) else 0.0 for each in self.rounds])

    def compare(self, other: Figure[Mask], entry: Entry, margin: float) -> Entry:
        # Where a round has no hits, the spread over the rounds seems smaller than it is.
        if any(has_few_hits(side.of_rounds() / 100) for side in (self, other)):
            return self.compare_samples(other, entry, margin)
        return super().compare(other, entry, margin)

    def compare_samples(self, other: Figure[Mask], entry: Entry, margin: float) -> Entry:
        hits_a, hits_b = (np.concatenate(side.rounds) for side in (self, other))
        entry = replace(entry, over="samples", n_a=len(hits_a), n_b=len(hits_b))
        if (of_samples := _difference_of_hits(hits_a, hits_b)) is None:
            return replace(entry, verdict=TOO_SHORT, why="few rounds, and cycles that are too correlated")
        return entry.judged(self.fault, margin, of_samples)


def quantiles(name: str, unit: str, rounds: Sequence[tuple[Ints, Samples]]) -> list[Quantile]:
    """Return p50 and p99 of times, as far as each round has enough of them."""
    fewest = min((len(values) for _, values in rounds), default=0)
    levels = [level for level in _COMPARED_LEVELS if fewest >= LEVELS[level][1]]
    return [Quantile(f"{name} {level}", unit, rounds, level=level) for level in levels]


def _difference_of_hits(hits_a: Mask, hits_b: Mask) -> Difference | None:
    """Return the difference of the shares of hits, in per cent; None if it is too short to judge."""
    if not (len(hits_a) and len(hits_b)):
        return None
    interval_a, interval_b = (interval_without_hits(share_of(hits), len(hits)) for hits in (hits_a, hits_b))
    interval = difference_of_shares(interval_b, interval_a, len(hits_b), len(hits_a))
    shares = difference_from_interval(interval) if interval.is_given else None
    return shares and shares.times(100)
