# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measurements whose variants ran in turns, round by round: what they have left, and their common figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np

from takt_cli.analysis.grid import Window
from takt_cli.analysis.trips import Outcomes, Timing
from takt_cli.analysis.verdict import doubts_by_stalls, judged, unobserved_host_effects, was_throttled
from takt_cli.analysis.virtual_time import reasons_without_verdict
from takt_cli.errors import ResultError
from takt_cli.results.achieved import Achieved
from takt_cli.results.communication import InterleavedRecord, InterleavedSettings, SideProcess, Variant
from takt_cli.results.origin import Guest, Host, Origin
from takt_cli.results.program import Probe
from takt_cli.results.result_file import ResultFormat, StoredResult
from takt_cli.results.sample_files import STALLS, Ints, Rows, read_rows
from takt_cli.results.structures import extended
from takt_cli.results.verdict import FAIL, INCONCLUSIVE, Verdict
from takt_cli.spec.real_time import AppliedRealTime
from takt_cli.spec.units import format_size
from takt_cli.statistics import confidence
from takt_cli.statistics.confidence import (
    MedianOfRounds,
    PercentilesWithIntervals,
    over_rounds,
    percentiles_with_intervals,
)
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles

_US = 1000
# How lines begin that report consequences of refused priorities: the executor runs without preemption.
_OF_A_PLAN = ("SCHED_FIFO", "policy ")
Settings = TypeVar("Settings", bound=InterleavedSettings)


@dataclass(frozen=True)
class Round:
    """A single round of one variant: the reports of its processes, that of the measuring process first, and what the
    probes recorded."""

    folder: Path
    tag: str
    processes: list[SideProcess]
    probes: list[Probe]
    window: Window
    stalls: Rows
    cpus: tuple[int, ...]
    """The CPUs on which its threads could run."""

    @property
    def relevant_stalls(self) -> Rows:
        """The stalls that could delay this variant; empty if a probe did not have the highest priority."""
        rows: Rows = self.stalls[np.isin(self.stalls["cpu"], self.cpus) & self.saw_stalls]
        return rows

    @property
    def saw_stalls(self) -> bool:
        return all(each.saw_stalls for each in self.probes)


@dataclass(frozen=True)
class Measurement(StoredResult[Settings, InterleavedRecord]):
    """Round trips or cycles as they lie in a folder."""

    @property
    def virtual(self) -> bool:
        return self.envelope.origin.virtual is not None

    @property
    def conditions(self) -> Achieved:
        return self.envelope.origin.conditions or Achieved()

    @property
    def timing(self) -> Timing:
        """Period, deadline and time-out of the messages."""
        return Timing(self.settings.period, self.settings.deadline, self.settings.timeout)

    def rounds(self) -> dict[str, list[Round]]:
        """Return the rounds of each variant, in order, by its name."""
        numbers = range(self.settings.rounds)
        return {each.name: [self._round(each, number) for number in numbers] for each in self.settings.variants}

    def _round(self, variant: Variant, number: int) -> Round:
        folder, tag = self.folder / f"round-{number + 1}", variant.tag
        try:
            processes = self.envelope.record.processes[variant.name][number]
            probes = self.envelope.record.probes[variant.name][number]
        except (KeyError, IndexError) as error:
            raise ResultError(f"{self.folder}: is damaged, as it lacks {error!r}; measure again") from None
        stalls = [read_rows(folder / f"{tag}.stalls-{cpu}.npy", STALLS) for cpu in self.host.used_cpus]
        window = Window(processes[0].t0, processes[0].window.start, processes[0].window.end)
        all_stalls = np.concatenate([np.empty(0, STALLS), *stalls])
        cpus = self.settings.cpus_of(variant, self.host.allowed_cpus)
        return Round(folder, tag, processes, probes, window, all_stalls, cpus)


@dataclass(frozen=True)
class MeasuredRounds(Generic[Settings]):
    """A measurement with the rounds of each variant by its name."""

    measurement: Measurement[Settings]
    rounds: dict[str, list[Round]]

    @property
    def settings(self) -> Settings:
        return self.measurement.settings

    @property
    def origin(self) -> Origin:
        return self.measurement.origin


