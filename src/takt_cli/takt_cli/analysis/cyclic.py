# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Request and response cycles: their delays above the smallest one, and whether these accumulate."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import numpy as np

from takt_cli.analysis.job_keys import found_among
from takt_cli.analysis.trips import Trips, outcome_counts
from takt_cli.analysis.variants import (
    Distribution,
    InterleavedSummary,
    MeasuredRounds,
    Round,
    VariantFigures,
    common_summary,
    percentile_summary,
    read_measurement,
    reasons_not_judged,
    variant_figures,
    verdict,
)
from takt_cli.results.communication import CYCLIC_FORMAT, CyclicSettings, Variant
from takt_cli.results.sample_files import CYCLES, RESPONSES, TRIPS, Ints, Rows, read_rows
from takt_cli.results.structures import extended
from takt_cli.results.verdict import INCONCLUSIVE, PASS, TOO_SHORT, Verdict
from takt_cli.statistics.accumulation import OUTSIDE, Accumulation, SlopeDifference, accumulation
from takt_cli.statistics.percentiles import Samples
from takt_cli.statistics.slope import Slope, slope

# Each delay, from one time stamp to another: the three of the paper, and the arrivals of request and response relative
# to the grid, which include the lateness of the cycle itself.
DELAYS = {
    "cycle": ("ideal", "start"),
    "request": ("request_sent", "request_received"),
    "response": ("response_sent", "response_received"),
    "request on grid": ("ideal", "request_received"),
    "response on grid": ("ideal", "response_received"),
}
PRINTED = ("cycle", "request", "response")
CONTROL = "control"
# A delay counts as not accumulating up to this slope, in us per minute.
BOUND = 1.0


@dataclass(frozen=True)
class Delay:
    """A delay of the cycles in a single round: `values`, in ns, at the instants `instants`; `smallest` is the smallest
    of all rounds (tau_min)."""

    instants: Ints
    values: Samples
    smallest: float

    @property
    def aligned(self) -> Samples:
        """The delays minus the smallest one of all rounds, in ns."""
        shifted: Samples = self.values - self.smallest
        return shifted


@dataclass(frozen=True)
class Cycles(MeasuredRounds[CyclicSettings]):
    """The samples behind the figures, for each variant by name, one entry per round."""

    rows: dict[str, list[Rows]]
    _slopes: dict[tuple[str, str], Slope] = field(default_factory=dict, repr=False)

    def slope(self, name: str, delay: str) -> Slope:
        """Return the slope of a delay over time."""
        if (name, delay) not in self._slopes:
            self._slopes[name, delay] = slope([(each.instants, each.values) for each in self.delays(name, delay)])
        return self._slopes[name, delay]

    def delays(self, name: str, delay: str) -> list[Delay]:
        """Return a delay, one entry per round."""
        begin, end = DELAYS[delay]
        complete = [rows[(rows[begin] > 0) & (rows[end] > 0)] for rows in self.rows[name]]
        values = [(rows[end] - rows[begin]).astype(np.float64) for rows in complete]
        smallest = min((float(each.min()) for each in values if len(each)), default=0.0)
        instants = (rows["ideal"].astype(np.int64) for rows in complete)
        return [Delay(at, each, smallest) for at, each in zip(instants, values, strict=True)]

    def trips(self, name: str) -> list[Trips]:
        """Return each cycle as a round trip whose deadline is the next cycle."""
        timing, rounds = self.measurement.timing, zip(self.rows[name], self.rounds[name], strict=True)
        return [
            Trips(_cycles_as_round_trips(rows), each.window, timing, each.relevant_stalls, on_grid=True)
            for rows, each in rounds
        ]


def read_cyclic(folder: Path) -> Cycles:
    """Read the cycles in `folder`. Raises ResultError if there are none."""
    measurement = read_measurement(folder, CYCLIC_FORMAT)
    rounds = measurement.rounds()
    return Cycles(measurement, rounds, {name: [_rows(each) for each in every] for name, every in rounds.items()})


class DelayFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a delay: the smallest one, all others relative to it, and the slope over time.

    `within_bound` says whether the slope is, None in virtual time; `why` gives the reason; `alone`: no control was
    measured beside it."""

    least_us: float
    aligned_us: Distribution
    slope: Slope
    within_bound: str | None
    why: str | None
    against_control: SlopeDifference | None
    alone: bool


class CyclicVariant(VariantFigures, frozen=True, kw_only=True):
    """The figures of a variant, with those of each delay by its name."""

    delays: dict[str, DelayFigures]


class CyclicSummary(InterleavedSummary, frozen=True, kw_only=True):
    """All figures of a measurement, by variant."""

    through: str
    bound_us_per_min: float
    variants: dict[str, CyclicVariant]


def cyclic_summary(cycles: Cycles) -> CyclicSummary:
    """Return all figures."""
    settings = cycles.measurement.settings
    return extended(
        common_summary(cycles.measurement),
        CyclicSummary,
        through=settings.through,
        bound_us_per_min=BOUND,
        variants={each.name: _variant(cycles, each) for each in settings.variants},
    )


def join_time_stamps(cycles: Rows, responses: Rows) -> Rows:
    """Return the controller's rows, completed with the time stamps of the responder, which is another process."""
    rows: Rows = np.array(cycles)
    place, has_response = found_among(rows["cycle"], responses["cycle"])
    for column in ("request_received", "response_sent"):
        rows[column][has_response] = responses[column][place[has_response]]
    return rows


def _rows(round_: Round) -> Rows:
    rows = read_rows(round_.folder / f"{round_.tag}.cycles.npy", CYCLES)
    responses_file = round_.folder / f"{round_.tag}.responder.responses.npy"
    if responses_file.exists():
        rows = join_time_stamps(rows, read_rows(responses_file, RESPONSES))
    return rows[(rows["ideal"] >= round_.window.start) & (rows["ideal"] < round_.window.end)]


def _cycles_as_round_trips(rows: Rows) -> Rows:
    # A cycle without a request did not begin.
    started_cycles = rows[rows["request_sent"] > 0]
    columns = ("cycle", "ideal", "request_sent", "response_received")
    trips: Rows = np.zeros(len(started_cycles), TRIPS)
    for name, column in zip(TRIPS.names or (), columns, strict=True):
        trips[name] = started_cycles[column]
    return trips


def _variant(cycles: Cycles, variant: Variant) -> CyclicVariant:
    rounds = cycles.rounds[variant.name]
    counts = outcome_counts(cycles.trips(variant.name))
    delays = {which: _delay(cycles, variant, which) for which in DELAYS}
    outside = [
        f"{which} delay accumulates by {metrics.slope.slope:.3g} us a minute: {metrics.why}"
        for which, metrics in delays.items()
        if metrics.within_bound == OUTSIDE
    ]
    too_short_delays = {which: metrics.why for which, metrics in delays.items() if metrics.within_bound == TOO_SHORT}
    variant_verdict = verdict(
        counts, reasons_not_judged(cycles.measurement, rounds), outside, cycles.measurement.virtual
    )
    if variant_verdict.outcome == PASS and too_short_delays:
        no_control = any(delays[which].alone for which in too_short_delays)
        reasons = "; ".join(f"{which}: {why}" for which, why in too_short_delays.items())
        told_so = f"it cannot be judged{'' if no_control else ' yet'} whether these delays accumulate: {reasons}"
        told_so += "" if no_control else "; measure longer"
        variant_verdict = Verdict(INCONCLUSIVE if no_control else TOO_SHORT, [*variant_verdict.why, told_so])
    figures = variant_figures(cycles.measurement, variant, rounds, counts, variant_verdict)
    return extended(figures, CyclicVariant, delays=delays)


def _delay(cycles: Cycles, variant: Variant, delay: str) -> DelayFigures:
    rounds = cycles.delays(variant.name, delay)
    # In virtual time no verdict is given.
    judged = Accumulation("") if cycles.measurement.virtual else _judged(cycles, variant, delay)
    return DelayFigures(
        least_us=rounds[0].smallest / 1000,
        aligned_us=percentile_summary([each.aligned for each in rounds], [each.instants for each in rounds]),
        slope=cycles.slope(variant.name, delay),
        within_bound=judged.outcome or None,
        why=judged.why,
        against_control=judged.against,
        alone=judged.alone,
    )


def _judged(cycles: Cycles, variant: Variant, delay: str) -> Accumulation:
    """Judge a delay against the control with the same real-time settings, if that was measured in the same rounds."""
    control = cycles.measurement.settings.like(variant, CONTROL)
    control_slope = cycles.slope(control.name, delay) if control else None
    variant_slope, period = cycles.slope(variant.name, delay), cycles.measurement.timing.period / 1000
    result = accumulation(variant_slope, BOUND, control_slope, period)
    load = cycles.measurement.conditions.load
    unsettled = load is not None and load.settling is not None and not load.settling.has_settled
    # Leaving the grid is a fault under any load, settled or not.
    if result.outcome == OUTSIDE and abs(variant_slope.grown or 0) <= period and unsettled:
        return replace(result, outcome=TOO_SHORT, why="the background load had not settled")
    return result
