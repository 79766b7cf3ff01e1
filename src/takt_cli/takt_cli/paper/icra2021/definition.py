# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `icra2021`: its runs of ROS 2 as parts, and how its setup is made."""

from __future__ import annotations

from typing import Any

from takt_cli.paper.communication import CommunicationSetup, communication_setup
from takt_cli.paper.icra2021.cases import ROS, cases
from takt_cli.paper.icra2021.page import icra_charts, icra_sections
from takt_cli.paper.icra2021.part import RunPart
from takt_cli.paper.icra2021.tables import icra_tables
from takt_cli.paper.icra2021.ways import WAYS
from takt_cli.paper.paper import Paper
from takt_cli.paper.paper_file import read_paper


def _setup(*common: Any, **options: Any) -> CommunicationSetup:
    return communication_setup(*common, **options, transport_option="--executor", program="cyclic")


PAPER: Paper[CommunicationSetup] = Paper(
    name="icra2021",
    file=read_paper("icra2021", WAYS),
    parts={case.name: RunPart(case) for case in cases() if case.framework == ROS},
    tables=icra_tables,
    charts=icra_charts,
    sections=icra_sections,
    setup=_setup,
    shows_tables=True,
)
