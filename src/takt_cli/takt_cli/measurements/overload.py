# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure overload`: which tasks stay on time under overload, and how fast the executor recovers."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.analysis.overload import OverloadRun, OverloadSummary, overload_summary
from takt_cli.analysis.result import read_result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.comparison.figures import Figure, PerRound, Share, quantiles
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.overload import overload_chart, overload_report, overload_title
from takt_cli.results.conditions import Load
from takt_cli.results.folder import now
from takt_cli.results.overload import OVERLOAD_FORMAT, WARMUP, OverloadSettings
from takt_cli.results.result_file import NoRecord
from takt_cli.results.sample_files import JOBS, Mask, read_rows, write_rows
from takt_cli.run.origin import origin_of_runs
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import simulate
from takt_cli.spec.application import POLICIES
from takt_cli.statistics.confidence import in_order_of_time
from takt_cli.synthetic.overload_application import OverloadCourse, overload_spec

# The interval at which the process's resources are sampled, in ns, and the least number of samples in the overload.
_SAMPLE_INTERVAL, _LEAST_SAMPLES = 500 * 10**6, 20
# The folder of the run, and the file with the jobs of the simulation.
_RUN, _MODEL = "run", "model.npy"


def run_overload(settings: OverloadSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run an application that temporarily demands more than the CPU's capacity, and simulate the same in virtual
    time."""
    began, place = now(), folder / _RUN
    course = OverloadCourse(settings.utilisation, WARMUP, settings.calm, settings.duration, settings.policy)
    spec = overload_spec(course)
    write_rows(folder / _MODEL, simulate(spec.application, WARMUP + course.duration).jobs)
    sample_interval = min(_SAMPLE_INTERVAL, settings.duration // _LEAST_SAMPLES)
    run = RunSettings(
        spec, "takt", course.duration, WARMUP, (settings.cpu,), load=settings.load, gauges=sample_interval
    )
    place.mkdir()
    result = run_and_replay(run, place, command, progress).result
    OVERLOAD_FORMAT.write(folder, origin_of_runs(result, command, began), settings, NoRecord())


def read_overload(folder: Path) -> OverloadRun:
    """Read the result in `folder`. Raises ResultError if there is none."""
    analysis, model = RunAnalysis(read_result(folder / _RUN)), read_rows(folder / _MODEL, JOBS)
    return OverloadRun(folder, OVERLOAD_FORMAT.read(folder), analysis, model)


def _settings(
    utilisation: float, duration: int, calm: int, policy: str, load: Load | None, cpu: int | None
) -> OverloadSettings:
    return OverloadSettings(utilisation, duration, calm, policy, load, choose_cpu(cpu))


def _figures(run: OverloadRun, summary: OverloadSummary) -> dict[str, list[Figure[Any]]]:
    """Return the misses and responses of the tasks that the policy holds in the model, the misses of the others during
    the overload and of all at normal load, and the recovery."""
    out = run.run_analysis.outcomes
    held = np.isin(out.task, run.held)
    during = (out.release >= run.begin) & (out.release < run.end)
    recovered = inf if summary.recovery.measured_ms is None else summary.recovery.measured_ms

    def missed(jobs: Mask) -> Figure[Any]:
        return Share("missed deadlines", "%", [in_order_of_time(out.missed[jobs], out.release[jobs])])

    finished = held & (out.finish >= 0)
    release, response = out.release[finished], (out.finish - out.release)[finished]
    shares = 100 * response / (out.deadline - out.release)[finished]
    return {
        "held tasks": [missed(held), *quantiles("response as a share of the deadline", "%", [(release, shares)])],
        "other tasks in the overload": [missed(~held & during)],
        "normal load": [missed(out.release < run.begin)],
        "recovery": [PerRound("time until nothing was pending", "ms", [recovered])],
    }


OVERLOAD = Measurement(
    usage=read_usage(__name__, policies=POLICIES),
    settings=_settings,
    format=OVERLOAD_FORMAT,
    programs=("probe", "runner", "simulate"),
    run=run_overload,
    read=read_overload,
    summarise=overload_summary,
    title=overload_title,
    tables=overload_report,
    charts=lambda run, _: {"overload": overload_chart(run)},
    verdicts=lambda summary: {"": summary.verdict},
    comparison=ComparisonRules(
        subject=lambda settings: f"overload of {settings.utilisation:g}",
        may_differ=frozenset({"cpu"}),
        figures=_figures,
    ),
)
MEASUREMENTS = (OVERLOAD,)
