# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure bounds`: whether real runs keep to what the analysis says."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.bounds import bounds_summary, run_summary
from takt_cli.cli.options import SECONDS_ABOVE_0, command_line, cpu_option, json_option, out_option
from takt_cli.cli.output import print_json, show
from takt_cli.host.cpus import choose_cpu
from takt_cli.report.bounds_plot import bounds_plot
from takt_cli.report.bounds_table import bounds_report
from takt_cli.run.bounds import POLICIES, BoundsSettings, measure_costs, run_bounds
from takt_cli.run.folder import ResultFolder, default_folder
from takt_cli.run.progress import Progress


@click.command(short_help="Real runs against the bounds of the analysis.")
@click.option("--sets", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many random task sets.")
@click.option("--seed", type=click.IntRange(0), help="Of the task sets [default: another each time; it is recorded].")
@click.option(
    "--policy",
    "policies",
    type=click.Choice(POLICIES),
    multiple=True,
    default=POLICIES,
    show_default=True,
    help="In turns; may be given again.",
)
@click.option("--duration", type=SECONDS_ABOVE_0, default="5", show_default=True, help="Of each run.")
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
    """Draw random task sets of which the analysis says that they hold, and lay three things side by side
    for each task: the bound of its response times, the longest in the model, and the longest in a run under
    takt with a trace.

    What takt costs is measured first, in a run of another application, and counted in the bounds. Jobs above
    their bound are looked into: what the host took while they were there is told apart by its stalls, the
    CPU clocks of the threads and the kernel's switches. The exit status is 0 only if no other job is above.

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
        show(*bounds_report(summary, place))
    if summary["verdict"]["outcome"] != "pass":
        click.get_current_context().exit(1)


def _measure(settings: BoundsSettings, folder: Path, progress: Progress) -> dict[str, Any]:
    command = command_line()
    costs, blind = measure_costs(settings, folder, command, progress)
    context = {
        "seed": settings.seed,
        "duration_s": settings.duration / 1e9,
        "costs_ns": asdict(costs),
        "costs_not_known": blind,
    }
    runs = [run_summary(run, name) for name, run in run_bounds(settings, costs, folder, command, progress)]
    summary = bounds_summary(runs, context)
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    (folder / "bounds.svg").write_text(bounds_plot(summary), "utf-8")
    return summary
