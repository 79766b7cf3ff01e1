# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Random task sets, each treated in three ways: analysed, simulated by the model, and run with a trace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.bounds import AnalysedRun, reasons_not_judged
from takt_cli.analysis.result import read_result
from takt_cli.analysis.run_costs import run_costs
from takt_cli.errors import RunError
from takt_cli.run.check_simulation import longest_responses
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.schedulability.check import Check, check
from takt_cli.schedulability.model import Costs, Demands, declared_wcets
from takt_cli.spec.application import Application
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic.random_application import COSTS_SPEC, RandomApplication, random_spec
from takt_cli.traces.summary import TraceAnalysis, read_recorded_trace

POLICIES = ("fp", "np-fp", "edf")
COSTS_FOLDER = "costs"
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
    def seconds(self) -> float:
        return (self.sets + 1) * (self.duration + _WARMUP) / 1e9 + self.sets * _OVERHEAD_PER_SET


def measure_costs(
    settings: BoundsSettings, folder: Path, command: list[str], progress: Progress
) -> tuple[Costs, list[str]]:
    """Measure takt's costs on this host, and return them with the reasons, if any, why they cannot be judged. The
    application is not one of those compared: a bound with costs from the very run that it bounds would always hold."""
    place = folder / COSTS_FOLDER
    place.mkdir()
    spec = Spec("costs.yaml", COSTS_SPEC.encode(), parse_spec(COSTS_SPEC.encode(), "costs.yaml"))
    run_and_replay(_run(settings, spec), place, command, progress)
    analysis, result = TraceAnalysis(read_recorded_trace(place)), read_result(place)
    return run_costs(analysis, result), reasons_not_judged(analysis, result)


def run_bounds(
    settings: BoundsSettings, costs: Costs, folder: Path, command: list[str], progress: Progress
) -> Iterator[tuple[str, AnalysedRun]]:
    """Analyse, simulate and run each task set; yields the name of its folder and the results."""
    for number in range(1, settings.sets + 1):
        random_application, spec = draw(settings.seed, number, settings.policies[(number - 1) % len(settings.policies)])
        application = spec.application
        place = folder / random_application.name
        place.mkdir()
        simulated = longest_responses(application, _simulated(application), 1)
        run_and_replay(_run(settings, spec), place, command, progress)
        analysis = TraceAnalysis(read_recorded_trace(place))
        checked = analysed(application, costs)
        yield (
            random_application.name,
            AnalysedRun(analysis, read_result(place), checked, analysed(application, Costs()), simulated),
        )


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


def analysed(application: Application, costs: Costs) -> Check:
    return check(application, [0] * len(application.tasks), Demands(declared_wcets(application), costs))


def _holds(checked: Check) -> bool:
    return all(
        bound.response is not None and bound.response <= checked.application.tasks[index].callback.deadline
        for index, bound in checked.responses.items()
    )


def _simulated(application: Application) -> int:
    return max(task.callback.phase for task in application.tasks) + 2 * application.hyperperiod


def _run(settings: BoundsSettings, spec: Spec) -> RunSettings:
    return RunSettings(spec, "takt", settings.duration, _WARMUP, (settings.cpu,), trace=True)
