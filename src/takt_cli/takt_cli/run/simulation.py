# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The model in virtual time: alone, or over the releases and execution times of a run."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from takt_cli.analysis.files import JOBS, SLICES, Rows, read_rows, write_rows
from takt_cli.errors import RunError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.programs import find_program
from takt_cli.run.processes import Children
from takt_cli.spec.application import Application

_LONGEST = 600.0


@dataclass(frozen=True)
class Simulation:
    """What the model did: a row per release, and the stretches in which jobs ran."""

    jobs: Rows
    slices: Rows


def simulate(
    application: Application, duration: int, replay: Rows | None = None, stalls: Rows | None = None
) -> Simulation:
    """Runs `simulate` under the application's policy for `duration` ns of virtual time.

    `replay` and `stalls` are rows of a run, in its own time; then the result is in that time, too.
    """
    program = find_program("simulate")
    with tempfile.TemporaryDirectory(prefix="takt-simulate-") as scratch, Children(allowed_cpus()) as children:
        work = Path(scratch)
        (work / "resolved.json").write_text(json.dumps(application.to_json()), "utf-8")
        arguments = ["--spec", str(work / "resolved.json"), "--policy", application.policy]
        arguments += ["--duration-ns", str(duration), "--out", str(work / "out.npy")]
        arguments += ["--slices", str(work / "slices.npy")]
        if replay is not None:
            write_rows(work / "replay.npy", replay)
            arguments += ["--replay", str(work / "replay.npy")]
        if stalls is not None and len(stalls):
            write_rows(work / "stalls.npy", stalls)
            arguments += ["--stalls", str(work / "stalls.npy")]
        child = children.start("simulate", [str(program), *arguments], work / "simulate.log")
        if not child.wait(_LONGEST):
            raise RunError(f"simulate did not end within {_LONGEST:g} s; simulate a shorter --duration")
        child.check()
        return Simulation(np.array(read_rows(work / "out.npy", JOBS)), np.array(read_rows(work / "slices.npy", SLICES)))
