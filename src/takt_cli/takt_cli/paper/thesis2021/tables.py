# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The thesis's tables, with the printed figures beside the measured ones, and the data of its figures."""

from __future__ import annotations

from typing import Any

from takt_cli.paper.statistics import SEVEN, find_rows, miss_share
from takt_cli.paper.tables import run_links
from takt_cli.paper.thesis2021 import printed
from takt_cli.paper.thesis2021.cases import (
    LARGE,
    LARGE_EXCHANGE,
    NODES,
    PRINTED_MISS_CASES,
    SMALL,
    TOLD_MISS_CASES,
    freshness_cases,
    miss_cases,
    size_name,
)
from takt_cli.paper.thesis2021.data_age_checks import APPLICATIONS, BASELINE1, BOUNDED, PROPOSED
from takt_cli.report.formatting import NONE, format_count, format_number
from takt_cli.report.plotly_page import Link, Table
from takt_cli.statistics.correlation import TOO_SHORT

Metrics = dict[str, Any]

_SEVEN = ("Min", "Q1", "Median", "Q3", "Max", "Mean", "SD")
# All rows of the transport part come from one measurement.
_TRANSPORT = Link("run", "transport/result.json", "run of transport")
_EXECUTORS_HERE = {"baseline0": "baseline0", PROPOSED: "takt"}


def thesis_tables(parts: dict[str, Metrics]) -> dict[str, Table]:
    """Return the tables by name, for example `table-5.6` and `figure-2.7`; first the parameters of all parts."""
    tables = {"parameters": _parameters()}
    if "transport" in parts:
        tables["figure-2.7"] = _transport(parts["transport"])
        tables["transport-ratios"] = _ratios(parts["transport"])
    if "overhead" in parts:
        for case in (SMALL, LARGE, LARGE_EXCHANGE):
            name = printed.overhead(case, "baseline0")[0]
            tables[f"table-{name}"] = _overhead(parts["overhead"], case, name)
        tables["figure-5.1"] = _decisions(parts["overhead"])
        tables["dispatch-overhead"] = _dispatch(parts["overhead"])
    for place, nodes in enumerate(NODES):
        if "misses" in parts:
            first = 2 + 2 * place
            tables[f"figures-5.{first}-and-5.{first + 1}"] = _misses(parts["misses"], nodes, first)
        if "freshness" in parts:
            tables[f"figure-5.{8 + place}"] = _freshness(parts["freshness"], nodes, 8 + place)
    if "data-age" in parts:
        for nodes in APPLICATIONS:
            name = printed.data_age(nodes, BASELINE1)[0]
            tables[f"table-{name}"] = _data_age(parts["data-age"], nodes, name)
    return tables


def recording_costs(parts: dict[str, Metrics]) -> str | None:
    """Describe the CPU time per job that recording takes in each part: median and range over the runs, or None."""
    costs_by_part = {name: cost for name, part in parts.items() if (cost := part.get("measuring_us")) and cost["n"]}
    cost_texts = [
        f"{name} {format_number(cost['median'])} us ({format_number(cost['min'])} to "
        f"{format_number(cost['max'])}, {format_count(cost['n'])} runs)"
        for name, cost in costs_by_part.items()
    ]
    return "; ".join(cost_texts) or None


def _parameters() -> Table:
    miss, fresh = len(miss_cases()), len(freshness_cases())
    miss_cases_text = f"{miss} distinct of {PRINTED_MISS_CASES} in the table; the text says {TOLD_MISS_CASES}"
    rows = [
        ("5.3", "50", "0.5", "10, 20, 40", "0, 0", "-", "1"),
        ("5.4", "50", "0.5", "10, 20, 40", "0.2, 0.8", "16 B", "1"),
        ("5.5", "1 to 10 (printed: 50)", "0.5", "10, 20", "0.4, 0.6", "16 B", "10"),
        (
            "5.9",
            "4, 20, 50",
            "0.5, 0.75, 1.0",
            "10, 20",
            "[0, 0] or [0.2, 0.8]",
            "256 KiB, 512 KiB, 2 MiB, 8 MiB",
            miss_cases_text,
        ),
        (
            "5.10",
            "4, 20, 50",
            "0.5, 0.75, 1.0",
            "[10, 20, 40] or [10, 22, 47]",
            "0.5, 0.5",
            "512 KiB, 8 MiB",
            str(fresh),
        ),
        ("5.11", "4, 20, 50, plus 2", "0.75", "10, 20, 40", "0, 0", "512 KiB", "3, at 5 phases of the reader"),
    ]
    columns = ("table", "nodes", "utilisation", "periods, ms", "publish, subscribe", "message", "applications")
    return Table("Parameters used here: deadlines equal periods, priorities are rate monotonic", columns, rows)


def _seven(statistics: Metrics) -> list[str]:
    return [format_number(statistics[name]) for name in SEVEN]


def _transport(statistics: Metrics) -> Table:
    rows = [
        [row["way"], size_name(row["bytes"]), format_count(row["us"]["n"]), *_seven(row["us"])]
        for row in statistics["rows"]
    ]
    caption = "Figure 2.7: from before publish to the callback, us; copy is a bare copy of the same number of bytes"
    return Table(caption, ("way", "message", "n", *_SEVEN), rows, [[_TRANSPORT]] * len(rows))


