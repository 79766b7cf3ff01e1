# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The setup of the reproductions of papers on communication, and their measurements, each in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.errors import DiskFull, HostError, Interrupted, ResultError, TaktError, UsageError
from takt_cli.host.rmw import choose_rmws
from takt_cli.results.full_disk import disk_full_error
from takt_cli.results.sample_files import Ints
from takt_cli.run.interleaved import InterleavedSettings
from takt_cli.run.progress import Progress
from takt_cli.run.real_time import RealTime
from takt_cli.run.transports import TRANSPORTS, Variant, available_transports, make_variants
from takt_cli.statistics.percentiles import Samples

SECOND = 10**9
MINUTE = 60 * SECOND
# The shortest duration of a measurement, ns: in a shorter one the effects of the start would dominate.
SHORTEST = SECOND
_FAILED = "failed.json"
# Estimated time to start, match and end the programs of each turn, and to start and stop load and traffic, in s.
TURN_OVERHEAD, SURROUNDINGS_OVERHEAD = 3.0, 4.0


@dataclass(frozen=True)
class CommunicationSetup:
    """The options that the user gave.

    `transports` are names, or None for those that the scale allows, and `rmws` likewise (empty for the default);
    `transport_option` is the option by which the user chooses the former. `kernel` is that of a guest, or None to
    measure on this host. `missing_transports` maps each transport that this build lacks to the reason. `factor` is
    the scale, `link` the rate in Mbit/s, `timeout` in ns.
    """

    factor: float
    cpus: tuple[int, ...]
    command: tuple[str, ...]
    transports: tuple[str, ...] | None = None
    rmws: tuple[str, ...] = ()
    link: int = 1000
    timeout: int = SECOND // 2
    kernel: str | None = None
    missing_transports: Mapping[str, str] = field(default_factory=dict)
    transport_option: str = "--transport"

    def to_json(self) -> dict[str, Any]:
        """Return the settings that must be the same for all parts that are combined in one folder."""
        return {
            "scale": self.factor,
            "cpus": list(self.cpus),
            "transports": None if self.transports is None else list(self.transports),
            "rmws": list(self.rmws),
            "link_mbit": self.link,
            "timeout_ms": self.timeout / 1e6,
            "kernel": self.kernel,
        }

    def variants(self, default: Sequence[str], settings: Sequence[RealTime]) -> tuple[tuple[Variant, ...], list[str]]:
        """Return the variants to measure, and descriptions of those that are not available.

        `default` are the transports used if the user named none; without named RMWs that of the environment is used.
        HostError if the user named a transport that is not available, UsageError if there is none of that name.
        """
        names = default if self.transports is None else self.transports
        for name in names:
            if name not in TRANSPORTS:
                raise UsageError(f"{self.transport_option} {name}: not known; choose from {', '.join(TRANSPORTS)}")
        chosen, absent = available_transports(
            [TRANSPORTS[name] for name in names],
            self.missing_transports,
            self.transports is not None,
            self.transport_option,
        )
        if not chosen:
            raise HostError(f"this build has none of {', '.join(names)}; choose others by {self.transport_option}")
        if not any(each.ros for each in chosen):
            # None of them uses an RMW, so that none needs to be installed.
            return make_variants(chosen, (), settings), absent
        rmws = choose_rmws(self.rmws)
        return make_variants(chosen, rmws.names, settings), [
            *(f"{name}: not installed" for name in rmws.absent),
            *absent,
        ]


@dataclass(frozen=True)
class PartMeasurement:
    """A measurement in a folder of its own. It is complete if its run.json exists."""

    name: str
    settings: InterleavedSettings
    run: Callable[[Path, list[str], Progress], None]

    @property
    def seconds(self) -> float:
        """The estimated duration in s."""
        return (
            self.settings.seconds
            + self.settings.parts * TURN_OVERHEAD
            + (SURROUNDINGS_OVERHEAD if self.settings.conditions.any() else 0.0)
        )


