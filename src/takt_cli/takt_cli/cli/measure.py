# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure KIND`: figures of one thing at a time."""

from __future__ import annotations

import json
from pathlib import Path

import click

from takt_cli.analysis.timers import timers_summary
from takt_cli.cli.benchmark import benchmark_commands
from takt_cli.cli.bounds import bounds
from takt_cli.cli.cyclic import cyclic
from takt_cli.cli.data_age import data_age
from takt_cli.cli.interference import interference
from takt_cli.cli.kernel_option import cpu_on, kernel_option, on_kernel
from takt_cli.cli.options import (
    PERIOD,
    SECONDS_ABOVE_0,
    command_line,
    cpu_option,
    json_option,
    out_option,
)
from takt_cli.cli.output import print_json, show
from takt_cli.cli.overload import overload
from takt_cli.cli.round_trip import round_trip
from takt_cli.errors import UsageError
from takt_cli.report.timers_table import timers_report
from takt_cli.run.folder import ResultFolder, default_folder
from takt_cli.run.progress import Progress
from takt_cli.run.timers import TimersSettings, run_timers, variant
from takt_cli.run.transports import demand_built
from takt_cli.spec.application import POLICIES

_DEFAULT = ("takt", "takt:np-rm", "baseline0")
_SHORT = 60 * 10**9


@click.group()
def measure() -> None:
    """Measure one thing at a time, against floors in the same run.

    \b
    Example:
      takt measure timers --callbacks 50 --period 10ms --duration 10
    """


for command in benchmark_commands():
    measure.add_command(command)
measure.add_command(bounds)
measure.add_command(cyclic)
measure.add_command(data_age)
measure.add_command(interference)
measure.add_command(overload)
measure.add_command(round_trip)


@measure.command(short_help="Empty timers: CPU per callback, release jitter, drift.")
@click.option("--callbacks", type=click.IntRange(1, 100_000), required=True, metavar="N", help="How many timers.")
@click.option(
    "--nodes", type=click.IntRange(1, 2000), metavar="M", help="Over how many nodes [default: N, at most 50]."
)
@click.option("--period", type=PERIOD, required=True, help="Period of every timer, such as 10ms.")
@click.option("--phases", type=click.Choice(["equal", "spread"]), default="equal", show_default=True)
@click.option(
    "--duration", type=SECONDS_ABOVE_0, default="10", show_default=True, help="Of each executor in each round."
)
@click.option(
    "--executor",
    "executors",
    multiple=True,
    metavar="E",
    help="takt, takt:POLICY or baseline0; built beside rclcpp also takt-rclcpp, takt-rclcpp:POLICY, rclcpp-single, "
    "rclcpp-multi and rclcpp-events; more may follow.",
)
@click.argument("more", nargs=-1, metavar="[E]...")
@click.option("--policy", type=click.Choice(POLICIES), help="Policy of a plain takt [default: rm].")
@click.option("--rounds", type=click.IntRange(1, 1000), help="Interleaved rounds [default: 3, or 1 above a minute].")
@cpu_option
@kernel_option
@out_option
@json_option
def timers(
    callbacks: int,
    nodes: int | None,
    period: int,
    phases: str,
    duration: int,
    executors: tuple[str, ...],
    more: tuple[str, ...],
    policy: str | None,
    rounds: int | None,
    cpu: int | None,
    kernel: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Empty timers under each executor E, and under floors that do no more than they must: a bare
    loop of heap and sleep, a bare timer thread that hands over to a worker, and for nodes of rclcpp
    a loop that calls their timers.

    CPU time per callback is given for the executor's own threads and for the whole process, and as
    a ratio to the floor of its kind: for takt's nodes the hand-over for preemptive policies, the
    loop for the rest.

    \b
    Examples:
      takt measure timers --callbacks 50 --period 10ms --executor takt takt:np-rm baseline0
      takt measure timers --callbacks 1 --period 1ms --duration 600 --executor takt --json
      takt measure timers --callbacks 4 --period 10ms --duration 2 --kernel rt
      takt measure timers --callbacks 50 --period 10ms --executor takt-rclcpp rclcpp-events
    """
    chosen = tuple(dict.fromkeys(variant(text, policy) for text in (executors + more) or _DEFAULT))
    count = min(callbacks, 50) if nodes is None else nodes
    if count > callbacks:
        raise UsageError(f"--nodes {count}: are more than the {callbacks} callbacks; give at most {callbacks}")
    repeat = rounds or (3 if duration <= _SHORT else 1)
    host = on_kernel(kernel)
    settings = TimersSettings(callbacks, count, period, phases, duration, repeat, cpu_on(host, cpu), chosen)
    demand_built(each.executor for each in chosen)
    parts = repeat * len(settings.everything)
    place = out or default_folder("measure", "timers")
    with ResultFolder(place) as folder:
        with Progress(parts, settings.seconds) as progress:
            host.measure(
                run_timers,
                settings,
                folder.path,
                command_line(),
                progress,
                programs=("probe", "timers"),
                seconds=settings.seconds,
            )
        summary = timers_summary(folder.path)
        (folder.path / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        show(*timers_report(summary, place))
