# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Options of the verbs that measure under background load, network traffic, an emulated link and limits."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from takt_cli.options.common import Number, load_option
from takt_cli.options.kernel import cpu_count
from takt_cli.results.conditions import LOAD_TOOLS, PLACES, RATES, Conditions, Limits, Link, Load, Traffic
from takt_cli.run.in_guest import THIS_KERNEL

# Generic only in newer releases of click.
if TYPE_CHECKING:
    _ShareType: TypeAlias = click.ParamType[float]
else:
    _ShareType = click.ParamType


class Share(_ShareType):
    """A share above 0 and up to 1, as `0.3` or `30%`."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value).strip()
        try:
            share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            share = -1.0
        if not 0 < share <= 1:
            self.fail(
                f"{value!r} is not a share; give one above 0 and up to 1, or a percentage such as 30%", param, ctx
            )
        return share

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "SHARE"


_RATE = Number(min=0, min_open=True, max=10_000)
_OPTIONS = (
    load_option(),
    click.option(
        "--load-scale",
        is_flag=True,
        help="Scale the workers of --load to this host: as many for each CPU as the paper's machine had; one of each "
        "kind for each CPU where that is not known.",
    ),
    click.option(
        "--load-tool",
        type=click.Choice(LOAD_TOOLS),
        default=LOAD_TOOLS[0],
        show_default=True,
        help="Program that makes the load.",
    ),
    click.option(
        "--traffic",
        type=_RATE,
        metavar="MBIT",
        help="Background UDP traffic by iperf3, payload in each direction at once, in Mbit/s [default: none].",
    ),
    click.option(
        "--traffic-link",
        type=click.Choice(PLACES),
        default=PLACES[0],
        show_default=True,
        help="Where the traffic flows: over the measured link (same; the loopback interface if there is no --link), or "
        "over a link of its own (own).",
    ),
    click.option(
        "--link",
        type=click.Choice([str(rate) for rate in RATES]),
        help="Put the two sides into two network namespaces, joined by a link of this rate in Mbit/s; needs root "
        "[default: no link].",
    ),
    click.option(
        "--limit-cpu",
        type=Share(),
        help="Limit load and traffic together to this share of all CPUs' time, such as 0.25 or 25%; above 0, up to 1; "
        "needs root [default: no limit].",
    ),
    click.option(
        "--limit-rate",
        type=_RATE,
        metavar="MBIT",
        help="Limit the traffic to this rate in each direction of its link, in Mbit/s; needs root [default: no limit].",
    ),
)


def surroundings_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add these options to a verb, whose function receives them as one argument, `conditions`."""

    @functools.wraps(function)
    def with_conditions(
        *arguments: Any,
        load: Load | None,
        load_scale: bool,
        load_tool: str,
        traffic: float | None,
        traffic_link: str,
        link: str | None,
        limit_cpu: float | None,
        limit_rate: float | None,
        **others: Any,
    ) -> Any:
        if load is not None:
            load = load.with_tool(load_tool)
            load = load.scaled(cpu_count(others.get("kernel", THIS_KERNEL))) if load_scale else load
        elif load_scale:
            raise click.UsageError("--load-scale: there is no load to scale; give --load, too")
        conditions = Conditions(
            load,
            Traffic(traffic, traffic_link) if traffic is not None else None,
            Link(int(link)) if link is not None else None,
            Limits(limit_cpu, limit_rate),
        )
        return function(*arguments, conditions=conditions, **others)

    for option in reversed(_OPTIONS):
        with_conditions = option(with_conditions)
    return with_conditions
