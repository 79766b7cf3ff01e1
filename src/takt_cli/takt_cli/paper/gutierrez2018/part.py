# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A part of the paper: one test, or tests that are measured in turns, over a link, under load and traffic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from takt_cli.errors import UsageError
from takt_cli.measurements.round_trip import ROUND_TRIP
from takt_cli.paper.communication import SECOND, SHORTEST, CommunicationPart, CommunicationSetup, PartMeasurement
from takt_cli.paper.gutierrez2018.cases import Test
from takt_cli.paper.gutierrez2018.rows import RoundTripFigures, part_figures
from takt_cli.results.communication import LINK, PeerPlacement, RoundTripSettings
from takt_cli.results.conditions import Conditions, Link, Traffic
from takt_cli.run.progress import Progress
from takt_cli.surroundings.load import PRESETS
from takt_cli.tuning.tuned_host import tuned_host

# The load of the paper's two machines together, since both are namespaces of one host here.
LOAD = PRESETS["gutierrez"]
FULL = ("takt", "baseline1", "fastdds", "cyclonedds")
SMALL = ("takt", "baseline1")
# Below this scale the longest tests are made with takt alone, and raw Fast DDS only in the part that a goal compares
# with it.
SMALL_SCALE = 0.05
# The number of rounds in which tuned and plain tests take turns: with fewer than 12 their scatter is unknown. At small
# scales the result is too short to judge anyway, so that 2 suffice. ROUND is the usual length of a round, ns.
ROUNDS, SMALL_ROUNDS, ROUND = 12, 2, 60 * SECOND
PERIOD, WARMUP = 10**7, SECOND


@dataclass(frozen=True)
class RoundTripPart(CommunicationPart):
    """A part of one or more tests that differ only in their real-time settings, or only in the tuning of kernel
    threads."""

    transport_option: ClassVar[str] = "--transport"
    name: str
    tests: tuple[Test, ...]
    figures: type[RoundTripFigures] = RoundTripFigures

    def statistics(self, folder: Path) -> RoundTripFigures:
        return part_figures(self.tests, folder)

    def pieces(self, setup: CommunicationSetup) -> list[PartMeasurement]:
        """Return the measurements of the part: usually one.

        A test of hours has one for each transport, since an interrupted measurement begins anew. If some of the tests
        need the host tuned there is one for each test and round.
        """
        settings = self._settings(setup)
        if self.tests[0].hours:
            of_each = [replace(settings, variants=(each,)) for each in settings.variants]
            return [PartMeasurement(each.variants[0].tag, each, partial(ROUND_TRIP.make, each)) for each in of_each]
        if not any(test.profile for test in self.tests):
            return [PartMeasurement("run", settings, partial(ROUND_TRIP.make, settings))]
        if setup.settings.kernel is not None:
            raise UsageError(f"{self.name}: cannot tune the kernel threads of a guest; omit --kernel")
        rounds = max(settings.rounds, ROUNDS if setup.settings.scale >= SMALL_SCALE else SMALL_ROUNDS)
        duration = max(settings.duration * settings.rounds // rounds, SHORTEST)
        settings = replace(settings, rounds=1, duration=duration)
        return [
            PartMeasurement(f"{test.name}-{number + 1}", settings, partial(_run, settings, test))
            for number in range(rounds)
            # The order alternates, so that neither test is always first.
            for test in self.tests[:: 1 if number % 2 == 0 else -1]
        ]

    def _settings(self, setup: CommunicationSetup) -> RoundTripSettings:
        first_test = self.tests[0]
        conditions = Conditions(
            LOAD if first_test.load else None,
            Traffic(first_test.mbit) if first_test.mbit else None,
            Link(setup.settings.link_mbit),
        )
        real_time = tuple(dict.fromkeys(test.settings for test in self.tests))
        duration = first_test.duration(setup.settings.scale)
        # A test of hours is made in one round, as it looks for rare events.
        rounds = 1 if first_test.hours else max(1, min(10, duration // ROUND))
        variants, absent = self.variants(setup, self._transports(setup), real_time)
        return RoundTripSettings(
            variants=variants,
            absent=absent,
            payload=first_test.payload,
            period=PERIOD,
            timeout=setup.settings.timeout,
            duration=duration // rounds,
            rounds=rounds,
            warmup=WARMUP,
            cpus=setup.settings.cpus,
            server=PeerPlacement(LINK),
            labels=("client and server are in two network namespaces of one host and share its CPUs",),
            conditions=conditions,
        )

    def _transports(self, setup: CommunicationSetup) -> tuple[str, ...]:
        if setup.settings.scale >= SMALL_SCALE:
            return FULL
        if self.tests[0].hours or any(test.profile for test in self.tests):
            return SMALL[:1]
        return (*SMALL, "fastdds") if self.tests[0].name == "1.A" else SMALL


def _run(settings: RoundTripSettings, test: Test, folder: Path, command: list[str], progress: Progress) -> None:
    """Measure a test, with the kernel's threads tuned if it has a profile; labels of the result say what was done."""
    if test.profile is None:
        ROUND_TRIP.make(settings, folder, command, progress)
        return
    with tuned_host(test.profile, settings.cpus) as record:
        lacking = [f"not tuned: {line}" for line in record.lacking]
        labels = (*settings.labels, f"tuned by profile {test.profile}", *lacking)
        ROUND_TRIP.make(replace(settings, labels=labels), folder, command, progress)
