# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of a result of `takt measure interference`: its settings, and what its programs reported.

Beside `result.json` the folder has, for each variant, its samples, its facts and the stalls of the host.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from takt_cli.results.folder import file_name
from takt_cli.results.program import Grants, PeerWork, Probe, Switches, UsedPolicy, Window
from takt_cli.results.result_file import ResultFormat
from takt_cli.spec.interference import MAX_SECTION, MUTEXES, Case
from takt_cli.spec.units import format_duration

# The time between turns, in s.
_TIME_BETWEEN_TURNS = 0.3


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
    def parts(self) -> int:
        return len(self.variants)

    def seconds_of(self, variant: Variant) -> float:
        """Return the duration of all turns of a variant, in s."""
        return 1.0 + 2 * (variant.case.warm_up + self.rounds) * (self.turn / 1e9 + _TIME_BETWEEN_TURNS)

    @property
    def seconds(self) -> float:
        return sum(map(self.seconds_of, self.variants))


class Activity(msgspec.Struct, frozen=True):
    """What was done in a turn by the activity and the tasks beside it; `longest_job_ns` is of the least urgent task."""

    published: int = 0
    failed: int = 0
    bytes: int = 0
    received: int = 0
    received_bytes: int = 0
    called: int = 0
    read: int = 0
    added: int = 0
    added_inside: int = 0
    removed: int = 0
    removed_inside: int = 0
    switched: int = 0
    restarted: int = 0
    allocated: int = 0
    logged: int = 0
    sim_jobs: int = 0
    middle_jobs: int = 0
    longest_job_ns: int = 0


class Waits(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an executor counted in turns; the longest times are those since it was created. None where the program does
    not count it."""

    deferred: int | None = None
    longest_section_ns: int | None = None
    overlong_sections: int | None = None
    entity_waits: int | None = None
    longest_wait_ns: int | None = None
    lock_waits: int | None = None
    longest_lock_wait_ns: int | None = None


class WaitsOfTurn(Waits, frozen=True, kw_only=True):
    """The waits with the functions, and their libraries, that waited longest for a mutex and held it meanwhile."""

    longest_lock_wait_in: str = ""
    longest_lock_held_by: str = ""


class Turn(Window, frozen=True, kw_only=True):
    """A turn of a round, with the activity if `on`. `stopped`: the reader was."""

    round: int
    on: bool
    stopped: bool
    did: Activity
    peers: dict[str, PeerWork]
    waits: WaitsOfTurn


class InterferenceProcess(msgspec.Struct, frozen=True):
    """The report of the program `interference` about one variant. `dropped` counts jobs that found no room."""

    rmw: str
    policy: UsedPolicy
    t0: int
    period_ns: int
    turns: list[Turn]
    dropped: int
    switches: Switches
    grants: Grants


class InterferenceRecord(msgspec.Struct, frozen=True):
    """The reports of the program and of the stall probe, in the order of the variants."""

    processes: list[InterferenceProcess]
    probes: list[Probe]


INTERFERENCE_FORMAT = ResultFormat("interference", 2, InterferenceSettings, InterferenceRecord)
