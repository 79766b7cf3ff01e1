# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Shared by `takt measure round-trip` and `cyclic`: options, the variants to measure, and the measurement itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from takt_cli.chart.chart import Chart
from takt_cli.chart.svg import write_svgs
from takt_cli.cli.output import print_json, print_output
from takt_cli.errors import UsageError
from takt_cli.host.rmw import choose_rmws
from takt_cli.options.common import SECONDS, SECONDS_ABOVE_0, Cpus, command_line, json_option, out_option
from takt_cli.options.kernel import cpus_on, kernel_option
from takt_cli.options.surroundings import surroundings_options
from takt_cli.results.conditions import Conditions
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.in_guest import Measurement, OnKernel
from takt_cli.run.interleaved import InterleavedSettings
from takt_cli.run.progress import Progress
from takt_cli.run.real_time import ALL, BY, EACH, NONE, PARTS, parse_plan, parse_real_times
from takt_cli.run.transports import Transport, available_transports, make_variants, missing_transports
from takt_cli.surroundings.tools import TOOLS

Communication = TypeVar("Communication", bound=InterleavedSettings)

_OPTIONS = (
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
        "settings",
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
    click.option(
        "--duration",
        type=SECONDS_ABOVE_0,
        default="10",
        show_default=True,
        help="Measuring time per variant and round.",
    ),
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


@dataclass(frozen=True)
class Common:
    """The values of the shared options.

    `options_given` holds those that settings of a measurement take as they are, by the names of their fields.
    """

    rmws: tuple[str, ...]
    settings: tuple[str, ...]
    plan: str | None
    plan_by: str
    conditions: Conditions
    kernel: OnKernel
    options_given: dict[str, Any]
    out: Path | None
    as_json: bool

    def variants(self, chosen: Sequence[Transport], program: str, chosen_by_user: bool, option: str) -> dict[str, Any]:
        """Return the fields `variants` and `absent` of a measurement's settings.

        `chosen_by_user` says whether the user named the transports, and `option` by which option; error messages name
        it. Raises a HostError for a named transport that this build of `program` lacks, a UsageError if none is left.
        """
        available, missing = available_transports(chosen, missing_transports(program), chosen_by_user, option)
        rmws = choose_rmws(self.rmws)
        plan = parse_plan(self.plan or "")
        rts = [rt for text in self.settings or (ALL,) for rt in parse_real_times(text, plan, self.plan_by)]
        if not available:
            raise UsageError(f"{option}: this build has none of {', '.join(each.name for each in chosen)}")
        absent = [*(f"{name}: not installed" for name in rmws.absent), *missing]
        return {"variants": make_variants(available, rmws.names, rts), "absent": tuple(absent)}


def communication_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add these options and those of surroundings_options to a verb, whose function receives them as `common`."""

    @functools.wraps(function)
    def with_common(
        *arguments: Any,
        rmws: tuple[str, ...],
        settings: tuple[str, ...],
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
        out: Path | None,
        as_json: bool,
        **others: Any,
    ) -> Any:
        if no_rt and settings:
            raise UsageError("--no-rt: means --rt none; give one of them, not both")
        if cpus is not None and len(cpus) > 2:
            raise UsageError("--cpu: give one CPU, or one for each of the two sides")
        given_options: dict[str, Any] = {
            "reliable": reliable,
            "duration": duration,
            "warmup": warmup,
            "rounds": rounds,
        }
        given_options |= {"depth": depth} if depth else {}
        given_options |= {"cpus": cpus_on(kernel, cpus), "conditions": conditions}
        chosen = (NONE,) if no_rt else settings
        common = Common(rmws, chosen, plan, plan_by, conditions, kernel, given_options, out, as_json)
        return function(*arguments, common=common, **others)

    wrapped: Callable[..., Any] = surroundings_options(with_common)
    for option in (json_option, out_option, *reversed(_OPTIONS)):
        wrapped = option(wrapped)
    return wrapped


def run_measurement(
    name: str,
    program: str,
    common: Common,
    settings: Communication,
    run: Measurement[Communication],
    finish: Callable[[Path], tuple[dict[str, Any], dict[str, Chart]]],
    report: Callable[[dict[str, Any], Path], Sequence[Any]],
) -> None:
    """Run a measurement, write summary.json and the charts beside its samples, and print the result.

    `run` makes the measurement with the lab's program `program`; `finish` returns, for the folder of samples, the
    summary and the charts by name; `report` turns the summary into tables.
    """
    place = common.out or default_folder("measure", name)
    with ResultFolder(place) as folder, Progress(settings.parts, settings.seconds) as progress:
        common.kernel.measure(
            run,
            settings,
            folder.path,
            command_line(),
            progress,
            programs=("probe", program),
            seconds=settings.seconds,
            tools=TOOLS if settings.conditions.any() else (),
        )
        progress.say("computing")
        summary, charts = finish(folder.path)
        write_json(folder.path / "summary.json", summary)
        write_svgs(folder.path, charts)
    if common.as_json:
        print_json(summary | {"folder": str(place)})
    else:
        print_output(*report(summary, place))