def _ratios(statistics: Metrics) -> Table:
    rows = [
        [
            f"{row['of']} to {row['to']}",
            size_name(row["bytes"]),
            format_number(row["median"]),
            f"{format_number(row['low'])} to {format_number(row['high'])}" if row["low"] is not None else TOO_SHORT,
            format_count(row["rounds"]),
        ]
        for row in statistics["ratios"]
    ]
    caption = "Speedup: ratio of the medians of the same rounds"
    return Table(caption, ("ways", "message", "ratio", "95 %", "rounds"), rows, [[_TRANSPORT]] * len(rows))


def _overhead(statistics: Metrics, case: str, name: str) -> Table:
    rows: list[list[str]] = []
    linked: list[list[Link]] = []
    for executor, measured_name in _EXECUTORS_HERE.items():
        rows.append([f"{executor}, printed", NONE, *printed.overhead(case, executor).cells])
        linked.append([])
        for row in find_rows(statistics, case=case, executor=measured_name):
            rows.append(
                [f"{measured_name}, decision", format_count(row["decision_us"]["n"]), *_seven(row["decision_us"])]
            )
            rows.append(
                [f"{measured_name}, between callbacks", format_count(row["thread_us"]["n"]), *_seven(row["thread_us"])]
            )
            linked += [run_links(row)] * 2
    return Table(f"Table {name}: {case}, us", ("executor", "n", *_SEVEN), rows, linked)


def _decisions(statistics: Metrics) -> Table:
    measured_rows = find_rows(statistics)
    rows = [
        [f"{row['case']}: {row['executor']}", format_count(row["decision_us"]["n"]), *_seven(row["decision_us"])]
        for row in measured_rows
    ]
    caption = "Figure 5.1: decision time, us"
    return Table(caption, ("application and executor", "n", *_SEVEN), rows, [run_links(row) for row in measured_rows])


def _dispatch(statistics: Metrics) -> Table:
    """Return the table of dispatch overhead per job, by threads."""
    rows = []
    for row in statistics["rows"]:
        cost = row["dispatch_us"]
        parts = [format_number(cost[name]) for name in ("per_job", "executor", "middleware")]
        runs = (
            f"{format_number(min(cost['per_job_runs']))} to {format_number(max(cost['per_job_runs']))}"
            if cost["jobs"]
            else NONE
        )
        rows.append(
            [f"{row['case']}: {row['executor']}", *parts, runs, format_count(cost["jobs"]), format_count(row["runs"])]
        )
    columns = (
        "application and executor", "us per job", "of it executor", "of it middleware", "range over runs", "jobs",
        "runs",
    )  # fmt: skip
    caption = "Dispatch overhead: CPU time outside callbacks, us per job"
    return Table(caption, columns, rows, [run_links(row) for row in statistics["rows"]])


def _misses(statistics: Metrics, nodes: int, first: int) -> Table:
    rows, linked = [], []
    for row in _cells_of(statistics, nodes):
        share = miss_share(row)
        names = ["deadline_misses", "skipped", "host_misses", "throttled_misses"]
        names += ["unforced_misses", "unforced_skipped", "forced_misses"]
        percent = format_number(share.value) if share is not None else NONE
        interval = share.interval if share is not None else None
        unknown = TOO_SHORT if share is not None and share.too_short else NONE
        interval_text = (
            f"{format_number(interval[0])} to {format_number(interval[1])}" if interval is not None else unknown
        )
        rows.append(
            [f"{row['executor']}, {row['application']}", percent, interval_text]
            + [format_count(row[name]) for name in names]
            + [format_count(row["jobs"]), format_count(row["runs"])]
        )
        linked.append(run_links(row))
    columns = ["executor, application", "missed, %", "95 %", "misses", "skipped", "host", "throttled"]
    columns += ["unforced late", "unforced skipped", "forced", "releases", "runs"]
    caption = f"Figures 5.{first} and 5.{first + 1}: deadline misses, {nodes} nodes"
    return Table(caption, columns, rows, linked)


def _cells_of(statistics: Metrics, nodes: int) -> list[Metrics]:
    return [row for row in statistics["rows"] if row["nodes"] == nodes]


def _freshness(statistics: Metrics, nodes: int, number_of: int) -> Table:
    rows, linked = [], []
    for row in _cells_of(statistics, nodes):
        share = None if row["stale_share"] is None else 100 * row["stale_share"]
        cells = [
            format_number(share),
            format_count(row["stale"]),
            format_count(row["stale_n"]),
            format_count(row["runs"]),
        ]
        rows.append([f"{row['executor']}, {row['application']}", *cells])
        linked.append(run_links(row))
    columns = ("executor, application", "stale, % per node", "stale", "reading jobs", "runs")
    return Table(f"Figure 5.{number_of}: stale executions, {nodes} nodes", columns, rows, linked)


def _data_age(statistics: Metrics, nodes: int, name: str) -> Table:
    rows: list[list[str]] = []
    linked: list[list[Link]] = []
    for executor in (BASELINE1, PROPOSED, BOUNDED):
        rows.append([f"{executor}, printed", NONE, *printed.data_age(nodes, executor).cells, NONE])
        linked.append([])
        for row in find_rows(statistics, nodes=nodes, executor=executor):
            measured_name = {BASELINE1: "baseline1", PROPOSED: "takt", BOUNDED: "takt, at most 40 ms"}[executor]
            rows.append(
                [
                    measured_name,
                    format_count(row["age_ms"]["n"]),
                    *_seven(row["age_ms"]),
                    format_count(row["above_limit"]),
                ]
            )
            linked.append(run_links(row))
    caption = f"Table {name}: data age of the critical node, application with {nodes} nodes, ms"
    return Table(caption, ("executor", "n", *_SEVEN, "above 40 ms"), rows, linked)
