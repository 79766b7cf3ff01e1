# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure bounds`: whether response times in real runs stay within the bounds of the analysis."""

from __future__ import annotations

import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.bounds import bounds_summary, run_summary
from takt_cli.chart.svg import write_svgs
from takt_cli.cli.output import print_json, print_output
from takt_cli.host.cpus import choose_cpu
from takt_cli.options.common import SECONDS_ABOVE_0, command_line, cpu_option, json_option, out_option
from takt_cli.report.charts.bounds import bounds_chart
from takt_cli.report.tables.bounds import bounds_report
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.bounds import POLICIES, BoundsSettings, measure_costs, run_bounds
from takt_cli.run.progress import Progress


@click.command(short_help="Response times of real runs against the bounds of takt check.")
@click.option(
    "--sets",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of random task sets.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="Seed of the random task sets [default: a different one each time, which is recorded].",
)
@click.option(
    "--policy",
    "policies",
    type=click.Choice(POLICIES),
    multiple=True,
    default=POLICIES,
    show_default=True,
    help="Scheduling policy; may be repeated, the task sets then take them in turn.",
)
@click.option(
    "--duration", type=SECONDS_ABOVE_0, default="5", show_default=True, help="Measuring time of each run, above 0."
)
@cpu_option
@out_option
@json_option
def bounds(
    sets: int,
    seed: int | None,
    policies: tuple[str, ...],
    duration: int,
    cpu: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Compare the response times of real runs with the bounds that `takt check` computes.

    For those who rely on the analysis, and for developers of takt. It draws random task sets that the analysis says
    meet their deadlines, and shows for each task the bound of its response times, the longest response time in the
    simulator, and the longest in a traced run under takt.

    The overheads of takt are measured first, in a run of another application, and counted in the bounds. For each job
    above its bound it is determined whether the host took the time, from the host's stalls, the CPU clocks of the
    threads and the kernel's context switches. Exit status: 0 only if every task could be judged, the host explains
    every job above its bound, and these are at most 0.1 % of all jobs.

    \b
    Examples:
      takt measure bounds
      takt measure bounds --sets 3 --seed 7 --policy edf --duration 2
    """
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    settings = BoundsSettings(sets, chosen, duration, choose_cpu(cpu), tuple(dict.fromkeys(policies)))
    place = out or default_folder("measure", "bounds")
    with ResultFolder(place) as folder, Progress(sets + 1, settings.seconds) as progress:
        summary = _measure(settings, folder.path, progress)
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        print_output(*bounds_report(summary, place))
    if summary["verdict"].outcome != "pass":
        click.get_current_context().exit(1)


def _measure(settings: BoundsSettings, folder: Path, progress: Progress) -> dict[str, Any]:
    command = command_line()
    costs, unknown_costs = measure_costs(settings, folder, command, progress)
    context = {
        "seed": settings.seed,
        "duration_s": settings.duration / 1e9,
        "costs_ns": asdict(costs),
        "costs_not_known": unknown_costs,
    }
    runs = [run_summary(run, name) for name, run in run_bounds(settings, costs, folder, command, progress)]
    summary = bounds_summary(runs, context)
    write_json(folder / "summary.json", summary)
    write_svgs(folder, {"bounds": bounds_chart(summary)})
    return summary
