# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A run with its replay and its figures: what `takt run` and `takt demo` have in common."""

from __future__ import annotations

import json
from pathlib import Path

from takt_cli.analysis.files import write_rows
from takt_cli.analysis.result import Result, read_result
from takt_cli.analysis.summary import Figures
from takt_cli.analysis.verdict import watched
from takt_cli.run.experiment import run_experiment
from takt_cli.run.progress import Progress
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import Recorded, Simulation, simulate


def run_measured(settings: RunSettings, folder: Path, command: list[str], progress: Progress) -> Figures:
    """Runs, replays in the model under the spec's policy, and leaves summary.json beside the samples."""
    run_experiment(settings, folder, command, progress)
    progress.say("replaying in the model")
    result = read_result(folder)
    write_rows(folder / "replay.npy", replay(result).jobs)
    figures = Figures(read_result(folder))
    (folder / "summary.json").write_text(json.dumps(figures.summary(), indent=1) + "\n", "utf-8")
    return figures


def replay(result: Result, policy: str | None = None) -> Simulation:
    """The run's releases and execution times in the model, with the stalls of the host where they
    were seen; from the origin of the grid, so that the warm-up has its backlog."""
    application = result.application if policy is None else result.application.under(policy)
    stalls = result.stalls if watched(result.record["probes"]) else None
    recorded = Recorded(result.jobs, stalls, result.cpus, result.on)
    return simulate(application, result.window.end - result.window.t0, recorded=recorded)
