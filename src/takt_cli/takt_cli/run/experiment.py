# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs one application under one executor: starts, watches and ends the processes, and collects the samples."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import msgspec

from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.middleware import segment_size
from takt_cli.host.processes import Child
from takt_cli.host.tracefs import record_switches
from takt_cli.results.conditions import Conditions
from takt_cli.results.folder import now
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import RESOLVED_FILE
from takt_cli.results.run import RUN_FORMAT
from takt_cli.results.trace_file import TRACE_FILE
from takt_cli.run.limits import Limits, limits_of_runners
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.record import collect_record, stalls_name, store_context_switches
from takt_cli.run.session import Session, end_probe, measurement_session, require_capacity
from takt_cli.run.settings import RunSettings, launches
from takt_cli.run.watch import watch_runners
from takt_cli.surroundings.setup import running_surroundings


def require_host(settings: RunSettings) -> None:
    """Raise a HostError if this run would lose messages on this host. The run itself checks this again."""
    require_capacity(segment_size(settings.application), len(launches(settings)))


def run_experiment(settings: RunSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run an application, which leaves spec.yaml, resolved.json, result.json and the raw samples in `folder`.

    Raises a TaktError; by then every process has ended, and its shared memory has been removed. The caller removes
    `folder`.
    """
    began = now()
    (folder / "spec.yaml").write_bytes(settings.spec.text)
    write_json(folder / RESOLVED_FILE, settings.application)
    segment, processes = segment_size(settings.application), len(launches(settings))
    cpus = allowed_cpus()  # inside the session, this process is kept off the measured CPUs
    with (
        measurement_session(
            settings.cpus, folder / "fastdds.xml", ("probe", "runner"), segment, "run", processes
        ) as session,
        running_surroundings(Conditions(settings.load), session.work, cpus) as surroundings,
        record_switches(settings.cpus) if settings.trace and settings.kernel else nullcontext() as kernel,
    ):
        probes = [session.start_probe(cpu, session.work / f"{stalls_name(cpu)}.npy") for cpu in settings.cpus]
        limits = limits_of_runners(processes)
        runners = _start_runners(settings, folder, session, limits)
        progress.begin(settings.executor, length := (settings.warmup + settings.duration) / 1e9)
        unended = watch_runners(session, runners, probes, length, limits, progress)
        progress.end()
        for probe in probes:
            end_probe(probe)
        surroundings.end()
        record = collect_record(settings, session.work, folder, surroundings.achieved().load, unended)
        origin = origin_of(session, command, began)
    if kernel is not None:
        record = msgspec.structs.replace(record, kernel=store_context_switches(kernel, folder))
    RUN_FORMAT.write(folder, origin, settings.request, record)


def _start_runners(settings: RunSettings, folder: Path, session: Session, limits: Limits) -> list[Child]:
    all_launches = launches(settings)
    shared = ["--spec", str(folder / RESOLVED_FILE), "--policy", settings.application.policy]
    shared += ["--cpu", ",".join(map(str, settings.cpus)), "--duration-ns", str(settings.duration)]
    shared += ["--warmup-ns", str(settings.warmup), "--out", str(session.work)]
    shared += limits.options
    if settings.gauges:
        shared += ["--gauges-ns", str(settings.gauges)]
    if settings.trace:
        shared += ["--trace", str(session.work / TRACE_FILE)]
    if len(all_launches) > 1:
        barrier = session.work / "barrier"
        barrier.touch()
        shared += ["--barrier", str(barrier), "--processes", str(len(all_launches))]
    return [
        session.start("runner", [*shared, *launch.arguments, "--tag", launch.tag], f"runner {launch.tag}")
        for launch in all_launches
    ]
