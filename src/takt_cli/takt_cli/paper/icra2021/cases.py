# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The paper's eight runs, and which of them can be made here."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from takt_cli.host.facts import runs_preempt_rt

VANILLA, RT = "vanilla", "PREEMPT_RT"
# The kernels by their names in the option --kernel.
GUESTS = {"vanilla": VANILLA, "rt": RT}
ROS, OROCOS = "ROS 2", "OROCOS"
HERE, GUEST = "here", "guest"
# The period of the cycles, ns.
PERIOD = 10**6


class Case(NamedTuple):
    """A run of the paper."""

    kernel: str
    stress: bool
    framework: str

    @property
    def name(self) -> str:
        """The name of the part that makes the run: `vanilla-stress`."""
        return f"{self.kernel.lower().replace('_', '-')}-{'stress' if self.stress else 'normal'}"


def cases() -> tuple[Case, ...]:
    """Return all eight runs in the paper's order."""
    runs = product((VANILLA, RT), (ROS, OROCOS), (False, True))
    return tuple(Case(kernel, stress, framework) for kernel, framework, stress in runs)


def host_kernel() -> str:
    """Return which of the two kernels this host runs."""
    return RT if runs_preempt_rt() else VANILLA


def place_of_run(kernel: str, guest: str | None, host: str) -> str | None:
    """Return where a run on `kernel` can be made: on this host, in a guest if one was requested, or None."""
    if kernel == host:
        return HERE
    return GUEST if guest is not None and GUESTS[guest] == kernel else None
