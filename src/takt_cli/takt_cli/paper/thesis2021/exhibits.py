# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The thesis's tables, with the printed figures beside the measured ones, and its figures with their data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from takt_cli.chart.chart import Chart
from takt_cli.paper.exhibit import Exhibit, ExhibitTexts, Row
from takt_cli.paper.paper import Parts
from takt_cli.paper.paper_file import cells_of
from takt_cli.paper.statistics import Seven, find_rows
from takt_cli.paper.tables import run_links
from takt_cli.paper.thesis2021 import charts
from takt_cli.paper.thesis2021.cases import LARGE, LARGE_EXCHANGE, NODES, SMALL, CaseRow, size_name
from takt_cli.paper.thesis2021.data_age import APPLICATIONS, BASELINE1, BOUNDED, PROPOSED, AgeFigures
from takt_cli.paper.thesis2021.freshness import FreshnessFigures
from takt_cli.paper.thesis2021.misses import MissFigures
from takt_cli.paper.thesis2021.overhead import OverheadFigures, OverheadRow
from takt_cli.paper.thesis2021.printed import printed
from takt_cli.paper.thesis2021.transport import TransportFigures, WayRatio
from takt_cli.report.plotly_page import Link
from takt_cli.report.values import NONE, format_count, format_number
from takt_cli.results.verdict import TOO_SHORT

# All rows of the transport part come from one measurement.
_TRANSPORT = [Link("run", "transport/result.json", "run of transport")]
_EXECUTORS_HERE = {"baseline0": "baseline0", PROPOSED: "takt"}
_AGES_HERE = {BASELINE1: "baseline1", PROPOSED: "takt", BOUNDED: "takt, at most 40 ms"}

Texts = Mapping[str, ExhibitTexts]


def thesis_exhibits(parts: Parts, texts: Texts) -> Iterator[Exhibit]:
    """Return what is shown of the parts that were run; first the parameters of all parts."""
    _, *rows = cells_of("thesis2021", "parameters")
    yield texts["parameters"].show([(row, ()) for row in rows])
    for name, show in _PARTS.items():
        if name in parts:
            yield from show(parts[name], texts)


def recording_costs(parts: Parts) -> list[tuple[str, str]]:
    """Return the CPU time per job that recording takes in each part: median and range over the runs, if known."""
    costs = {name: cost for name, part in parts.items() if (cost := getattr(part, "measuring_us", None)) and cost.n}
    texts = [
        f"{name} {format_number(cost.median)} us ({format_number(cost.min)} to "
        f"{format_number(cost.max)}, {format_count(cost.n)} runs)"
        for name, cost in costs.items()
    ]
    return [("measurement overhead per job", "; ".join(texts))] if texts else []


def _seven(figures: Seven | None) -> list[str]:
    """Return the cells of n and the seven figures."""
    return ["0", *[NONE] * 7] if figures is None else [format_count(figures.n), *map(format_number, figures.values)]


def _transport(figures: TransportFigures, texts: Texts) -> Iterator[Exhibit]:
    rows = [([row.way, size_name(row.bytes), *_seven(row.us)], _TRANSPORT) for row in figures.rows]
    chart = Chart.of(charts.transport_panel(figures), charts.WIDTH)
    yield texts["transport"].show(rows, chart, {"figure-2.7": chart})
    yield texts["ratios"].show(list(map(_ratio_row, figures.ratios)))


def _ratio_row(row: WayRatio) -> Row:
    ends = TOO_SHORT if row.low is None else f"{format_number(row.low)} to {format_number(row.high)}"
    cells = [f"{row.of} to {row.to}", size_name(row.bytes), format_number(row.median), ends, format_count(row.rounds)]
    return cells, _TRANSPORT


