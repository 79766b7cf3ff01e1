# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The tests of the paper, and which of them are measured in turns with each other."""

from __future__ import annotations

import msgspec

from takt_cli.paper.communication import MINUTE, SECOND, SHORTEST
from takt_cli.paper.paper_file import read_yaml
from takt_cli.spec.real_time import Plan, RealTime

# Test 4 of the paper gives the executor priority 80 and the middleware 70 to 80; takt's workers are below both. All
# tests with real-time settings use this plan, so that 2.F and 4.A differ only in the priorities of kernel threads.
PLAN = Plan(timer=80, middleware=79, workers=77)
# The settings of section III.B.1: locked memory, TLSF, priorities and preallocated buffers, but no CPU affinity.
RT = RealTime(frozenset({"lock", "plan", "history", "tlsf"}), PLAN)
NO_RT = RealTime(frozenset(), PLAN)
PROFILE = "gutierrez4"
LONGEST_SCALED = 60 * SECOND


class Test(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A test of the paper.

    `panel` is the number of the figure with the letter of the panel, `title` that of the table or, without one, of the
    list of tests. `mbit` is the traffic in each direction in Mbit/s, `payload` in bytes. `profile` is the tuning
    profile of the kernel's threads. A test takes ten minutes, or so many hours.
    """

    name: str
    title: str
    panel: str = ""
    rt: bool = True
    load: bool = False
    mbit: float | None = None
    payload: int = 500
    profile: str | None = None
    hours: int = 0

    @property
    def length(self) -> int:
        """The duration in the paper in ns."""
        return (60 * self.hours or 10) * MINUTE

    @property
    def settings(self) -> RealTime:
        """The real-time settings of the test."""
        return RT if self.rt else NO_RT

    @property
    def judges_misses(self) -> bool:
        """True if missed deadlines are judged. Test 3 did not keep the period that its deadline is derived from."""
        return self.payload == 500

    def duration(self, factor: float) -> int:
        """Return the total duration for each transport in ns. Tests of hours last at most a minute unless unscaled."""
        scaled = round(self.length * factor)
        return max(min(scaled, LONGEST_SCALED) if factor < 1 and self.hours else scaled, SHORTEST)


TESTS = {test.name: test for test in read_yaml("gutierrez2018", "tests", tuple[Test, ...])}
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


PART_OF_TEST = {test.name: name for name, tests in parts().items() for test in tests}
