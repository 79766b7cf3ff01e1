# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of the reproduced thesis: verdicts first, then each part with its plots and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from takt_cli.chart.chart import Chart
from takt_cli.paper.page import paper_page
from takt_cli.paper.thesis2021 import charts, printed
from takt_cli.paper.thesis2021.cases import NODES
from takt_cli.paper.thesis2021.data_age_checks import APPLICATIONS, BASELINE1
from takt_cli.paper.thesis2021.tables import recording_costs, thesis_tables
from takt_cli.report.plotly_page import Plot, Section, Table

Metrics = dict[str, Any]


def thesis_page(summary: Metrics) -> str:
    """Return the page as HTML. `summary` is the content of paper.json."""
    parts = summary["parts"]
    tables = thesis_tables(parts)
    below = {"transport": ["transport-ratios"], "overhead": [f"table-5.{number}" for number in (6, 7, 8)]}
    sections = [
        Section(
            name, title, plots=list(plots(parts[name], tables)), tables=[tables[each] for each in below.get(name, ())]
        )
        for name, title, plots in _SECTIONS
        if name in parts
    ]
    sections.append(Section("parameters", "Parameters", tables=[tables["parameters"]]))
    cost = recording_costs(parts)
    further_facts = [("measurement overhead per job", cost)] if cost is not None else []
    return paper_page(summary, "Reproduction of the thesis of 2021", "the thesis", sections, further_facts)


def _transport(statistics: Metrics, tables: dict[str, Table]) -> Iterator[Plot]:
    description = "Time from before publishing to the callback, by message size; whiskers at p1 and p99."
    chart = Chart.of(charts.transport_panel(statistics))
    yield Plot("figure-2-7", "Figure 2.7: transport", description, chart, tables["figure-2.7"], wide=True)


def _overhead(statistics: Metrics, tables: dict[str, Table]) -> Iterator[Plot]:
    chosen = (
        "Time that each executor took to choose the next callback; whiskers at p1 and p99, those of printed figures "
        "from minimum to maximum."
    )
    chart = Chart.of(charts.decisions_panel(statistics))
    yield Plot("figure-5-1", "Figure 5.1: decision time", chosen, chart, tables["figure-5.1"])
    cost = "CPU time outside callbacks, per job; lower is better. A dot for each run."
    chart = Chart.of(charts.dispatch_panel(statistics))
    yield Plot("dispatch", "Dispatch overhead per job", cost, chart, tables["dispatch-overhead"])


def _misses(statistics: Metrics, tables: dict[str, Table]) -> Iterator[Plot]:
    for number, nodes in zip((2, 4, 6), NODES, strict=True):
        name = f"Figures 5.{number} and 5.{number + 1}"
        description = f"Missed deadlines of applications with {nodes} nodes by message size, executor and utilisation."
        chart = Chart.of(charts.misses_panel(statistics, nodes, ("baseline1", "takt")))
        table = tables[name.lower().replace(" ", "-")]
        yield Plot(f"misses-{nodes}", f"{name}: misses, {nodes} nodes", description, chart, table)


def _freshness(statistics: Metrics, tables: dict[str, Table]) -> Iterator[Plot]:
    for number, nodes in enumerate(NODES, 8):
        title, chart = f"Figure 5.{number}: stale executions, {nodes} nodes", charts.freshness_chart(statistics, nodes)
        description = (
            f"Share of stale executions per node, mean over the nodes that ran; applications with {nodes} nodes."
        )
        yield Plot(f"stale-{nodes}", title, description, chart, tables[f"figure-5.{number}"])


def _data_age(statistics: Metrics, tables: dict[str, Table]) -> Iterator[Plot]:
    description = (
        "Age of the data that the most urgent node used, as printed and as measured. Whiskers at p1 and p99; those of "
        "printed figures from minimum to maximum."
    )
    for number, nodes in enumerate(APPLICATIONS, 11):
        table = tables[f"table-{printed.data_age(nodes, BASELINE1).table}"]
        title, chart = f"Figure 5.{number}: data age, {nodes} nodes", Chart.of(charts.data_age_panel(statistics, nodes))
        yield Plot(f"age-{nodes}", title, description, chart, table)


# The sections of the parts, each as its id, its title and its plots.
_SECTIONS = (
    ("transport", "Message transport", _transport),
    ("overhead", "Executor overhead", _overhead),
    ("misses", "Deadline misses", _misses),
    ("freshness", "Data freshness", _freshness),
    ("data-age", "Data age", _data_age),
)
