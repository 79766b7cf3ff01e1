# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure bounds`: whether response times in real runs stay within the bounds of the analysis."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

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
from takt_cli.comparison.figures import Figure, PerCase
from takt_cli.errors import RunError
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.bounds import bounds_chart, bounds_report, bounds_title
from takt_cli.results.bounds import BOUNDS_FORMAT, POLICIES, WARMUP, BoundsRecord, BoundsSettings
from takt_cli.results.folder import now
from takt_cli.results.result_file import StoredResult
from takt_cli.results.verdict import PASS
from takt_cli.run.origin import origin_of_runs
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import longest_responses
from takt_cli.schedulability.check import Check
from takt_cli.schedulability.model import Costs
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, built_in_spec, parse_spec
from takt_cli.synthetic.random_application import RandomApplication, random_spec
from takt_cli.traces.summary import TraceAnalysis, read_recorded_trace

_COSTS = "costs"
# Task sets that are not schedulable are drawn again, at most so often.
_ATTEMPTS = 1000


@dataclass(frozen=True)
class Bounds(StoredResult[BoundsSettings, BoundsRecord]):
    """The result in `folder`, which has a folder for the run that the costs are measured in, and one for each task
    set."""

    def costs(self) -> tuple[Costs, list[str]]:
        """Return takt's costs on this host, with the reasons, if any, why they cannot be judged. Their application is
        not one of those compared: a bound with costs from the very run that it bounds would always hold."""
        place = self.folder / _COSTS
        analysis, result = TraceAnalysis(read_recorded_trace(place)), read_result(place)
        return run_costs(analysis, result), reasons_not_judged(analysis, result)

    def runs(self, costs: Costs) -> Iterator[tuple[str, AnalysedRun]]:
        """Return the task sets one after the other, by name, because their traces are large."""
        for name, simulated in self.record.simulated.items():
            analysis, result = TraceAnalysis(read_recorded_trace(self.folder / name)), read_result(self.folder / name)
            checked, without_costs = (analysed(result.application, each) for each in (costs, Costs()))
            yield name, AnalysedRun(analysis, result, checked, without_costs, simulated)


def run_bounds(settings: BoundsSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the application that the costs are measured in; then simulate each task set, and run it with a trace."""
    began = now()

    def run(spec: Spec, place: Path) -> None:
        place.mkdir()
        run_settings = RunSettings(spec, "takt", settings.duration, WARMUP, (settings.cpu,), trace=True)
        run_and_replay(run_settings, place, command, progress)

    run(built_in_spec("costs.yaml"), folder / _COSTS)
    simulated = {}
    for number in range(1, settings.sets + 1):
        random_application, spec = draw(settings.seed, number, settings.policies[(number - 1) % len(settings.policies)])
        application, name = spec.application, random_application.name
        simulated[name] = longest_responses(application, _simulated(application), 1)
        run(spec, folder / name)
    origin = origin_of_runs(read_result(folder / _COSTS), command, began)
    BOUNDS_FORMAT.write(folder, origin, settings, BoundsRecord(simulated))


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
    return Bounds(folder, BOUNDS_FORMAT.read(folder))


def _summarise(result: Bounds) -> BoundsSummary:
    settings, (costs, unknown_costs) = result.settings, result.costs()
    runs = [bounded_set(run, name) for name, run in result.runs(costs)]
    return bounds_summary(runs, settings.seed, settings.duration / 1e9, costs, unknown_costs)


def _settings(sets: int, seed: int | None, policies: tuple[str, ...], duration: int, cpu: int | None) -> BoundsSettings:
    chosen = random.SystemRandom().randrange(1 << 32) if seed is None else seed
    return BoundsSettings(sets, chosen, duration, choose_cpu(cpu), tuple(dict.fromkeys(policies)))


def _figures(_: Bounds, summary: BoundsSummary) -> dict[str, list[Figure[Any]]]:
    """Return how far tasks stay below their bounds, by policy. The task sets are the same for a seed."""
    figures: dict[str, list[Figure[Any]]] = {}
    for policy in dict.fromkeys(run.policy for run in summary.runs):
        sets = [run.tasks for run in summary.runs if run.policy == policy]
        responses = [[_share(task.measured_without_host_ns, task.bound_ns) for task in tasks] for tasks in sets]
        bounds = [[_share(task.bound_ns, task.deadline_ns) for task in tasks] for tasks in sets]
        figures[policy] = [
            PerCase("longest response as a share of the bound, median of tasks", "%", list(map(median, responses))),
            PerCase("longest response as a share of the bound, largest of tasks", "%", list(map(max, responses))),
            PerCase("bound as a share of the deadline, largest of tasks", "%", list(map(max, bounds))),
        ]
    return figures


def _share(part: int | None, whole: int | None) -> float:
    return 100 * part / whole if part is not None and whole else inf


BOUNDS = Measurement(
    usage=read_usage(__name__, policies=POLICIES),
    settings=_settings,
    format=BOUNDS_FORMAT,
    programs=("probe", "runner", "simulate"),
    run=run_bounds,
    read=read_bounds,
    summarise=_summarise,
    title=bounds_title,
    tables=bounds_report,
    charts=lambda _, summary: {"bounds": bounds_chart(summary)},
    verdicts=lambda summary: {"": summary.verdict},
    comparison=ComparisonRules(subject=lambda _: "bounds", may_differ=frozenset({"cpu"}), figures=_figures),
    exit_status=lambda summary: int(summary.verdict.outcome != PASS),
)
MEASUREMENTS = (BOUNDS,)
