# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `thesis2021`: its parts in the order of its sections, and how its setup is made."""

from __future__ import annotations

from typing import Any

from takt_cli.paper.batch_part import Setup
from takt_cli.paper.options import paper_cpus
from takt_cli.paper.paper import Paper, PaperPart
from takt_cli.paper.paper_file import read_paper
from takt_cli.paper.thesis2021 import data_age, freshness, misses, overhead, transport_figures
from takt_cli.paper.thesis2021.charts import thesis_charts
from takt_cli.paper.thesis2021.page import thesis_sections
from takt_cli.paper.thesis2021.tables import recording_costs, thesis_tables
from takt_cli.paper.thesis2021.transport import TRANSPORT

_PARTS: tuple[PaperPart[Setup], ...] = (TRANSPORT, overhead.PART, misses.PART, freshness.PART, data_age.PART)
_WAYS = (*transport_figures.WAYS, *overhead.WAYS, *misses.WAYS, *freshness.WAYS, *data_age.WAYS)


def _setup(
    factor: float, chosen: tuple[int, ...] | None, command: tuple[str, ...], *, count: int, **options: Any
) -> Setup:
    return Setup(factor, paper_cpus(chosen, count), command=command, **options)


PAPER = Paper(
    name="thesis2021",
    file=read_paper("thesis2021", _WAYS),
    parts={part.name: part for part in _PARTS},
    tables=thesis_tables,
    charts=thesis_charts,
    sections=thesis_sections,
    facts=recording_costs,
    setup=_setup,
    names={part.name: part.name for part in _PARTS},
)
