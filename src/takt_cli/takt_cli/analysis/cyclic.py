# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Cycles of request and response: their delays, aligned by the smallest, and whether these accumulate."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.files import CYCLES, RESPONSES, TRIPS, Rows, read_rows
from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import Samples
from takt_cli.analysis.slope import OPEN, OUTSIDE, equivalent, slope
from takt_cli.analysis.trips import Trips, counts
from takt_cli.analysis.variants import (
    CYCLIC,
    SCHEMA_VERSION,
    Measured,
    Round,
    blind,
    read_measured,
    refused,
    spread,
    stalls_of,
    verdict,
    whole,
)

# From which stamp to which: the paper's three, and where request and response are against the grid, where
# what the cycles are late by is in them, too.
DELAYS = {
    "cycle": ("ideal", "start"),
    "request": ("request_sent", "request_received"),
    "response": ("response_sent", "response_received"),
    "request on grid": ("ideal", "request_received"),
    "response on grid": ("ideal", "response_received"),
}
PRINTED = ("cycle", "request", "response")
# us a minute, up to which a delay counts as one that does not accumulate.
BOUND = 1.0


@dataclass(frozen=True)
class Delay:
    """One delay in one round: `values`, ns, at `at`; `least` is the smallest of all rounds (tau_min)."""

    at: Ints
    values: Samples
    least: float

    @property
    def aligned(self) -> Samples:
        shifted: Samples = self.values - self.least
        return shifted


@dataclass(frozen=True)
class Cycles:
    """The samples behind the figures: of each variant by name, round by round."""

    measured: Measured
    rounds: dict[str, list[Round]]
    rows: dict[str, list[Rows]]

    def delays(self, name: str, which: str) -> list[Delay]:
        """One entry for each round."""
        begin, end = DELAYS[which]
        found = []
        for rows in self.rows[name]:
            there = rows[(rows[begin] > 0) & (rows[end] > 0)]
            found.append((there["ideal"].astype(np.int64), (there[end] - there[begin]).astype(np.float64)))
        least = min((float(values.min()) for _, values in found if len(values)), default=0.0)
        return [Delay(at, values, least) for at, values in found]

    def trips(self, name: str) -> list[Trips]:
        """Each cycle as a message that is due back by the next one."""
        return [
            Trips(_as_trips(rows), each.window, self.measured.timing, each.seen, on_grid=True)
            for rows, each in zip(self.rows[name], self.rounds[name], strict=True)
        ]


def read_cyclic(folder: Path) -> Cycles:
    """ResultError if `folder` holds none."""
    measured = read_measured(folder, CYCLIC)
    found = whole(measured, lambda m: {v["name"]: m.rounds(v) for v in m.variants})
    return Cycles(measured, found, {name: [_rows(each) for each in rounds] for name, rounds in found.items()})


def cyclic_summary(folder: Path) -> dict[str, Any]:
    """All figures of a result of `takt measure cyclic`; ResultError if `folder` holds none."""
    read = read_cyclic(folder)
    return whole(read.measured, lambda _: summary_of(read))


def summary_of(read: Cycles) -> dict[str, Any]:
    record = read.measured.record
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": CYCLIC,
        "payload_bytes": record["payload_bytes"],
        "period_ms": record["period_ns"] / 1e6,
        "duration_s": record["duration_ns"] / 1e9,
        "rounds": record["rounds"],
        "through": record["through"],
        "bound_us_per_min": BOUND,
        "qos": record["qos"],
        "absent": record["absent"],
        "labels": record["labels"],
        "conditions": record["conditions"],
        "variants": {v["name"]: _variant(read, v) for v in read.measured.variants},
        "host": record["host"],
        "virtual": record.get("virtual"),
    }


def joined(cycles: Rows, responses: Rows) -> Rows:
    """The controller's rows with what the responder, another process, says of the same cycles."""
    rows: Rows = np.array(cycles)
    order = np.argsort(responses["cycle"], kind="stable")
    known = responses[order]
    place = np.minimum(np.searchsorted(known["cycle"], rows["cycle"]), max(len(known) - 1, 0))
    if len(known):
        same = known["cycle"][place] == rows["cycle"]
        for field in ("request_received", "response_sent"):
            rows[field][same] = known[field][place[same]]
    return rows


def _rows(each: Round) -> Rows:
    rows = read_rows(each.folder / f"{each.tag}.cycles.npy", CYCLES)
    told = each.folder / f"{each.tag}.responder.responses.npy"
    if told.exists():
        rows = joined(rows, read_rows(told, RESPONSES))
    return rows[(rows["ideal"] >= each.window.start) & (rows["ideal"] < each.window.end)]


def _as_trips(rows: Rows) -> Rows:
    # A cycle without a request was not begun.
    begun = rows[rows["request_sent"] > 0]
    fields = ("cycle", "ideal", "request_sent", "response_received")
    made: Rows = np.zeros(len(begun), TRIPS)
    for name, field in zip(TRIPS.names or (), fields, strict=True):
        made[name] = begun[field]
    return made


def _variant(read: Cycles, variant: dict[str, Any]) -> dict[str, Any]:
    name, duration = variant["name"], int(read.measured.record["duration_ns"])
    rounds = read.rounds[name]
    told = counts(read.trips(name))
    delays = {which: _delay(read.delays(name, which), duration, not read.measured.virtual) for which in DELAYS}
    outside = [
        f"{which} delay accumulates by {figures['slope']['slope']:.3g} us a minute"
        for which, figures in delays.items()
        if figures["within_bound"] == OUTSIDE
    ]
    processes = [each.processes for each in rounds]
    open_ = [which for which, figures in delays.items() if figures["within_bound"] == OPEN]
    judged = verdict(told, blind(read.measured, rounds), outside, read.measured.virtual)
    if judged["outcome"] == "pass" and open_:
        judged["why"].append(f"whether these accumulate cannot be told yet: {', '.join(open_)}; measure longer")
    return {
        **{key: variant[key] for key in ("transport", "raw", "rmw", "real_time")},
        **told,
        "delays": delays,
        "stalls": stalls_of(rounds),
        "allocator": [p.get("allocator") for p in processes[0]],
        "refused": refused(variant, processes),
        "verdict": judged,
    }


def _delay(rounds: list[Delay], duration: int, judged: bool) -> dict[str, Any]:
    fitted = slope([(each.at, each.values) for each in rounds])
    return {
        "least_us": rounds[0].least / 1000,
        "aligned_us": spread([each.aligned for each in rounds], [each.at for each in rounds], duration),
        "slope": fitted,
        # In virtual time nothing is judged.
        "within_bound": equivalent(fitted, BOUND) if judged else None,
    }
