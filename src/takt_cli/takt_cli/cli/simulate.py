# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt simulate`: simulate an application in virtual time, or replay a recorded run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from msgspec import structs

from takt_cli.analysis.grid import Window, outcomes
from takt_cli.analysis.result import Result, read_result
from takt_cli.analysis.simulation_summary import replay_summary, simulation_summary
from takt_cli.cli.output import print_json, print_output, warn_of_overload
from takt_cli.errors import UsageError
from takt_cli.options.common import SECONDS_ABOVE_0, json_option, policy_option, spec_argument
from takt_cli.report.tables.simulation import simulation_report
from takt_cli.results.folder import ResultFolder
from takt_cli.results.json_file import plain, write_json
from takt_cli.results.sample_files import write_rows
from takt_cli.run.run_and_replay import replay as replay_run
from takt_cli.run.simulation import Simulation
from takt_cli.run.simulation import simulate as simulate_model
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, read_spec

# In ns: the longest default virtual time, and the longest stretch that the timeline shows.
_LONGEST = 60 * 10**9
_DRAWN = 200 * 10**6


@click.command()
@spec_argument
@policy_option
@click.option(
    "--duration",
    type=SECONDS_ABOVE_0,
    help="Virtual time to simulate, above 0 [default: two hyperperiods after the latest phase, at most 60 s].",
)
@click.option(
    "--processors",
    type=click.IntRange(1, 128),
    metavar="N",
    help="Number of processors that the tasks are assigned to [default: as many as the spec names; with --replay those "
    "of the run].",
)
@click.option(
    "--replay",
    type=click.Path(),
    metavar="RESULT",
    help="Folder of a finished run of SPEC: use its releases, execution times and host stalls instead of the WCETs.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for samples, summary and a timeline; it must be new or empty [default: nothing is written].",
)
@json_option
def simulate(
    spec: Path,
    policy: str | None,
    duration: int | None,
    processors: int | None,
    replay: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Simulate the application SPEC (a YAML file) in virtual time, by the same scheduling model that takt executes.

    For engineers who want to see a schedule before anything runs, or to find out whether a deadline miss could have
    been avoided. Every job takes its WCET, the worst-case execution time in the spec. With --replay it takes as long as
    in that run, and nothing runs while the host stalled in the run: a job that was late in the run and is on time here
    is an unforced miss, which the executor caused. On several
    processors each task runs on one of them: as the spec says, else by worst fit of utilisations (WCET divided by
    period).

    \b
    Examples:
      takt simulate examples/planner.yaml --policy edf
      takt simulate examples/two_cores.yaml --processors 2
      takt simulate examples/planner.yaml --replay results/edf --json
    """
    if replay is None:
        loaded = read_spec(spec, policy)
        application = loaded.application
        length = duration or default_duration(application)
        number = application.processors if processors is None else processors
        if number < application.processors:
            raise UsageError(
                f"--processors {number}: {spec} places callbacks on {application.processors} processors; "
                f"give at least {application.processors}"
            )
        warn_of_overload(application, number)
        simulation, t0 = simulate_model(application, length, number), 0
        window = Window(0, 0, length)
        summary = simulation_summary(application, window, simulation.jobs, range(number), simulation.task_cpus)
    else:
        if not replay:
            raise UsageError("--replay: is empty; name the folder of a finished run")
        if duration is not None:
            raise UsageError("--duration does not go with --replay, which takes as long as the run; leave it out")
        if processors is not None:
            raise UsageError("--processors does not go with --replay, which has those of the run; leave it out")
        finished = Path(replay)
        result = read_result(finished)
        loaded = read_spec(spec, policy or result.settings.policy)
        application = loaded.application
        _must_match(loaded, result, finished)
        simulation, t0 = replay_run(result, application.policy), result.window.t0
        window = result.window
        summary = replay_summary(replace(result, replay=simulation.jobs), application)
    if out is not None:
        with ResultFolder(out) as folder:
            _write_result(folder.path, loaded, summary, simulation, window, t0)
    if as_json:
        print_json(summary | ({"folder": str(out)} if out else {}))
    else:
        print_output(*simulation_report(summary, out))


def default_duration(application: Application) -> int:
    """Return the default virtual time to simulate, in ns: the latest phase plus two hyperperiods, at most 60 s.

    From an idle start the schedule repeats itself after that. With an overload the two hyperperiods follow its end, so
    that the recovery is seen.
    """
    latest = max(task.callback.phase for task in application.tasks)
    if application.overload is not None:
        latest = max(latest, application.overload.end)
    return min(latest + 2 * application.hyperperiod, _LONGEST)


def _must_match(spec: Spec, result: Result, folder: Path) -> None:
    ours, theirs = (structs.replace(each.application, name="", policy="") for each in (spec, result))
    if ours != theirs:
        raise UsageError(
            f"{spec.file}: is not the spec of the run in {folder}; give {folder / 'spec.yaml'}, or another result"
        )


def _write_result(
    folder: Path, spec: Spec, summary: dict[str, Any], simulation: Simulation, window: Window, t0: int
) -> None:
    # Imported here: loading the plotting library takes half a second, and only --out needs it.
    from takt_cli.chart.svg import write_svgs  # noqa: PLC0415
    from takt_cli.report.charts.timeline import Stretch, timeline_chart  # noqa: PLC0415

    (folder / "spec.yaml").write_bytes(spec.text)
    (folder / "resolved.json").write_text(json.dumps(plain(spec.application), indent=1) + "\n", "utf-8")
    write_json(folder / "summary.json", summary)
    write_rows(folder / "jobs.npy", simulation.jobs)
    write_rows(folder / "slices.npy", simulation.slices)
    all_outcomes = outcomes(spec.application, Window(t0, t0, window.end), simulation.jobs)
    end = min(t0 + min(spec.application.hyperperiod, _DRAWN), window.end)
    stretch = Stretch(spec.application, all_outcomes, simulation.slices, t0, end)
    title = f"{spec.application.name} in the simulator, {spec.application.policy}"
    write_svgs(folder, {"timeline": timeline_chart(stretch, "takt", title)})
