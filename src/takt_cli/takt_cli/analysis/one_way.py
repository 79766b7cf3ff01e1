# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Messages in one direction: for each variant and size their latency, losses and CPU time, and the ratio to raw Fast
DDS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from takt_cli.analysis.misses import overlaps
from takt_cli.analysis.round_trip import REFERENCE, RatioToReference
from takt_cli.analysis.variants import (
    Distribution,
    InterleavedSummary,
    MeasuredRounds,
    Measurement,
    Round,
    Stalls,
    common_summary,
    median_ratio,
    percentile_summary,
    read_measurement,
    refused_requests,
    stall_summary,
)
from takt_cli.results.communication import ONE_WAY_FORMAT, OneWaySettings, Variant
from takt_cli.results.sample_files import CPU_NOTES, RECEIVED, SENT, Ints, Mask, Rows, merge, read_rows
from takt_cli.results.structures import extended
from takt_cli.spec.real_time import AppliedRealTime
from takt_cli.statistics.percentiles import Percentiles, Samples, percentiles

_US = 1000


@dataclass(frozen=True)
class Messages:
    """The messages of one size in one round, in order. All instants in ns; `received` has a row for each receiver, with
    0 for a message that did not arrive."""

    intended: Ints
    sent: Ints
    returned: Ints
    received: Ints
    timeout: int

    @property
    def lost(self) -> Mask:
        """A mask of the messages that a receiver did not get within the time-out, with a row for each receiver."""
        lost: Mask = (self.received <= 0) | (self.received - self.sent > self.timeout)
        return lost

    @property
    def latencies(self) -> Samples:
        """The latencies in ns, with a row for each receiver; infinite if the message was lost."""
        return np.where(self.lost, np.inf, self.received - self.sent)

    @property
    def times(self) -> Samples:
        """The latencies of all receivers."""
        return self.latencies.ravel()

    @property
    def instants(self) -> Ints:
        """The instants of sending that belong to `times`."""
        return np.tile(self.intended, len(self.received))

    def lost_by_host(self, stalls: Rows) -> int:
        """Return the number of lost messages that a stall of the host overlaps."""
        host = overlaps(self.intended, self.sent + self.timeout, stalls)
        return int((self.lost & host).sum())


@dataclass(frozen=True)
class OneWay(MeasuredRounds[OneWaySettings]):
    """The samples behind the figures, for each variant by name and each size, one entry per round."""

    messages: dict[str, dict[int, list[Messages]]]


class CpuTime(msgspec.Struct, frozen=True, kw_only=True):
    """The CPU time in us that each process used per message. `receiver` is the mean of the receivers; None if sender
    and receivers are one process."""

    sender: float | None
    receiver: float | None


class OneWayFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of the messages of one size. `messages` counts each once for each receiver; `lost_host` are the lost
    ones that a stall of the host overlaps. `publish_us` is the time that the call took."""

    bytes: int
    messages: int
    lost: int
    lost_host: int
    latency_us: Distribution
    publish_us: Percentiles
    cpu_us: CpuTime
    ratio: RatioToReference | None


class OneWayVariant(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a variant, by size."""

    transport: str
    raw: bool
    rmw: str | None
    way: str
    real_time: AppliedRealTime
    stalls: Stalls
    refused: list[str]
    sizes: list[OneWayFigures]


class OneWaySummary(InterleavedSummary, frozen=True, kw_only=True):
    """All figures of a measurement, by variant."""

    sizes: tuple[int, ...]
    receivers: int
    place: str
    timeout_ms: float
    variants: dict[str, OneWayVariant]


def read_one_way(folder: Path) -> OneWay:
    """Read the messages in `folder`. Raises ResultError if there are none."""
    measurement = read_measurement(folder, ONE_WAY_FORMAT)
    rounds = measurement.rounds()
    sizes = measurement.settings.sizes
    messages = {}
    for variant in measurement.settings.variants:
        every = [_messages(measurement, variant, each) for each in rounds[variant.name]]
        messages[variant.name] = {size: [each[size] for each in every] for size in sizes}
    return OneWay(measurement, rounds, messages)


def one_way_summary(result: OneWay) -> OneWaySummary:
    """Return all figures."""
    settings = result.settings
    return extended(
        common_summary(result.measurement),
        OneWaySummary,
        sizes=settings.sizes,
        receivers=settings.receivers,
        place=str(settings.place),
        timeout_ms=settings.timeout / 1e6,
        variants={each.name: _variant(result, each) for each in settings.variants},
    )


