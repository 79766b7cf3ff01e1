# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure bounds`: whether response times in real runs stay within the bounds of the analysis."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from takt_cli.analysis.bounds import (
    AnalysedRun,
    BoundsSummary,
    analysed,
    bounded_set,
    bounds_summary,
    reasons_not_judged,
)
from takt_cli.analysis.result import read_result
from takt_cli.analysis.run_costs import run_costs
from takt_cli.errors import RunError
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import Measurement
from takt_cli.options.common import SECONDS_ABOVE_0, cpu_option
from takt_cli.report.kinds.bounds import bounds_chart, bounds_report, bounds_title
from takt_cli.results.folder import now
from takt_cli.results.result_file import Envelope, ResultFormat
from takt_cli.results.verdict import PASS
from takt_cli.run.check_simulation import longest_responses
from takt_cli.run.origin import origin_of_runs
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.schedulability.check import Check
from takt_cli.schedulability.model import Costs
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic.random_application import COSTS_SPEC, RandomApplication, random_spec
from takt_cli.traces.summary import TraceAnalysis, read_recorded_trace

POLICIES = ("fp", "np-fp", "edf")
_COSTS = "costs"
_WARMUP = 500_000_000
# Task sets that are not schedulable are drawn again, at most so often.
_ATTEMPTS = 1000
# The time per task set in addition to the run itself, in s.
_OVERHEAD_PER_SET = 2.5


@dataclass(frozen=True)
class BoundsSettings:
    """The settings of the experiment. `duration` is that of each run, in ns."""

    sets: int
    seed: int
    duration: int
    cpu: int
    policies: tuple[str, ...] = POLICIES

    @property
    def parts(self) -> int:
        return self.sets + 1

    @property
    def seconds(self) -> float:
        return self.parts * (self.duration + _WARMUP) / 1e9 + self.sets * _OVERHEAD_PER_SET


class BoundsRecord(msgspec.Struct, frozen=True):
    """The task sets by the names of their folders: the longest response time of each task in the model, in ns."""

    simulated: dict[str, dict[int, int]]


FORMAT = ResultFormat("bounds", 1, BoundsSettings, BoundsRecord)


@dataclass(frozen=True)
class Bounds:
    """The result in `folder`, which has a folder for the run that the costs are measured in, and one for each task
    set."""

    folder: Path
    envelope: Envelope[BoundsSettings, BoundsRecord]

    def costs(self) -> tuple[Costs, list[str]]:
        """Return takt's costs on this host, with the reasons, if any, why they cannot be judged. Their application is
        not one of those compared: a bound with costs from the very run that it bounds would always hold."""
        place = self.folder / _COSTS
        analysis, result = TraceAnalysis(read_recorded_trace(place)), read_result(place)
        return run_costs(analysis, result), reasons_not_judged(analysis, result)

    def runs(self, costs: Costs) -> Iterator[tuple[str, AnalysedRun]]:
        """Return the task sets one after the other, by name, because their traces are large."""
        for name, simulated in self.envelope.record.simulated.items():
            analysis, result = TraceAnalysis(read_recorded_trace(self.folder / name)), read_result(self.folder / name)
            checked, without_costs = (analysed(result.application, each) for each in (costs, Costs()))
            yield name, AnalysedRun(analysis, result, checked, without_costs, simulated)


