# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The page of the reproduced thesis: verdicts first, then each part with its plots and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from takt_cli.paper.statistics import find_row, find_rows
from takt_cli.paper.thesis2021 import printed
from takt_cli.paper.thesis2021.cases import (
    FRESHNESS_SIZES,
    HARMONIC,
    LARGE,
    LARGE_EXCHANGE,
    NODES,
    OTHER_PERIODS,
    SIZES,
    SMALL,
    UTILISATIONS,
    size_name,
)
from takt_cli.paper.thesis2021.data_age_checks import APPLICATIONS, BASELINE1, BOUNDED, PROPOSED
from takt_cli.paper.thesis2021.transport import SIZES as TRANSPORT_SIZES
from takt_cli.report.paper_page import paper_page
from takt_cli.report.plotly_page import Plot, Section, Table
from takt_cli.report.style import COLOURS
from takt_cli.report.thesis_plots import WAYS
from takt_cli.report.thesis_tables import recording_costs, thesis_tables

Metrics = dict[str, Any]

_DASHES = dict(zip(UTILISATIONS, ("dot", "dash", "solid"), strict=True))
_PRINTED = COLOURS["host"]
# The executors of the data-age part: the thesis's name, ours, and the colour.
_AGES = {
    BASELINE1: ("baseline1", "baseline1", "baseline1"),
    PROPOSED: ("proposed", "takt", "takt"),
    BOUNDED: ("proposed, 40 ms", "takt, 40 ms", "takt"),
}


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
    traces = []
    for way, colour in WAYS.items():
        rows = [row for size in TRANSPORT_SIZES for row in find_rows(statistics, way=way, bytes=size) if row["us"]["n"]]
        labels = [size_name(row["bytes"]) for row in rows]
        traces.append(_box(way, labels, rows, "us", COLOURS[colour]))
    figure = {"data": traces, "layout": {"boxmode": "group", "yaxis": {"type": "log", "title": {"text": "us"}}}}
    description = "Time from before publishing to the callback, by message size; whiskers at p1 and p99."
    plots = [Plot("figure-2-7", "Figure 2.7: transport", description, figure, tables["figure-2.7"], wide=True)]
    return Section("transport", "Message transport", plots=plots, tables=[tables["transport-ratios"]])


def _overhead(statistics: Metrics, tables: dict[str, Table]) -> Section:
    cases = (SMALL, LARGE, LARGE_EXCHANGE)
    chosen, costs = [], []
    for executor in ("baseline0", "takt"):
        rows = [row for case in cases for row in find_rows(statistics, case=case, executor=executor)]
        labels = [row["case"] for row in rows]
        rows_with_decisions = [row for row in rows if row["decision_us"]["n"]]
        case_names = [row["case"] for row in rows_with_decisions]
        chosen.append(_box(executor, case_names, rows_with_decisions, "decision_us", COLOURS[executor]))
        values = [row["dispatch_us"]["per_job"] for row in rows]
        costs.append(
            {
                "type": "bar",
                "name": executor,
                "x": labels,
                "y": values,
                "customdata": _origins(rows),
                "marker": {"color": COLOURS[executor]},
            }
        )
    log = {"type": "log", "title": {"text": "us"}}
    plots = [
        Plot(
            "figure-5-1",
            "Figure 5.1: decision time",
            "Time that each executor took to choose the next callback; whiskers at p1 and p99.",
            {"data": chosen, "layout": {"boxmode": "group", "yaxis": log}},
            tables["figure-5.1"],
        ),
        Plot(
            "dispatch",
            "Dispatch overhead per job",
            "CPU time outside callbacks, per job; lower is better.",
            {"data": costs, "layout": {"barmode": "group", "yaxis": {"title": {"text": "us of CPU per job"}}}},
            tables["dispatch-overhead"],
        ),
    ]
    return Section("overhead", "Executor overhead", plots=plots, tables=[tables[f"table-5.{n}"] for n in (6, 7, 8)])


def _misses(statistics: Metrics, tables: dict[str, Table]) -> Section:
    sizes = (None, *SIZES)
    plots = []
    for place, nodes in enumerate(NODES):
        traces = []
        for executor in ("baseline1", "takt"):
            for utilisation, dash in _DASHES.items():
                case = {"nodes": nodes, "executor": executor, "utilisation": utilisation}
                rows = [row for size in sizes if (row := find_row(statistics, size=size, **case)) and row["jobs"]]
                traces.append(
                    {
                        "type": "scatter",
                        "mode": "lines+markers",
                        "name": f"{executor}, {utilisation:g}",
                        "x": [size_name(row["size"]) for row in rows],
                        "y": [100 * row["deadline_misses"] / row["jobs"] for row in rows],
                        "customdata": _origins(rows),
                        "line": {"color": COLOURS[executor], "dash": dash},
                    }
                )
        axis = {"type": "category", "categoryarray": [size_name(size) for size in sizes]}
        layout = {"xaxis": axis, "yaxis": {"title": {"text": "% of all releases"}, "rangemode": "tozero"}}
        description = f"Missed deadlines of applications with {nodes} nodes by message size, executor and utilisation."
        name = f"Figures 5.{2 + 2 * place} and 5.{3 + 2 * place}"
        table = tables[name.lower().replace(" ", "-")]
        figure = {"data": traces, "layout": layout}
        plots.append(Plot(f"misses-{nodes}", f"{name}: misses, {nodes} nodes", description, figure, table))
    return Section("misses", "Deadline misses", plots=plots)


