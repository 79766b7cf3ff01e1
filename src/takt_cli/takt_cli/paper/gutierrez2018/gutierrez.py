# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The paper: its parts in the order of its tests, and how it is read."""

from __future__ import annotations

from takt_cli.paper.communication import Communication
from takt_cli.paper.gutierrez2018.cases import parts
from takt_cli.paper.gutierrez2018.claims import goals, verdicts
from takt_cli.paper.gutierrez2018.part import RoundTripPart
from takt_cli.paper.paper import Paper

GUTIERREZ2018: Paper[Communication] = Paper(
    name="gutierrez2018",
    title="Gutierrez and others, 2018: evaluation of ROS 2.0 communications for real-time robotic applications",
    parts={name: RoundTripPart(name, tests) for name, tests in parts().items()},
    verdicts=verdicts,
    goals=goals,
    notes=(
        "Two network namespaces of one host, joined by a link of 1000 Mbit/s (100 by `--link`), stand in for the "
        "paper's PC and board. They share CPUs, and the load of both machines (8 and 2 workers of each kind) runs on "
        "them together: 10 of each.",
        "The three DDS of the paper have no names. Beside them stand takt and `baseline1` (an executor as ROS 2's "
        "own, a process for each node) over the RMWs that are installed, and raw Fast DDS and Cyclone DDS, which are "
        "no RMWs. What the paper says of ROS 2 is laid beside `baseline1`, or beside takt where the scale leaves that "
        "out.",
        "1.D is under load with RT settings, as table IV has it; the list of tests says without. 5.A is 2.B for 12 "
        "hours, 5.B is 2.D; there is no table of 5.A, and no figure of 3.C. Figure 6 captions four of its six "
        "panels, shifted: its panels are 2.A to 2.F.",
        "Test 3 did not run at 10 ms: by the messages sent, one each 10 or 20 ms with 32 KB and each 20 to 40 ms with "
        "128 KB. The period that was kept stands beside each row, and missed deadlines are not judged there.",
        "That none is missed or lost is said of 3000 messages or more, since fewer may hide 0.1 %, and where no cycle "
        "passed without one. A measurement whose own verdict is inconclusive, for what the host did, decides nothing.",
        "A message is lost after 500 ms without a reply, as the text says; what was sent in the paper's lossy runs "
        "fits 200 ms (`--timeout 200ms`). Sent counts are not compared.",
        "Cycles that passed without a message are counted apart: a client that is starved sends none.",
        "The stressed board of the paper sent no more than some 20 Mbit/s: its traffic was asymmetric. Here both "
        "directions are asked for alike, and what arrived stands beside each row.",
        "Everything there ran on PREEMPT_RT. RT settings here: memory locked, TLSF, priorities 80 (timer), 79 "
        "(middleware) and 77 (workers), history allocated beforehand. 2.F and 4.A have the same, so that the "
        "kernel's threads alone differ; both are measured in turns, as 1.A with 1.C and 1.B with 1.D.",
        "The 90 of test 4 belongs to the Ethernet card's interrupt threads. A veth has none: its packets are handled "
        "in the sender's context, and ksoftirqd alone is left to be tuned.",
    ),
)
