# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The overload experiment: runs an application that temporarily demands more than the CPU's capacity, and simulates the
same in virtual time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.overload import OverloadRun
from takt_cli.results.conditions import Load
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import simulate
from takt_cli.synthetic.overload_application import OverloadCourse, overload_spec

_WARMUP = 10**9
# The interval at which the process's resources are sampled, in ns, and the least number of samples in the overload.
_SAMPLE_INTERVAL, _LEAST_SAMPLES = 500 * 10**6, 20


@dataclass(frozen=True)
class OverloadSettings:
    """The settings of the experiment. Times in nanoseconds."""

    utilisation: float
    calm: int
    duration: int
    policy: str
    cpu: int
    load: Load | None

    @property
    def overloaded(self) -> OverloadCourse:
        return OverloadCourse(self.utilisation, _WARMUP, self.calm, self.duration, self.policy)

    @property
    def seconds(self) -> float:
        return (_WARMUP + self.overloaded.duration) / 1e9


def run_overload(settings: OverloadSettings, folder: Path, command: list[str], progress: Progress) -> OverloadRun:
    """Simulate and run the application; the run's result is left in `folder`/run. Raises a TaktError."""
    overloaded = settings.overloaded
    spec = overload_spec(overloaded)
    model = simulate(spec.application, _WARMUP + overloaded.duration)
    sample_interval = min(_SAMPLE_INTERVAL, settings.duration // _LEAST_SAMPLES)
    run = RunSettings(
        spec, "takt", overloaded.duration, _WARMUP, (settings.cpu,), load=settings.load, gauges=sample_interval
    )
    place = folder / "run"
    place.mkdir()
    return OverloadRun(run_and_replay(run, place, command, progress), model.jobs)