def run_bounds(settings: BoundsSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the application that the costs are measured in; then simulate each task set, and run it with a trace."""
    began = now()

    def run(spec: Spec, place: Path) -> None:
        place.mkdir()
        run_settings = RunSettings(spec, "takt", settings.duration, _WARMUP, (settings.cpu,), trace=True)
        run_and_replay(run_settings, place, command, progress)

    run(Spec("costs.yaml", COSTS_SPEC.encode(), parse_spec(COSTS_SPEC.encode(), "costs.yaml")), folder / _COSTS)
    simulated = {}
    for number in range(1, settings.sets + 1):
        random_application, spec = draw(settings.seed, number, settings.policies[(number - 1) % len(settings.policies)])
        application, name = spec.application, random_application.name
        simulated[name] = longest_responses(application, _simulated(application), 1)
        run(spec, folder / name)
    origin = origin_of_runs(read_result(folder / _COSTS), command, began)
    FORMAT.write(folder, origin, settings, BoundsRecord(simulated))


def draw(seed: int, number: int, policy: str) -> tuple[RandomApplication, Spec]:
    """Return the first task set drawn that is proven schedulable: in others, releases may be skipped, which leaves less
    to compare."""
    for attempt in range(_ATTEMPTS):
        random_application = RandomApplication(seed, number, policy, attempt)
        text = random_spec(random_application).encode()
        spec = Spec(f"{random_application.name}.yaml", text, parse_spec(text, f"{random_application.name}.yaml"))
        if _holds(analysed(spec.application, Costs())):
            return random_application, spec
    raise RunError(f"no schedulable task set was drawn for seed {seed}; give another --seed")


def _holds(checked: Check) -> bool:
    return all(
        bound.response is not None and bound.response <= checked.application.tasks[index].callback.deadline
        for index, bound in checked.responses.items()
    )


def _simulated(application: Application) -> int:
    return max(task.callback.phase for task in application.tasks) + 2 * application.hyperperiod


def read_bounds(folder: Path) -> Bounds:
    """Read the result in `folder`. Raises ResultError if there is none."""
    return Bounds(folder, FORMAT.read(folder))


def _summarise(result: Bounds) -> BoundsSummary:
    settings, (costs, unknown_costs) = result.envelope.settings, result.costs()
    runs = [bounded_set(run, name) for name, run in result.runs(costs)]
    return bounds_summary(runs, settings.seed, settings.duration / 1e9, costs, unknown_costs)


def _settings(sets: int, seed: int | None, policies: tuple[str, ...], duration: int, cpu: int | None) -> BoundsSettings:
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    return BoundsSettings(sets, chosen, duration, choose_cpu(cpu), tuple(dict.fromkeys(policies)))


BOUNDS = Measurement(
    short_help="Response times of real runs against the bounds of takt check.",
    help="""
    Compare the response times of real runs with the bounds that `takt check` computes.

    For those who rely on the analysis, and for developers of takt. It draws random task sets that the analysis says
    meet their deadlines, and shows for each task the bound of its response times, the longest response time in the
    simulator, and the longest in a traced run under takt.

    The overheads of takt are measured first, in a run of another application, and counted in the bounds. For each job
    above its bound it is determined whether the host took the time, from the host's stalls, the CPU clocks of the
    threads and the kernel's context switches. Exit status: 0 only if every task could be judged, the host explains
    every job above its bound, and these are at most 0.1 % of all jobs.

    \b
    Examples:
      takt measure bounds
      takt measure bounds --sets 3 --seed 7 --policy edf --duration 2
    """,
    options=(
        click.option(
            "--sets",
            type=click.IntRange(1, 1000),
            default=20,
            show_default=True,
            metavar="N",
            help="Number of random task sets.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0),
            metavar="N",
            help="Seed of the random task sets [default: a different one each time, which is recorded].",
        ),
        click.option(
            "--policy",
            "policies",
            type=click.Choice(POLICIES),
            multiple=True,
            default=POLICIES,
            show_default=True,
            help="Scheduling policy; may be repeated, the task sets then take them in turn.",
        ),
        click.option(
            "--duration",
            type=SECONDS_ABOVE_0,
            default="5",
            show_default=True,
            help="Measuring time of each run, above 0.",
        ),
        cpu_option,
    ),
    settings=_settings,
    format=FORMAT,
    programs=("probe", "runner", "simulate"),
    run=run_bounds,
    read=read_bounds,
    summarise=_summarise,
    title=bounds_title,
    tables=bounds_report,
    charts=lambda _, summary: {"bounds": bounds_chart(summary)},
    verdicts=lambda summary: {"": summary.verdict},
    exit_status=lambda summary: int(summary.verdict.outcome != PASS),
)
MEASUREMENTS = (BOUNDS,)
