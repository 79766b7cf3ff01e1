# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Options of the verbs that measure under background load, network traffic, an emulated link and limits."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from takt_cli.options.kernel import cpu_count
from takt_cli.options.usage import SHARED, AddOption, Option, with_options
from takt_cli.results.conditions import LOAD_TOOLS, PLACES, RATES, Conditions, Limits, Link, Load, Traffic
from takt_cli.run.in_guest import THIS_KERNEL
from takt_cli.spec.packaged import packaged

_OPTIONS: tuple[AddOption, ...] = (
    SHARED["load"],
    *packaged(__package__, "surroundings", tuple[Option, ...], tools=LOAD_TOOLS, places=PLACES, rates=map(str, RATES)),
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

    return with_options(with_conditions, *_OPTIONS)
