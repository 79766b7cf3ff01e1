# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Options that `takt measure round-trip` and `cyclic` have in common."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import click

from takt_cli.errors import UsageError
from takt_cli.host.rmw import choose_rmws
from takt_cli.options.common import SECONDS, SECONDS_ABOVE_0, Cpus
from takt_cli.options.kernel import cpus_on, kernel_option
from takt_cli.options.surroundings import surroundings_options
from takt_cli.results.communication import Transport, Variant
from takt_cli.results.conditions import Conditions
from takt_cli.run.in_guest import OnKernel
from takt_cli.run.transports import available_transports, make_variants, missing_transports
from takt_cli.spec.real_time import ALL, BY, EACH, NONE, PARTS, RealTime, parse_plan, parse_real_times

_BEFORE = (
    click.option(
        "--rmw",
        "rmws",
        multiple=True,
        metavar="NAME",
        help="ROS 2 middleware (RMW) to measure over, or `all` installed ones; may be repeated "
        "[default: RMW_IMPLEMENTATION, else the first installed].",
    ),
    click.option(
        "--rt",
        "rts",
        multiple=True,
        metavar="SETTINGS",
        help=f"Real-time settings: {ALL}, {NONE}, {EACH} (none, each one alone, then all), or some of "
        f"{', '.join(f'{name} ({what})' for name, what in PARTS.items())}, separated by commas. May be repeated: all "
        f"that are given take turns in each round [default: {ALL}].",
    ),
    click.option("--no-rt", is_flag=True, help="No real-time settings; the same as --rt none."),
    click.option(
        "--plan",
        metavar="PLAN",
        help="SCHED_FIFO priorities, 1 to 98, of the real-time setting `plan`: of the executor's timer thread, the "
        "middleware's threads and the threads that run callbacks [default: timer=49,middleware=48,workers=46].",
    ),
    click.option(
        "--plan-by",
        type=click.Choice(BY),
        default=BY[0],
        show_default=True,
        help="How the middleware's threads get their priorities: set after start by thread name (names), inherited "
        "from the main thread (inherit), or from the middleware's XML profile (profile; Fast DDS only).",
    ),
    click.option("--reliable", is_flag=True, help="Reliable QoS [default: best effort]."),
    click.option(
        "--depth",
        type=click.IntRange(1, 10_000),
        metavar="MESSAGES",
        help="QoS history depth (keep last), in messages [default: 1 for round-trip; for cyclic as many as can be "
        "under way within --timeout, up to 1 MiB of payload].",
    ),
)
_OPTIONS = (
    click.option(
        "--warmup",
        type=SECONDS,
        default="1",
        show_default=True,
        help="Warm-up before each measurement, not counted; with a load, at least as long as the load takes to become "
        "stationary.",
    ),
    click.option(
        "--rounds",
        type=click.IntRange(1, 1000),
        default=3,
        show_default=True,
        metavar="N",
        help="Number of rounds; each measures every variant once, in varying order.",
    ),
    click.option(
        "--cpu",
        "cpus",
        type=Cpus(),
        help="With the real-time setting `affinity`: the CPU of both sides, or one for each side, such as 0,1 "
        "[default: the last CPU that this process may use].",
    ),
    kernel_option,
)


class GivenSettings(TypedDict):
    """The settings that these options name, by the names of their fields; `depth` 0 is the usual one."""

    duration: int
    warmup: int
    rounds: int
    reliable: bool
    depth: int
    cpus: tuple[int, ...]
    conditions: Conditions


class CommonSettings(GivenSettings):
    """The settings that follow from these options."""

    variants: tuple[Variant, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True)
class Common:
    """The values of these options."""

    rmws: tuple[str, ...]
    real_times: Sequence[RealTime]
    given: GivenSettings

    @property
    def conditions(self) -> Conditions:
        return self.given["conditions"]

    def settings(self, chosen: Sequence[Transport], program: str, chosen_by_user: bool, option: str) -> CommonSettings:
        """Return the settings for these transports.

        `chosen_by_user` says whether the user named the transports, and `option` by which option; error messages name
        it. Raises a HostError for a named transport that this build of `program` lacks, a UsageError if none is left.
        """
        available, missing = available_transports(chosen, missing_transports(program), chosen_by_user, option)
        rmws = choose_rmws(self.rmws)
        if not available:
            raise UsageError(f"{option}: this build has none of {', '.join(each.name for each in chosen)}")
        variants = make_variants(available, rmws.names, self.real_times)
        absent = (*(f"{name}: not installed" for name in rmws.absent), *missing)
        return {**self.given, "variants": variants, "absent": absent}


def communication_options(seconds: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a function that adds these options and those of surroundings to a verb, which receives them as `common`
    and `kernel`. `seconds` is the default of --duration."""
    duration_option = click.option(
        "--duration",
        type=SECONDS_ABOVE_0,
        default=seconds,
        show_default=True,
        help="Measuring time per variant and round.",
    )

    def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def with_common(
            *arguments: Any,
            rmws: tuple[str, ...],
            rts: tuple[str, ...],
            no_rt: bool,
            plan: str | None,
            plan_by: str,
            reliable: bool,
            depth: int | None,
            duration: int,
            warmup: int,
            rounds: int,
            cpus: tuple[int, ...] | None,
            kernel: OnKernel,
            conditions: Conditions,
            **others: Any,
        ) -> Any:
            if no_rt and rts:
                raise UsageError("--no-rt: means --rt none; give one of them, not both")
            if cpus is not None and len(cpus) > 2:
                raise UsageError("--cpu: give one CPU, or one for each of the two sides")
            chosen = (NONE,) if no_rt else rts or (ALL,)
            real_times = [rt for text in chosen for rt in parse_real_times(text, parse_plan(plan or ""), plan_by)]
            given: GivenSettings = {
                "duration": duration,
                "warmup": warmup,
                "rounds": rounds,
                "reliable": reliable,
                "depth": depth or 0,
                "cpus": cpus_on(kernel, cpus),
                "conditions": conditions,
            }
            common = Common(rmws, real_times, given)
            return function(*arguments, common=common, kernel=kernel, **others)

        wrapped: Callable[..., Any] = surroundings_options(with_common)
        for option in reversed((*_BEFORE, duration_option, *_OPTIONS)):
            wrapped = option(wrapped)
        return wrapped

    return with_options
