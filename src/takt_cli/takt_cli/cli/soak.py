# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt soak`: hours under load, with changes, and a verdict."""

from __future__ import annotations

import json
from pathlib import Path

import click

from takt_cli.analysis.soak import read_soak, soak_summary
from takt_cli.cli.options import SECONDS, SECONDS_ABOVE_0, Number, command_line, cpu_option, json_option, out_option
from takt_cli.cli.output import print_json, show
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.report.soak_report import soak_plot, soak_report
from takt_cli.run.folder import ResultFolder, default_folder
from takt_cli.run.load import KINDS
from takt_cli.run.progress import Progress
from takt_cli.run.soak import APPLICATIONS, SoakSettings, run_soak

_NONE = "none"


@click.command()
@click.option("--hours", type=Number(0, 24 * 7, min_open=True), help="How long [default: 1].")
@click.option("--duration", type=SECONDS_ABOVE_0, help="How long, instead of --hours.")
@click.option("--warmup", type=SECONDS, default="10", show_default=True, help="Before it is judged.")
@click.option(
    "--load",
    type=click.Choice([*KINDS, _NONE]),
    default="cpu",
    show_default=True,
    help="Load beside it on every CPU, by stress-ng at ordinary priority.",
)
@click.option(
    "--application",
    type=click.Choice(APPLICATIONS),
    default=APPLICATIONS[0],
    show_default=True,
    help="full: 20 tasks at utilisation 0.9. urgent: a task of 1 kHz, and what could keep it from its CPU.",
)
@cpu_option
@out_option
@json_option
def soak(
    hours: float | None,
    duration: int | None,
    warmup: int,
    load: str,
    application: str,
    cpu: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run an application on one CPU, with load beside it, while its scenarios change and nodes come and
    go; then judge misses by kind, drift, memory, open files and threads. With --application urgent its
    most urgent task has a period of 1 ms, another computes for half a second, and one sends 4 MiB to a
    process outside four times a second. Every job is kept, some 40 kB (of urgent, 80) for each second.

    \b
    Example:
      takt soak --hours 1 --out results/soak
    """
    if hours is not None and duration is not None:
        raise UsageError("--hours and --duration: give one of them")
    length = duration if duration is not None else round((hours or 1.0) * 3600e9)
    settings = SoakSettings(length, warmup, choose_cpu(cpu), None if load == _NONE else load, application)
    place = out or default_folder("soak", f"{application}-{length / 3600e9:g}h")
    with ResultFolder(place) as folder, Progress(1, settings.seconds) as progress:
        run_soak(settings, folder.path, command_line(), progress)
        progress.say("drawing")
        result = read_soak(folder.path)
        summary = soak_summary(result)
        (folder.path / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
        (folder.path / "soak.svg").write_text(soak_plot(result), "utf-8")
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        show(*soak_report(summary, place))
