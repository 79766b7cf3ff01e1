# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The thesis as a paper: its parts, in the order of its sections, and how it is read."""

from __future__ import annotations

from takt_cli.paper.paper import Paper, Part, Setup
from takt_cli.paper.thesis2021.claims import verdicts
from takt_cli.paper.thesis2021.data_age import DATA_AGE
from takt_cli.paper.thesis2021.freshness import FRESHNESS
from takt_cli.paper.thesis2021.goals import goals
from takt_cli.paper.thesis2021.misses import MISSES
from takt_cli.paper.thesis2021.overhead import OVERHEAD
from takt_cli.paper.thesis2021.transport import TRANSPORT

_PARTS: tuple[Part[Setup], ...] = (TRANSPORT, OVERHEAD, MISSES, FRESHNESS, DATA_AGE)

THESIS2021 = Paper(
    name="thesis2021",
    title="Krukiewicz-Gacek, 2021: scheduling of callbacks in a ROS 2 executor",
    parts={part.name: part for part in _PARTS},
    verdicts=verdicts,
    goals=goals,
    notes=(
        "The thesis gave every executor two isolated cores, one for the executor and one for callbacks. Here every "
        "executor has the same CPU, all of its processes and the middleware's threads with it; two CPUs with "
        "--cpu-count 2.",
        "Its prototype, `proposed`, is not here: what it says of that is laid beside takt.",
        "Table 5.9 has 72 combinations. Where nothing is exchanged the size is of no consequence, which leaves 45, "
        "all of them run here; the text speaks of 48.",
        "Table 5.5 says 50 nodes, its text 1 to 10: 1 to 10 are run. Table 5.12 is of 6 nodes. "
        "256Kb to 8Mb are KiB and MiB, 16b and 512b bytes.",
        "Its executor overhead is the time of `get_next_executable`, with two calls of a logger in it. The nearest "
        "here is the time of the decision; what an executor costs is its dispatch overhead, which stands beside it.",
        "Where real-time threads leave nothing to others the kernel stops them for 5 % of the time; on one CPU a "
        "utilisation of 1.0 is more than there is. What is missed for that counts, as it did in the thesis; only "
        "misses while the host stalled otherwise are set apart.",
        "A share of misses is (late + skipped + unfinished) / releases on the ideal grid, for every executor alike.",
        "Data age: when the reader comes after its producer is spread over the producer's period (0 to 40 ms, a run "
        "each), where the thesis left it to chance. Reader and producer are within the utilisation of 0.75.",
    ),
)
