# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A soak test: an application with changing scenarios, nodes that come and go, and background load, for hours."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from takt_cli.errors import RunError
from takt_cli.host.command import completed
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program
from takt_cli.results.conditions import Conditions
from takt_cli.results.folder import now
from takt_cli.results.full_disk import disk_full_error_in_message
from takt_cli.results.json_file import read_json
from takt_cli.results.program import Probe
from takt_cli.results.sample_files import (
    CPU_TURNS,
    FINISHES,
    GAUGES,
    SOAK_EVENTS,
    SOAK_JOBS,
    SOAK_MISSES,
    STALLS,
    read_rows,
    write_rows,
)
from takt_cli.results.soak import SOAK_FORMAT, SoakProcess, SoakRecord, SoakSettings
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.session import end_probe, measurement_session
from takt_cli.surroundings.load import parse_load
from takt_cli.surroundings.setup import running_surroundings

# The time in ns between two wake-ups of the probe, below which a stall can remain unseen: well below the shortest
# deadline of the application, which is 1 ms in `urgent`.
_PROBE_PERIODS = {"full": 1_000_000, "urgent": 250_000}
_GRACE = 120.0


def run_soak(settings: SoakSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the test, which leaves its result, the samples, the stalls of the host and the replay in `folder`. Raises a
    TaktError."""
    began, replay = now(), str(find_program("replay"))
    conditions = Conditions(parse_load(settings.load) if settings.load is not None else None)
    cpus = allowed_cpus()  # inside the session, this process is kept off the measured CPU
    with (
        measurement_session(
            (settings.cpu,), folder / "fastdds.xml", ("probe", "soak"), purpose="soak", processes=2
        ) as session,
        running_surroundings(conditions, session.work, cpus) as surroundings,
    ):
        work = session.work
        probe = session.start_probe(settings.cpu, work / "stalls.npy", _PROBE_PERIODS[settings.application])
        arguments = ["--cpu", str(settings.cpu), "--duration-ns", str(settings.duration)]
        arguments += ["--warmup-ns", str(settings.warmup), "--out", str(work)]
        arguments += ["--application", settings.application]
        child = session.start("soak", arguments)
        progress.begin("soak", settings.seconds)
        session.watch(child, [probe], settings.seconds, _GRACE, progress)
        end_probe(probe)
        surroundings.end()
        origin = origin_of(session, command, began, surroundings.achieved())
        record = SoakRecord(read_json(work / "soak.json", SoakProcess), read_json(work / "stalls.json", Probe))
        for name in ("soak.json", "stalls.json"):
            shutil.copyfile(work / name, folder / name)
        write_rows(folder / "stalls.npy", np.array(read_rows(work / "stalls.npy", STALLS)))
        for name, kind in (("gauges", GAUGES), ("misses", SOAK_MISSES), ("events", SOAK_EVENTS), ("cpu", CPU_TURNS)):
            write_rows(folder / f"{name}.npy", np.array(read_rows(work / f"soak.{name}.npy", kind)))
        jobs = read_rows(work / "soak.jobs.npy", SOAK_JOBS)
        write_rows(folder / "jobs.npy", jobs[np.argsort(jobs["release"], kind="stable")])
        progress.end()
    progress.say("replaying in the simulator")
    _replay(replay, folder, record.process)
    SOAK_FORMAT.write(folder, origin, settings, record)


def _replay(program: str, folder: Path, process: SoakProcess) -> None:
    """Simulate when the model finishes each of the recorded jobs, with the host's stalls."""
    arguments = [program, "--jobs", str(folder / "jobs.npy"), "--stalls", str(folder / "stalls.npy")]
    arguments += ["--policy", process.policy.asked, "--out", str(folder / "replay.npy")]
    arguments += ["--groups", *(str(task.group) for task in process.tasks)]
    result = completed(arguments)
    if result.returncode != 0:
        words = result.stderr.strip()[-300:]
        raise disk_full_error_in_message(words) or RunError(f"replay failed: {words or 'it reported nothing'}")
    read_rows(folder / "replay.npy", FINISHES)
