# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure data-age`: the age of a reader's data, with and without a bound (`max_age`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from takt_cli.analysis.data_age import AgedRun, DataAgeSummary, aged_figures, data_age_summary
from takt_cli.analysis.result import read_result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import Measurement
from takt_cli.options.common import SECONDS_ABOVE_0, Duration, Positive, cpu_option
from takt_cli.report.kinds.data_age import data_age_chart, data_age_report, data_age_title
from takt_cli.results.folder import now
from takt_cli.results.result_file import Envelope, ResultFormat
from takt_cli.results.sample_files import JOBS, read_rows, write_rows
from takt_cli.run.origin import origin_of_runs
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import simulate
from takt_cli.spec.checks import AGE_MARGIN
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic.data_age_application import READER_PERIOD, DataAgeCase, data_age_spec

_WARMUP = 10**9
_SIMULATED = 2 * 10**9


@dataclass(frozen=True)
class DataAgeSettings:
    """The settings of the experiment. Times in nanoseconds; `duration` is that of one run."""

    nodes: tuple[int, ...]
    phases: tuple[int, ...]
    max_age: int
    duration: int
    seed: int
    cpu: int

    @property
    def cases(self) -> list[DataAgeCase]:
        """The runs: for each number of nodes and each phase of the reader, first without a bound, then with it."""
        return [
            DataAgeCase(nodes, bound, phase, self.seed)
            for nodes in self.nodes
            for phase in self.phases
            for bound in (None, self.max_age)
        ]

    @property
    def parts(self) -> int:
        return len(self.cases)

    @property
    def seconds(self) -> float:
        return self.parts * (_WARMUP + self.duration) / 1e9


class DataAgeRecord(msgspec.Struct, frozen=True):
    """The length of each simulation, in ns of virtual time."""

    simulated: int


FORMAT = ResultFormat("data-age", 1, DataAgeSettings, DataAgeRecord)


@dataclass(frozen=True)
class DataAge:
    """The result in `folder`, which has a folder for each run, and beside it the jobs of its simulation."""

    folder: Path
    envelope: Envelope[DataAgeSettings, DataAgeRecord]

    def run(self, case: DataAgeCase) -> AgedRun:
        """Return a run. Raises ResultError if it is missing."""
        analysis, model = (
            RunAnalysis(read_result(self.folder / case.folder)),
            read_rows(_model(self.folder, case), JOBS),
        )
        return AgedRun(case, analysis, model, self.envelope.record.simulated)


def run_data_age(settings: DataAgeSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Simulate and run each case, which leaves a result folder for each."""
    began, results = now(), []
    for case in settings.cases:
        place, text = folder / case.folder, data_age_spec(case).encode()
        place.mkdir()
        spec = Spec(f"{case.folder}.yaml", text, parse_spec(text, f"{case.folder}.yaml"))
        write_rows(_model(folder, case), simulate(spec.application, _SIMULATED).jobs)
        run = RunSettings(spec, "takt", settings.duration, _WARMUP, (settings.cpu,))
        results.append(run_and_replay(run, place, command, progress).result)
    FORMAT.write(folder, origin_of_runs(results[0], command, began), settings, DataAgeRecord(_SIMULATED))


def _model(folder: Path, case: DataAgeCase) -> Path:
    return folder / f"{case.folder}.model.npy"


def read_data_age(folder: Path) -> DataAge:
    """Read the result in `folder`. Raises ResultError if there is none."""
    return DataAge(folder, FORMAT.read(folder))


def _summarise(result: DataAge) -> DataAgeSummary:
    settings = result.envelope.settings
    runs = [aged_figures(result.run(case), settings.max_age) for case in settings.cases]
    return data_age_summary(runs, settings.max_age, settings.duration / 1e9)


def _settings(
    nodes: tuple[int, ...], phases: tuple[int, ...], max_age: int, duration: int, seed: int, cpu: int | None
) -> DataAgeSettings:
    if max_age <= AGE_MARGIN or max_age > READER_PERIOD:
        raise UsageError("--max-age: must be above takt's safety margin, 100us, and at most the reader's period, 100ms")
    if any(phase >= READER_PERIOD for phase in phases):
        raise UsageError("--phase: must be below the reader's period, 100ms")
    unique = tuple(dict.fromkeys(nodes)), tuple(dict.fromkeys(phases))
    return DataAgeSettings(*unique, max_age, duration, seed, choose_cpu(cpu))


DATA_AGE = Measurement(
    short_help="Age of a reader's data, with and without a bound.",
    help="""
    Measure how old the data is that a reader uses, under takt, with and without a bound of the data age.

    For engineers who must not act on old data. It repeats the experiment of section 5.5 of Krukiewicz-Gacek's thesis
    (2021): a reader of the highest priority every 100 ms and its producer of the lowest priority every 50 ms, among
    further nodes with periods of 10, 20 and 40 ms, at a utilisation of 0.75 in all; one run without and one with the
    bound. It passes if with the bound no data is older than it, and no task that meets its deadlines in the simulator
    misses one, except where the host stalled. Each run is a result of its own, with its spec.

    \b
    Example:
      takt measure data-age --nodes 4 --nodes 50 --duration 10
    """,
    options=(
        click.option(
            "--nodes",
            type=click.IntRange(1, 500),
            multiple=True,
            default=(4, 20, 50),
            show_default=True,
            metavar="N",
            help="Number of nodes beside reader and producer; may be repeated, one pair of runs for each.",
        ),
        click.option(
            "--phase",
            "phases",
            type=Duration(),
            multiple=True,
            default=("0ms",),
            show_default=True,
            help="Phase of the reader's releases relative to the producer's, 0 to below 100ms; may be repeated.",
        ),
        click.option(
            "--max-age",
            type=Positive(),
            default="40ms",
            show_default=True,
            help="Bound of the data age, above 100us and at most 100ms, the reader's period.",
        ),
        click.option(
            "--duration",
            type=SECONDS_ABOVE_0,
            default="30",
            show_default=True,
            help="Measuring time of each run, above 0.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0),
            default=1,
            show_default=True,
            metavar="N",
            help="Seed of the random further nodes.",
        ),
        cpu_option,
    ),
    settings=_settings,
    format=FORMAT,
    programs=("probe", "runner", "simulate"),
    run=run_data_age,
    read=read_data_age,
    summarise=_summarise,
    title=data_age_title,
    tables=data_age_report,
    charts=lambda _, summary: {"data-age": data_age_chart(summary)},
    verdicts=lambda summary: {"": summary.verdict},
)
MEASUREMENTS = (DATA_AGE,)