def _messages(measurement: Measurement[OneWaySettings], variant: Variant, round_: Round) -> dict[int, Messages]:
    """Return the messages of a round by their size."""
    settings = measurement.settings
    sent = read_rows(round_.folder / f"{round_.tag}.sent.npy", SENT)
    in_window = (sent["intended"] >= round_.window.start) & (sent["intended"] < round_.window.end)
    sent = np.sort(sent[in_window], order="sequence")
    files = [round_.folder / f"{tag}.received.npy" for tag in _receiver_tags(settings, variant)]
    # Of a message that came twice, the first arrival counts: the last value that is assigned remains.
    received = merge(files, RECEIVED, "received")[::-1]
    place = np.searchsorted(sent["sequence"], received["sequence"])
    known = place < len(sent)
    known[known] = sent["sequence"][place[known]] == received["sequence"][known]
    arrived = np.zeros((settings.receivers, len(sent)), np.int64)
    arrived[received["receiver"][known], place[known]] = received["received"][known]
    masks = {size: sent["bytes"] == size for size in settings.sizes}
    intended, began, returned = (sent[name].astype(np.int64) for name in ("intended", "sent", "returned"))
    return {
        size: Messages(intended[mask], began[mask], returned[mask], arrived[:, mask], settings.timeout)
        for size, mask in masks.items()
    }


def _receiver_tags(settings: OneWaySettings, variant: Variant) -> list[str]:
    if variant.way.inside:
        return [variant.tag]
    return [variant.receiver_tag(number) for number in range(1, settings.receivers + 1)]


def _variant(result: OneWay, variant: Variant) -> OneWayVariant:
    rounds = result.rounds[variant.name]
    return OneWayVariant(
        transport=variant.transport.name,
        raw=not variant.transport.ros,
        rmw=variant.rmw,
        way=variant.way.label,
        real_time=variant.applied,
        stalls=stall_summary(rounds),
        refused=refused_requests(result.measurement, variant, rounds),
        sizes=[_figures(result, variant, size) for size in result.settings.sizes],
    )


def _figures(result: OneWay, variant: Variant, size: int) -> OneWayFigures:
    messages, rounds = result.messages[variant.name][size], result.rounds[variant.name]
    return OneWayFigures(
        bytes=size,
        messages=sum(each.lost.size for each in messages),
        lost=sum(int(each.lost.sum()) for each in messages),
        lost_host=sum(each.lost_by_host(one.relevant_stalls) for each, one in zip(messages, rounds, strict=True)),
        latency_us=percentile_summary([each.times for each in messages], [each.instants for each in messages]),
        publish_us=percentiles(np.concatenate([each.returned - each.sent for each in messages]) / _US),
        cpu_us=_cpu_time(result.settings, variant, size, rounds),
        ratio=_ratio(result, variant, size),
    )


def _ratio(result: OneWay, variant: Variant, size: int) -> RatioToReference | None:
    """Return the ratio to raw Fast DDS with the same settings, in the same rounds; None if there is none."""
    reference = result.settings.like(variant, REFERENCE)
    if reference is None:
        return None
    mine, other = result.messages[variant.name][size], result.messages[reference.name][size]
    instants = [each.instants for each in mine], [each.instants for each in other]
    ratio = median_ratio([each.times for each in mine], [each.times for each in other], instants)
    return None if ratio is None else extended(ratio, RatioToReference, to=reference.name)


def _cpu_time(settings: OneWaySettings, variant: Variant, size: int, rounds: list[Round]) -> CpuTime:
    def per_message(ending: str, tags: list[str]) -> float | None:
        used = [_cpu_of_turns(settings, size, one, f"{tag}.{ending}.npy") for one in rounds for tag in tags]
        every = np.concatenate(used)
        return float(np.mean(every)) / settings.turn / _US if len(every) else None

    receiver = None if variant.way.inside else per_message("receiver-cpu", _receiver_tags(settings, variant))
    return CpuTime(sender=per_message("sender-cpu", [variant.tag]), receiver=receiver)


def _cpu_of_turns(settings: OneWaySettings, size: int, round_: Round, name: str) -> Samples:
    """Return the CPU time in ns that a process used in each whole turn of a size inside the window."""
    notes = read_rows(round_.folder / name, CPU_NOTES)
    turns, at = notes["turn"].astype(np.int64), notes["at"]
    whole = (np.diff(turns) == 1) & (turns[:-1] % len(settings.sizes) == settings.sizes.index(size))
    inside = (at[:-1] >= round_.window.start) & (at[1:] <= round_.window.end)
    return np.asarray(np.diff(notes["cpu"])[whole & inside], np.float64)
