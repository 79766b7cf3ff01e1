# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The sections of the page of the reproduced thesis: each part with its plots and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from takt_cli.chart.chart import Chart
from takt_cli.paper.paper import Parts
from takt_cli.paper.thesis2021 import charts
from takt_cli.paper.thesis2021.cases import NODES
from takt_cli.paper.thesis2021.data_age import APPLICATIONS, BASELINE1, AgeFigures
from takt_cli.paper.thesis2021.freshness import FreshnessFigures
from takt_cli.paper.thesis2021.misses import MissFigures
from takt_cli.paper.thesis2021.overhead import OverheadFigures
from takt_cli.paper.thesis2021.printed import printed
from takt_cli.paper.thesis2021.transport_figures import TransportFigures
from takt_cli.report.plotly_page import Plot, Section, Table

Tables = dict[str, Table]


def thesis_sections(parts: Parts, tables: Tables) -> list[Section]:
    """Return the sections of the parts that were measured, and the parameters."""
    below = {"transport": ["transport-ratios"], "overhead": [f"table-5.{number}" for number in (6, 7, 8)]}
    sections = [
        Section(
            name, title, plots=list(plots(parts[name], tables)), tables=[tables[each] for each in below.get(name, ())]
        )
        for name, title, plots in _SECTIONS
        if name in parts
    ]
    return [*sections, Section("parameters", "Parameters", tables=[tables["parameters"]])]


def _transport(figures: TransportFigures, tables: Tables) -> Iterator[Plot]:
    description = "Time from before publishing to the callback, by message size; whiskers at p1 and p99."
    chart = Chart.of(charts.transport_panel(figures))
    yield Plot("figure-2-7", "Figure 2.7: transport", description, chart, tables["figure-2.7"], wide=True)


def _overhead(figures: OverheadFigures, tables: Tables) -> Iterator[Plot]:
    chosen = (
        "Time that each executor took to choose the next callback; whiskers at p1 and p99, those of printed figures "
        "from minimum to maximum."
    )
    chart = Chart.of(charts.decisions_panel(figures))
    yield Plot("figure-5-1", "Figure 5.1: decision time", chosen, chart, tables["figure-5.1"])
    cost = "CPU time outside callbacks, per job; lower is better. A dot for each run."
    chart = Chart.of(charts.dispatch_panel(figures))
    yield Plot("dispatch", "Dispatch overhead per job", cost, chart, tables["dispatch-overhead"])


def _misses(figures: MissFigures, tables: Tables) -> Iterator[Plot]:
    for number, nodes in zip((2, 4, 6), NODES, strict=True):
        name = f"Figures 5.{number} and 5.{number + 1}"
        description = f"Missed deadlines of applications with {nodes} nodes by message size, executor and utilisation."
        chart = Chart.of(charts.misses_panel(figures, nodes, ("baseline1", "takt")))
        table = tables[name.lower().replace(" ", "-")]
        yield Plot(f"misses-{nodes}", f"{name}: misses, {nodes} nodes", description, chart, table)


def _freshness(figures: FreshnessFigures, tables: Tables) -> Iterator[Plot]:
    for number, nodes in enumerate(NODES, 8):
        title, chart = f"Figure 5.{number}: stale executions, {nodes} nodes", charts.freshness_chart(figures, nodes)
        description = (
            f"Share of stale executions per node, mean over the nodes that ran; applications with {nodes} nodes."
        )
        yield Plot(f"stale-{nodes}", title, description, chart, tables[f"figure-5.{number}"])


def _data_age(figures: AgeFigures, tables: Tables) -> Iterator[Plot]:
    description = (
        "Age of the data that the most urgent node used, as printed and as measured. Whiskers at p1 and p99; those of "
        "printed figures from minimum to maximum."
    )
    for number, nodes in enumerate(APPLICATIONS, 11):
        table = tables[f"table-{printed('data-age', nodes, BASELINE1).table}"]
        title, chart = f"Figure 5.{number}: data age, {nodes} nodes", Chart.of(charts.data_age_panel(figures, nodes))
        yield Plot(f"age-{nodes}", title, description, chart, table)


# The sections of the parts, each as its id, its title and its plots.
_SECTIONS: tuple[tuple[str, str, Any], ...] = (
    ("transport", "Message transport", _transport),
    ("overhead", "Executor overhead", _overhead),
    ("misses", "Deadline misses", _misses),
    ("freshness", "Data freshness", _freshness),
    ("data-age", "Data age", _data_age),
)
