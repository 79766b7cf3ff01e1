# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measures interference: each case is a process that takes turns with and without the interference. Further processes
of a case are its children."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from takt_cli.host.middleware import SMALLEST_SEGMENT
from takt_cli.host.programs import find_program, inheritance_library
from takt_cli.host.rmw_choice import rmw_variable
from takt_cli.host.system import THIS_HOST
from takt_cli.host.versions import commit, versions
from takt_cli.results.folder import file_name, now
from takt_cli.results.json_file import plain
from takt_cli.run.progress import Progress
from takt_cli.run.record import read_json
from takt_cli.run.session import Session, end_probe, measurement_session
from takt_cli.spec.interference import MAX_SECTION, MUTEXES, Case
from takt_cli.spec.units import format_duration

SCHEMA_VERSION = 1
_PROGRAM = "interference"
# In s: longer than the program itself waits for the others; and what is granted beyond the expected duration.
_STARTING, _GRACE = 45.0, 60.0
# The time between turns, in s.
_TIME_BETWEEN_TURNS = 0.3
# The measured process and its peer.
_PROCESSES = 2
# How many of the largest messages fit into shared memory.
_MESSAGES_IN_SEGMENT = 4


@dataclass(frozen=True)
class Variant:
    """A case with one front end and one RMW (None: the environment's). `mutexes` is one of MUTEXES; `max_section` is in
    ns; `kept_heap` is in bytes, 0 leaves malloc's default."""

    case: Case
    front_end: str
    rmw: str | None
    mutexes: str = MUTEXES[0]
    max_section: int = MAX_SECTION
    kept_heap: int = 0

    @property
    def name(self) -> str:
        """The variant's name, such as `publish-large, takt`; the RMW and other settings follow if they were chosen."""
        mutexes = self.mutexes if self.mutexes != MUTEXES[0] else None
        section = None if self.max_section == MAX_SECTION else f"max_section {format_duration(self.max_section)}"
        heap = f"kept_heap {self.kept_heap}" if self.kept_heap else None
        return ", ".join(filter(None, [self.case.name, self.front_end, self.rmw, mutexes, section, heap]))

    @property
    def tag(self) -> str:
        return file_name(self.name.replace(", ", "-").replace(" ", "-"))


@dataclass(frozen=True)
class InterferenceSettings:
    """The settings of the measurement. `turn` is in ns: each round has one with the interference and one without.
    `other_cpu` is for cases that use another CPU.
    `absent` lists, as text, what cases ask for but is not available."""

    variants: tuple[Variant, ...]
    rounds: int
    turn: int
    cpu: int
    other_cpu: int | None = None
    absent: tuple[str, ...] = ()

    @property
    def turns_seconds(self) -> float:
        """The duration of all turns of one variant, in s."""
        return 1.0 + 2 * self.rounds * (self.turn / 1e9 + _TIME_BETWEEN_TURNS)

    @property
    def seconds(self) -> float:
        return len(self.variants) * self.turns_seconds

    @property
    def segment(self) -> int:
        size, largest = SMALLEST_SEGMENT, max(each.case.size for each in self.variants)
        while size < _MESSAGES_IN_SEGMENT * largest:
            size *= 2
        return size


def run_interference(settings: InterferenceSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement, which leaves run.json, and samples and facts of each variant, in `folder`. Raises a
    TaktError."""
    rmws = tuple(dict.fromkeys(each.rmw for each in settings.variants))
    start_time = now()
    programs = ("probe", _PROGRAM)
    with measurement_session(
        (settings.cpu,), folder / "fastdds.xml", programs, settings.segment, processes=_PROCESSES, rmws=rmws
    ) as session:
        measurements = [_measure_variant(session, settings, each, folder, progress) for each in settings.variants]
        context = {"host": plain(session.host()), "middleware": plain(session.middleware.facts())}
    record = {
        "schema_version": SCHEMA_VERSION,
        "kind": "interference",
        "command": command,
        "began": start_time,
        "rounds": settings.rounds,
        "turn_ns": settings.turn,
        "cpu": settings.cpu,
        "other_cpu": settings.other_cpu,
        "absent": list(settings.absent),
        "variants": [
            {
                "name": each.name,
                "tag": each.tag,
                "front_end": each.front_end,
                "mutexes": each.mutexes,
                "max_section_ns": each.max_section,
                "kept_heap_bytes": each.kept_heap,
                "case": each.case.to_json(),
            }
            for each in settings.variants
        ],
        "versions": versions(),
        "commit": commit(),
        **context,
        "processes": [process for process, _ in measurements],
        "probes": [probe for _, probe in measurements],
    }
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def _measure_variant(
    session: Session, settings: InterferenceSettings, variant: Variant, folder: Path, progress: Progress
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Measure one variant, with a probe that watches the host, and return the records of both."""
    progress.begin(variant.name, settings.turns_seconds)
    stalls = folder / f"{variant.tag}.stalls.npy"
    probe = session.start_probe(settings.cpu, stalls)
    arguments = [*variant.case.arguments, "--front-end", variant.front_end, "--cpu", str(settings.cpu)]
    if variant.case.cpu == "other":
        arguments += ["--beside-cpu", str(settings.other_cpu)]
    arguments += ["--max-section-ns", str(variant.max_section), "--kept-heap", str(variant.kept_heap)]
    arguments += ["--rounds", str(settings.rounds), "--turn-ns", str(settings.turn)]
    command = [str(find_program(_PROGRAM)), *arguments, "--out", str(folder), "--tag", variant.tag]
    environment = session.middleware.environment(rmw_variable(variant.rmw))
    if variant.mutexes != MUTEXES[0]:
        environment["LD_PRELOAD"] = ":".join(filter(None, [str(inheritance_library()), environment.get("LD_PRELOAD")]))
    child = session.children.start(
        f"interference {variant.name}", command, session.work / f"{variant.tag}.log", environment
    )
    child.wait_for("t0", _STARTING)
    # If the measured one were killed, the shared memory of its child processes would remain.
    session.shared.note([child.pid, *THIS_HOST.children(child.pid)])
    session.watch(child, [probe], settings.turns_seconds, settings.turns_seconds + _GRACE, progress)
    end_probe(probe)
    progress.end()
    return read_json(folder / f"{variant.tag}.json"), read_json(stalls.with_suffix(".json"))
