# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `icra2021`: its runs of ROS 2 as parts, and notes on their interpretation."""

from __future__ import annotations

from takt_cli.paper.communication import CommunicationSetup
from takt_cli.paper.icra2021.cases import ROS, cases
from takt_cli.paper.icra2021.claims import goals, verdicts
from takt_cli.paper.icra2021.part import RunPart
from takt_cli.paper.paper import Paper

ICRA2021: Paper[CommunicationSetup] = Paper(
    name="icra2021",
    title="ICRA 2021: benchmarks of ROS 2 and OROCOS over PREEMPT_RT and vanilla Linux",
    parts={case.name: RunPart(case) for case in cases() if case.framework == ROS},
    verdicts=verdicts,
    goals=goals,
    notes=(
        "Of the paper's eight runs the four of OROCOS are not made, as OROCOS is not part of takt. This host runs one "
        "of the two kernels; the other needs a host that runs it, or a guest (`--kernel`), whose time is virtual and "
        "which is not used for verdicts.",
        "The paper does not state the rate of the cycles; here it is 1 kHz. Its load is 10 workers each of cpu, io, vm "
        "and hdd.",
        "All components run in one process, as in the paper, except under `baseline1`, which has a process for each "
        "component and communicates through the RMW. Claims on ROS 2 are judged by `baseline0`, whose executor works "
        "like ROS 2's own. `control` uses only system calls, as the authors recommend for critical cases; it is "
        "labelled raw.",
        "Delays are given relative to the smallest of the run (tau_min). A request is timed from its sending; its "
        "delay from the ideal grid, which includes the cycle's delay, is given beside it.",
        "A delay does not accumulate if the whole 95 % interval of the slope of its medians lies within 1 us per "
        "minute in either direction. It does if the interval lies outside, the growth within the run exceeds the "
        "spread of single delays, and the control in the same run does not grow alike: what both show is due to the "
        "host. Otherwise the run is too short to judge. A run of less than 20 s has no slope, and most need minutes "
        "for one that can be judged.",
        "The load runs until it has settled before anything is measured, and for the same time before each measurement "
        "window.",
    ),
)
