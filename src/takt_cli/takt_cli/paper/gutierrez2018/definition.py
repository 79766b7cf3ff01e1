# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `gutierrez2018`: its parts in the order of its tests, and how its setup is made."""

from __future__ import annotations

from typing import Any

from takt_cli.paper.communication import CommunicationSetup, communication_setup
from takt_cli.paper.gutierrez2018.cases import parts
from takt_cli.paper.gutierrez2018.page import gutierrez_charts, gutierrez_sections
from takt_cli.paper.gutierrez2018.part import RoundTripPart
from takt_cli.paper.gutierrez2018.tables import gutierrez_tables
from takt_cli.paper.gutierrez2018.ways import WAYS, measured
from takt_cli.paper.paper import Paper
from takt_cli.paper.paper_file import read_paper


def _setup(*common: Any, link: str, **options: Any) -> CommunicationSetup:
    return communication_setup(*common, **options, link=int(link), transport_option="--transport", program="round_trip")


PAPER: Paper[CommunicationSetup] = Paper(
    name="gutierrez2018",
    file=read_paper("gutierrez2018", WAYS),
    parts={name: RoundTripPart(name, tests) for name, tests in parts().items()},
    tables=gutierrez_tables,
    charts=gutierrez_charts,
    sections=gutierrez_sections,
    setup=_setup,
    find=measured,
    names={test.name: name for name, tests in parts().items() for test in tests},
    names_are="TEST",
    shows_tables=True,
)
