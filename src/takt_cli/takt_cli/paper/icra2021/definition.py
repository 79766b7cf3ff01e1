# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `icra2021`: its runs of ROS 2 as parts, and how its setup is made."""

from __future__ import annotations

from takt_cli.paper.communication import CommunicationSettings
from takt_cli.paper.icra2021.cases import ROS, cases
from takt_cli.paper.icra2021.exhibits import icra_exhibits
from takt_cli.paper.icra2021.part import RunPart
from takt_cli.paper.icra2021.ways import WAYS
from takt_cli.paper.paper import Paper
from takt_cli.paper.paper_file import read_paper

PAPER = Paper(
    name="icra2021",
    file=read_paper("icra2021", WAYS),
    settings=CommunicationSettings,
    program="cyclic",
    parts={case.name: RunPart(case) for case in cases() if case.framework == ROS},
    exhibits=icra_exhibits,
    shows_tables=True,
)