def read_measurement(folder: Path, kind: ResultFormat[Settings, InterleavedRecord]) -> Measurement[Settings]:
    """Read a measurement of this kind. Raises ResultError if `folder` has none."""
    return Measurement(folder, kind.read(folder))


class Distribution(PercentilesWithIntervals, frozen=True, kw_only=True, omit_defaults=True):
    """Percentiles with their intervals, and the minimum and the mean of the finite samples; None if there are none."""

    min: float | None
    mean: float | None


class RatioOfMedians(MedianOfRounds, frozen=True, kw_only=True):
    """A ratio of medians; its interval is `over` rounds, or over samples."""

    over: str


class Stalls(msgspec.Struct, frozen=True, kw_only=True):
    """The lengths of the stalls, and whether the probes could see all of them."""

    seen: bool
    length_us: Percentiles


def percentile_summary(values: Sequence[Samples], instants: Sequence[Ints]) -> Distribution:
    """Return percentiles over all rounds, in us, with their intervals; and the minimum and the mean."""
    pooled_values, pooled_instants = np.concatenate(values) / _US, np.concatenate(instants)
    finite = pooled_values[np.isfinite(pooled_values)]
    minimum, mean = (float(finite.min()), float(finite.mean())) if len(finite) else (None, None)
    metrics = percentiles_with_intervals(pooled_values, pooled_instants)
    return extended(metrics, Distribution, min=minimum, mean=mean)


def median_ratio(
    values: Sequence[Samples], reference: Sequence[Samples], instants: tuple[Sequence[Ints], Sequence[Ints]]
) -> RatioOfMedians | None:
    """Return the ratio of medians of the same rounds, with the interval over the rounds; if these are too few or too
    correlated, over the samples of all rounds. None if a median is infinite or missing."""
    medians = [[_median(each) for each in side] for side in (values, reference)]
    if not all(np.isfinite(value) and value > 0 for side in medians for value in side):
        return None
    ratios = over_rounds([mine / other for mine, other in zip(*medians, strict=True)])
    result = extended(ratios, RatioOfMedians, over="rounds")
    if not result.too_short:
        return result
    numerator, denominator = (
        confidence.quantile(confidence.in_order_of_time(np.concatenate(side), np.concatenate(when)), 0.5)
        for side, when in zip((values, reference), instants, strict=True)
    )
    ends = confidence.ratio(numerator, denominator).ends()
    if ends is None:
        return result
    return msgspec.structs.replace(result, low=ends[0], high=ends[1], over="samples", too_short=False)


class VariantFigures(Outcomes, frozen=True, kw_only=True):
    """The figures of a variant that round trips and cycles have in common."""

    transport: str
    raw: bool
    rmw: str | None
    real_time: AppliedRealTime
    stalls: Stalls
    allocator: list[dict[str, Any] | None]
    refused: list[str]
    verdict: Verdict


class Qos(msgspec.Struct, frozen=True):
    """The quality of service of the messages."""

    reliability: str
    depth: int


class InterleavedSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What the summaries of round trips and cycles have in common."""

    kind: str
    payload_bytes: int
    period_ms: float
    duration_s: float
    rounds: int
    qos: Qos
    absent: tuple[str, ...]
    labels: tuple[str, ...]
    conditions: Achieved | None
    host: Host | None
    virtual: Guest | None


def common_summary(measurement: Measurement[Settings]) -> InterleavedSummary:
    """Return what the summary of any such measurement has."""
    settings, origin = measurement.settings, measurement.envelope.origin
    return InterleavedSummary(
        kind=measurement.envelope.kind,
        payload_bytes=settings.payload,
        period_ms=settings.period / 1e6,
        duration_s=settings.duration / 1e9,
        rounds=settings.rounds,
        qos=Qos("reliable" if settings.reliable else "best effort", settings.depth),
        absent=settings.absent,
        labels=settings.labels,
        conditions=origin.conditions,
        host=origin.host,
        virtual=origin.virtual,
    )


def variant_figures(
    measurement: Measurement[Settings], variant: Variant, rounds: list[Round], counts: Outcomes, verdict: Verdict
) -> VariantFigures:
    """Return the common figures of a variant."""
    return extended(
        counts,
        VariantFigures,
        transport=variant.transport.name,
        raw=not variant.transport.ros,
        rmw=variant.rmw,
        real_time=variant.applied,
        stalls=stall_summary(rounds),
        allocator=[each.allocator for each in rounds[0].processes],
        refused=refused_requests(measurement, variant, rounds),
        verdict=verdict,
    )


def refused_requests(measurement: Measurement[Settings], variant: Variant, rounds: list[Round]) -> list[str]:
    """Return one line for each request that was not granted, or not available, in any round. Without a plan for
    real-time priorities none were requested: lines about these are left out."""
    processes = [process for each in rounds for process in each.processes]
    lines = [line for process in processes if process.grants for line in process.grants.refused]
    relevant_lines = [line for line in lines if "plan" in variant.real_time.parts or not line.startswith(_OF_A_PLAN)]
    uses_cyclone = "cyclonedds" in f"{variant.transport.name} {variant.rmw}"
    buffer_lines = _refused_socket_buffer(measurement) if uses_cyclone else []
    return list(dict.fromkeys([*variant.lacking, *relevant_lines, *buffer_lines]))


def _refused_socket_buffer(measurement: Measurement[Settings]) -> list[str]:
    """Return a line if the host allows sockets no receive buffer that holds one message, although it was requested."""
    facts = measurement.envelope.origin.middleware
    requested, limit = (facts.socket_receive_buffer, facts.socket_receive_buffer_limit) if facts else (0, None)
    if limit is None or limit >= min(requested, measurement.settings.payload):
        return []
    return [
        f"socket receive buffers of {format_size(requested)} (the host allows {format_size(limit)}; "
        f"`sysctl net.core.rmem_max={requested}`)"
    ]


def stall_summary(rounds: list[Round]) -> Stalls:
    """Return the lengths of the stalls in all rounds, in us, and whether the probes could see all of them."""
    lengths = np.concatenate([each.stalls["to"] - each.stalls["from"] for each in rounds])
    return Stalls(seen=all(each.saw_stalls for each in rounds), length_us=percentiles(lengths / _US))


def reasons_not_judged(measurement: Measurement[Settings], rounds: list[Round]) -> list[str]:
    """Return why the host's part in the figures of a variant cannot be judged; empty if it can."""
    reasons = reasons_without_verdict(measurement.virtual)
    origin = measurement.envelope.origin
    host = origin.known_host
    alone = msgspec.structs.replace(origin, host=msgspec.structs.replace(host, other_realtime=[]))
    span = Window(0, rounds[0].window.start, rounds[-1].window.end)
    for each in rounds:
        throttled = was_throttled(each.relevant_stalls, each.window, host)
        reasons += unobserved_host_effects(throttled, alone, each.probes, each.window)
    # Real-time threads of other programs were counted over the whole measurement.
    reasons += unobserved_host_effects(False, origin, [], span)
    return list(dict.fromkeys(reasons))


def verdict(counts: Outcomes, reasons: list[str], further_faults: Sequence[str] = (), virtual: bool = False) -> Verdict:
    """Return the verdict on one variant.

    `pass`: nothing was lost, missed or skipped except because of the host; `fail`: something was; `inconclusive`: the
    host could not be observed or did too much, unless the other faults outnumber the host's. `further_faults`: texts
    on other faults. `virtual`: a measurement in a guest, which gets no verdict; `reasons` must say so."""
    kinds = {"missed deadlines": counts.missed, "lost messages": counts.lost, "skipped cycles": counts.skipped}
    host = sum(each.host for each in kinds.values())
    others = {name: each.other for name, each in kinds.items()}
    if counts.sent == 0:
        return Verdict(INCONCLUSIVE if virtual else FAIL, ["no message was sent", *reasons])
    faults = [f"{n} {name}" for name, n in others.items() if n] + list(further_faults)
    doubts = [*reasons, *doubts_by_stalls(host, counts.sent + counts.skipped.n, "cycles failed")]
    good = "no loss, no missed deadline and no skipped cycle that is not the host's"
    return judged(faults, doubts, good, evident=not reasons and sum(others.values()) > host)


def _median(values: Samples) -> float:
    return float(np.median(values)) if len(values) else float("nan")
