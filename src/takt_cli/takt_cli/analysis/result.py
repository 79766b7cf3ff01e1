# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The folder of a finished run, read as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.grid import Window
from takt_cli.results.json_file import read_json
from takt_cli.results.result_file import RESOLVED_FILE, StoredResult
from takt_cli.results.run import RUN_FORMAT, ProcessorStatistics, RunProcess, RunRecord, RunRequest
from takt_cli.results.sample_files import GAUGES, JOBS, PUBLISHES, READS, STALLS, Rows, read_rows
from takt_cli.spec.application import Application


@dataclass(frozen=True)
class ProcessorResult:
    """The CPU, or CPUs, that a set of tasks runs on: takt's processor is a single CPU; a baseline's has several, of
    which its tasks may use any. `task_cpu` is its name in `Result.task_cpus`."""

    task_cpu: int
    cpus: tuple[int, ...]
    statistics: ProcessorStatistics


@dataclass(frozen=True)
class Result(StoredResult[RunRequest, RunRecord]):
    """A run of one application under one executor. `replay` is None if the run was not replayed, `gauges` if the
    process's resources were not recorded."""

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
        return self.settings.executor

    @property
    def task_cpus(self) -> tuple[int, ...]:
        """The CPU of each task; ANY_CPU if it could be any of several."""
        cpus = {
            each.task: place.cpu for process in self.processes for place in process.processors for each in place.tasks
        }
        return tuple(cpus[task.index] for task in self.application.tasks)

    @property
    def processors(self) -> tuple[ProcessorResult, ...]:
        """The processors that the application used, in order."""
        return tuple(
            ProcessorResult(each.cpu, each.every_cpu, each.statistics) for each in self.processes[0].processors
        )

    @property
    def cpus(self) -> tuple[int, ...]:
        """All CPUs that the application used, in the order of its processors."""
        return tuple(cpu for place in self.processors for cpu in place.cpus)

    @property
    def processes(self) -> list[RunProcess]:
        return self.record.processes


def read_result(folder: Path) -> Result:
    """Read the result in `folder`. Raises ResultError if there is none."""
    envelope = RUN_FORMAT.read(folder)
    record, replay, gauges = envelope.record, folder / "replay.npy", folder / "gauges.npy"
    return Result(
        folder=folder,
        envelope=envelope,
        application=read_json(folder / RESOLVED_FILE, Application),
        window=Window(record.t0, record.window.start, record.window.end),
        jobs=read_rows(folder / "jobs.npy", JOBS),
        reads=read_rows(folder / "reads.npy", READS),
        publishes=read_rows(folder / "publishes.npy", PUBLISHES),
        stalls=read_rows(folder / "stalls.npy", STALLS),
        replay=read_rows(replay, JOBS) if replay.exists() else None,
        gauges=read_rows(gauges, GAUGES) if gauges.exists() else None,
    )
