# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt soak`: run an application under load for hours, while it changes, and judge it."""

from __future__ import annotations

import msgspec

from takt_cli.analysis.soak import read_soak, soak_summary
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import Measurement
from takt_cli.options.usage import SHARED, read_usage
from takt_cli.report.kinds.soak import soak_charts, soak_report, soak_title
from takt_cli.results.conditions import Load
from takt_cli.results.soak import APPLICATIONS, SOAK_FORMAT, SoakSettings
from takt_cli.run.soak import run_soak


def _settings(
    hours: float | None, duration: int | None, warmup: int, load: Load | None, application: str, cpu: int | None
) -> SoakSettings:
    if hours is not None and duration is not None:
        raise UsageError("--hours and --duration: give one of them, not both")
    length = duration if duration is not None else round((hours or 1.0) * 3600e9)
    return SoakSettings(length, warmup, choose_cpu(cpu), None if load is None else load.name, application)


SOAK = Measurement(
    usage=read_usage(__name__, applications=APPLICATIONS),
    further_options=(msgspec.structs.replace(SHARED["load"], default="cpu"), SHARED["cpu"]),
    alone=True,
    label=lambda settings: f"{settings.application}-{settings.duration / 3600e9:g}h",
    settings=_settings,
    format=SOAK_FORMAT,
    programs=("probe", "soak", "replay"),
    run=run_soak,
    read=read_soak,
    summarise=soak_summary,
    title=soak_title,
    tables=soak_report,
    charts=soak_charts,
    verdicts=lambda summary: {"": summary.verdict},
)
MEASUREMENTS = (SOAK,)
