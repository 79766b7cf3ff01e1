# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 2.4 and figure 2.7 of the thesis: transport times of messages inside a process and between two."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.errors import ResultError, RunError
from takt_cli.host.versions import commit, versions
from takt_cli.paper.paper import Setup
from takt_cli.paper.scale import scale_for
from takt_cli.paper.statistics import seven_figures
from takt_cli.paper.thesis2021.cases import DURATION, KIB, MIB, RUNS
from takt_cli.results.folder import ResultFolder, now
from takt_cli.results.json_file import plain
from takt_cli.results.sample_files import SAMPLES, Rows, read_rows, write_rows
from takt_cli.run.limits import limits_of_sides
from takt_cli.run.progress import Progress
from takt_cli.run.record import read_json
from takt_cli.run.session import Session, measurement_session
from takt_cli.statistics.confidence import over_rounds

SIZES = (512, 256 * KIB, MIB, 8 * MIB)
# The ways of a message: the program's name of each, and the name in the result.
WAYS = {"middleware": "two processes", "stock": "baseline0", "takt": "takt", "copy": "copy"}
SCHEMA_VERSION = 1
# With fewer rounds their scatter would be unknown.
_ROUNDS = 12
# The time for each size in each round, ns. Inside a process less suffices, as messages are faster.
_TURNS = {"middleware": 200_000_000}
_TURN = 40_000_000
# Estimated time to start a program, s. Its threads idle for as long as they are busy, hence the factor 2 in _seconds.
_START = 1.5
# The program itself waits 5 s for a reply.
_LIMITS = limits_of_sides(5.0)
# Shared memory in bytes: several times the largest message, so that none is dropped.
_SEGMENT = 256 * MIB


@dataclass(frozen=True)
class TransportPart:
    """The part that measures message transport; the methods are those of `PaperPart`."""

    name: str = "transport"
    description: str = "message transport, figure 2.7"

    def items(self, setup: Setup) -> int:
        # This part has no applications that --only could select.
        return 0 if setup.only is not None else _passes(setup) * len(WAYS)

    def seconds(self, setup: Setup) -> float:
        return _passes(setup) * sum(_seconds(way) for way in WAYS)

    def measure(self, setup: Setup, folder: Path, progress: Progress, resume: bool) -> None:
        if resume and (folder / "run.json").exists():
            return
        with ResultFolder(folder) as place:
            _run(setup, place.path, progress)

    def statistics(self, folder: Path) -> dict[str, Any]:
        record = _record_in(folder)
        samples = read_rows(folder / "samples.npy", SAMPLES)
        state = {"runs": record["passes"], "failed": [], "pending": 0, "began": record.get("began")}
        return state | {"rows": _rows(samples), "ratios": _ratios(samples), "host": record["host"]}


def _passes(setup: Setup) -> int:
    return scale_for(setup.factor, RUNS, DURATION).runs


def _seconds(transport: str) -> float:
    return _START + 2 * _ROUNDS * len(SIZES) * _TURNS.get(transport, _TURN) / 1e9


def _run(setup: Setup, folder: Path, progress: Progress) -> None:
    samples: list[Rows] = []
    processes: list[dict[str, Any]] = []
    pass_count = _passes(setup)
    start_time = now()
    with measurement_session(setup.cpus, folder / "fastdds.xml", ("transport",), _SEGMENT, "transport", 2) as session:
        names = list(WAYS)
        for number in range(pass_count):
            # Each pass begins with another way, so that none is always the first.
            turn = number % len(names)
            for way in names[turn:] + names[:turn]:
                out = session.work / f"{way}-{number}"
                _measure_way(session, setup, way, out, progress)
                rows = np.array(read_rows(out / "transport.samples.npy", SAMPLES))
                rows["round"] += number * _ROUNDS
                samples.append(rows)
                processes.append(read_json(out / "transport.json"))
        host = session.host()
        middleware = session.middleware.to_json()
    if dropped := sum(int(each["dropped"]) for each in processes):
        raise RunError(f"transport had no room for {dropped} samples: this host sends more messages than expected")
    write_rows(folder / "samples.npy", np.concatenate(samples))
    record = {
        "schema_version": SCHEMA_VERSION,
        "kind": "transport",
        "command": list(setup.command),
        "began": start_time,
        "passes": pass_count,
        "rounds": pass_count * _ROUNDS,
        "cpus": list(setup.cpus),
        "versions": versions(),
        "commit": commit(),
        "host": host,
        "middleware": middleware,
        "processes": processes,
    }
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def _measure_way(session: Session, setup: Setup, transport: str, out: Path, progress: Progress) -> None:
    """Measure one way, in a process of its own; for messages between processes a second one receives them."""
    length = _seconds(transport)
    progress.begin(f"transport, {WAYS[transport]}", length)
    shared = ["--way", transport, *_LIMITS.options, "--sizes", *map(str, SIZES)]
    others = []
    if transport == "middleware":
        pipe = session.work / f"{out.name}.replies"
        os.mkfifo(pipe, 0o600)
        shared += ["--replies", str(pipe)]
        far_arguments = ["--cpu", str(setup.cpus[-1]), "--side", "far", "--out", str(out), *shared]
        others.append(session.start("transport", far_arguments, f"transport far {out.name}"))
    near_arguments = [
        "--cpu",
        str(setup.cpus[0]),
        "--rounds",
        str(_ROUNDS),
        "--turn-ns",
        str(_TURNS.get(transport, _TURN)),
    ]
    child = session.start("transport", [*near_arguments, "--out", str(out), *shared], f"transport {out.name}")
    session.shared.note(session.children.pids())
    session.watch(child, others, length, _LIMITS.total + length, progress)
    for other in others:
        session.watch(other, [], 1.0, _LIMITS.rest, progress)
    progress.end()


def _rows(samples: Rows) -> list[dict[str, Any]]:
    return [
        {
            "way": name,
            "bytes": size,
            "us": seven_figures(_samples_of(samples, name, size)["value"] / 1e3),
            "runs": len(np.unique(_samples_of(samples, name, size)["round"])),
        }
        for name in WAYS.values()
        for size in SIZES
    ]


def _ratios(samples: Rows) -> list[dict[str, Any]]:
    """Return how many times as fast messages are inside a process, by the medians of the same rounds."""
    pairs = (("two processes", "baseline0"), ("two processes", "takt"), ("baseline0", "takt"), ("copy", "takt"))
    ratios = []
    for numerator, denominator in pairs:
        for size in SIZES:
            one, other = (_medians(_samples_of(samples, name, size)) for name in (numerator, denominator))
            shared = sorted(one.keys() & other.keys())
            if shared:
                metrics = over_rounds([one[number] / other[number] for number in shared])
                ratios.append({"of": numerator, "to": denominator, "bytes": size, **plain(metrics)})
    return ratios


def _samples_of(samples: Rows, name: str, size: int) -> Rows:
    selected: Rows = samples[(samples["variant"] == list(WAYS.values()).index(name)) & (samples["x"] == size)]
    return selected


def _medians(samples: Rows) -> dict[int, float]:
    rounds: Sequence[Any] = np.unique(samples["round"]).tolist()
    return {int(n): float(np.median(samples["value"][samples["round"] == n])) for n in rounds}


def _record_in(folder: Path) -> dict[str, Any]:
    try:
        record: dict[str, Any] = json.loads((folder / "run.json").read_text("utf-8"))
        if record["kind"] != "transport" or record["schema_version"] != SCHEMA_VERSION:
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError):
        raise ResultError(f"{folder}: does not hold a valid result of this part; measure it again") from None
    return record


TRANSPORT = TransportPart()
