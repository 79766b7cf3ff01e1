# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `thesis2021`: its parts in the order of its sections, and how its setup is made."""

from __future__ import annotations

from takt_cli.paper.batch_part import BatchSettings
from takt_cli.paper.paper import Paper, PaperPart
from takt_cli.paper.paper_file import read_paper
from takt_cli.paper.thesis2021 import data_age, freshness, misses, overhead, transport
from takt_cli.paper.thesis2021.exhibits import recording_costs, thesis_exhibits

_PARTS: tuple[PaperPart[BatchSettings], ...] = tuple(
    module.PART for module in (transport, overhead, misses, freshness, data_age)
)
_WAYS = (*transport.WAYS, *overhead.WAYS, *misses.WAYS, *freshness.WAYS, *data_age.WAYS)

PAPER = Paper(
    name="thesis2021",
    file=read_paper("thesis2021", _WAYS),
    settings=BatchSettings,
    parts={part.name: part for part in _PARTS},
    exhibits=thesis_exhibits,
    facts=recording_costs,
    names={part.name: part.name for part in _PARTS},
)
