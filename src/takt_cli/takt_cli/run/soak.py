# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A soak test: an application with changing scenarios, nodes that come and go, and background load, for hours."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.errors import RunError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program
from takt_cli.host.versions import commit, versions
from takt_cli.results.full_disk import disk_full_error_in_message
from takt_cli.results.json_file import plain
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
from takt_cli.run.progress import Progress
from takt_cli.run.record import read_json
from takt_cli.run.session import end_probe, measurement_session
from takt_cli.surroundings.load import Load
from takt_cli.surroundings.setup import Conditions, running_surroundings

SCHEMA_VERSION = 1
APPLICATIONS = ("full", "urgent")
# The time in ns between two wake-ups of the probe, below which a stall can remain unseen: well below the shortest
# deadline of the application, which is 1 ms in `urgent`.
_PROBE_PERIODS = {"full": 1_000_000, "urgent": 250_000}
_GRACE = 120.0


@dataclass(frozen=True)
class SoakSettings:
    """The settings of the soak test. Times in nanoseconds."""

    duration: int
    warmup: int
    cpu: int
    load: Load | None
    application: str = APPLICATIONS[0]

    @property
    def seconds(self) -> float:
        return (self.warmup + self.duration) / 1e9


def run_soak(settings: SoakSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the test, which leaves run.json, the samples, the stalls of the host and the replay in `folder`. Raises a
    TaktError."""
    replay = str(find_program("replay"))
    cpus = allowed_cpus()  # inside the session, this process is kept off the measured CPU
    with (
        measurement_session(
            (settings.cpu,), folder / "fastdds.xml", ("probe", "soak"), purpose="soak", processes=2
        ) as session,
        running_surroundings(Conditions(settings.load), session.work, cpus) as surroundings,
    ):
        probe = session.start_probe(settings.cpu, session.work / "stalls.npy", _PROBE_PERIODS[settings.application])
        arguments = ["--cpu", str(settings.cpu), "--duration-ns", str(settings.duration)]
        arguments += ["--warmup-ns", str(settings.warmup), "--out", str(session.work)]
        arguments += ["--application", settings.application]
        child = session.start("soak", arguments)
        progress.begin("soak", settings.seconds)
        session.watch(child, [probe], settings.seconds, _GRACE, progress)
        end_probe(probe)
        surroundings.end()
        load = surroundings.achieved()["load"]
        host, work = plain(session.host()), session.work
        process, probe_record = read_json(work / "soak.json"), read_json(work / "stalls.json")
        write_rows(folder / "stalls.npy", np.array(read_rows(work / "stalls.npy", STALLS)))
        for name, kind in (("gauges", GAUGES), ("misses", SOAK_MISSES), ("events", SOAK_EVENTS)):
            write_rows(folder / f"{name}.npy", np.array(read_rows(work / f"soak.{name}.npy", kind)))
        write_rows(folder / "cpu.npy", np.array(read_rows(work / "soak.cpu.npy", CPU_TURNS)))
        jobs = read_rows(work / "soak.jobs.npy", SOAK_JOBS)
        write_rows(folder / "jobs.npy", jobs[np.argsort(jobs["release"], kind="stable")])
        progress.end()
    record = {
        "schema_version": SCHEMA_VERSION,
        "kind": "soak",
        "application": settings.application,
        "command": command,
        "duration_ns": settings.duration,
        "warmup_ns": settings.warmup,
        "rmw": process["rmw"],
        "versions": versions(),
        "commit": commit(),
        "host": host,
        "stress": load,
        "probes": [probe_record],
        "process": process,
    }
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    progress.say("replaying in the simulator")
    _replay(replay, folder, process)


def _replay(program: str, folder: Path, process: dict[str, Any]) -> None:
    """Simulate when the model finishes each of the recorded jobs, with the host's stalls."""
    arguments = [program, "--jobs", str(folder / "jobs.npy"), "--stalls", str(folder / "stalls.npy")]
    arguments += ["--policy", process["policy"]["asked"], "--out", str(folder / "replay.npy")]
    arguments += ["--groups", *(str(task["group"]) for task in process["tasks"])]
    result = subprocess.run(arguments, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if result.returncode != 0:
        words = result.stderr.strip()[-300:]
        raise disk_full_error_in_message(words) or RunError(f"replay failed: {words or 'it reported nothing'}")
    read_rows(folder / "replay.npy", FINISHES)
