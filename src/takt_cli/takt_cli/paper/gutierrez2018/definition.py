# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Definition of the paper `gutierrez2018`: its parts in the order of its tests, and its options."""

from __future__ import annotations

from typing import Any

import click

from takt_cli.paper.claims import read_paper
from takt_cli.paper.communication import OPTIONS, CommunicationSetup, communication_setup, transport_option
from takt_cli.paper.gutierrez2018.cases import parts
from takt_cli.paper.gutierrez2018.page import gutierrez_charts, gutierrez_sections
from takt_cli.paper.gutierrez2018.part import RoundTripPart
from takt_cli.paper.gutierrez2018.tables import gutierrez_tables
from takt_cli.paper.gutierrez2018.ways import WAYS, measured
from takt_cli.paper.paper import Paper
from takt_cli.results.conditions import RATES

_OPTIONS = (
    click.Option(
        ["--link"],
        type=click.Choice([str(rate) for rate in RATES]),
        default="1000",
        show_default=True,
        help="Rate of the link between the two network namespaces, in Mbit/s.",
    ),
    transport_option(
        "--transport", "Transport to measure: takt, baseline0, baseline1, fastdds, cyclonedds, udp, control"
    ),
    *OPTIONS,
)


def _setup(*common: Any, link: str, **options: Any) -> CommunicationSetup:
    return communication_setup(*common, **options, link=int(link), transport_option="--transport", program="round_trip")


PAPER: Paper[CommunicationSetup] = Paper(
    name="gutierrez2018",
    file=read_paper("gutierrez2018", WAYS),
    parts={name: RoundTripPart(name, tests) for name, tests in parts().items()},
    tables=gutierrez_tables,
    charts=gutierrez_charts,
    sections=gutierrez_sections,
    options=_OPTIONS,
    setup=_setup,
    find=measured,
    names={test.name: name for name, tests in parts().items() for test in tests},
    names_are="TEST",
    shows_tables=True,
)
