# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `icra2021`: its runs of ROS 2 as parts, and its options."""

from __future__ import annotations

from typing import Any

import click

from takt_cli.paper.claims import read_paper
from takt_cli.paper.communication import OPTIONS, CommunicationSetup, communication_setup, transport_option
from takt_cli.paper.icra2021.cases import GUESTS, ROS, cases
from takt_cli.paper.icra2021.page import icra_charts, icra_sections
from takt_cli.paper.icra2021.part import RunPart
from takt_cli.paper.icra2021.tables import icra_tables
from takt_cli.paper.icra2021.ways import WAYS
from takt_cli.paper.paper import Paper

_OPTIONS = (
    click.Option(
        ["--kernel"],
        type=click.Choice(list(GUESTS)),
        help="Also make the paper's runs on this kernel if the host runs the other one: in a virtual machine (QEMU) "
        "whose clock counts instructions; their results decide no verdict [default: only the runs on the host's "
        "kernel].",
    ),
    transport_option(
        "--executor",
        "Executor to measure: takt, baseline0, baseline1, or a raw transport without one: control, fastdds, "
        "cyclonedds, udp",
    ),
    *OPTIONS,
)


def _setup(*common: Any, **options: Any) -> CommunicationSetup:
    return communication_setup(*common, **options, transport_option="--executor", program="cyclic")


PAPER: Paper[CommunicationSetup] = Paper(
    name="icra2021",
    file=read_paper("icra2021", WAYS),
    parts={case.name: RunPart(case) for case in cases() if case.framework == ROS},
    tables=icra_tables,
    charts=icra_charts,
    sections=icra_sections,
    options=_OPTIONS,
    setup=_setup,
    shows_tables=True,
)
