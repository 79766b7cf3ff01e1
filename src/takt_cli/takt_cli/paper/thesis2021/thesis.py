# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `thesis2021`: its parts in the order of its sections, and notes on their interpretation."""

from __future__ import annotations

from takt_cli.paper.paper import Paper, PaperPart, Setup
from takt_cli.paper.thesis2021.claims import verdicts
from takt_cli.paper.thesis2021.data_age import DATA_AGE
from takt_cli.paper.thesis2021.freshness import FRESHNESS
from takt_cli.paper.thesis2021.goals import goals
from takt_cli.paper.thesis2021.misses import MISSES
from takt_cli.paper.thesis2021.overhead import OVERHEAD
from takt_cli.paper.thesis2021.transport import TRANSPORT

_PARTS: tuple[PaperPart[Setup], ...] = (TRANSPORT, OVERHEAD, MISSES, FRESHNESS, DATA_AGE)

THESIS2021 = Paper(
    name="thesis2021",
    title="Krukiewicz-Gacek, 2021: scheduling of callbacks in a ROS 2 executor",
    parts={part.name: part for part in _PARTS},
    verdicts=verdicts,
    goals=goals,
    notes=(
        "The thesis gave every executor two isolated cores, one for the executor and one for callbacks. Here all "
        "processes of every executor, with the middleware's threads, share the same CPU, or two CPUs with --cpu-count "
        "2.",
        "The thesis's prototype, `proposed`, is not available: claims on it are judged by takt.",
        "Table 5.9 has 72 combinations. Without exchange the message size is irrelevant, which leaves 45 distinct "
        "ones, all of which are run here; the text says 48.",
        "Table 5.5 says 50 nodes but its text 1 to 10, which are run here. Table 5.12 is of 6 nodes. 256Kb to 8Mb are "
        "KiB and MiB, 16b and 512b are bytes.",
        "The thesis's executor overhead is the time of `get_next_executable`, including two calls of a logger. The "
        "closest figure here is the decision time; the full cost of an executor is its dispatch overhead, which is "
        "given beside it.",
        "If real-time threads leave no time to others, the kernel throttles them for 5 % of the time, so that a "
        "utilisation of 1.0 exceeds what one CPU offers. Misses caused by throttling count, as they did in the "
        "thesis; only misses during other stalls of the host are counted apart.",
        "The share of misses is (late + skipped + unfinished) / releases on the ideal grid, for all executors alike.",
        "Data age: the phase of the reader relative to its producer is spread over the producer's period (0 to 40 ms, "
        "one run each), where the thesis left it to chance. The utilisation of 0.75 includes reader and producer.",
    ),
)
