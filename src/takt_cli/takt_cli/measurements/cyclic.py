# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure cyclic`: delays of request and response cycles, and whether they accumulate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from takt_cli.analysis.cyclic import PRINTED, Cycles, CyclicSummary, cyclic_summary, read_cyclic
from takt_cli.comparison.figures import Figure, quantiles
from takt_cli.errors import UsageError
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.measurements.round_trip import MAY_DIFFER, faults, tools_of
from takt_cli.options.communication import Common, communication_options
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.cyclic import cyclic_report, cyclic_title
from takt_cli.report.kinds.trips import cyclic_charts
from takt_cli.results.communication import CYCLIC_FORMAT, INSIDE, LINK, TRANSPORTS, CyclicSettings
from takt_cli.run.cyclic import EXECUTOR_NAMES, THROUGH, run_cyclic
from takt_cli.run.in_guest import OnKernel

_DEFAULT = ("takt", "baseline0", "baseline1", "control")


def _settings(
    names: tuple[str, ...],
    more: tuple[str, ...],
    through: str | None,
    payload: int,
    period: int,
    timeout: int,
    common: Common,
    kernel: OnKernel,  # noqa: ARG001 - the CPUs of `common` follow from it
) -> CyclicSettings:
    way = through or (LINK if common.conditions.link else INSIDE)
    if (way == LINK) != (common.conditions.link is not None):
        raise UsageError("--through link and --link go together; give both, or neither")
    requested_names = [part.strip() for text in names + more for part in text.split(",")]
    known_names = [each for each in EXECUTOR_NAMES if way != LINK or each != "baseline0"]
    if requested_names and not set(requested_names) <= set(known_names):
        wrong_name = next(each for each in requested_names if each not in known_names)
        raise UsageError(
            f"--executor {wrong_name}: is not available with --through {way}; give some of {', '.join(known_names)}"
        )
    chosen = [
        TRANSPORTS[each]
        for each in dict.fromkeys(requested_names or known_names)
        if requested_names or each in _DEFAULT
    ]
    return CyclicSettings(
        **common.settings(chosen, "cyclic", bool(requested_names), "--executor"),
        payload=payload,
        period=period,
        timeout=timeout,
        through=way,
    )


def _figures(cycles: Cycles, _: CyclicSummary) -> dict[str, Sequence[Figure[Any]]]:
    return {
        name: [
            *(
                quantile
                for which in PRINTED
                for quantile in quantiles(
                    f"{which} delay", "us", [(each.instants, each.values / 1000) for each in cycles.delays(name, which)]
                )
            ),
            *faults(cycles.trips(name)),
        ]
        for name in cycles.rows
    }


CYCLIC = Measurement(
    usage=read_usage(__name__, executors=EXECUTOR_NAMES, default=_DEFAULT, ways=THROUGH),
    # Rounds shorter than 20 s get no slope.
    further_options=(communication_options("20"),),
    settings=_settings,
    format=CYCLIC_FORMAT,
    programs=("probe", "cyclic"),
    tools=tools_of,
    run=run_cyclic,
    read=read_cyclic,
    summarise=cyclic_summary,
    title=cyclic_title,
    tables=cyclic_report,
    charts=cyclic_charts,
    verdicts=lambda summary: {name: figures.verdict for name, figures in summary.variants.items()},
    comparison=ComparisonRules(
        subject=lambda settings: f"cyclic, {settings.payload} bytes", may_differ=MAY_DIFFER, figures=_figures
    ),
)
MEASUREMENTS = (CYCLIC,)
