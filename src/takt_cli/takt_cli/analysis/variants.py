# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measurements whose variants ran in turns, round by round: their record and common figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from takt_cli.analysis.grid import Window
from takt_cli.analysis.trips import Timing
from takt_cli.analysis.verdict import HOST_MISS_LIMIT, origin_in, unobserved_host_effects, was_throttled
from takt_cli.analysis.virtual_time import reasons_without_verdict
from takt_cli.errors import ResultError
from takt_cli.results.probe import probes_saw_stalls
from takt_cli.results.program import Probe
from takt_cli.results.sample_files import STALLS, Ints, Rows, read_rows
from takt_cli.results.structures import extended
from takt_cli.results.verdict import FAIL, INCONCLUSIVE, PASS, Verdict
from takt_cli.spec.units import format_size
from takt_cli.statistics import confidence
from takt_cli.statistics.confidence import (
    MedianOfRounds,
    PercentilesWithIntervals,
    over_rounds,
    percentiles_with_intervals,
)
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles

SCHEMA_VERSION = 1
ROUND_TRIP, CYCLIC = "round-trip", "cyclic"
KINDS = (ROUND_TRIP, CYCLIC)
_US = 1000
# How lines begin that report consequences of refused priorities: the executor runs without preemption.
_OF_A_PLAN = ("SCHED_FIFO", "policy ")


@dataclass(frozen=True)
class Round:
    """A single round of one variant: the output of its processes, that of the measuring process first, and what the
    probes recorded."""

    folder: Path
    tag: str
    processes: list[dict[str, Any]]
    probes: list[dict[str, Any]]
    window: Window
    stalls: Rows
    cpus: tuple[int, ...]
    """The CPUs on which its threads could run."""

    @property
    def relevant_stalls(self) -> Rows:
        """The stalls that could delay this variant; empty if a probe did not have the highest priority."""
        rows: Rows = self.stalls[np.isin(self.stalls["cpu"], self.cpus) & probes_saw_stalls(self.probes)]
        return rows


@dataclass(frozen=True)
class Measurement:
    """The folder of such a measurement; `record` is the content of its run.json."""

    folder: Path
    record: dict[str, Any]

    @property
    def virtual(self) -> bool:
        return bool(self.record.get("virtual"))

    @property
    def timing(self) -> Timing:
        """Period, deadline and time-out of the messages."""
        return Timing(*(int(self.record[name]) for name in ("period_ns", "deadline_ns", "timeout_ns")))

    @property
    def variants(self) -> list[dict[str, Any]]:
        """The variants as they are recorded in run.json."""
        variants: list[dict[str, Any]] = self.record["variants"]
        return variants

    def rounds(self, variant: dict[str, Any]) -> list[Round]:
        """Return a variant's rounds, in order."""
        return [self._round(variant, number) for number in range(int(self.record["rounds"]))]

    def _round(self, variant: dict[str, Any], number: int) -> Round:
        folder, tag = self.folder / f"round-{number + 1}", str(variant["tag"])
        processes = self.record["processes"][variant["name"]][number]
        probes = self.record["probes"][variant["name"]][number]
        stalls = [read_rows(folder / f"{tag}.stalls-{cpu}.npy", STALLS) for cpu in self.record["host"]["used_cpus"]]
        window_record = processes[0]["window"]
        window = Window(int(processes[0]["t0"]), int(window_record["from"]), int(window_record["to"]))
        all_stalls = np.concatenate([np.empty(0, STALLS), *stalls])
        return Round(folder, tag, processes, probes, window, all_stalls, tuple(variant["cpus"]))


def read_measurement(folder: Path, kind: str) -> Measurement:
    """Read a measurement of this kind. Raises ResultError if `folder` has none."""
    try:
        record = json.loads((folder / "run.json").read_text("utf-8"))
    except FileNotFoundError:
        raise ResultError(f"{folder}: has no run.json; name the folder of a finished run") from None
    except (OSError, ValueError) as error:
        raise ResultError(f"{folder / 'run.json'}: cannot be read: {error}") from None
    is_readable = (
        isinstance(record, dict) and record.get("kind") == kind and record.get("schema_version") == SCHEMA_VERSION
    )
    if not is_readable:
        raise ResultError(f"{folder}: is not the result of takt measure {kind} of this version of takt")
    return Measurement(folder, record)


