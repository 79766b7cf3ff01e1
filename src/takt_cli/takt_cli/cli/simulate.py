# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt simulate`: the model in virtual time, alone or over a run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.files import write_rows
from takt_cli.analysis.grid import Window, outcomes
from takt_cli.analysis.result import Result, read_result
from takt_cli.analysis.simulated import replay_summary, simulation_summary
from takt_cli.cli.options import SECONDS_ABOVE_0, policy_option, spec_argument
from takt_cli.cli.output import print_json, show, warn_of_overload
from takt_cli.errors import UsageError
from takt_cli.report.simulation_table import simulation_report
from takt_cli.run.folder import ResultFolder
from takt_cli.run.measured import replay as replay_run
from takt_cli.run.simulation import Simulation
from takt_cli.run.simulation import simulate as simulate_model
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, read_spec

_LONGEST = 60 * 10**9
_DRAWN = 200 * 10**6


@click.command()
@spec_argument
@policy_option
@click.option(
    "--duration",
    type=SECONDS_ABOVE_0,
    help="Virtual time to simulate [default: two hyperperiods beyond the last phase, 60 s at most].",
)
@click.option(
    "--processors",
    type=click.IntRange(1, 128),
    help="Over how many the tasks are partitioned [default: as many as the spec names, or those of the run].",
)
@click.option(
    "--replay",
    type=click.Path(),
    metavar="RESULT",
    help="A finished run of SPEC: take its releases and execution times instead of the WCETs.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Keep samples, summary and a timeline here."
)
@click.option("--json", "as_json", is_flag=True, help="JSON alone on standard output.")
def simulate(
    spec: Path,
    policy: str | None,
    duration: int | None,
    processors: int | None,
    replay: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Simulate the application SPEC in virtual time, by the same model that the executor runs.

    On several processors each task is on one of them: as the spec says, else by worst fit of WCET by
    period. Every job takes its WCET, or, with --replay, what it took in that run, and nothing runs while the
    host stalled there: a job that was late there and is on time here was an unforced miss.

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
            raise UsageError(f"--processors {number}: {spec} places callbacks on {application.processors}")
        warn_of_overload(application, number)
        simulation, t0 = simulate_model(application, length, number), 0
        window = Window(0, 0, length)
        summary = simulation_summary(application, window, simulation.jobs, range(number), simulation.on)
    else:
        if not replay:
            raise UsageError("--replay: is empty; name the folder of a finished run")
        if duration is not None:
            raise UsageError("--duration does not go with --replay: the run says how long it was")
        if processors is not None:
            raise UsageError("--processors does not go with --replay: the run says which there were")
        finished = Path(replay)
        result = read_result(finished)
        loaded = read_spec(spec, policy or str(result.record["policy"]))
        application = loaded.application
        _must_match(loaded, result, finished)
        simulation, t0 = replay_run(result, application.policy), result.window.t0
        window = result.window
        summary = replay_summary(replace(result, replay=simulation.jobs), application)
    if out is not None:
        with ResultFolder(out) as folder:
            _keep(folder.path, loaded, summary, simulation, window, t0)
    if as_json:
        print_json(summary | ({"folder": str(out)} if out else {}))
    else:
        show(*simulation_report(summary, out))


def default_duration(application: Application) -> int:
    """From an idle start the schedule repeats after the last phase plus two hyperperiods; what an
    overload leaves behind is seen in those that follow it."""
    last = max(task.callback.phase for task in application.tasks)
    if application.overload is not None:
        last = max(last, application.overload.end)
    return min(last + 2 * application.hyperperiod, _LONGEST)


def _must_match(spec: Spec, result: Result, folder: Path) -> None:
    same = {"name": "", "policy": ""}
    if spec.application.to_json() | same != result.application.to_json() | same:
        raise UsageError(
            f"{spec.file}: is not the spec of the run in {folder}; give {folder / 'spec.yaml'} or another result"
        )


def _keep(folder: Path, spec: Spec, summary: dict[str, Any], simulation: Simulation, window: Window, t0: int) -> None:
    from takt_cli.report.style import COLOURS  # noqa: PLC0415 - half a second to load, for those who keep a plot
    from takt_cli.report.timeline import Stretch, timeline  # noqa: PLC0415

    (folder / "spec.yaml").write_bytes(spec.text)
    (folder / "resolved.json").write_text(json.dumps(spec.application.to_json(), indent=1) + "\n", "utf-8")
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    write_rows(folder / "jobs.npy", simulation.jobs)
    write_rows(folder / "slices.npy", simulation.slices)
    whole = outcomes(spec.application, Window(t0, t0, window.end), simulation.jobs)
    end = min(t0 + min(spec.application.hyperperiod, _DRAWN), window.end)
    stretch = Stretch(spec.application, whole, simulation.slices, t0, end)
    title = f"{spec.application.name} in the model, {spec.application.policy}"
    (folder / "timeline.svg").write_text(timeline(stretch, COLOURS["takt"], title), "utf-8")
