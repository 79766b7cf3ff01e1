# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure overload`: who is on time where there is too much to do, and how it recovers."""

from __future__ import annotations

import json
from pathlib import Path

import click

from takt_cli.analysis.overload import overload_summary
from takt_cli.cli.options import SECONDS_ABOVE_0, Number, command_line, cpu_option, json_option, load_option, out_option
from takt_cli.cli.output import print_json, show
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.report.overload_report import overload_plot, overload_report
from takt_cli.run.folder import ResultFolder, default_folder
from takt_cli.run.overload import OverloadSettings, run_overload
from takt_cli.run.progress import Progress
from takt_cli.spec.application import POLICIES
from takt_cli.spec.overloaded import calm_spec


@click.command("overload", short_help="More to do than there is time: who is on time, and recovery.")
@click.option("--utilisation", type=Number(0, 100), default=1.5, show_default=True, help="Of the overload.")
@click.option("--duration", type=SECONDS_ABOVE_0, default="60", show_default=True, help="Of the overload.")
@click.option("--calm", type=SECONDS_ABOVE_0, default="5", show_default=True, help="Before it, and after it.")
@click.option("--policy", type=click.Choice(POLICIES), default="fp", show_default=True, help="Scheduling policy.")
@load_option
@cpu_option
@out_option
@json_option
def overload(
    utilisation: float,
    duration: int,
    calm: int,
    policy: str,
    load: str | None,
    cpu: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run an application of 14 tasks on one CPU under takt: calm at utilisation 0.6, then all its jobs
    take longer, and then as before.

    Passes if the tasks that the policy can hold, which are those that meet every deadline in the model,
    had no unforced miss (misses within the windows in which the kernel throttled real-time threads are
    told apart); if memory, open files and threads did not grow in the overload; and if, when it was
    over, nothing was pending any more within the bound: what was left to do by what is left of the
    CPU, and a hyperperiod. The run is a result of its own, beside summary and plot.

    \b
    Example:
      takt measure overload --duration 10 --out results/overload
    """
    least = calm_spec(policy).application.utilisation
    if utilisation <= 1:
        raise UsageError(f"--utilisation {utilisation:g}: is no overload; give more than 1 (calm it is {least:g})")
    settings = OverloadSettings(utilisation, calm, duration, policy, choose_cpu(cpu), load)
    place = out or default_folder("measure", "overload")
    with ResultFolder(place) as folder, Progress(1, settings.seconds) as progress:
        run = run_overload(settings, folder.path, command_line(), progress)
        progress.say("drawing")
        summary = overload_summary(run)
        (folder.path / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
        (folder.path / "overload.svg").write_text(overload_plot(run), "utf-8")
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        show(*overload_report(summary, place))