def make_measurements(
    pieces: Sequence[PartMeasurement], folder: Path, command: Sequence[str], progress: Progress, resume: bool
) -> None:
    """Make those measurements that are not complete yet. The rows of an interrupted one are kept beside it.

    If one fails, the others are still made, and `part_state` reports the failure. Interrupted, UsageError and DiskFull
    end the measurements at once, since the others would fail for the same reason.
    """
    folder.mkdir(exist_ok=resume)
    todo = [each for each in pieces if not is_complete(folder / each.name)]
    progress.expect(sum(each.settings.parts for each in pieces), sum(each.seconds for each in todo),
                    sum(each.settings.parts for each in pieces if each not in todo))  # fmt: skip
    failed: dict[str, str] = {}
    (folder / "pieces.json").write_text(json.dumps([each.name for each in pieces]) + "\n", "utf-8")
    for each in todo:
        _set_aside(folder / each.name)
        (folder / each.name).mkdir()
        try:
            each.run(folder / each.name, list(command), progress)
        except (Interrupted, UsageError, DiskFull):
            raise
        except OSError as error:
            raise disk_full_error(error, folder) or error from None
        except TaktError as error:
            failed[each.name] = str(error)
    (folder / _FAILED).write_text(json.dumps(failed, indent=1) + "\n", "utf-8")


def _set_aside(folder: Path) -> None:
    """Rename the folder of an interrupted measurement, which may hold hours of rows."""
    if folder.exists():
        number = 1
        while (cut := folder.with_name(f"{folder.name}.cut-{number}")).exists():
            number += 1
        folder.rename(cut)


def is_complete(folder: Path) -> bool:
    """Return whether the measurement in the folder is complete."""
    return (folder / "run.json").exists()


def part_state(folder: Path) -> dict[str, Any]:
    """Return how far a part is: complete `runs`, `failed` ones with their errors, and the number of `pending` ones.

    `pieces` are the names of the complete ones.
    """
    names, failed = _read(folder / "pieces.json", list), _read(folder / _FAILED, dict)
    complete_names = [name for name in names if is_complete(folder / name)]
    failures = [{"measurement": name, "error": error} for name, error in failed.items() if name not in complete_names]
    return {
        "runs": len(complete_names),
        "failed": failures,
        "pending": len(names) - len(complete_names) - len(failures),
        "pieces": complete_names,
    }


def first_record(folder: Path, names: Sequence[str]) -> Mapping[str, Any]:
    """Return the run.json of the first of the complete measurements `names`, or an empty mapping if there is none."""
    for name in names:
        record: Mapping[str, Any] = _read(folder / name / "run.json", dict)
        return record
    return {}


def name_without_settings(variant: str, record: Mapping[str, Any]) -> str:
    """Return the variant's name without its settings, as in a paper's rows. `record` is the content of run.json."""
    return variant.rpartition(",")[0] + (", virtual" if record.get("virtual") else "")


def thin_points(instants: Ints, values: Samples, max_points: int = 400) -> list[list[float]]:
    """Return pairs of seconds since the first instant and values, at most about `max_points` of them.

    The minimum and maximum of each of `max_points` / 2 intervals are kept, so that outliers stay visible. Infinite
    values are left out.
    """
    if len(instants) == 0:
        return []
    seconds = (instants - instants.min()) / 1e9
    finite_indices = np.flatnonzero(np.isfinite(values))
    kept_indices = (
        finite_indices
        if len(finite_indices) <= max_points
        else np.unique(np.fromiter(_ends(finite_indices, values, max_points // 2), np.int64))
    )
    return [[round(float(seconds[i]), 4), float(values[i])] for i in kept_indices]


def describe_traffic(conditions: Mapping[str, Any]) -> str:
    """Describe the traffic in Mbit/s: `40 asked; 38.2 client to server, 39.9 server to client`."""
    traffic = conditions.get("traffic")
    if not traffic:
        return "none"
    ways = [f"{rate:.3g} {way.replace('_', ' ')}" for way, rate in rates_by_direction(traffic).items()]
    return f"{traffic['asked']['mbit_each_way']:g} asked; {', '.join(ways)}"


def rates_by_direction(traffic: Mapping[str, Any]) -> dict[str, float]:
    """Return the rate in Mbit/s that arrived, by direction."""
    return {
        way: float(metrics["received_mbit"])
        for way, metrics in traffic.items()
        if isinstance(metrics, dict) and metrics.get("received_mbit") is not None
    }


def _ends(indices: Ints, values: Samples, stretches: int) -> Iterator[int]:
    for part in np.array_split(indices, stretches):
        yield int(part[np.argmin(values[part])])
        yield int(part[np.argmax(values[part])])


def _read(path: Path, kind: type) -> Any:
    with suppress(FileNotFoundError):
        try:
            content = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            content = None
        if not isinstance(content, kind):
            raise ResultError(f"{path}: cannot be read; measure this part again with another --out")
        return content
    return kind()
