# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure data-age`: the age of a reader's data, with and without a bound (`max_age`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from takt_cli.analysis.data_age import AgedRun, DataAgeSummary, aged_figures, data_age_summary
from takt_cli.analysis.freshness import data_age, reads_within
from takt_cli.analysis.result import read_result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.comparison.figures import Figure, Share, quantiles
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.data_age import data_age_chart, data_age_report, data_age_title
from takt_cli.results.folder import now
from takt_cli.results.result_file import ResultFormat, StoredResult
from takt_cli.results.sample_files import JOBS, read_rows, write_rows
from takt_cli.run.origin import origin_of_runs
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import simulate
from takt_cli.spec.checks import AGE_MARGIN
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.statistics.confidence import in_order_of_time
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
class DataAge(StoredResult[DataAgeSettings, DataAgeRecord]):
    """The result in `folder`, which has a folder for each run, and beside it the jobs of its simulation."""

    def run(self, case: DataAgeCase) -> AgedRun:
        """Return a run. Raises ResultError if it is missing."""
        analysis, model = (
            RunAnalysis(read_result(self.folder / case.folder)),
            read_rows(_model(self.folder, case), JOBS),
        )
        return AgedRun(case, analysis, model, self.record.simulated)


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
    settings = result.settings
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


def _figures(result: DataAge, _: DataAgeSummary) -> dict[str, list[Figure[Any]]]:
    """Return the ages of the data that was read in each run, and its missed deadlines."""
    limit = result.envelope.settings.max_age
    figures: dict[str, list[Figure[Any]]] = {}
    for case in result.envelope.settings.cases:
        analysis = result.run(case).run_analysis
        out, run = analysis.outcomes, analysis.result
        reads = reads_within(run.application, run.window, run.reads)
        ages, instants = data_age(reads), reads["start"]
        above, missed = in_order_of_time(ages > limit, instants), in_order_of_time(out.missed, out.release)
        figures[case.folder] = [
            *quantiles("data age", "ms", [(instants, ages / 1e6)]),
            Share(f"data older than {limit / 1e6:g} ms", "%", [above]),
            Share("missed deadlines", "%", [missed]),
        ]
    return figures


DATA_AGE = Measurement(
    usage=read_usage(__name__),
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
    comparison=ComparisonRules(subject=lambda _: "data age", may_differ=frozenset({"cpu"}), figures=_figures),
)
MEASUREMENTS = (DATA_AGE,)
