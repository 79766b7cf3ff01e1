# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A run with its replay and its figures, as `takt run` and `takt demo` make it."""

from __future__ import annotations

from pathlib import Path

from takt_cli.analysis.result import Result, read_result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import SUMMARY_FILE
from takt_cli.results.sample_files import write_rows
from takt_cli.run.experiment import run_experiment
from takt_cli.run.progress import Progress
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import Recorded, Simulation, simulate


def run_and_replay(settings: RunSettings, folder: Path, command: list[str], progress: Progress) -> RunAnalysis:
    """Run an application, replay it in the model under the spec's policy, and write summary.json beside the samples."""
    run_experiment(settings, folder, command, progress)
    progress.say("replaying in the simulator")
    result = read_result(folder)
    write_rows(folder / "replay.npy", replay(result).jobs)
    analysis = RunAnalysis(read_result(folder))
    write_json(folder / SUMMARY_FILE, analysis.summary)
    return analysis


def replay(result: Result, policy: str | None = None) -> Simulation:
    """Replay the run's releases and execution times in the model, with the host's stalls if they were observed. The
    replay starts at t0, so that it has the same backlog after the warm-up."""
    application = result.application if policy is None else result.application.under(policy)
    stalls = result.stalls if result.record.saw_stalls else None
    recorded = Recorded(result.jobs, stalls, result.cpus, result.task_cpus)
    return simulate(application, result.window.end - result.window.t0, recorded=recorded)
