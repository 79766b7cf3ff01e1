# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of the reproduced thesis: verdicts first, then each part with its plots and tables."""

from __future__ import annotations

from typing import Any

from takt_cli.chart.chart import Chart
from takt_cli.paper.thesis2021 import printed
from takt_cli.paper.thesis2021.cases import NODES
from takt_cli.paper.thesis2021.data_age_checks import APPLICATIONS, BASELINE1
from takt_cli.report.charts import thesis as charts
from takt_cli.report.paper_page import paper_page
from takt_cli.report.plotly_page import Plot, Section, Table
from takt_cli.report.thesis_tables import recording_costs, thesis_tables

Metrics = dict[str, Any]


def thesis_page(summary: Metrics) -> str:
    """Return the page as HTML. `summary` is the content of paper.json."""
    parts = summary["parts"]
    tables = thesis_tables(parts)
    section_makers = {
        "transport": _transport,
        "overhead": _overhead,
        "misses": _misses,
        "freshness": _freshness,
        "data-age": _data_age,
    }
    sections = [
        *(section(parts[name], tables) for name, section in section_makers.items() if name in parts),
        Section("parameters", "Parameters", tables=[tables["parameters"]]),
    ]
    cost = recording_costs(parts)
    further_facts = [("measurement overhead per job", cost)] if cost is not None else []
    return paper_page(summary, "Reproduction of the thesis of 2021", "the thesis", sections, further_facts)


def _transport(statistics: Metrics, tables: dict[str, Table]) -> Section:
    description = "Time from before publishing to the callback, by message size; whiskers at p1 and p99."
    chart = Chart.of(charts.transport_panel(statistics))
    plots = [Plot("figure-2-7", "Figure 2.7: transport", description, chart, tables["figure-2.7"], wide=True)]
    return Section("transport", "Message transport", plots=plots, tables=[tables["transport-ratios"]])


def _overhead(statistics: Metrics, tables: dict[str, Table]) -> Section:
    plots = [
        Plot(
            "figure-5-1",
            "Figure 5.1: decision time",
            "Time that each executor took to choose the next callback; whiskers at p1 and p99, those of printed "
            "figures from minimum to maximum.",
            Chart.of(charts.decisions_panel(statistics)),
            tables["figure-5.1"],
        ),
        Plot(
            "dispatch",
            "Dispatch overhead per job",
            "CPU time outside callbacks, per job; lower is better. A dot for each run.",
            Chart.of(charts.dispatch_panel(statistics)),
            tables["dispatch-overhead"],
        ),
    ]
    return Section("overhead", "Executor overhead", plots=plots, tables=[tables[f"table-5.{n}"] for n in (6, 7, 8)])


def _misses(statistics: Metrics, tables: dict[str, Table]) -> Section:
    plots = []
    for place, nodes in enumerate(NODES):
        chart = Chart.of(charts.misses_panel(statistics, nodes, ("baseline1", "takt")))
        description = f"Missed deadlines of applications with {nodes} nodes by message size, executor and utilisation."
        name = f"Figures 5.{2 + 2 * place} and 5.{3 + 2 * place}"
        table, title = tables[name.lower().replace(" ", "-")], f"{name}: misses, {nodes} nodes"
        plots.append(Plot(f"misses-{nodes}", title, description, chart, table))
    return Section("misses", "Deadline misses", plots=plots)


def _freshness(statistics: Metrics, tables: dict[str, Table]) -> Section:
    plots = []
    for number, nodes in enumerate(NODES, 8):
        description = (
            f"Share of stale executions per node, mean over the nodes that ran; applications with {nodes} nodes."
        )
        title, chart = f"Figure 5.{number}: stale executions, {nodes} nodes", charts.freshness_chart(statistics, nodes)
        plots.append(Plot(f"stale-{nodes}", title, description, chart, tables[f"figure-5.{number}"]))
    return Section("freshness", "Data freshness", plots=plots)


def _data_age(statistics: Metrics, tables: dict[str, Table]) -> Section:
    """Return the section on data age, with the printed figures beside the measured ones."""
    plots = []
    for number, nodes in enumerate(APPLICATIONS, 11):
        description = (
            "Age of the data that the most urgent node used. Whiskers at p1 and p99; those of printed figures from "
            "minimum to maximum."
        )
        chart = Chart.of(charts.data_age_panel(statistics, nodes))
        table, title = (
            tables[f"table-{printed.data_age(nodes, BASELINE1).table}"],
            f"Figure 5.{number}: data age, {nodes} nodes",
        )
        plots.append(Plot(f"age-{nodes}", title, description, chart, table))
    return Section("data-age", "Data age", plots=plots)
