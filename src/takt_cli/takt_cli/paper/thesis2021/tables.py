# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The thesis's tables, with the printed figures beside the measured ones, and the data of its figures."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.paper.batch_part import BatchFigures
from takt_cli.paper.paper import Parts
from takt_cli.paper.printed import cells_of
from takt_cli.paper.statistics import Seven, find_rows
from takt_cli.paper.tables import run_links
from takt_cli.paper.thesis2021.cases import LARGE, LARGE_EXCHANGE, NODES, SMALL, size_name
from takt_cli.paper.thesis2021.data_age import APPLICATIONS, BASELINE1, BOUNDED, PROPOSED, AgeFigures
from takt_cli.paper.thesis2021.freshness import FreshnessFigures
from takt_cli.paper.thesis2021.misses import MissFigures
from takt_cli.paper.thesis2021.overhead import OverheadFigures
from takt_cli.paper.thesis2021.printed import printed
from takt_cli.paper.thesis2021.transport_figures import TransportFigures
from takt_cli.report.formatting import NONE, format_count, format_number
from takt_cli.report.plotly_page import Link, Table
from takt_cli.statistics.correlation import TOO_SHORT

_SEVEN = ("Min", "Q1", "Median", "Q3", "Max", "Mean", "SD")
# All rows of the transport part come from one measurement.
_TRANSPORT = Link("run", "transport/result.json", "run of transport")
_EXECUTORS_HERE = {"baseline0": "baseline0", PROPOSED: "takt"}
_AGES_HERE = {BASELINE1: "baseline1", PROPOSED: "takt", BOUNDED: "takt, at most 40 ms"}


def thesis_tables(parts: Parts) -> dict[str, Table]:
    """Return the tables by name, for example `table-5.6` and `figure-2.7`; first the parameters of all parts."""
    tables = {"parameters": _parameters()}
    if "transport" in parts:
        tables["figure-2.7"] = _transport(parts["transport"])
        tables["transport-ratios"] = _ratios(parts["transport"])
    if "overhead" in parts:
        for case in (SMALL, LARGE, LARGE_EXCHANGE):
            name = printed("overhead", case, "baseline0").table
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
            name = printed("data-age", nodes, BASELINE1).table
            tables[f"table-{name}"] = _data_age(parts["data-age"], nodes, name)
    return tables


def recording_costs(parts: Parts) -> list[tuple[str, str]]:
    """Return the CPU time per job that recording takes in each part: median and range over the runs, if known."""
    costs = {name: part.measuring_us for name, part in parts.items() if isinstance(part, BatchFigures)}
    texts = [
        f"{name} {format_number(cost.median)} us ({format_number(cost.min)} to {format_number(cost.max)}, "
        f"{format_count(cost.n)} runs)"
        for name, cost in costs.items()
        if cost is not None and cost.n
    ]
    return [("measurement overhead per job", "; ".join(texts))] if texts else []


def _parameters() -> Table:
    columns, *rows = cells_of("thesis2021", "parameters")
    return Table("Parameters used here: deadlines equal periods, priorities are rate monotonic", columns, rows)


def _seven(figures: Seven | None) -> list[str]:
    """Return the cells of n and the seven figures."""
    if figures is None:
        return ["0", *[NONE] * len(_SEVEN)]
    return [format_count(figures.n), *map(format_number, figures.values)]


def _linked(caption: str, columns: Sequence[str], rows: Sequence[tuple[Sequence[str], Sequence[Link]]]) -> Table:
    """Return a table of rows that come with the links to their runs."""
    return Table(caption, columns, [cells for cells, _ in rows], [links for _, links in rows])


def _transport(figures: TransportFigures) -> Table:
    rows = [([row.way, size_name(row.bytes), *_seven(row.us)], [_TRANSPORT]) for row in figures.rows]
    caption = "Figure 2.7: from before publish to the callback, us; copy is a bare copy of the same number of bytes"
    return _linked(caption, ("way", "message", "n", *_SEVEN), rows)


def _ratios(figures: TransportFigures) -> Table:
    rows = [
        [
            f"{row.of} to {row.to}",
            size_name(row.bytes),
            format_number(row.median),
            f"{format_number(row.low)} to {format_number(row.high)}" if row.low is not None else TOO_SHORT,
            format_count(row.rounds),
        ]
        for row in figures.ratios
    ]
    caption = "Speedup: ratio of the medians of the same rounds"
    return Table(caption, ("ways", "message", "ratio", "95 %", "rounds"), rows, [[_TRANSPORT]] * len(rows))


