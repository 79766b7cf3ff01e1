# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The tests of the paper, and which of them are measured in turns with each other."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.paper.communication import MINUTE, SECOND, SHORTEST
from takt_cli.spec.real_time import Plan, RealTime

# Test 4 of the paper gives the executor priority 80 and the middleware 70 to 80; takt's workers are below both. All
# tests with real-time settings use this plan, so that 2.F and 4.A differ only in the priorities of kernel threads.
PLAN = Plan(timer=80, middleware=79, workers=77)
# The settings of section III.B.1: locked memory, TLSF, priorities and preallocated buffers, but no CPU affinity.
RT = RealTime(frozenset({"lock", "plan", "history", "tlsf"}), PLAN)
NO_RT = RealTime(frozenset(), PLAN)
PROFILE = "gutierrez4"
KIB = 1024
LONGEST_SCALED = 60 * SECOND


@dataclass(frozen=True)
class Test:
    """A test of the paper.

    `panel` is the number of the figure with the letter of the panel, `title` that of the table or, without one, of the
    list of tests. `mbit` is the traffic in each direction in Mbit/s, `payload` in bytes, `length` in ns. `profile` is
    the tuning profile of the kernel's threads.
    """

    name: str
    title: str
    panel: str
    rt: bool = True
    load: bool = False
    mbit: float | None = None
    payload: int = 500
    length: int = 10 * MINUTE
    profile: str | None = None

    @property
    def settings(self) -> RealTime:
        """The real-time settings of the test."""
        return RT if self.rt else NO_RT

    @property
    def judges_misses(self) -> bool:
        """True if missed deadlines are judged. Test 3 did not keep the period that its deadline is derived from."""
        return self.payload == 500

    @property
    def lasts_hours(self) -> bool:
        """True if the test takes hours in the paper."""
        return self.length > 10 * MINUTE

    def duration(self, factor: float) -> int:
        """Return the total duration for each transport in ns. Tests of hours last at most a minute unless unscaled."""
        scaled = round(self.length * factor)
        return max(min(scaled, LONGEST_SCALED) if factor < 1 and self.lasts_hours else scaled, SHORTEST)


_HALF_A_DAY = 12 * 60 * MINUTE
TESTS = {
    test.name: test
    for test in (
        Test("1.A", "idle, no RT settings", "5a", rt=False),
        Test("1.B", "under load, no RT settings", "5b", rt=False, load=True),
        Test("1.C", "idle, RT settings", "5c"),
        Test("1.D", "under load, RT settings", "5d", load=True),
        Test("2.A", "1 Mbit/s of traffic", "6a", mbit=1),
        Test("2.B", "1 Mbit/s of traffic, under load", "6b", load=True, mbit=1),
        Test("2.C", "40 Mbit/s of traffic", "6c", mbit=40),
        Test("2.D", "40 Mbit/s of traffic, under load", "6d", load=True, mbit=40),
        Test("2.E", "80 Mbit/s of traffic", "6e", mbit=80),
        Test("2.F", "80 Mbit/s of traffic, under load", "6f", load=True, mbit=80),
        Test("3.A", "32 KB", "7a", payload=32 * KIB),
        Test("3.B", "32 KB, under load", "7b", payload=32 * KIB, load=True),
        Test("3.C", "128 KB, under load", "", payload=128 * KIB, load=True),
        Test("4.A", "80 Mbit/s of traffic, under load, kernel threads tuned", "8", load=True, mbit=80, profile=PROFILE),
        Test("5.A", "1 Mbit/s of traffic, under load, 12 h", "9a", load=True, mbit=1, length=_HALF_A_DAY),
        Test("5.B", "40 Mbit/s of traffic, under load, 12 h", "9b", load=True, mbit=40, length=_HALF_A_DAY),
    )
}
# Tests that are compared with each other (without and with real-time settings or tuned kernel threads) are measured in
# turns.
TOGETHER = (("1.A", "1.C"), ("1.B", "1.D"), ("2.F", "4.A"))


def parts() -> dict[str, tuple[Test, ...]]:
    """Return the tests of each part in the paper's order, by name: `1.A-1.C`, or the name of a single test."""
    tests_by_part: dict[str, tuple[Test, ...]] = {}
    for name in TESTS:
        names = next((pair for pair in TOGETHER if name in pair), (name,))
        tests_by_part["-".join(names)] = tuple(TESTS[each] for each in names)
    return tests_by_part
