# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What papers on communication have in common: what a user asks for, and measurements in folders of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.grid import Ints
from takt_cli.analysis.percentiles import Samples
from takt_cli.errors import DiskFull, HostError, Interrupted, ResultError, TaktError, UsageError
from takt_cli.host.full_disk import no_room
from takt_cli.host.rmw import choose
from takt_cli.run.interleaved import Plain
from takt_cli.run.progress import Progress
from takt_cli.run.real_time import RealTime
from takt_cli.run.transports import TRANSPORTS, Variant, there, variants

SECOND = 10**9
MINUTE = 60 * SECOND
# At least so much, in ns: two tenths of a second would be all beginning.
SHORTEST = SECOND
_FAILED = "failed.json"
# Starting, matching and ending of each turn, in s; and of what goes on beside.
TURN, AROUND = 3.0, 4.0


@dataclass(frozen=True)
class Communication:
    """What is asked for. `transports`: by name, None for those that the scale allows; `rmws`: likewise.
    `kernel`: of a guest, None for this host as it is. `lacks`: the transports that this build has not, with why."""

    factor: float
    cpus: tuple[int, ...]
    command: tuple[str, ...]
    transports: tuple[str, ...] | None = None
    rmws: tuple[str, ...] = ()
    link: int = 1000
    timeout: int = SECOND // 2
    kernel: str | None = None
    lacks: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
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
        """Of these transports, unless others are named; over the RMWs that are named, else that of the host. And
        what was meant, too, and is not here; HostError if it was named."""
        names = default if self.transports is None else self.transports
        for name in names:
            if name not in TRANSPORTS:
                raise UsageError(f"--transport {name}: is not known; give some of {', '.join(TRANSPORTS)}")
        chosen, absent = there([TRANSPORTS[name] for name in names], self.lacks, self.transports is not None)
        if not chosen:
            raise HostError(f"this build has none of {', '.join(names)}; name others by --transport")
        if not any(each.ros for each in chosen):
            # The RMW is of no consequence, and need not be there.
            return variants(chosen, (), settings), absent
        rmws = choose(self.rmws)
        return variants(chosen, rmws.names, settings), [*(f"{name}: not installed" for name in rmws.absent), *absent]


@dataclass(frozen=True)
class Piece:
    """One measurement, whole if its run.json is there."""

    name: str
    settings: Plain
    run: Callable[[Path, list[str], Progress], None]

    @property
    def seconds(self) -> float:
        return self.settings.seconds + self.settings.parts * TURN + (AROUND if self.settings.conditions.any() else 0.0)


def measure_pieces(
    pieces: Sequence[Piece], folder: Path, command: Sequence[str], progress: Progress, resume: bool
) -> None:
    """Those that are not there yet; rows of one that was cut are set aside. One that fails ends nothing: it is told
    by `state`. Interrupted if asked to stop, UsageError for what can never be measured, DiskFull."""
    folder.mkdir(exist_ok=resume)
    todo = [each for each in pieces if not whole(folder / each.name)]
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
            raise no_room(error, folder) or error from None
        except TaktError as error:
            failed[each.name] = str(error)
    (folder / _FAILED).write_text(json.dumps(failed, indent=1) + "\n", "utf-8")


def _set_aside(folder: Path) -> None:
    """What is there and not whole: hours of rows may be in it."""
    if folder.exists():
        number = 1
        while (cut := folder.with_name(f"{folder.name}.cut-{number}")).exists():
            number += 1
        folder.rename(cut)


def whole(folder: Path) -> bool:
    return (folder / "run.json").exists()


def state(folder: Path) -> dict[str, Any]:
    """How far a part is: `runs` that are whole, `failed` ones with their error, and how many are `pending`."""
    names, failed = _read(folder / "pieces.json", list), _read(folder / _FAILED, dict)
    there = [name for name in names if whole(folder / name)]
    lost = [{"measurement": name, "error": error} for name, error in failed.items() if name not in there]
    return {"runs": len(there), "failed": lost, "pending": len(names) - len(there) - len(lost), "pieces": there}


def record_of(folder: Path, names: Sequence[str]) -> Mapping[str, Any]:
    """What one that is whole says of its host; nothing where there is none."""
    for name in names:
        record: Mapping[str, Any] = _read(folder / name / "run.json", dict)
        return record
    return {}


def named(variant: str, record: Mapping[str, Any]) -> str:
    """Without its settings, as a paper's rows are; `record`: run.json, of a guest perhaps."""
    return variant.rpartition(",")[0] + (", virtual" if record.get("virtual") else "")


def thinned(at: Ints, values: Samples, most: int = 400) -> list[list[float]]:
    """Seconds since the first, and values, of the smallest and the largest in each of half as many stretches:
    what sticks out stays. Infinite ones are left out."""
    if len(at) == 0:
        return []
    seconds = (at - at.min()) / 1e9
    known = np.flatnonzero(np.isfinite(values))
    kept = known if len(known) <= most else np.unique(np.fromiter(_ends(known, values, most // 2), np.int64))
    return [[round(float(seconds[i]), 4), float(values[i])] for i in kept]


def load_told(conditions: Mapping[str, Any]) -> str:
    """`cpu 10, vm 10, io 10, hdd 10: 1.9 CPUs`"""
    load = conditions.get("load")
    if not load:
        return "none"
    asked = ", ".join(f"{kind} {n}" for kind, n in load["asked"]["workers"].items())
    used = load.get("cpus_used") or {}
    return f"{asked}: {sum(used.values()):.2f} CPUs used" if used else asked


def traffic_told(conditions: Mapping[str, Any]) -> str:
    """`40 asked; 38.2 client to server, 39.9 server to client`, Mbit/s"""
    traffic = conditions.get("traffic")
    if not traffic:
        return "none"
    ways = [f"{rate:.3g} {way.replace('_', ' ')}" for way, rate in rates(traffic).items()]
    return f"{traffic['asked']['mbit_each_way']:g} asked; {', '.join(ways)}"


def rates(traffic: Mapping[str, Any]) -> dict[str, float]:
    """Mbit/s that arrived in each direction."""
    return {
        way: float(figures["received_mbit"])
        for way, figures in traffic.items()
        if isinstance(figures, dict) and figures.get("received_mbit") is not None
    }


def _ends(known: Ints, values: Samples, stretches: int) -> Iterator[int]:
    for part in np.array_split(known, stretches):
        yield int(part[np.argmin(values[part])])
        yield int(part[np.argmax(values[part])])


def _read(path: Path, kind: type) -> Any:
    with suppress(FileNotFoundError):
        try:
            content = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            content = None
        if not isinstance(content, kind):
            raise ResultError(f"{path}: cannot be read; measure that part again with another --out")
        return content
    return kind()
