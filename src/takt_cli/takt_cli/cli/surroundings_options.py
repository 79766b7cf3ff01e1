# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Options of verbs that measure under load, traffic, a link and limits."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from takt_cli.cli.kernel_option import cpu_count, on_kernel
from takt_cli.cli.options import Number
from takt_cli.surroundings.around import Conditions, Limits
from takt_cli.surroundings.link import RATES, Link
from takt_cli.surroundings.load import PRESETS, TOOLS, Load, parse_load
from takt_cli.surroundings.traffic import PLACES, Traffic

# Generic only in newer releases of click.
if TYPE_CHECKING:
    _LoadType: TypeAlias = click.ParamType[Load]
    _ShareType: TypeAlias = click.ParamType[float]
else:
    _LoadType = click.ParamType
    _ShareType = click.ParamType


class Workers(_LoadType):
    """A paper's load by name, or workers by kind."""

    name = "load"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Load:
        if isinstance(value, Load):
            return value
        try:
            return parse_load(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return f"{'|'.join(PRESETS)}|KIND=N,..."


class Share(_ShareType):
    """`0.3`, or `30%`."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value).strip()
        try:
            share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            share = -1.0
        if not 0 < share <= 1:
            self.fail(f"{value!r} is no share; give one above 0 and up to 1, or a percentage as 30%", param, ctx)
        return share

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "SHARE"


_RATE = Number(min=0, min_open=True, max=10_000)
_OPTIONS = (
    click.option("--load", type=Workers(), help="Load beside it, of cpu, vm, io and hdd workers [default: none]."),
    click.option("--load-scale", is_flag=True, help="As many workers for each CPU as on the paper's machine."),
    click.option("--load-tool", type=click.Choice(TOOLS), default=TOOLS[0], show_default=True, help="What makes it."),
    click.option(
        "--traffic", type=_RATE, metavar="MBIT", help="Traffic in each direction, in Mbit/s, by iperf3 [default: none]."
    ),
    click.option(
        "--traffic-link", type=click.Choice(PLACES), default=PLACES[0], show_default=True, help="The link it takes."
    ),
    click.option(
        "--link",
        type=click.Choice([str(rate) for rate in RATES]),
        help="Two network namespaces and a link of so many Mbit/s between them [default: none].",
    ),
    click.option("--limit-cpu", type=Share(), help="Load and traffic get this share of all CPUs' time at most."),
    click.option("--limit-rate", type=_RATE, metavar="MBIT", help="Traffic gets so many Mbit/s of the link at most."),
)


def surroundings_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a verb all of them; it takes what they say as `conditions`."""

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
            load = load.by(load_tool)
            load = load.scaled(cpu_count(on_kernel(others.get("kernel")))) if load_scale else load
        elif load_scale:
            raise click.UsageError("--load-scale scales a load; give --load, too")
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
