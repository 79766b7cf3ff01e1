# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `gutierrez2018`: its parts in the order of its tests, and how its setup is made."""

from __future__ import annotations

from takt_cli.paper.communication import CommunicationSettings
from takt_cli.paper.gutierrez2018.cases import PART_OF_TEST, parts
from takt_cli.paper.gutierrez2018.exhibits import gutierrez_exhibits
from takt_cli.paper.gutierrez2018.part import RoundTripPart
from takt_cli.paper.gutierrez2018.ways import WAYS, measured
from takt_cli.paper.paper import Paper
from takt_cli.paper.paper_file import read_paper

PAPER = Paper(
    name="gutierrez2018",
    file=read_paper("gutierrez2018", WAYS),
    settings=CommunicationSettings,
    program="round_trip",
    parts={name: RoundTripPart(name, tests) for name, tests in parts().items()},
    exhibits=gutierrez_exhibits,
    find=measured,
    names=PART_OF_TEST,
    names_are="TEST",
    shows_tables=True,
)
