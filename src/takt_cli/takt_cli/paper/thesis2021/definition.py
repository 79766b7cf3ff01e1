# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `thesis2021`: its parts in the order of its sections, and its options."""

from __future__ import annotations

import click

from takt_cli.paper.batch_part import Setup
from takt_cli.paper.claims import read_paper
from takt_cli.paper.options import paper_cpus
from takt_cli.paper.paper import Paper, PaperPart
from takt_cli.paper.thesis2021 import data_age, freshness, misses, overhead, transport_figures
from takt_cli.paper.thesis2021.charts import thesis_charts
from takt_cli.paper.thesis2021.page import thesis_sections
from takt_cli.paper.thesis2021.tables import recording_costs, thesis_tables
from takt_cli.paper.thesis2021.transport import TRANSPORT

_PARTS: tuple[PaperPart[Setup], ...] = (
    TRANSPORT,
    overhead.OVERHEAD,
    misses.MISSES,
    freshness.FRESHNESS,
    data_age.DATA_AGE,
)
_WAYS = (*transport_figures.WAYS, *overhead.WAYS, *misses.WAYS, *freshness.WAYS, *data_age.WAYS)
_OPTIONS = (
    click.Option(
        ["--cpu-count", "count"],
        type=click.IntRange(1, 2),
        default=1,
        show_default=True,
        metavar="N",
        help="Number of CPUs that every executor may use; --cpu says which.",
    ),
    click.Option(
        ["--seed"],
        type=click.IntRange(0),
        default=1,
        show_default=True,
        metavar="N",
        help="Seed of the random applications and of the order of the runs.",
    ),
    click.Option(
        ["--only"],
        metavar="PATTERN",
        help="Run only applications whose name matches this shell pattern, such as 'n20-u75-*' (20 nodes, utilisation "
        "0.75) [default: all].",
    ),
    click.Option(
        ["--with-baseline0", "extra"],
        is_flag=True,
        help="In the part `misses` also measure baseline0, which the thesis left out.",
    ),
)


def _setup(
    factor: float,
    chosen: tuple[int, ...] | None,
    command: tuple[str, ...],
    *,
    count: int,
    seed: int,
    only: str | None,
    extra: bool,
) -> Setup:
    return Setup(factor, paper_cpus(chosen, count), seed, command, only, extra)


PAPER = Paper(
    name="thesis2021",
    file=read_paper("thesis2021", _WAYS),
    parts={part.name: part for part in _PARTS},
    tables=thesis_tables,
    charts=thesis_charts,
    sections=thesis_sections,
    facts=recording_costs,
    options=_OPTIONS,
    setup=_setup,
    names={part.name: part.name for part in _PARTS},
)
