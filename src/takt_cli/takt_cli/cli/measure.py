# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure KIND`: the group of all measurements, and `takt measure timers`."""

from __future__ import annotations

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
from takt_cli.cli.output import print_json, print_output
from takt_cli.cli.overload import overload
from takt_cli.cli.round_trip import round_trip
from takt_cli.errors import UsageError
from takt_cli.report.tables.timers import timers_report
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.progress import Progress
from takt_cli.run.timers import TimersSettings, parse_variant, run_timers
from takt_cli.run.transports import require_built
from takt_cli.spec.application import POLICIES

_DEFAULT = ("takt", "takt:np-rm", "baseline0")
_SHORT_DURATION = 60 * 10**9


@click.group()
def measure() -> None:
    """Measure one property of executor, middleware or host, beside a reference that is measured in the same run.

    For engineers and researchers who need a figure with its uncertainty. The reference is a floor, a minimal program
    that does the same without an executor, so that no executor can be cheaper; or a control, the same measurement with
    system calls alone, which shows what the host itself causes. What is compared, such as executors, are the variants.
    A measurement has several rounds, and in each round every variant has one turn, so that slow changes of the host
    affect all of them alike.

    \b
    Examples:
      takt measure timers --callbacks 50 --period 10ms --duration 10
      takt measure round-trip --transport takt fastdds
    """


for command in benchmark_commands():
    measure.add_command(command)
measure.add_command(bounds)
measure.add_command(cyclic)
measure.add_command(data_age)
measure.add_command(interference)
measure.add_command(overload)
measure.add_command(round_trip)


@measure.command(short_help="Empty timers: CPU time per callback, release jitter, drift.")
@click.option(
    "--callbacks",
    type=click.IntRange(1, 100_000),
    required=True,
    metavar="N",
    help="Number of timers, each with an empty callback.",
)
@click.option(
    "--nodes",
    type=click.IntRange(1, 2000),
    metavar="M",
    help="Number of nodes that the timers are spread over, at most N [default: N, at most 50].",
)
@click.option("--period", type=PERIOD, required=True, help="Period of every timer, above 0, such as 10ms.")
@click.option(
    "--phases",
    type=click.Choice(["equal", "spread"]),
    default="equal",
    show_default=True,
    help="Phases of the timers: all due at the same instants (equal), or evenly spread over the period (spread).",
)
@click.option(
    "--duration",
    type=SECONDS_ABOVE_0,
    default="10",
    show_default=True,
    help="Measuring time per executor and round, above 0.",
)
@click.option(
    "--executor",
    "executors",
    multiple=True,
    metavar="EXECUTOR",
    help="Executors to measure: takt, takt:POLICY, baseline0; where takt was built with rclcpp also takt-rclcpp, "
    "takt-rclcpp:POLICY, rclcpp-single, rclcpp-multi and rclcpp-events. Further names may follow, separated by spaces "
    f"[default: {', '.join(_DEFAULT)}].",
)
@click.argument("more", nargs=-1, metavar="[EXECUTOR]...")
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    help="Scheduling policy of takt and takt-rclcpp where their name gives none [default: rm].",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Number of rounds; each measures every executor once, in varying order [default: 3, or 1 if --duration is "
    "above a minute].",
)
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
    """Measure what a timer callback costs under several executors: CPU time per callback, release jitter and drift.

    For engineers who choose an executor, and for researchers who compare them. The callbacks are empty, so what is
    measured is the executor. Floors, minimal programs without an executor, run in the same rounds: floor-loop, one
    thread with a heap of timers that sleeps until the next one; floor-wakeup, a timer thread that wakes a worker
    thread; and, if nodes of rclcpp are measured, floor-rclcpp, one thread that sleeps and calls their timers. CPU time
    per callback is given for the executor's own threads and for the whole process, and as a ratio to a floor:
    floor-rclcpp for nodes of rclcpp, floor-wakeup for preemptive policies, floor-loop for the others.

    \b
    Examples:
      takt measure timers --callbacks 50 --period 10ms --executor takt takt:np-rm baseline0
      takt measure timers --callbacks 1 --period 1ms --duration 600 --executor takt --json
      takt measure timers --callbacks 4 --period 10ms --duration 2 --kernel rt
      takt measure timers --callbacks 50 --period 10ms --executor takt-rclcpp rclcpp-events
    """
    chosen = tuple(dict.fromkeys(parse_variant(text, policy) for text in (executors + more) or _DEFAULT))
    count = min(callbacks, 50) if nodes is None else nodes
    if count > callbacks:
        raise UsageError(f"--nodes {count}: more than the {callbacks} callbacks; give at most {callbacks}")
    repeat = rounds or (3 if duration <= _SHORT_DURATION else 1)
    host = on_kernel(kernel)
    settings = TimersSettings(callbacks, count, period, phases, duration, repeat, cpu_on(host, cpu), chosen)
    require_built(each.executor for each in chosen)
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
        write_json(folder.path / "summary.json", summary)
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        print_output(*timers_report(summary, place))