def _freshness(statistics: Metrics, tables: dict[str, Table]) -> Section:
    plots = []
    for place, nodes in enumerate(NODES):
        traces = []
        for executor in ("baseline1", "takt"):
            rows = [
                row
                for periods in (HARMONIC, OTHER_PERIODS)
                for size in FRESHNESS_SIZES
                for row in find_rows(statistics, nodes=nodes, executor=executor, periods=list(periods), size=size)
                if row["stale_share"] is not None
            ]
            labels = [row["application"].partition("-")[2] for row in rows]
            values = [100 * row["stale_share"] for row in rows]
            kind: Metrics = {"type": "bar"}
            marker: Metrics = {"color": COLOURS[executor]}
            if executor == "takt":
                # takt's share is 0 %, and a bar of that height would be invisible.
                kind = {"type": "scatter", "mode": "markers", "cliponaxis": False}
                marker |= {"symbol": "diamond", "size": 11, "line": {"color": COLOURS["paper"], "width": 1.5}}
            traces.append(
                kind | {"name": executor, "x": labels, "y": values, "customdata": _origins(rows), "marker": marker}
            )
        layout = {"barmode": "group", "yaxis": {"title": {"text": "% stale"}, "rangemode": "tozero"}}
        description = (
            f"Share of stale executions per node, mean over the nodes that ran; applications with {nodes} nodes."
        )
        title, figure = f"Figure 5.{8 + place}: stale executions, {nodes} nodes", {"data": traces, "layout": layout}
        plots.append(Plot(f"stale-{nodes}", title, description, figure, tables[f"figure-5.{8 + place}"]))
    return Section("freshness", "Data freshness", plots=plots)


def _data_age(statistics: Metrics, tables: dict[str, Table]) -> Section:
    """Return the section on data age, with the printed figures beside the measured ones."""
    plots = []
    for place, nodes in enumerate(APPLICATIONS):
        traces = []
        for executor, (printed_name, measured_name, colour) in _AGES.items():
            table, printed_row, _ = printed.data_age(nodes, executor)
            ends = {"p1": printed_row["min"], "p99": printed_row["max"]}
            traces.append(
                _box("printed", [f"{printed_name}, printed"], [{"age_ms": printed_row | ends}], "age_ms", _PRINTED)
            )
            rows = [row for row in find_rows(statistics, nodes=nodes, executor=executor) if row["age_ms"]["n"]]
            traces.append(_box(colour, [measured_name] * len(rows), rows, "age_ms", COLOURS[colour]))
        order = [
            name
            for printed_name, measured_name, _ in _AGES.values()
            for name in (f"{printed_name}, printed", measured_name)
        ]
        layout = {
            "boxmode": "overlay",
            "xaxis": {"type": "category", "categoryarray": order},
            "yaxis": {"title": {"text": "ms"}, "rangemode": "tozero"},
        }
        description = (
            "Age of the data that the most urgent node used. Whiskers at p1 and p99; those of printed figures from "
            "minimum to maximum."
        )
        title = f"Figure 5.{11 + place}: data age, {nodes} nodes"
        figure = {"data": traces, "layout": layout}
        plots.append(Plot(f"age-{nodes}", title, description, figure, tables[f"table-{table}"]))
    return Section("data-age", "Data age", plots=plots)


def _box(name: str, labels: Sequence[str], rows: Sequence[Metrics], figure: str, colour: str) -> Metrics:
    """Return a Plotly trace with a box for each of `rows`, from the key `figure` of the row."""
    fences = {"q1": "q1", "median": "median", "q3": "q3", "lowerfence": "p1", "upperfence": "p99"}
    values = {key: [row[figure][each] for row in rows] for key, each in fences.items()}
    return {
        "type": "box",
        "name": name,
        "x": list(labels),
        **values,
        "customdata": _origins(rows),
        "marker": {"color": colour},
        "line": {"color": colour},
    }


def _origins(rows: Sequence[Metrics]) -> list[str]:
    """Return for each row a link to the summary of its first run; empty if no run was kept."""
    return [_origin(row) for row in rows]


def _origin(row: Metrics) -> str:
    if "way" in row:
        return "transport/run.json"
    return f"{row['folders'][0]}/summary.json" if row.get("folders") else ""
