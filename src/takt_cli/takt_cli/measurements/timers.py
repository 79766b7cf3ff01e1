# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure timers`: empty timers under several executors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from takt_cli.analysis.timers import Timers, TimersSummary, read_timers, timers_summary
from takt_cli.comparison.figures import Figure, PerRound, quantiles
from takt_cli.errors import UsageError
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.kernel import cpu_on, kernel_option
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.timers import timers_charts, timers_report, timers_title
from takt_cli.results.timers import TIMERS_FORMAT, TimersSettings
from takt_cli.run.in_guest import OnKernel
from takt_cli.run.timers import parse_variant, run_timers
from takt_cli.run.transports import require_built
from takt_cli.spec.application import POLICIES

_DEFAULT = ("takt", "takt:np-rm", "baseline0")
_MOST_NODES, _SHORT_DURATION = 50, 60 * 10**9


def _settings(
    callbacks: int,
    nodes: int | None,
    period: int,
    phases: str,
    duration: int,
    executors: tuple[str, ...],
    more: tuple[str, ...],
    policy: str | None,
    rounds: int | None,
    cpu: int | None,
    kernel: OnKernel,
) -> TimersSettings:
    chosen = tuple(dict.fromkeys(parse_variant(text, policy) for text in (executors + more) or _DEFAULT))
    count = min(callbacks, _MOST_NODES) if nodes is None else nodes
    if count > callbacks:
        raise UsageError(f"--nodes {count}: more than the {callbacks} callbacks; give at most {callbacks}")
    repeat = rounds or (3 if duration <= _SHORT_DURATION else 1)
    settings = TimersSettings(callbacks, count, period, phases, duration, repeat, cpu_on(kernel, cpu), chosen)
    require_built(each.executor for each in chosen)
    return settings


def _figures(timers: Timers, _: TimersSummary) -> dict[str, Sequence[Figure[Any]]]:
    return {
        each.name: [
            PerRound("own CPU per callback", "us", timers.own(each.name)),
            PerRound("CPU of the process per callback", "us", timers.process(each.name)),
            *quantiles("release jitter", "us", [(at, delay / 1000) for at, delay in timers.delays(each)]),
        ]
        for each in timers.envelope.settings.everything
    }


TIMERS = Measurement(
    usage=read_usage(__name__, policies=POLICIES, default=_DEFAULT),
    further_options=(kernel_option,),
    settings=_settings,
    format=TIMERS_FORMAT,
    programs=("probe", "timers"),
    run=run_timers,
    read=read_timers,
    summarise=timers_summary,
    title=timers_title,
    tables=timers_report,
    charts=timers_charts,
    comparison=ComparisonRules(
        subject=lambda settings: f"timers, {settings.callbacks} callbacks",
        may_differ=frozenset({"rounds", "variants", "cpu"}),
        figures=_figures,
    ),
)
MEASUREMENTS = (TIMERS,)