def _overhead(figures: OverheadFigures, case: str, name: str) -> Table:
    rows: list[tuple[list[str], list[Link]]] = []
    for executor, here in _EXECUTORS_HERE.items():
        rows.append(([f"{executor}, printed", NONE, *printed("overhead", case, executor).cells], []))
        for row in find_rows(figures.rows, case=case, executor=here):
            for what, times in (("decision", row.decision_us), ("between callbacks", row.thread_us)):
                rows.append(([f"{here}, {what}", *_seven(times)], run_links(row.folders)))
    return _linked(f"Table {name}: {case}, us", ("executor", "n", *_SEVEN), rows)


def _decisions(figures: OverheadFigures) -> Table:
    rows = [
        ([f"{row.case}: {row.executor}", *_seven(row.decision_us)], run_links(row.folders))
        for row in find_rows(figures.rows)
    ]
    return _linked("Figure 5.1: decision time, us", ("application and executor", "n", *_SEVEN), rows)


def _dispatch(figures: OverheadFigures) -> Table:
    """Return the table of dispatch overhead per job, by threads."""
    rows = []
    for row in figures.rows:
        cost = row.dispatch_us
        least, most = (format_number(end(cost.per_job_runs)) if cost.jobs else NONE for end in (min, max))
        cells = [format_number(each) for each in (cost.per_job, cost.executor, cost.middleware)]
        cells += [f"{least} to {most}" if cost.jobs else NONE, format_count(cost.jobs), format_count(row.runs)]
        rows.append(([f"{row.case}: {row.executor}", *cells], run_links(row.folders)))
    columns = (
        "application and executor", "us per job", "of it executor", "of it middleware", "range over runs", "jobs",
        "runs",
    )  # fmt: skip
    return _linked("Dispatch overhead: CPU time outside callbacks, us per job", columns, rows)


def _misses(figures: MissFigures, nodes: int, first: int) -> Table:
    rows = []
    for row in (row for row in figures.rows if row.nodes == nodes):
        share = row.share
        ends = share.interval if share is not None else None
        unknown = TOO_SHORT if share is not None and share.too_short else NONE
        counts = [row.deadline_misses, row.skipped, row.host_misses, row.throttled_misses, row.unforced_misses]
        counts += [row.unforced_skipped, row.forced_misses, row.jobs, row.runs]
        cells = [
            format_number(share.value) if share is not None else NONE,
            f"{format_number(ends[0])} to {format_number(ends[1])}" if ends is not None else unknown,
        ]
        rows.append(
            ([f"{row.executor}, {row.application}", *cells, *map(format_count, counts)], run_links(row.folders))
        )
    columns = ["executor, application", "missed, %", "95 %", "misses", "skipped", "host", "throttled"]
    columns += ["unforced late", "unforced skipped", "forced", "releases", "runs"]
    return _linked(f"Figures 5.{first} and 5.{first + 1}: deadline misses, {nodes} nodes", columns, rows)


def _freshness(figures: FreshnessFigures, nodes: int, number_of: int) -> Table:
    rows = []
    for row in (row for row in figures.rows if row.nodes == nodes):
        share = None if row.stale_share is None else row.percent
        cells = [format_number(share), *map(format_count, (row.stale, row.stale_n, row.runs))]
        rows.append(([f"{row.executor}, {row.application}", *cells], run_links(row.folders)))
    columns = ("executor, application", "stale, % per node", "stale", "reading jobs", "runs")
    return _linked(f"Figure 5.{number_of}: stale executions, {nodes} nodes", columns, rows)


def _data_age(figures: AgeFigures, nodes: int, name: str) -> Table:
    rows: list[tuple[list[str], list[Link]]] = []
    for executor, here in _AGES_HERE.items():
        rows.append(([f"{executor}, printed", NONE, *printed("data-age", nodes, executor).cells, NONE], []))
        rows += [
            ([here, *_seven(row.age_ms), format_count(row.above_limit)], run_links(row.folders))
            for row in find_rows(figures.rows, nodes=nodes, executor=executor)
        ]
    caption = f"Table {name}: data age of the critical node, application with {nodes} nodes, ms"
    return _linked(caption, ("executor", "n", *_SEVEN, "above 40 ms"), rows)
