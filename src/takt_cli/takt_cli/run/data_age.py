# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The experiment of section 5.5 of the thesis: data age with and without a bound, for several numbers of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from takt_cli.analysis.data_age import AgedRun
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.simulation import simulate
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.synthetic.data_age_application import DataAgeCase, data_age_spec

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
    def parts(self) -> list[DataAgeCase]:
        """The runs: for each number of nodes and each phase of the reader, first without a bound, then with it."""
        return [
            DataAgeCase(nodes, bound, phase, self.seed)
            for nodes in self.nodes
            for phase in self.phases
            for bound in (None, self.max_age)
        ]

    @property
    def seconds(self) -> float:
        return len(self.parts) * (_WARMUP + self.duration) / 1e9


def run_data_age(settings: DataAgeSettings, folder: Path, command: list[str], progress: Progress) -> Iterator[AgedRun]:
    """Simulate and run each part, which leaves a result folder for each."""
    for aged in settings.parts:
        text = data_age_spec(aged)
        place = folder / aged.folder
        place.mkdir()
        spec = Spec(f"{aged.folder}.yaml", text.encode(), parse_spec(text.encode(), f"{aged.folder}.yaml"))
        model = simulate(spec.application, _SIMULATED)
        run = RunSettings(spec, "takt", settings.duration, _WARMUP, (settings.cpu,))
        yield AgedRun(aged, run_and_replay(run, place, command, progress), model.jobs, _SIMULATED)
