# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt run`: one application under one executor."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.cli.output import print_json, print_output, print_remark, warn_of_overload
from takt_cli.host.cpus import choose_cpus
from takt_cli.options.common import (
    SECONDS,
    SECONDS_ABOVE_0,
    command_line,
    cpus_option,
    json_option,
    load_option,
    out_option,
    policy_option,
    spec_argument,
)
from takt_cli.report.grants import refusal_line
from takt_cli.report.tables.run import kernel_line, run_report
from takt_cli.results.conditions import Load
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.transports import require_built
from takt_cli.spec.executors import ALL_EXECUTORS
from takt_cli.spec.load import read_spec


@click.command()
@spec_argument
@click.option(
    "--executor", type=click.Choice(ALL_EXECUTORS), required=True, help="Executor to run the application under."
)
@policy_option
@click.option("--duration", type=SECONDS_ABOVE_0, default="10", show_default=True, help="Measuring time, above 0.")
@click.option(
    "--warmup",
    type=SECONDS,
    default="1",
    show_default=True,
    help="Warm-up before the measurement; not counted, except in the numbers of messages.",
)
@cpus_option
@load_option()
@click.option(
    "--trace",
    is_flag=True,
    help="Record every scheduling decision, for `takt trace`; only with --executor takt or takt-rclcpp.",
)
@click.option(
    "--kernel/--no-kernel",
    default=True,
    help="With --trace: also record the kernel's context switches; where tracefs cannot be used the run goes on "
    "without them [default: --kernel].",
)
@out_option
@json_option
def run(
    spec: Path,
    executor: str,
    policy: str | None,
    duration: int,
    warmup: int,
    cpus: tuple[int, ...] | None,
    load: Load | None,
    trace: bool,
    kernel: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run the application SPEC (a YAML file) on real ROS 2 under one executor, and judge its deadlines and data.

    For engineers who want to know whether an application meets its deadlines on fresh data, and for researchers who
    compare executors. takt is the scheduling executor; baseline0 has all nodes on one executor that works as ROS 2's
    single-threaded one; baseline1 has one such executor per node, each in its own process with its own priority.
    Where takt was built with rclcpp, the others run the same application as nodes of rclcpp: takt-rclcpp under
    takt's executor, rclcpp-single, rclcpp-multi and rclcpp-events under rclcpp's own. The result folder keeps every
    sample.

    On several CPUs takt assigns each task to one of them: as the spec says, else by worst fit of utilisations
    (worst-case execution time divided by period). Under the other executors a job runs on whichever of these CPUs is
    free.

    \b
    Examples:
      takt run examples/planner.yaml --executor takt --policy edf --out results/edf
      takt run examples/two_cores.yaml --executor takt --cpu 0,1
    """
    loaded = read_spec(spec, policy)
    settings = RunSettings(loaded, executor, duration, warmup, choose_cpus(cpus), load=load, trace=trace, kernel=kernel)
    settings.check()
    require_built([executor])
    warn_of_overload(loaded.application, len(settings.cpus))
    place = out or default_folder("run", f"{loaded.application.name}-{executor}")
    with ResultFolder(place) as folder, Progress(1, (warmup + duration) / 1e9) as progress:
        analysis = run_and_replay(settings, folder.path, command_line(), progress)
        summary = analysis.summary
    if as_json:
        print_remark(refusal_line({executor: summary}))
        print_remark(kernel_line(analysis.result.record))
        print_json(summary, folder=str(place), host=analysis.result.host)
    else:
        print_output(*run_report(summary, analysis.result, place))
