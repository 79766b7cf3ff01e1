# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure data-age`: the age of a reader's data, with and without a bound (`max_age`)."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.analysis.data_age import aged_summary, data_age_summary
from takt_cli.cli.output import print_json, print_output
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.options.common import (
    SECONDS_ABOVE_0,
    Duration,
    Positive,
    command_line,
    cpu_option,
    json_option,
    out_option,
)
from takt_cli.report.tables.data_age import data_age_report
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.data_age import DataAgeSettings, run_data_age
from takt_cli.run.progress import Progress
from takt_cli.spec.checks import AGE_MARGIN
from takt_cli.synthetic.data_age_application import READER_PERIOD

_MS = 10**6


@click.command("data-age", short_help="Age of a reader's data, with and without a bound.")
@click.option(
    "--nodes",
    type=click.IntRange(1, 500),
    multiple=True,
    default=(4, 20, 50),
    show_default=True,
    metavar="N",
    help="Number of nodes beside reader and producer; may be repeated, one pair of runs for each.",
)
@click.option(
    "--phase",
    "phases",
    type=Duration(),
    multiple=True,
    default=("0ms",),
    show_default=True,
    help="Phase of the reader's releases relative to the producer's, 0 to below 100ms; may be repeated.",
)
@click.option(
    "--max-age",
    type=Positive(),
    default="40ms",
    show_default=True,
    help="Bound of the data age, above 100us and at most 100ms, the reader's period.",
)
@click.option(
    "--duration", type=SECONDS_ABOVE_0, default="30", show_default=True, help="Measuring time of each run, above 0."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the random further nodes.",
)
@cpu_option
@out_option
@json_option
def data_age(
    nodes: tuple[int, ...],
    phases: tuple[int, ...],
    max_age: int,
    duration: int,
    seed: int,
    cpu: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Measure how old the data is that a reader uses, under takt, with and without a bound of the data age.

    For engineers who must not act on old data. It repeats the experiment of section 5.5 of Krukiewicz-Gacek's thesis
    (2021): a reader of the highest priority every 100 ms and its producer of the lowest priority every 50 ms, among
    further nodes with periods of 10, 20 and 40 ms, at a utilisation of 0.75 in all; one run without and one with the
    bound. It passes if with the bound no data is older than it, and no task that meets its deadlines in the simulator
    misses one, except where the host stalled. Each run is a result of its own, with its spec.

    \b
    Example:
      takt measure data-age --nodes 4 --nodes 50 --duration 10
    """
    if max_age <= AGE_MARGIN or max_age > READER_PERIOD:
        raise UsageError("--max-age: must be above takt's safety margin, 100us, and at most the reader's period, 100ms")
    if any(phase >= READER_PERIOD for phase in phases):
        raise UsageError("--phase: must be below the reader's period, 100ms")
    unique = tuple(dict.fromkeys(nodes)), tuple(dict.fromkeys(phases))
    settings = DataAgeSettings(*unique, max_age, duration, seed, choose_cpu(cpu))
    place = out or default_folder("measure", "data-age")
    with ResultFolder(place) as folder, Progress(len(settings.parts), settings.seconds) as progress:
        runs = [aged_summary(run, max_age) for run in run_data_age(settings, folder.path, command_line(), progress)]
        summary = data_age_summary(runs, max_age, duration / 1e9)
        write_json(folder.path / "summary.json", summary)
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        print_output(*data_age_report(summary, place))
