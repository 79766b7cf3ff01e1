# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The thesis's figures in its layout, drawn from the figures of the parts, as SVG documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

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
from takt_cli.report.style import COLOURS, canvas, plot, to_svg

Metrics = dict[str, Any]

_HEIGHT = 2.9
_LINES = dict(zip(UTILISATIONS, (("o", ":"), ("s", "--"), ("^", "-")), strict=True))
_BARS = dict(zip(UTILISATIONS, (0.35, 0.65, 1.0), strict=True))
_CASES = {SMALL: "1 to 10 nodes", LARGE: "50 nodes, no exchange", LARGE_EXCHANGE: "50 nodes, 80 % subscribe"}
# The colours of the transports of a message.
WAYS = {"two processes": "baseline1", "baseline0": "baseline0", "takt": "takt", "copy": "host"}
_PERCENT = 100


class Box(NamedTuple):
    """A box of a box plot."""

    label: str
    statistics: Metrics
    """min, q1, median, q3 and max, and p1 and p99 if they are known: the whiskers end there."""
    colour: str


def thesis_plots(parts: dict[str, Metrics]) -> dict[str, str]:
    """Return the figures of the parts that were run, by name, for example `figure-5.2`."""
    plots_by_name: dict[str, str] = {}
    if "transport" in parts:
        plots_by_name["figure-2.7"] = _transport(parts["transport"])
    if "overhead" in parts:
        plots_by_name["figure-5.1"] = _overhead(parts["overhead"])
    if "misses" in parts:
        plots_by_name |= dict(_misses(parts["misses"]))
    if "freshness" in parts:
        for number, nodes in zip((8, 9, 10), NODES, strict=True):
            plots_by_name[f"figure-5.{number}"] = _freshness(parts["freshness"], nodes)
    if "data-age" in parts:
        for number, nodes in zip((11, 12, 13), APPLICATIONS, strict=True):
            plots_by_name[f"figure-5.{number}"] = _data_age(parts["data-age"], nodes)
    return plots_by_name


def _transport(statistics: Metrics) -> str:
    sizes = sorted({row["bytes"] for row in statistics["rows"]})
    with canvas(7.6, _HEIGHT) as figure:
        panels = figure.subplots(1, len(sizes), sharey=True)
        for axes, size in zip(panels, sizes, strict=True):
            rows = find_rows(statistics, bytes=size)
            _boxes(
                axes,
                [Box(row["way"].replace(" ", "\n"), row["us"], WAYS[row["way"]]) for row in rows if row["us"]["n"]],
            )
            axes.set_title(size_name(size))
            axes.set_yscale("log")
        panels[0].set_ylabel("from before publish to the callback, us")
        return to_svg(figure, "Message transport times inside one process and between two, by message size")


def _overhead(statistics: Metrics) -> str:
    """Draw decision times as printed and as measured, and below them the measured dispatch overhead per job."""
    with canvas(7.6, 2 * _HEIGHT) as figure:
        panels = figure.subplots(2, len(_CASES), sharey="row")
        for column, (case, title) in enumerate(_CASES.items()):
            boxes = [
                Box(f"{name}\nprinted", printed.overhead(case, name)[1], "host") for name in ("baseline0", PROPOSED)
            ]
            cost_axes = []
            for row in find_rows(statistics, case=case):
                name = row["executor"]
                if row["decision_us"]["n"]:
                    boxes.append(Box(f"{name}\ndecision", row["decision_us"], name))
                if row["dispatch_us"]["per_job"]:
                    cost_axes.append((name, row["dispatch_us"]))
            top, bottom = panels[0][column], panels[1][column]
            _boxes(top, boxes)
            top.set_yscale("log")
            top.set_title(title)
            for place, (name, cost) in enumerate(cost_axes):
                bottom.bar(place, cost["per_job"], 0.5, color=COLOURS[name])
                bottom.plot([place] * len(cost["per_job_runs"]), cost["per_job_runs"], ".", color=COLOURS["ink"])
            bottom.set_xticks(range(len(cost_axes)), [name for name, _ in cost_axes])
            bottom.grid(axis="y")
        panels[0][0].set_ylabel("decision time, us")
        panels[1][0].set_ylabel("dispatch overhead per job,\nus of CPU (dots: runs)")
        return to_svg(
            figure, "Executor overhead: decision times as printed and as measured, and dispatch overhead per job"
        )


def _misses(statistics: Metrics) -> Iterator[tuple[str, str]]:
    """Yield figures 5.2 to 5.7: for 4, 20 and 50 nodes each that of baseline1, then that of takt."""
    number = 2
    for nodes in NODES:
        for executor in ("baseline1", "takt"):
            with plot(4.7, _HEIGHT) as (figure, axes):
                _miss_lines(axes, statistics, nodes, executor)
                title = f"{executor}, {nodes} nodes: missed deadlines, % of all releases"
                axes.set_title(title)
                yield f"figure-5.{number}", to_svg(figure, title)
            number += 1


