# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measures interference: each case is a process that takes turns with and without the interference. Further processes
of a case are its children."""

from __future__ import annotations

from pathlib import Path

from takt_cli.host.middleware import SMALLEST_SEGMENT
from takt_cli.host.processes import Children
from takt_cli.host.programs import find_program, inheritance_library
from takt_cli.host.rmw_choice import rmw_variable
from takt_cli.host.system import THIS_HOST
from takt_cli.results.folder import now
from takt_cli.results.interference import (
    INTERFERENCE_FORMAT,
    InterferenceProcess,
    InterferenceRecord,
    InterferenceSettings,
    Variant,
)
from takt_cli.results.json_file import read_json
from takt_cli.results.program import Probe
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, end_probe, measurement_session
from takt_cli.spec.interference import MUTEXES

_PROGRAM = "interference"
# In s: longer than the program itself waits for the others; and what is granted beyond the expected duration.
_STARTING, _GRACE = 45.0, 60.0
# The measured process and its peer.
_PROCESSES = 2
# How many of the largest messages fit into shared memory.
_MESSAGES_IN_SEGMENT = 4
# An ordinary program that computes until it is ended.
_COMPUTING = ("sh", "-c", "while :; do :; done")


def run_interference(settings: InterferenceSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement, which leaves its result, and samples and facts of each variant, in `folder`. Raises a
    TaktError."""
    began, rmws = now(), tuple(dict.fromkeys(each.rmw for each in settings.variants))
    segment, largest = SMALLEST_SEGMENT, max(each.case.size for each in settings.variants)
    while segment < _MESSAGES_IN_SEGMENT * largest:
        segment *= 2
    with measurement_session(
        (settings.cpu,), folder / "fastdds.xml", ("probe", _PROGRAM), segment, processes=_PROCESSES, rmws=rmws
    ) as session:
        reports = [_measure_variant(session, settings, each, folder, progress) for each in settings.variants]
        record = InterferenceRecord([process for process, _ in reports], [probe for _, probe in reports])
        INTERFERENCE_FORMAT.write(folder, origin_of(session, command, began), settings, record)


def _measure_variant(
    session: Session, settings: InterferenceSettings, variant: Variant, folder: Path, progress: Progress
) -> tuple[InterferenceProcess, Probe]:
    """Measure one variant, with a probe that watches the host, and return the reports of both."""
    seconds = settings.seconds_of(variant)
    progress.begin(variant.name, seconds)
    stalls = folder / f"{variant.tag}.stalls.npy"
    probe = session.start_probe(settings.cpu, stalls)
    arguments = [*variant.case.arguments, "--front-end", variant.front_end, "--cpu", str(settings.cpu)]
    if variant.case.cpu == "other":
        arguments += ["--beside-cpu", str(settings.other_cpu)]
    arguments += ["--max-section-ns", str(variant.max_section), "--kept-heap", str(variant.kept_heap)]
    arguments += ["--rounds", str(variant.case.warm_up + settings.rounds), "--turn-ns", str(settings.turn)]
    command = [str(find_program(_PROGRAM)), *arguments, "--out", str(folder), "--tag", variant.tag]
    environment = session.middleware.environment(rmw_variable(variant.rmw))
    if variant.mutexes != MUTEXES[0]:
        environment["LD_PRELOAD"] = ":".join(filter(None, [str(inheritance_library()), environment.get("LD_PRELOAD")]))
    with Children((settings.cpu,)) as programs:
        for number in range(variant.case.programs):
            programs.start(f"program {number}", _COMPUTING, session.work / f"program{number}.log")
        child = session.children.start(
            f"interference {variant.name}", command, session.work / f"{variant.tag}.log", environment
        )
        child.wait_for("t0", _STARTING)
        # If the measured one were killed, the shared memory of its child processes would remain.
        session.shared.note([child.pid, *THIS_HOST.children(child.pid)])
        session.watch(child, [probe], seconds, seconds + _GRACE, progress)
    end_probe(probe)
    progress.end()
    return read_json(folder / f"{variant.tag}.json", InterferenceProcess), read_json(stalls.with_suffix(".json"), Probe)
