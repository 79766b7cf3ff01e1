# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `gutierrez2018`: its parts in the order of its tests, and notes on their interpretation."""

from __future__ import annotations

from takt_cli.paper.communication import CommunicationSetup
from takt_cli.paper.gutierrez2018.cases import parts
from takt_cli.paper.gutierrez2018.claims import goals, verdicts
from takt_cli.paper.gutierrez2018.part import RoundTripPart
from takt_cli.paper.paper import Paper

GUTIERREZ2018: Paper[CommunicationSetup] = Paper(
    name="gutierrez2018",
    title="Gutierrez et al., 2018: evaluation of ROS 2.0 communications for real-time robotic applications",
    parts={name: RoundTripPart(name, tests) for name, tests in parts().items()},
    verdicts=verdicts,
    goals=goals,
    notes=(
        "Two network namespaces of one host, connected by a link of 1000 Mbit/s (100 with `--link`), replace the "
        "paper's PC and board. They share the host's CPUs and run the load of both machines (8 and 2 workers of each "
        "kind) together: 10 of each.",
        "The paper does not name its three DDS implementations. They are compared with takt and `baseline1` (an "
        "executor like that of ROS 2, in a process for each node) over the installed RMWs, and with raw Fast DDS and "
        "Cyclone DDS without an RMW. Claims on ROS 2 are judged by `baseline1`, or by takt at scales that leave "
        "`baseline1` out.",
        "1.D is under load with RT settings, as in table IV; the list of tests says without. 5.A is 2.B for 12 hours, "
        "5.B is 2.D; the paper has no table for 5.A and no figure for 3.C. In figure 6 four of the six panels have "
        "captions, which are shifted: the panels are 2.A to 2.F.",
        "Test 3 of the paper did not keep the period of 10 ms: by the numbers of messages sent, one was sent every 10 "
        "or 20 ms with 32 KB and every 20 to 40 ms with 128 KB. The effective period is given in each row, and missed "
        "deadlines are not judged there.",
        "A verdict that no message was missed or lost needs at least 3000 messages, since fewer may hide a share of "
        "0.1 %, and no skipped cycles. A measurement whose own verdict is inconclusive because of the host decides "
        "no claim.",
        "A message without a reply within 500 ms is lost, as the paper's text says; the numbers of messages sent in "
        "its lossy runs suggest 200 ms (`--timeout 200ms`). The numbers sent are not compared.",
        "Cycles in which no message was sent are counted as skipped: a client that gets no CPU time sends none.",
        "The paper's board under stress sent no more than about 20 Mbit/s, so that the traffic was asymmetric. Here "
        "the same traffic is requested in both directions, and the rates that arrived are given in each row.",
        "All of the paper's tests ran on PREEMPT_RT. RT settings here: locked memory, TLSF, priorities 80 (timer), 79 "
        "(middleware) and 77 (workers), preallocated history. They are the same in 2.F and 4.A, which differ only in "
        "the priorities of kernel threads; the two are measured in turns, as are 1.A with 1.C and 1.B with 1.D.",
        "The priority of 90 in test 4 belongs to the Ethernet card's interrupt threads. A veth link has none: its "
        "packets are handled in the sender's context, so that only ksoftirqd can be tuned.",
    ),
)
