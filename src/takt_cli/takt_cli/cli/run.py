# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt run`: one application under one executor."""

from __future__ import annotations

from pathlib import Path

from takt_cli.cli.output import print_remark, show, warn_of_overload
from takt_cli.host.cpus import choose_cpus
from takt_cli.options.common import (
    command_line,
)
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.grants import refusal_line
from takt_cli.report.tables.run import kernel_line, run_report
from takt_cli.results.conditions import Load
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.transports import require_built
from takt_cli.spec.executors import ALL_EXECUTORS
from takt_cli.spec.load import read_spec


def _command(
    spec: Path,
    executor: str,
    policy: str | None,
    duration: int,
    warmup: int,
    cpus: tuple[int, ...] | None,
    load: Load | None,
    trace: bool,
    kernel: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    loaded = read_spec(spec, policy)
    settings = RunSettings(loaded, executor, duration, warmup, choose_cpus(cpus), load=load, trace=trace, kernel=kernel)
    settings.check()
    require_built([executor])
    warn_of_overload(len(settings.cpus), loaded.application)
    place = out or default_folder("run", f"{loaded.application.name}-{executor}")
    with ResultFolder(place) as folder, Progress(1, (warmup + duration) / 1e9) as progress:
        analysis = run_and_replay(settings, folder.path, command_line(), progress)
        summary = analysis.summary
    if as_json:
        print_remark(refusal_line({executor: summary}))
        print_remark(kernel_line(analysis.result.record))
    show(as_json, summary, *run_report(summary, analysis.result, place), folder=place, host=analysis.result.host)


run = verb("run", read_usage(__name__, executors=ALL_EXECUTORS), _command)
