# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs the model in virtual time: by itself, or with the releases and execution times of a run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from takt_cli.analysis.grid import ANY_CPU
from takt_cli.errors import RunError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.processes import Children
from takt_cli.host.programs import find_program
from takt_cli.host.scratch import scratch_folder
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import RESOLVED_FILE
from takt_cli.results.sample_files import JOBS, SLICES, Rows, read_rows, write_rows
from takt_cli.spec.application import Application

_LONGEST = 600.0


@dataclass(frozen=True)
class Recorded:
    """A run to be replayed: its jobs, the stalls of its CPUs (None if unknown), and the CPU of each task. For tasks
    that were free to run on any CPU the model makes a partition."""

    jobs: Rows
    stalls: Rows | None
    cpus: tuple[int, ...]
    task_cpus: tuple[int, ...]


@dataclass(frozen=True)
class Simulation:
    """The result of a simulation: a row per release, the time slices in which jobs ran, and each task's processor."""

    jobs: Rows
    slices: Rows
    task_cpus: tuple[int, ...]


def simulate(
    application: Application, duration: int, processors: int = 1, recorded: Recorded | None = None
) -> Simulation:
    """Run the program `simulate` under the application's policy for `duration` ns of virtual time.

    Without a recorded run, the simulator partitions the tasks over `processors`; a replay uses the processors of the
    run.
    """
    program = find_program("simulate")
    with scratch_folder("simulate") as work, Children(allowed_cpus()) as children:
        write_json(work / RESOLVED_FILE, application)
        arguments = ["--spec", str(work / RESOLVED_FILE), "--policy", application.policy]
        arguments += ["--duration-ns", str(duration), "--out", str(work / "out.npy")]
        arguments += ["--slices", str(work / "slices.npy")]
        arguments += ["--placed", str(work / "placed.json")]
        if recorded is not None:
            processors = len(recorded.cpus)
            write_rows(work / "replay.npy", recorded.jobs)
            arguments += ["--replay", str(work / "replay.npy"), "--cpu", _list(recorded.cpus)]
            if ANY_CPU not in recorded.task_cpus:
                arguments += ["--placement", _list(recorded.cpus.index(cpu) for cpu in recorded.task_cpus)]
            if recorded.stalls is not None and len(recorded.stalls):
                write_rows(work / "stalls.npy", recorded.stalls)
                arguments += ["--stalls", str(work / "stalls.npy")]
        arguments += ["--processors", str(processors)]
        child = children.start("simulate", [str(program), *arguments], work / "simulate.log")
        if not child.wait(_LONGEST):
            raise RunError(f"simulate did not end within {_LONGEST:g} s; simulate less with `takt simulate --duration`")
        child.check()
        jobs, slices = read_rows(work / "out.npy", JOBS), read_rows(work / "slices.npy", SLICES)
        processor_of_task = tuple(json.loads((work / "placed.json").read_text("utf-8"))["processor"])
        return Simulation(np.array(jobs), np.array(slices), processor_of_task)


def placement(application: Application, processors: int) -> tuple[int, ...]:
    """Return the processor of each task, as placed by takt."""
    if processors == 1:
        return (0,) * len(application.tasks)
    return simulate(application, 1, processors).task_cpus


def longest_responses(application: Application, duration: int, processors: int) -> dict[int, int]:
    """Return the longest response time of each task, in ns, among the jobs that finish within `duration` of virtual
    time."""
    jobs = simulate(application, duration, processors).jobs
    finished_jobs = jobs[jobs["finish"] >= 0]
    longest_of_task = np.full(len(application.tasks), -1, np.int64)
    np.maximum.at(longest_of_task, finished_jobs["task"], finished_jobs["finish"] - finished_jobs["release"])
    return {index: int(value) for index, value in enumerate(longest_of_task) if value >= 0}


def _list(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))
