# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure one-way`: the latency of messages, from publish to callback, by size and by way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from takt_cli.analysis.one_way import Messages, OneWay, OneWaySummary, one_way_summary, read_one_way
from takt_cli.comparison.figures import Figure, Share, quantiles
from takt_cli.errors import UsageError
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.measurements.round_trip import MAY_DIFFER, tools_of
from takt_cli.options.communication import Common, communication_options
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.one_way import one_way_charts, one_way_report, one_way_title
from takt_cli.results.communication import (
    LINK,
    MOST_SIZES,
    ONE_WAY_FORMAT,
    PROCESS,
    SAME_PROCESS,
    OneWaySettings,
    PeerPlacement,
    Variant,
    Way,
)
from takt_cli.run.in_guest import OnKernel
from takt_cli.run.one_way import run_one_way
from takt_cli.run.round_trip import TRANSPORT_NAMES
from takt_cli.run.transports import BASELINE, transports_by_name
from takt_cli.spec.units import format_size
from takt_cli.statistics.confidence import in_order_of_time

_ALL = ("takt", "baseline", "fastdds", "cyclonedds", "udp")
_INSIDE = ("takt", "baseline0")
_PLACES = (PROCESS, SAME_PROCESS, LINK)


def _settings(
    names: tuple[str, ...],
    more: tuple[str, ...],
    places: tuple[str, ...],
    sizes: tuple[int, ...],
    period: int,
    timeout: int,
    turn: int,
    receivers: int,
    through_middleware: bool,
    common: Common,
    kernel: OnKernel,  # noqa: ARG001 - the CPUs of `common` follow from it
) -> OneWaySettings:
    chosen = places or ((LINK,) if common.conditions.link else (PROCESS, SAME_PROCESS))
    outside = [each for each in chosen if each != SAME_PROCESS]
    if len(outside) > 1:
        raise UsageError(f"--place: {' and '.join(outside)} cannot be in one measurement; give one of them")
    if common.conditions.link is not None and LINK not in outside:
        raise UsageError("--link: is not on the way of any message; leave it out or give --place link")
    requested = names + more
    variants: list[Variant] = []
    absent: list[str] = []
    for place in dict.fromkeys(chosen):
        inside = place == SAME_PROCESS
        wanted = requested or (_INSIDE if inside else _ALL)
        transports = transports_by_name(_fitting(wanted, len(chosen) > 1), inside, TRANSPORT_NAMES)
        given = common.settings(transports, "one_way", bool(requested), "--transport")
        ways = [Way(inside, False), *([Way(True, True)] if inside and through_middleware else [])]
        variants += [
            replace(each, way=way) for way in ways for each in given["variants"] if each.transport.ros or way == ways[0]
        ]
        absent += given["absent"]
    return OneWaySettings(
        **common.given,
        variants=tuple(variants),
        absent=tuple(dict.fromkeys(absent)),
        sizes=sizes,
        period=period,
        timeout=timeout,
        turn=turn,
        receivers=receivers,
        place=PeerPlacement(outside[0] if outside else PROCESS),
    )


def _fitting(names: Sequence[str], several: bool) -> list[str]:
    """Return the names of transports; with several places, either baseline stands for the one that fits."""
    if not several:
        return list(names)
    return [BASELINE if name in ("baseline0", "baseline1") else name for name in names]


def _figures(result: OneWay, _: OneWaySummary) -> dict[str, Sequence[Figure[Any]]]:
    return {
        name: [figure for size, rounds in sizes.items() for figure in _figures_of(format_size(size), rounds)]
        for name, sizes in result.messages.items()
    }


def _figures_of(size: str, rounds: Sequence[Messages]) -> list[Figure[Any]]:
    lost = [in_order_of_time(each.lost.ravel(), each.instants) for each in rounds]
    return [
        *quantiles(size, "us", [(each.instants, each.times / 1000) for each in rounds]),
        Share(f"{size} lost", "%", lost),
    ]


ONE_WAY = Measurement(
    usage=read_usage(__name__, transports=TRANSPORT_NAMES, places=_PLACES, default=_ALL, sizes=[str(MOST_SIZES)]),
    further_options=(communication_options("2"),),
    settings=_settings,
    format=ONE_WAY_FORMAT,
    programs=("probe", "one_way"),
    tools=tools_of,
    run=run_one_way,
    read=read_one_way,
    summarise=one_way_summary,
    title=one_way_title,
    tables=one_way_report,
    charts=one_way_charts,
    comparison=ComparisonRules(
        subject=lambda _: "one-way latency", may_differ=MAY_DIFFER | {"sizes", "payload", "turn"}, figures=_figures
    ),
)
MEASUREMENTS = (ONE_WAY,)