def compute_from_record(measurement: Measurement, compute: Any) -> dict[str, Any]:
    """Return what `compute` computes of a measurement. Raises ResultError if the record lacks something."""
    try:
        result: dict[str, Any] = compute(measurement)
    except (KeyError, TypeError, IndexError) as error:
        raise ResultError(f"{measurement.folder / 'run.json'}: is damaged: {error!r}; measure again") from None
    return result


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


def refused_requests(
    record: dict[str, Any], variant: dict[str, Any], processes: list[list[dict[str, Any]]]
) -> list[str]:
    """Return one line for each request that was not granted, or not available, in any round. Without a plan for
    real-time priorities none were requested: lines about these are left out."""
    lines = (line for each in processes for p in each for line in (p.get("grants") or {}).get("refused", []))
    relevant_lines = [line for line in lines if variant["real_time"].get("plan") or not line.startswith(_OF_A_PLAN)]
    buffer_lines = _refused_socket_buffer(record) if "cyclonedds" in f"{variant['transport']} {variant['rmw']}" else []
    return list(dict.fromkeys([*variant["real_time"].get("lacking", []), *relevant_lines, *buffer_lines]))


def _refused_socket_buffer(record: dict[str, Any]) -> list[str]:
    """Return a line if the host allows sockets no receive buffer that holds one message, although it was requested."""
    requested, limit = (
        record["middleware"].get(name) for name in ("socket_receive_buffer", "socket_receive_buffer_limit")
    )
    if requested is None or limit is None or limit >= min(requested, record["payload_bytes"]):
        return []
    return [
        f"socket receive buffers of {format_size(requested)} (the host allows {format_size(limit)}; "
        f"`sysctl net.core.rmem_max={requested}`)"
    ]


def stall_summary(rounds: list[Round]) -> Stalls:
    """Return the lengths of the stalls in all rounds, in us, and whether the probes could see all of them."""
    lengths = np.concatenate([(each.stalls["to"] - each.stalls["from"]).astype(np.float64) for each in rounds])
    return Stalls(seen=all(probes_saw_stalls(each.probes) for each in rounds), length_us=percentiles(lengths / _US))


def reasons_not_judged(measurement: Measurement, rounds: list[Round]) -> list[str]:
    """Return why the host's part in the figures of a variant cannot be judged; empty if it can."""
    reasons = reasons_without_verdict(measurement.virtual)
    origin = origin_in(measurement.record)
    host = origin.known_host
    alone = msgspec.structs.replace(origin, host=msgspec.structs.replace(host, other_realtime=[]))
    span = Window(0, rounds[0].window.start, rounds[-1].window.end)
    for each in rounds:
        throttled = was_throttled(each.relevant_stalls, each.window, host)
        reasons += unobserved_host_effects(throttled, alone, msgspec.convert(each.probes, list[Probe]), each.window)
    # Real-time threads of other programs were counted over the whole measurement.
    reasons += [r for r in unobserved_host_effects(False, origin, [], span) if "other programs" in r]
    return list(dict.fromkeys(reasons))


def verdict(
    counts: dict[str, Any], reasons: list[str], further_faults: Sequence[str] = (), virtual: bool = False
) -> Verdict:
    """Return the verdict on one variant.

    `pass`: nothing was lost, missed or skipped except because of the host; `fail`: something was; `inconclusive`: the
    host could not be observed or did too much, unless the other faults outnumber the host's. `further_faults`: texts
    on other faults. `virtual`: a measurement in a guest, which gets no verdict; `reasons` must say so."""
    kinds = {"missed": "missed deadlines", "lost": "lost messages", "skipped": "skipped cycles"}
    host = sum(counts[name]["host"] for name in kinds)
    others = {name: counts[name]["other"] for name in kinds}
    cycles = counts["sent"] + counts["skipped"]["n"]
    doubts = list(reasons)
    if counts["sent"] == 0:
        return Verdict(INCONCLUSIVE if virtual else FAIL, ["no message was sent", *doubts])
    if host > HOST_MISS_LIMIT * cycles:
        doubts.append(f"{host} of {cycles} cycles failed while the host stalled ({100 * host / cycles:.2g} %)")
    faults = [f"{n} {kinds[name]}" for name, n in others.items() if n] + list(further_faults)
    evident = not reasons and sum(others.values()) > host
    if doubts and not evident:
        return Verdict(INCONCLUSIVE, doubts + [f"seen: {fault}" for fault in faults])
    if faults:
        return Verdict(FAIL, [*faults, *doubts])
    return Verdict(PASS, ["no loss, no missed deadline and no skipped cycle that is not the host's"])


def _median(values: Samples) -> float:
    return float(np.median(values)) if len(values) else float("nan")
