# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The experiment on overload: a run of an application that asks for more than there is for a while, and
the same in virtual time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.overload import OverloadRun
from takt_cli.run.measured import run_measured
from takt_cli.run.progress import Progress
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import simulate
from takt_cli.spec.overloaded import Overloaded, overloaded_spec

_WARMUP = 10**9
# How often to look at the process: every half second, and so many times at least.
_LOOK, _LOOKS = 500 * 10**6, 20


@dataclass(frozen=True)
class OverloadSettings:
    """Times in nanoseconds. `load`: a kind of takt_cli.run.load."""

    utilisation: float
    calm: int
    duration: int
    policy: str
    cpu: int
    load: str | None

    @property
    def overloaded(self) -> Overloaded:
        return Overloaded(self.utilisation, _WARMUP, self.calm, self.duration, self.policy)

    @property
    def seconds(self) -> float:
        return (_WARMUP + self.overloaded.duration) / 1e9


def run_overload(settings: OverloadSettings, folder: Path, command: list[str], progress: Progress) -> OverloadRun:
    """Simulates and runs; leaves the run's result in `folder`/run. Raises a TaktError."""
    overloaded = settings.overloaded
    spec = overloaded_spec(overloaded)
    model = simulate(spec.application, _WARMUP + overloaded.duration)
    look = min(_LOOK, settings.duration // _LOOKS)
    run = RunSettings(spec, "takt", overloaded.duration, _WARMUP, (settings.cpu,), load=settings.load, gauges=look)
    place = folder / "run"
    place.mkdir()
    return OverloadRun(run_measured(run, place, command, progress), model.jobs)
