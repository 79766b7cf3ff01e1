# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder of a finished run, read as data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from takt_cli.analysis.grid import Window
from takt_cli.errors import ResultError
from takt_cli.results.sample_files import GAUGES, JOBS, PUBLISHES, READABLE_VERSIONS, READS, STALLS, Rows, read_rows
from takt_cli.spec.application import Application


@dataclass(frozen=True)
class ProcessorResult:
    """The CPU, or CPUs, that a set of tasks runs on: takt's processor is a single CPU; a baseline's has several, of
    which its tasks may use any. `task_cpu` is its name in `Result.task_cpus`."""

    task_cpu: int
    cpus: tuple[int, ...]
    statistics: dict[str, Any]
    """The statistics of takt's processor there."""


@dataclass(frozen=True)
class Result:
    """A run of one application under one executor. `replay` is None if the run was not replayed, `gauges` if the
    process's resources were not recorded."""

    folder: Path
    record: dict[str, Any]
    application: Application
    window: Window
    jobs: Rows
    reads: Rows
    publishes: Rows
    stalls: Rows
    replay: Rows | None
    gauges: Rows | None

    @property
    def executor(self) -> str:
        return str(self.record["executor"])

    @property
    def task_cpus(self) -> tuple[int, ...]:
        """The CPU of each task; ANY_CPU if it could be any of several."""
        cpus = {
            int(t["task"]): int(p["cpu"]) for each in self.processes for p in each["processors"] for t in p["tasks"]
        }
        return tuple(cpus[task.index] for task in self.application.tasks)

    @property
    def processors(self) -> tuple[ProcessorResult, ...]:
        """The processors that the application used, in order."""
        return tuple(
            ProcessorResult(int(p["cpu"]), tuple(p.get("cpus") or [p["cpu"]]), p.get("statistics") or {})
            for p in self.processes[0]["processors"]
        )

    @property
    def cpus(self) -> tuple[int, ...]:
        """All CPUs that the application used, in the order of its processors."""
        return tuple(cpu for place in self.processors for cpu in place.cpus)

    @property
    def processes(self) -> list[dict[str, Any]]:
        processes: list[dict[str, Any]] = self.record["processes"]
        return processes


def read_result(folder: Path) -> Result:
    """Read the result in `folder`. Raises ResultError if there is none."""
    if folder.exists() and not folder.is_dir():
        raise ResultError(f"{folder}: is a file; name the folder of a finished run")
    record = _read_json(folder / "run.json")
    replay, gauges = folder / "replay.npy", folder / "gauges.npy"
    try:
        application = Application.from_json(_read_json(folder / "resolved.json"))
        window = Window(int(record["t0"]), int(record["window"]["from"]), int(record["window"]["to"]))
        if record["schema_version"] not in READABLE_VERSIONS:
            raise ValueError
        if not isinstance(record["executor"], str) or not isinstance(record["processes"], list):
            raise TypeError
    except (KeyError, TypeError, ValueError):
        raise ResultError(f"{folder}: is not the result of a run of this version of takt; run it again") from None
    return Result(
        folder=folder,
        record=record,
        application=application,
        window=window,
        jobs=read_rows(folder / "jobs.npy", JOBS),
        reads=read_rows(folder / "reads.npy", READS),
        publishes=read_rows(folder / "publishes.npy", PUBLISHES),
        stalls=read_rows(folder / "stalls.npy", STALLS),
        replay=read_rows(replay, JOBS) if replay.exists() else None,
        gauges=read_rows(gauges, GAUGES) if gauges.exists() else None,
    )


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ResultError(f"{path}: there is no such file; name the folder of a finished run") from None
    except (OSError, ValueError) as error:
        raise ResultError(f"{path}: cannot be read: {error}") from None