def _miss_lines(axes: Axes, statistics: Metrics, nodes: int, executor: str) -> None:
    sizes = (None, *SIZES)
    for utilisation, (marker, style) in _LINES.items():
        xs, ys, lows = [], [], []
        for place, size in enumerate(sizes):
            row = find_row(statistics, nodes=nodes, executor=executor, utilisation=utilisation, size=size)
            if row is not None and row["jobs"]:
                xs.append(place)
                ys.append(_PERCENT * row["deadline_misses"] / row["jobs"])
                lows.append(_PERCENT * row["host_misses"] / row["jobs"])
        axes.errorbar(
            xs,
            ys,
            yerr=[lows, [0.0] * len(lows)],
            marker=marker,
            linestyle=style,
            color=COLOURS[executor],
            ecolor=COLOURS["host"],
            linewidth=1.4,
            markersize=4,
            label=f"utilisation {utilisation:g}",
        )
    axes.set_xticks(range(len(sizes)), [size_name(size) for size in sizes])
    axes.set_xlabel("message size; grey: misses during stalls of the host")
    axes.set_ylim(-3, 103)
    axes.grid(axis="y")
    axes.legend(loc="upper left")


def _freshness(statistics: Metrics, nodes: int) -> str:
    title = f"{nodes} nodes: stale executions, % per node, mean over the nodes that ran"
    # Half of the nodes read, so the mean is at most 50 %, unless nodes that do not read never ran.
    shares = [row["stale_share"] or 0.0 for row in find_rows(statistics, nodes=nodes)]
    top = 1.05 * max(52.0, _PERCENT * max(shares, default=0.0))
    with canvas(7.6, _HEIGHT) as figure:
        panels = figure.subplots(1, 2, sharey=True)
        for axes, periods in zip(panels, (HARMONIC, OTHER_PERIODS), strict=True):
            for place, size in enumerate(FRESHNESS_SIZES):
                case = {"nodes": nodes, "periods": list(periods), "size": size}
                for i, utilisation in enumerate(UTILISATIONS):
                    x = place + 0.25 * (i - 1)
                    for executor in ("baseline1", "takt"):
                        row = find_row(statistics, executor=executor, utilisation=utilisation, **case)
                        if row is None or row["stale_share"] is None:
                            continue
                        share = _PERCENT * row["stale_share"]
                        if executor == "takt":
                            axes.plot([x], [share], "D", color=COLOURS["takt"], markersize=4, zorder=3)
                        else:
                            axes.bar(x, share, 0.22, color=COLOURS[executor], alpha=_BARS[utilisation])
            axes.set_xticks(range(len(FRESHNESS_SIZES)), [size_name(size) for size in FRESHNESS_SIZES])
            axes.set_title(f"periods {', '.join(map(str, periods))} ms")
            axes.set_ylim(-2, top)
            axes.grid(axis="y")
        panels[0].set_ylabel("stale executions, %")
        keys = [
            Line2D([], [], color=COLOURS["baseline1"], alpha=alpha, linewidth=6, label=f"baseline1, utilisation {u:g}")
            for u, alpha in _BARS.items()
        ]
        keys.append(Line2D([], [], color=COLOURS["takt"], marker="D", markersize=4, linestyle="", label="takt"))
        figure.legend(handles=keys, loc="outside lower left", ncols=4)
        return to_svg(figure, title)


def _data_age(statistics: Metrics, nodes: int) -> str:
    names = {
        BASELINE1: ("baseline1", "baseline1"),
        PROPOSED: (PROPOSED, "takt"),
        BOUNDED: ("proposed,\n40 ms", "takt,\n40 ms"),
    }
    with plot(6.2, _HEIGHT) as (figure, axes):
        boxes = []
        for executor, (printed_name, measured_name) in names.items():
            boxes.append(Box(f"{printed_name}\nprinted", printed.data_age(nodes, executor)[1], "host"))
            row = find_row(statistics, nodes=nodes, executor=executor)
            if row is not None and row["age_ms"]["n"]:
                boxes.append(Box(measured_name, row["age_ms"], "baseline1" if measured_name == "baseline1" else "takt"))
        _boxes(axes, boxes)
        axes.axhline(statistics["limit_ms"], color=COLOURS["late"], linewidth=0.9, linestyle="--")
        axes.set_ylim(bottom=0)
        title = f"Data age of the critical node, application with {nodes} nodes, ms"
        axes.set_title(title)
        return to_svg(figure, title)


def _boxes(axes: Axes, boxes: Sequence[Box]) -> None:
    """Draw boxes with a point at the maximum, and whiskers from p1 to p99 or, if printed, from minimum to maximum."""
    for place, box in enumerate(boxes):
        box_statistics = box.statistics
        stats = {name: box_statistics[name] for name in ("q1", "q3")} | {"med": box_statistics["median"], "fliers": []}
        stats |= {
            "whislo": box_statistics.get("p1", box_statistics["min"]),
            "whishi": box_statistics.get("p99", box_statistics["max"]),
        }
        line = {"color": COLOURS[box.colour], "linewidth": 1.3}
        axes.bxp(
            [stats],
            positions=[place],
            widths=0.5,
            boxprops=line,
            whiskerprops=line,
            capprops=line,
            medianprops=line | {"linewidth": 2.2},
        )
        if box_statistics["max"] > stats["whishi"]:
            axes.plot([place], [box_statistics["max"]], ".", color=COLOURS[box.colour], markersize=3)
    axes.set_xticks(range(len(boxes)), [box.label for box in boxes], fontsize=7.5)
    axes.grid(axis="y")
