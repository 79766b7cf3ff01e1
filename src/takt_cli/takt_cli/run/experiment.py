# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""One application under one executor: processes started, watched and ended, samples collected."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from pathlib import Path

from takt_cli.analysis.trace_file import TRACE_FILE
from takt_cli.errors import RunTimeout
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.middleware import segment_size
from takt_cli.host.tracefs import scheduling
from takt_cli.run.load import load
from takt_cli.run.processes import Child
from takt_cli.run.progress import Progress
from takt_cli.run.record import collect, keep_kernel, stalls_name
from takt_cli.run.session import Session, end_probe, session
from takt_cli.run.settings import RunSettings, launches

# Starting, matching and writing results, in s: generous, for it only ends what hangs.
_GRACE, _GRACE_PER_PROCESS = 20.0, 1.0
# For so long, in s, a run is taken to be starting if it does not say when its grid begins.
_STARTING = 3.0


def run_experiment(settings: RunSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Runs and leaves spec.yaml, resolved.json, run.json and the raw samples in `folder`.

    Raises a TaktError; then every process has ended and nothing of theirs is left in shared memory.
    `folder` is the caller's to remove.
    """
    (folder / "spec.yaml").write_bytes(settings.spec.text)
    (folder / "resolved.json").write_text(json.dumps(settings.application.to_json(), indent=1) + "\n", "utf-8")
    segment, processes = segment_size(settings.application), len(launches(settings))
    cpus = allowed_cpus()  # a session keeps this program off those that are measured
    with (
        session(settings.cpus, folder / "fastdds.xml", ("probe", "runner"), segment, "takt-run-", processes) as place,
        load(settings.load, place, cpus) as beside,
        scheduling(settings.cpus) if settings.trace and settings.kernel else nullcontext() as kernel,
    ):
        probes = [
            place.start_probe(cpu, place.work / f"{stalls_name(cpu)}.npy", settings.stall_threshold)
            for cpu in settings.cpus
        ]
        _watch(settings, place, _start_runners(settings, folder, place), probes, progress)
        for probe in probes:
            end_probe(probe)
        achieved = beside.achieved() if beside is not None else None
        context = {"command": command, "host": place.host(), "stress": achieved}
        collect(settings, place.work, folder, place.middleware, context)
    if kernel is not None:
        keep_kernel(kernel, folder)


def _start_runners(settings: RunSettings, folder: Path, place: Session) -> list[Child]:
    every = launches(settings)
    shared = ["--spec", str(folder / "resolved.json"), "--policy", settings.application.policy]
    shared += ["--cpu", ",".join(map(str, settings.cpus)), "--duration-ns", str(settings.duration)]
    shared += ["--warmup-ns", str(settings.warmup), "--out", str(place.work)]
    if settings.gauges:
        shared += ["--gauges-ns", str(settings.gauges)]
    if settings.trace:
        shared += ["--trace", str(place.work / TRACE_FILE)]
    if len(every) > 1:
        barrier = place.work / "barrier"
        barrier.touch()
        shared += ["--barrier", str(barrier), "--processes", str(len(every))]
    return [
        place.start("runner", [*shared, *launch.arguments, "--tag", launch.tag], f"runner {launch.tag}")
        for launch in every
    ]


def _watch(
    settings: RunSettings, place: Session, runners: list[Child], probes: list[Child], progress: Progress
) -> None:
    """Until all runners have ended well."""
    length = (settings.warmup + settings.duration) / 1e9
    begun = time.monotonic()
    deadline = begun + length + _GRACE + _GRACE_PER_PROCESS * len(runners)
    started: float | None = None
    looked = 0.0
    progress.begin(settings.executor, length)
    while any(runner.running() for runner in runners):
        now = time.monotonic()
        if now > deadline:
            late = next(runner for runner in runners if runner.running())
            over = f"{late.name} did not end within {deadline - begun:.0f} s and was ended"
            raise RunTimeout(f"{over}; {late.last_words() or 'it said nothing'}")
        for child in (*runners, *probes):
            child.check()
        place.intruders.look_now_and_then()
        started = started or _start_of_grid(runners[0])
        progress.at(now - (started or begun))
        # Reading the maps of a process holds it up: not once the grid has begun.
        if started is None and looked + 0.5 < now < begun + _STARTING:
            looked = now
            place.shared.note(place.children.pids())
        time.sleep(0.05)
    for runner in runners:
        runner.check()
    progress.end()


def _start_of_grid(runner: Child) -> float | None:
    """t0 in seconds of CLOCK_MONOTONIC, once the runner has said it."""
    for line in runner.output().splitlines():
        word, _, value = line.partition(" ")
        if word == "t0" and value.strip().isdigit():
            return int(value) / 1e9
    return None
