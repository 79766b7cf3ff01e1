# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt soak`: run an application under load for hours, while it changes, and judge it."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.analysis.soak import read_soak, soak_summary
from takt_cli.chart.svg import write_svgs
from takt_cli.cli.output import print_json, print_output
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.options.common import (
    SECONDS,
    SECONDS_ABOVE_0,
    Number,
    command_line,
    cpu_option,
    json_option,
    load_option,
    out_option,
)
from takt_cli.report.charts.soak import soak_chart
from takt_cli.report.soak_report import soak_report
from takt_cli.results.conditions import Load
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.progress import Progress
from takt_cli.run.soak import APPLICATIONS, SoakSettings, run_soak


@click.command()
@click.option("--hours", type=Number(0, 24 * 7, min_open=True), help="Measuring time in hours [default: 1].")
@click.option("--duration", type=SECONDS_ABOVE_0, help="Measuring time, above 0, instead of --hours.")
@click.option(
    "--warmup", type=SECONDS, default="10", show_default=True, help="Warm-up before the measurement, not judged."
)
@load_option("cpu")
@click.option(
    "--application",
    type=click.Choice(APPLICATIONS),
    default=APPLICATIONS[0],
    show_default=True,
    help="Application to run: 20 tasks at utilisation 0.9 (full), or a most urgent task of 1 kHz with other tasks that "
    "could keep it from its CPU (urgent).",
)
@cpu_option
@out_option
@json_option
def soak(
    hours: float | None,
    duration: int | None,
    warmup: int,
    load: Load | None,
    application: str,
    cpu: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run an application on one CPU for hours, with background load, while scenarios change and nodes come and go.

    For engineers who want to trust an executor over long times. A scenario is a set of task parameters, such as periods
    and priorities. Afterwards deadline misses by kind, drift of the releases, memory, open files and threads are
    judged. With --application urgent the most urgent task has a period of 1 ms, another one computes for half a second
    at a time, and a third sends 4 MiB to another process four times a second. Every job is recorded: some 40 kB per
    second of measuring time, with urgent some 80 kB.

    \b
    Examples:
      takt soak --hours 8 --out results/soak
      takt soak --duration 10min --application urgent
    """
    if hours is not None and duration is not None:
        raise UsageError("--hours and --duration: give one of them, not both")
    length = duration if duration is not None else round((hours or 1.0) * 3600e9)
    settings = SoakSettings(length, warmup, choose_cpu(cpu), load, application)
    place = out or default_folder("soak", f"{application}-{length / 3600e9:g}h")
    with ResultFolder(place) as folder, Progress(1, settings.seconds) as progress:
        run_soak(settings, folder.path, command_line(), progress)
        progress.say("drawing")
        result = read_soak(folder.path)
        summary = soak_summary(result)
        write_json(folder.path / "summary.json", summary)
        write_svgs(folder.path, {"soak": soak_chart(result)})
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        print_output(*soak_report(summary, place))
