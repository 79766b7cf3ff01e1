# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The paper: its runs of ROS 2 as parts, and how it is read."""

from __future__ import annotations

from takt_cli.paper.communication import Communication
from takt_cli.paper.icra2021.cases import ROS, cases
from takt_cli.paper.icra2021.claims import goals, verdicts
from takt_cli.paper.icra2021.part import RunPart
from takt_cli.paper.paper import Paper

ICRA2021: Paper[Communication] = Paper(
    name="icra2021",
    title="ICRA 2021: benchmarks of ROS 2 and OROCOS over PREEMPT_RT and vanilla Linux",
    parts={case.name: RunPart(case) for case in cases() if case.framework == ROS},
    verdicts=verdicts,
    goals=goals,
    notes=(
        "Of the eight runs the four of OROCOS are not made: it is no part of takt. Of the two kernels this host runs "
        "one; the other needs a host that runs it, or a guest (`--kernel`), whose time is virtual and which no "
        "verdict rests on.",
        "The paper does not state a rate: 1 kHz is our choice. Its load is 10 workers each of cpu, io, vm and hdd.",
        "One process, as in the paper, but for `baseline1`, which is one for each component and talks over the RMW. "
        "What the paper says of ROS 2 is laid beside `baseline0`, the executor that works as ROS 2's own. `control` "
        "is written with system calls alone, as its authors recommend for critical cases; it is labelled raw.",
        "Delays are aligned by the smallest of the run (tau_min). A request is timed from its sending; against the "
        "ideal grid, where the cycle's delay is in it, it stands beside.",
        "A delay does not accumulate if the slope of its medians over time has its whole 95 % interval inside 1 us a "
        "minute either way. It does if that lies outside, if what it comes to within the run is more than single "
        "delays differ by anyway, and if the control in the same run does not grow alike: what both show is the "
        "host's. In between the run is too short to judge. "
        "A run of less than 20 s has no slope; most need minutes for one that can be told.",
        "The load runs until it has settled before anything is measured, and as long again before each window.",
    ),
)
