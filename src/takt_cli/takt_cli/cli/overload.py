# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure overload`: which tasks stay on time under overload, and how fast the executor recovers."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.analysis.overload import overload_summary
from takt_cli.chart.svg import write_svgs
from takt_cli.cli.output import print_json, print_output
from takt_cli.host.cpus import choose_cpu
from takt_cli.options.common import (
    SECONDS_ABOVE_0,
    Number,
    command_line,
    cpu_option,
    json_option,
    load_option,
    out_option,
)
from takt_cli.report.charts.overload import overload_chart
from takt_cli.report.overload_report import overload_report
from takt_cli.results.conditions import Load
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.overload import OverloadSettings, run_overload
from takt_cli.run.progress import Progress
from takt_cli.spec.application import POLICIES


@click.command("overload", short_help="Utilisation above 1: which tasks stay on time, and recovery.")
@click.option(
    "--utilisation",
    type=Number(1, 100, min_open=True),
    default=1.5,
    show_default=True,
    metavar="NUMBER",
    help="Utilisation of the CPU during the overload: the sum of execution time divided by period over all tasks.",
)
@click.option(
    "--duration", type=SECONDS_ABOVE_0, default="60", show_default=True, help="Length of the overload, above 0."
)
@click.option(
    "--calm",
    type=SECONDS_ABOVE_0,
    default="5",
    show_default=True,
    help="Length of the normal phase (utilisation 0.6) before the overload, and of that after it; above 0.",
)
@click.option("--policy", type=click.Choice(POLICIES), default="fp", show_default=True, help="Scheduling policy.")
@load_option()
@cpu_option
@out_option
@json_option
def overload(
    utilisation: float,
    duration: int,
    calm: int,
    policy: str,
    load: Load | None,
    cpu: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure what happens when more work is released than the CPU can do, and how the application recovers.

    For engineers who must know which tasks stay on time in an overload. It runs 14 tasks on one CPU under takt: at a
    utilisation of 0.6, then with longer jobs for --duration, then at 0.6 again.

    It passes if (1) the tasks that meet every deadline in the simulator had no unforced deadline miss (misses while the
    kernel throttled real-time threads are counted apart), (2) memory, open files and threads did not grow during the
    overload, and (3) after it the backlog was done within its bound: the work left, divided by the share of the CPU
    that is free then, plus one hyperperiod. The run is a result of its own, beside summary and plot.

    \b
    Examples:
      takt measure overload --duration 10 --out results/overload
      takt measure overload --utilisation 2 --policy edf
    """
    settings = OverloadSettings(utilisation, calm, duration, policy, choose_cpu(cpu), load)
    place = out or default_folder("measure", "overload")
    with ResultFolder(place) as folder, Progress(1, settings.seconds) as progress:
        run = run_overload(settings, folder.path, command_line(), progress)
        progress.say("drawing")
        summary = overload_summary(run)
        write_json(folder.path / "summary.json", summary)
        write_svgs(folder.path, {"overload": overload_chart(run)})
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        print_output(*overload_report(summary, place))
