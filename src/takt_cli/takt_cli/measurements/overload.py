# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure overload`: which tasks stay on time under overload, and how fast the executor recovers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from takt_cli.analysis.overload import OverloadRun, overload_summary
from takt_cli.analysis.result import read_result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import Measurement
from takt_cli.options.common import SECONDS_ABOVE_0, Number, cpu_option, load_option
from takt_cli.report.kinds.overload import overload_chart, overload_report, overload_title
from takt_cli.results.conditions import Load
from takt_cli.results.folder import now
from takt_cli.results.result_file import NoRecord, ResultFormat
from takt_cli.results.sample_files import JOBS, read_rows, write_rows
from takt_cli.run.origin import origin_of_runs
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import simulate
from takt_cli.spec.application import POLICIES
from takt_cli.synthetic.overload_application import OverloadCourse, overload_spec

_WARMUP = 10**9
# The interval at which the process's resources are sampled, in ns, and the least number of samples in the overload.
_SAMPLE_INTERVAL, _LEAST_SAMPLES = 500 * 10**6, 20
# The folder of the run, and the file with the jobs of the simulation.
_RUN, _MODEL = "run", "model.npy"


@dataclass(frozen=True)
class OverloadSettings:
    """The settings of the experiment. Times in nanoseconds; `calm` is the length of each phase of normal load."""

    utilisation: float
    duration: int
    calm: int
    policy: str
    load: Load | None
    cpu: int

    @property
    def course(self) -> OverloadCourse:
        return OverloadCourse(self.utilisation, _WARMUP, self.calm, self.duration, self.policy)

    @property
    def parts(self) -> int:
        return 1

    @property
    def seconds(self) -> float:
        return (_WARMUP + self.course.duration) / 1e9


FORMAT = ResultFormat("overload", 1, OverloadSettings, NoRecord)


def run_overload(settings: OverloadSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run an application that temporarily demands more than the CPU's capacity, and simulate the same in virtual
    time."""
    began, course, place = now(), settings.course, folder / _RUN
    spec = overload_spec(course)
    write_rows(folder / _MODEL, simulate(spec.application, _WARMUP + course.duration).jobs)
    sample_interval = min(_SAMPLE_INTERVAL, settings.duration // _LEAST_SAMPLES)
    run = RunSettings(
        spec, "takt", course.duration, _WARMUP, (settings.cpu,), load=settings.load, gauges=sample_interval
    )
    place.mkdir()
    result = run_and_replay(run, place, command, progress).result
    FORMAT.write(folder, origin_of_runs(result, command, began), settings, NoRecord())


def read_overload(folder: Path) -> OverloadRun:
    """Read the result in `folder`. Raises ResultError if there is none."""
    origin = FORMAT.read(folder).origin
    return OverloadRun(origin, RunAnalysis(read_result(folder / _RUN)), read_rows(folder / _MODEL, JOBS))


def _settings(
    utilisation: float, duration: int, calm: int, policy: str, load: Load | None, cpu: int | None
) -> OverloadSettings:
    return OverloadSettings(utilisation, duration, calm, policy, load, choose_cpu(cpu))


OVERLOAD = Measurement(
    short_help="Utilisation above 1: which tasks stay on time, and recovery.",
    help="""
    Measure what happens when more work is released than the CPU can do, and how the application recovers.

    For engineers who must know which tasks stay on time in an overload. It runs 14 tasks on one CPU under takt: at a
    utilisation of 0.6, then with longer jobs for --duration, then at 0.6 again.

    It passes if (1) the tasks that meet every deadline in the simulator had no unforced deadline miss (misses while the
    kernel throttled real-time threads are counted apart), (2) memory, open files and threads did not grow during the
    overload, and (3) after it the backlog was done within its bound: the work left, divided by the share of the CPU
    that is free then, plus one hyperperiod. The run is a result of its own, beside summary and plot.

    \b
    Examples:
      takt measure overload --duration 10 --out results/overload
      takt measure overload --utilisation 2 --policy edf
    """,
    options=(
        click.option(
            "--utilisation",
            type=Number(1, 100, min_open=True),
            default=1.5,
            show_default=True,
            metavar="NUMBER",
            help="Utilisation of the CPU during the overload: the sum of execution time divided by period over all "
            "tasks.",
        ),
        click.option(
            "--duration", type=SECONDS_ABOVE_0, default="60", show_default=True, help="Length of the overload, above 0."
        ),
        click.option(
            "--calm",
            type=SECONDS_ABOVE_0,
            default="5",
            show_default=True,
            help="Length of the normal phase (utilisation 0.6) before the overload, and of that after it; above 0.",
        ),
        click.option(
            "--policy", type=click.Choice(POLICIES), default="fp", show_default=True, help="Scheduling policy."
        ),
        load_option(),
        cpu_option,
    ),
    settings=_settings,
    format=FORMAT,
    programs=("probe", "runner", "simulate"),
    run=run_overload,
    read=read_overload,
    summarise=overload_summary,
    title=overload_title,
    tables=overload_report,
    charts=lambda run, _: {"overload": overload_chart(run)},
    verdicts=lambda summary: {"": summary.verdict},
)
MEASUREMENTS = (OVERLOAD,)
