# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The panels of the thesis's figures, drawn from the figures of the parts."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.chart.axis import Axis, names_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars, Box, Dash, Limit, Line, Mark, Points, Ranges, Shape, Spot, boxes
from takt_cli.paper.statistics import Seven, find_row, find_rows
from takt_cli.paper.thesis2021.cases import (
    FRESHNESS_SIZES,
    HARMONIC,
    LARGE,
    LARGE_EXCHANGE,
    OTHER_PERIODS,
    SIZES,
    SMALL,
    UTILISATIONS,
    size_name,
)
from takt_cli.paper.thesis2021.data_age import BASELINE1, BOUNDED, PROPOSED, AgeFigures
from takt_cli.paper.thesis2021.freshness import FreshnessFigures
from takt_cli.paper.thesis2021.misses import MissFigures
from takt_cli.paper.thesis2021.overhead import OverheadFigures
from takt_cli.paper.thesis2021.printed import printed
from takt_cli.paper.thesis2021.transport import TransportFigures
from takt_cli.report.formatting import format_share
from takt_cli.report.values import format_number

# The colours of the transports of a message.
WAYS = {"two processes": "baseline1", "baseline0": "baseline0", "takt": "takt", "copy": "host"}
_CASES = {SMALL: "1 to 10 nodes", LARGE: "50 nodes, no exchange", LARGE_EXCHANGE: "50 nodes, 80 % subscribe"}
# The look of each utilisation, of lines and of bars.
_LINES: dict[float, tuple[Shape, Dash]] = dict(
    zip(UTILISATIONS, (("dot", "dot"), ("square", "dash"), ("triangle", "solid")), strict=True)
)
_OPACITIES = dict(zip(UTILISATIONS, (0.35, 0.65, 1.0), strict=True))
# The executors of the data-age part: the thesis's name, ours, and the colour.
_AGES = {
    BASELINE1: ("baseline1", "baseline1", "baseline1"),
    PROPOSED: ("proposed", "takt", "takt"),
    BOUNDED: ("proposed,\n40 ms", "takt,\n40 ms", "takt"),
}
# The width of a figure, in inches, and the executors of misses and stale executions.
WIDTH = 7.6
EXECUTORS = ("baseline1", "takt")


def transport_panel(figures: TransportFigures) -> Panel:
    """Return box plots of the transport times, for each size one of each way."""
    sizes = sorted({row.bytes for row in figures.rows})
    marks: list[Mark] = []
    for i, (way, colour) in enumerate(WAYS.items()):
        shown = [
            _box(place + _apart(i, len(WAYS)), row.us, f"{way}, {size_name(size)}", "us", "transport/result.json")
            for place, size in enumerate(sizes)
            for row in find_rows(figures.rows, way=way, bytes=size)
            if row.us is not None
        ]
        marks += boxes(shown, way, colour, 0.16)
    title = "Message transport times inside one process and between two, by message size"
    names = names_axis([size_name(size) for size in sizes])
    return Panel(marks, title, names, Axis("from before publish to the callback, us", log=True))


def decisions_panel(figures: OverheadFigures) -> Panel:
    """Return box plots of the decision times of each case, on the left of each executor's that of the thesis."""
    marks: list[Mark] = []
    printed_boxes: list[Box] = []
    for i, (executor, printed_name) in enumerate((("baseline0", "baseline0"), ("takt", PROPOSED))):
        shown = []
        for place, case in enumerate(_CASES):
            left, right = (place + _apart(2 * i + side, 4) for side in (0, 1))
            told = printed("overhead", case, printed_name).figures
            printed_boxes.append(_box(left, told, f"{printed_name} as printed, {case}", "us"))
            row = find_row(figures.rows, case=case, executor=executor)
            if row is not None and row.decision_us is not None:
                shown.append(_box(right, row.decision_us, f"{executor}, {case}", "us", _origin(row.folders)))
        marks += boxes(shown, executor, executor, 0.16)
    marks += boxes(printed_boxes, "as printed, on the left of what was measured", "host", 0.16)
    return Panel(marks, "Decision time", names_axis(list(_CASES.values())), Axis("us", log=True))


def dispatch_panel(figures: OverheadFigures) -> Panel:
    """Return bars of the dispatch overhead of each case, with a dot for each run."""
    marks: list[Mark] = []
    dots: list[Spot] = []
    for i, executor in enumerate(("baseline0", "takt")):
        bars = []
        for place, case in enumerate(_CASES):
            row, at = find_row(figures.rows, case=case, executor=executor), place + _apart(i, 2)
            if row is not None and (cost := row.dispatch_us.per_job):
                text = f"<b>{executor}</b>, {case}<br>{format_number(cost)} us"
                bars.append(Spot(at, cost, text, _origin(row.folders)))
                dots += [Spot(at, each) for each in row.dispatch_us.per_job_runs]
        marks.append(Bars.of(bars, thickness=0.36, name=executor, colour=executor))
    marks.append(Points.of(dots, size=4, name="a run", colour="ink"))
    x = names_axis(list(_CASES.values()))
    return Panel(marks, "Dispatch overhead per job", x, Axis("us of CPU per job", low=0))


