# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt soak`: run an application under load for hours, while it changes, and judge it."""

from __future__ import annotations

import click

from takt_cli.analysis.soak import read_soak, soak_summary
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import Measurement
from takt_cli.options.common import SECONDS, SECONDS_ABOVE_0, Number, cpu_option, load_option
from takt_cli.report.kinds.soak import soak_charts, soak_report, soak_title
from takt_cli.results.conditions import Load
from takt_cli.results.soak import APPLICATIONS, SOAK_FORMAT, SoakSettings
from takt_cli.run.soak import run_soak

_OPTIONS = (
    click.option("--hours", type=Number(0, 24 * 7, min_open=True), help="Measuring time in hours [default: 1]."),
    click.option("--duration", type=SECONDS_ABOVE_0, help="Measuring time, above 0, instead of --hours."),
    click.option(
        "--warmup", type=SECONDS, default="10", show_default=True, help="Warm-up before the measurement, not judged."
    ),
    load_option("cpu"),
    click.option(
        "--application",
        type=click.Choice(APPLICATIONS),
        default=APPLICATIONS[0],
        show_default=True,
        help="Application to run: 20 tasks at utilisation 0.9 (full), or a most urgent task of 1 kHz with other tasks "
        "that could keep it from its CPU (urgent).",
    ),
    cpu_option,
)


def _settings(
    hours: float | None, duration: int | None, warmup: int, load: Load | None, application: str, cpu: int | None
) -> SoakSettings:
    if hours is not None and duration is not None:
        raise UsageError("--hours and --duration: give one of them, not both")
    length = duration if duration is not None else round((hours or 1.0) * 3600e9)
    return SoakSettings(length, warmup, choose_cpu(cpu), None if load is None else load.name, application)


SOAK = Measurement(
    short_help="Run an application under load for hours and judge it.",
    help="""
    Run an application on one CPU for hours, with background load, while scenarios change and nodes come and go.

    For engineers who want to trust an executor over long times. A scenario is a set of task parameters, such as periods
    and priorities. Afterwards deadline misses by kind, drift of the releases, memory, open files and threads are
    judged. With --application urgent the most urgent task has a period of 1 ms, another one computes for half a second
    at a time, and a third sends 4 MiB to another process four times a second. Every job is recorded: some 40 kB per
    second of measuring time, with urgent some 80 kB.

    \b
    Examples:
      takt soak --hours 8 --out results/soak
      takt soak --duration 10min --application urgent
    """,
    alone=True,
    label=lambda settings: f"{settings.application}-{settings.duration / 3600e9:g}h",
    options=_OPTIONS,
    settings=_settings,
    format=SOAK_FORMAT,
    programs=("probe", "soak", "replay"),
    run=run_soak,
    read=read_soak,
    summarise=soak_summary,
    title=soak_title,
    tables=soak_report,
    charts=soak_charts,
    verdicts=lambda summary: {"": summary.verdict},
)
MEASUREMENTS = (SOAK,)
