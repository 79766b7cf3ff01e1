# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt simulate`: simulate an application in virtual time, or replay a recorded run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from msgspec import structs

from takt_cli.analysis.grid import Window, outcomes
from takt_cli.analysis.result import Result, read_result
from takt_cli.analysis.simulation_summary import SimulationSummary, replay_summary, simulation_summary
from takt_cli.cli.output import show, warn_of_overload
from takt_cli.errors import UsageError
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.tables.simulation import simulation_report
from takt_cli.results.folder import ResultFolder
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import RESOLVED_FILE, SUMMARY_FILE
from takt_cli.results.sample_files import write_rows
from takt_cli.run.run_and_replay import replay as replay_run
from takt_cli.run.simulation import Simulation
from takt_cli.run.simulation import simulate as simulate_model
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, read_spec

# In ns: the longest default virtual time, and the longest stretch that the timeline shows.
_LONGEST = 60 * 10**9
_DRAWN = 200 * 10**6


def _command(
    spec: Path,
    policy: str | None,
    duration: int | None,
    processors: int | None,
    replay: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    if replay is None:
        loaded = read_spec(spec, policy)
        application = loaded.application
        length = duration or default_duration(application)
        number = processors_of(loaded, processors)
        warn_of_overload(number, application)
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
    show(as_json, summary, *simulation_report(summary, out), folder=out)


def processors_of(spec: Spec, requested: int | None) -> int:
    """Return the number of processors to use: those requested, or those that the spec names. Raises a UsageError if
    they are fewer than these."""
    named = spec.application.processors
    if requested is not None and requested < named:
        raise UsageError(
            f"--processors {requested}: {spec.file} places callbacks on {named} processors; give at least {named}"
        )
    return named if requested is None else requested


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
    folder: Path, spec: Spec, summary: SimulationSummary, simulation: Simulation, window: Window, t0: int
) -> None:
    # Imported here: loading the plotting library takes half a second, and only --out needs it.
    from takt_cli.chart.svg import write_svgs  # noqa: PLC0415
    from takt_cli.report.charts.timeline import Stretch, timeline_chart  # noqa: PLC0415

    (folder / "spec.yaml").write_bytes(spec.text)
    write_json(folder / RESOLVED_FILE, spec.application)
    write_json(folder / SUMMARY_FILE, summary)
    write_rows(folder / "jobs.npy", simulation.jobs)
    write_rows(folder / "slices.npy", simulation.slices)
    all_outcomes = outcomes(spec.application, Window(t0, t0, window.end), simulation.jobs)
    end = min(t0 + min(spec.application.hyperperiod, _DRAWN), window.end)
    stretch = Stretch(spec.application, all_outcomes, simulation.slices, t0, end)
    title = f"{spec.application.name} in the simulator, {spec.application.policy}"
    write_svgs(folder, {"timeline": timeline_chart(stretch, "takt", title)})


simulate = verb("simulate", read_usage(__name__), _command)