def _overhead(figures: OverheadFigures, texts: Texts) -> Iterator[Exhibit]:
    for case in (SMALL, LARGE, LARGE_EXCHANGE):
        rows: list[Row] = []
        for executor, here in _EXECUTORS_HERE.items():
            rows.append(([f"{executor}, printed", NONE, *printed("overhead", case, executor).cells], []))
            for row in find_rows(figures.rows, case=case, executor=here):
                for what, times in (("decision", row.decision_us), ("between callbacks", row.thread_us)):
                    rows.append(([f"{here}, {what}", *_seven(times)], run_links(row.folders)))
        yield texts["overhead"].show(rows, number=printed("overhead", case, "baseline0").table, case=case)
    panels = [charts.decisions_panel(figures), charts.dispatch_panel(figures)]
    title = "Executor overhead: decision times as printed and as measured, and dispatch overhead per job"
    decisions: list[Row] = [
        ([f"{row.case}: {row.executor}", *_seven(row.decision_us)], run_links(row.folders))
        for row in find_rows(figures.rows)
    ]
    figure = Chart(title, [[panel] for panel in panels], charts.WIDTH)
    yield texts["decisions"].show(decisions, Chart.of(panels[0]), {"figure-5.1": figure})
    yield texts["dispatch"].show(list(map(_dispatch_row, figures.rows)), Chart.of(panels[1]))


def _dispatch_row(row: OverheadRow) -> Row:
    cost = row.dispatch_us
    ends = [format_number(end(cost.per_job_runs)) for end in (min, max)] if cost.jobs else []
    cells = [format_number(each) for each in (cost.per_job, cost.executor, cost.middleware)]
    cells += [" to ".join(ends) or NONE, format_count(cost.jobs), format_count(row.runs)]
    return [f"{row.case}: {row.executor}", *cells], run_links(row.folders)


def _misses(figures: MissFigures, texts: Texts) -> Iterator[Exhibit]:
    for first, nodes in zip((2, 4, 6), NODES, strict=True):
        rows = [_miss_row(row) for row in figures.rows if row.nodes == nodes]
        both = Chart.of(charts.misses_panel(figures, nodes, charts.EXECUTORS))
        figure_of = {
            f"figure-5.{number}": Chart.of(charts.misses_panel(figures, nodes, (executor,)), 4.7)
            for number, executor in enumerate(charts.EXECUTORS, first)
        }
        yield texts["misses"].show(rows, both, figure_of, first=first, second=first + 1, nodes=nodes)


def _miss_row(row: CaseRow) -> Row:
    cells = [NONE, NONE]
    if row.jobs:
        share = row.share
        ends = [format_number(end) for end in share.interval or ()]
        cells = [format_number(share.value), " to ".join(ends) or (TOO_SHORT if share.too_short else NONE)]
    counts = [row.deadline_misses, row.skipped, row.host_misses, row.throttled_misses, row.unforced_misses]
    counts += [row.unforced_skipped, row.forced_misses, row.jobs, row.runs]
    return [f"{row.executor}, {row.application}", *cells, *map(format_count, counts)], run_links(row.folders)


def _freshness(figures: FreshnessFigures, texts: Texts) -> Iterator[Exhibit]:
    for number, nodes in enumerate(NODES, 8):
        rows = []
        for row in (row for row in figures.rows if row.nodes == nodes):
            share = format_number(None if row.stale_share is None else row.percent)
            counts = map(format_count, (row.stale, row.stale_n, row.runs))
            rows.append(([f"{row.executor}, {row.application}", share, *counts], run_links(row.folders)))
        chart = charts.freshness_chart(figures, nodes)
        yield texts["freshness"].show(rows, chart, {f"figure-5.{number}": chart}, number=number, nodes=nodes)


def _data_age(figures: AgeFigures, texts: Texts) -> Iterator[Exhibit]:
    for number, nodes in enumerate(APPLICATIONS, 11):
        rows: list[Row] = []
        for executor, here in _AGES_HERE.items():
            rows.append(([f"{executor}, printed", NONE, *printed("data-age", nodes, executor).cells, NONE], []))
            rows += [
                ([here, *_seven(row.age_ms), format_count(row.above_limit)], run_links(row.folders))
                for row in find_rows(figures.rows, nodes=nodes, executor=executor)
            ]
        chart = Chart.of(charts.data_age_panel(figures, nodes), 6.2)
        table = printed("data-age", nodes, BASELINE1).table
        yield texts["data-age"].show(
            rows, chart, {f"figure-5.{number}": chart}, number=number, nodes=nodes, table=table
        )


_PARTS: dict[str, Callable[[Any, Texts], Iterator[Exhibit]]] = {
    "transport": _transport,
    "overhead": _overhead,
    "misses": _misses,
    "freshness": _freshness,
    "data-age": _data_age,
}