def misses_panel(figures: MissFigures, nodes: int, executors: Sequence[str]) -> Panel:
    """Return lines of the missed deadlines by message size, for each executor and utilisation."""
    marks: list[Mark] = []
    for executor in executors:
        for utilisation, (shape, dash) in _LINES.items():
            name = f"{executor}, utilisation {utilisation:g}"
            line, due = [], []
            for place, size in enumerate(SIZES):
                row = find_row(figures.rows, executor=executor, nodes=nodes, utilisation=utilisation, size=size)
                if row is None or not row.jobs:
                    continue
                text = f"<b>{name}</b>, {size_name(size)}<br>{format_share(row.deadline_misses, row.jobs)}"
                line.append(Spot(place, row.share.value, text, _origin(row.folders)))
                due.append((place, row.share.lower_bound, row.share.value))
            if any(low < high for _, low, high in due):
                marks.append(Ranges(due, name="during stalls of the host", colour="host"))
            marks.append(Line.of(line, dash, 1.4, shape, name=name, colour=executor))
    title = f"{' and '.join(executors)}, {nodes} nodes: missed deadlines, % of all releases"
    names = names_axis([size_name(size) for size in SIZES], "message size")
    return Panel(marks, title, names, Axis(low=-3, high=103), key="within")


def freshness_chart(figures: FreshnessFigures, nodes: int) -> Chart:
    """Return bars of the stale executions of baseline1 with points of takt's, for both kinds of periods."""
    # Half of the nodes read, so the mean is at most 50 %, unless nodes that do not read never ran.
    top = 1.05 * max([52.0, *(row.percent for row in find_rows(figures.rows, nodes=nodes))])
    panels: list[Panel] = []
    for periods in (HARMONIC, OTHER_PERIODS):
        marks: list[Mark] = []
        for executor in EXECUTORS:
            for i, utilisation in enumerate(UTILISATIONS):
                name, spots = f"{executor}, utilisation {utilisation:g}", []
                case = {"nodes": nodes, "periods": periods, "executor": executor, "utilisation": utilisation}
                for place, size in enumerate(FRESHNESS_SIZES):
                    row = find_row(figures.rows, size=size, **case)
                    if row is not None and row.stale_share is not None:
                        text = f"<b>{name}</b>, {size_name(size)}<br>{format_number(row.percent)} %"
                        spots.append(Spot(place + _apart(i, 3), row.percent, text, _origin(row.folders)))
                if executor == "takt":
                    # takt's share is 0 %, and a bar of that height would be invisible.
                    marks.append(Points.of(spots, "diamond", 5, "paper", name="takt", colour="takt"))
                else:
                    look = {"name": name, "colour": executor, "opacity": _OPACITIES[utilisation]}
                    marks.append(Bars.of(spots, thickness=0.22, **look))
        x = names_axis([size_name(size) for size in FRESHNESS_SIZES])
        y = Axis("stale executions, %" * (not panels), low=-2, high=top)
        panels.append(Panel(marks, f"periods {', '.join(map(str, periods))} ms", x, y))
    title = f"{nodes} nodes: stale executions, % per node, mean over the nodes that ran"
    return Chart(title, [panels], WIDTH, share="y")


def data_age_panel(figures: AgeFigures, nodes: int) -> Panel:
    """Return box plots of the data age under each executor, on the left of each that of the thesis."""
    names: list[str] = []
    marks: list[Mark] = []
    printed_boxes: list[Box] = []
    for executor, (printed_name, name, colour) in _AGES.items():
        told = printed("data-age", nodes, executor).figures
        printed_boxes.append(_box(len(names), told, f"{printed_name} as printed", "ms"))
        shown = [
            _box(len(names) + 1, row.age_ms, name, "ms", _origin(row.folders))
            for row in find_rows(figures.rows, nodes=nodes, executor=executor)
            if row.age_ms is not None
        ]
        marks += boxes(shown, colour, colour)
        names += [f"{printed_name}\nprinted", name]
    marks += [*boxes(printed_boxes, "printed", "host"), Limit(figures.limit_ms, name="limit", colour="late")]
    title = f"Data age of the critical node, application with {nodes} nodes, ms"
    return Panel(marks, title, names_axis(names, size=7.5), Axis("ms", low=0), key=None)


def _apart(number: int, count: int) -> float:
    """Return the place of one of `count` marks of a group, relative to the middle of the group."""
    return (number - (count - 1) / 2) * 0.8 / count


def _box(at: float, figures: Seven, what: str, unit: str, link: str = "") -> Box:
    """Return a box with whiskers from p1 to p99 or, if printed, from minimum to maximum."""
    quartiles = f"quartiles {format_number(figures.q1)} and {format_number(figures.q3)}"
    text = f"<b>{what}</b><br>median {format_number(figures.median)} {unit}, {quartiles}".replace("\n", " ")
    low = figures.min if figures.p1 is None else figures.p1
    high = figures.max if figures.p99 is None else figures.p99
    return Box(at, low, figures.q1, figures.median, figures.q3, high, figures.max, text, link)


def _origin(folders: Sequence[str]) -> str:
    """Return a link to the summary of the first of the runs; empty if no run was kept."""
    return f"{folders[0]}/summary.json" if folders else ""
