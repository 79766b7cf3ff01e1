# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plots that compare applications and executors: a row for each application, a dot for each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from takt_cli.analysis.run_summary import RunTotals
from takt_cli.chart.axis import Axis, Tick
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars, Labels, Limit, Mark, Points, Ranges, Spot, stacked
from takt_cli.chart.style import known_colour
from takt_cli.report.measures import Distribution, Measure, Spread
from takt_cli.report.plotly_page import Plot, Table
from takt_cli.report.study import Case, Study, describe_application, format_median
from takt_cli.report.values import format_count, format_number

_LABEL = 22


@dataclass
class Rows:
    """The places of the cases on the y axis. Each application has a row, in which the executors follow one below the
    other. If there is only one application, each executor has a row."""

    study: Study
    labels: dict[float, str] = field(default_factory=dict)
    headings: dict[float, str] = field(default_factory=dict)
    places: dict[Case, float] = field(default_factory=dict)
    bar: float = 0.6

    def __post_init__(self) -> None:
        executors = self.study.executors
        if not self.shared:
            for y, name in enumerate(executors):
                self.labels[y] = name
                self.places[Case(self.study.order[0], name)] = y
            return
        self.bar = 0.8 / len(executors)
        y = 0
        for group in self.study.groups:
            if len(self.study.groups) > 1:
                self.headings[y] = group.title
                y += 1
            for application in group.applications:
                self.labels[y] = _shortened(self.study.labels[application])
                for i, name in enumerate(executors):
                    self.places[Case(application, name)] = y + (i - (len(executors) - 1) / 2) * self.bar
                y += 1

    @property
    def shared(self) -> bool:
        """True if the executors share the rows of applications, so that only their colours distinguish them."""
        return len(self.study.order) > 1

    @property
    def height(self) -> float:
        """The height of the plot in inches."""
        each = 0.09 + 0.08 * len(self.study.executors) if self.shared else 0.34
        return 0.64 + each * len(self.labels) + 0.26 * len(self.headings)

    def chart(self, title: str, x: Axis, marks: Sequence[Mark]) -> Chart:
        """Return the chart of these marks, with the titles of the groups above their rows."""
        headings = Labels("left", [y + 0.12 for y in self.headings], texts=list(self.headings.values()))
        last_row = max([*self.labels, *self.headings])
        ticks = [Tick(y, label) for y, label in self.labels.items()]
        y = Axis(low=last_row + 0.6, high=-0.6, ticks=ticks, grid=False)
        return Chart.of(Panel([*marks, headings], title, x, y, self.height))


def figure_plot(study: Study, figure: Measure | Distribution) -> Plot:
    """Return the plot of a figure by application and executor."""
    return measure_plot(study, figure) if isinstance(figure, Measure) else distribution_plot(study, figure)


def measure_plot(study: Study, measure: Measure) -> Plot:
    """Return a plot with a bar for the median of each case and a dot for each run."""
    rows, marks, cells = Rows(study), list[Mark](), []
    known = {
        case: [(run, value) for run in runs if (value := measure.of(run)) is not None]
        for case, runs in study.cases.items()
    }
    for executor in study.executors:
        bars, dots, parts = [], [], []
        for case, values in known.items():
            if case.executor != executor or not values:
                continue
            head, y, middle = _head(study, case), rows.places[case], median(value for _, value in values)
            text = f"{head}<br>median {format_number(middle)} {measure.text.unit} of {len(values)} runs"
            bars.append(Spot(y, middle, text, study.link_to_run(values[0][0])))
            parts.append(_parts(measure, [run.summary.totals for run, _ in values]))
            for run, value in values:
                detail = measure.detail(run.summary.totals)
                text = f"{head}, run {run.run}<br>{format_number(value)} {measure.text.unit}<br>{detail}"
                dots.append(Spot(value, y, text, study.link_to_run(run)))
        marks += [*_bars(executor, bars, rows, parts), _dots(executor, dots, rows)]
    x = value_axis(measure.text.unit, [0, *(x for mark in marks if isinstance(mark, Points) for x in mark.x)])
    for case, runs in study.cases.items():
        numbers = sorted(value for _, value in known[case])
        low, high = (format_number(numbers[0]), format_number(numbers[-1])) if numbers else ("", "")
        details = dict.fromkeys(measure.detail(run.summary.totals) for run in runs)
        cells.append({
            "application": case.application,
            "executor": case.executor,
            "runs": str(len(numbers)),
            f"median, {measure.text.unit}": format_number(_median(numbers)),
            "min": low,
            "max": high,
            "details of each run": "; ".join(details),
        })  # fmt: skip
    return _plot(study, measure, rows.chart(measure.text.title, x, marks), cells)


def distribution_plot(study: Study, measure: Distribution) -> Plot:
    """Return a plot of distributions by case. Each case has a thick line from p50 to p99, a thin one from there to the
    maximum, and a dot at the p99 of each run."""
    rows, marks, cells, ends = Rows(study), list[Mark](), [], []
    spreads_by_case = {
        case: [measure.of(run, study.application(run)) for run in runs] for case, runs in study.cases.items()
    }
    for executor in study.executors:
        strokes: list[tuple[float, float, float, float]] = []
        dots = []
        for case, runs in study.cases.items():
            if case.executor != executor:
                continue
            y, spreads = rows.places[case], spreads_by_case[case]
            middle = Spread(*map(_median, zip(*spreads, strict=True)))
            if middle.p50 is None or middle.tail is None:
                continue
            largest = max([middle.tail, *(s.maximum for s in spreads if s.maximum is not None)])
            strokes.append((y, middle.p50, middle.tail, largest))
            ends += [middle.p50, largest]
            for run, spread in zip(runs, spreads, strict=True):
                if spread.tail is not None:
                    figures = f"{_describe_point(spread, measure)}, n {format_count(measure.n(run))}"
                    text = f"{_head(study, case)}, run {run.run}<br>{figures}"
                    dots.append(Spot(spread.tail, y, text, study.link_to_run(run)))
        marks += [*spread_lines(strokes, executor, (executor * rows.shared,) * 2), _dots(executor, dots, rows)]
    if measure.limit is not None:
        marks.append(Limit(measure.limit, "x", colour="late"))
    names = [f"{level}, {measure.text.unit}" for level in ("p50", "p99", "max")]
    for case, runs in study.cases.items():
        medians = map(format_median, zip(*spreads_by_case[case], strict=True))
        cells.append({
            "application": case.application,
            "executor": case.executor,
            "runs": str(len(runs)),
            **dict(zip(names, medians, strict=True)),
            "samples": format_count(sum(measure.n(run) for run in runs)),
        })  # fmt: skip
    chart = rows.chart(measure.text.title, value_axis(measure.text.unit, ends, measure.limit), marks)
    return _plot(study, measure, chart, cells)


def spread_lines(
    strokes: Sequence[tuple[float, float, float, float]], executor: str, names: tuple[str, str]
) -> list[Mark]:
    """Return lines of distributions, each given as its row, p50, p99 and maximum. They are thin from p99 to the maximum
    and thick from p50 to p99; `names` are the names of both."""
    look: dict[str, Any] = {"horizontal": True, "colour": known_colour(executor)}
    return [
        Ranges([(at, p99, largest) for at, _, p99, largest in strokes], 1.3, name=names[0], opacity=0.9, **look),
        Ranges([(at, p50, p99) for at, p50, p99, _ in strokes], 4, name=names[1], opacity=0.55, **look),
    ]


def value_axis(unit: str, values: Sequence[float], limit: float | None = None) -> Axis:
    """Return an axis of values: linear from zero, or logarithmic if the range is large. It is logarithmic if the
    largest value exceeds 10 times the limit, or, without a limit, 50 times the smallest value."""
    if not values:
        return Axis(unit)
    low, high = min(values), max([*values, limit or 0])
    if low > 0 and high > (50 * low if limit is None else 10 * limit):
        return Axis(unit, log=True, low=min(low, limit or low) / 1.26, high=high * 1.26)
    return Axis(unit, low=0, high=1.06 * high if high else 1)


def _plot(study: Study, measure: Measure | Distribution, chart: Chart, cells: Sequence[Mapping[str, str]]) -> Plot:
    table = Table.of(measure.text.title, cells, [study.links(runs) for runs in study.cases.values()])
    return Plot(measure.id, measure.text.title, measure.text.description, chart, table)


def _bars(executor: str, bars: Sequence[Spot], rows: Rows, parts: list[list[float]]) -> list[Bars]:
    """Return one bar for each case, or several end to end in the proportions of `parts`."""
    look: dict[str, Any] = {"thickness": 0.86 * rows.bar, "horizontal": True} | _look(executor, rows)
    made = []
    for number_ in range(max(map(len, parts), default=0)):
        spots = [bar._replace(y=bar.y * part[number_]) for bar, part in zip(bars, parts, strict=True)]
        made.append(Bars.of(spots, opacity=(0.45 if rows.shared else 0.8) * 0.55**number_, **look))
    return stacked(made)


def _parts(measure: Measure, runs: Sequence[RunTotals]) -> list[float]:
    """Return the shares of the parts of a bar, summed over its runs."""
    if measure.parts is None:
        return [1.0]
    sums = [sum(part) for part in zip(*map(measure.parts, runs), strict=True)]
    return [part / sum(sums) for part in sums] if sum(sums) else [1.0, *[0.0] * (len(sums) - 1)]


def _dots(executor: str, dots: Sequence[Spot], rows: Rows) -> Mark:
    return Points.of(dots, size=3.3 if rows.shared else 5, **_look(executor, rows))


def _look(executor: str, rows: Rows) -> dict[str, Any]:
    """Return the name and colour of an executor's marks. Only shared rows need a key."""
    return {"name": executor * rows.shared, "colour": known_colour(executor)}


def _head(study: Study, case: Case) -> str:
    return f"<b>{case.executor}</b>, {case.application} ({describe_application(study.applications[case.application])})"


def _describe_point(spread: Spread, measure: Distribution) -> str:
    percentiles = zip(("p50", "p99", "max"), spread, strict=True)
    return (
        ", ".join(f"{name} {format_number(value)}" for name, value in percentiles if value is not None)
        + f" {measure.text.unit}"
    )


def _median(values: Sequence[float | None]) -> float | None:
    known_values = [value for value in values if value is not None]
    return median(known_values) if known_values else None


def _shortened(name: str) -> str:
    """Shorten a name in its middle, since generated names differ at their beginning or end."""
    return name if len(name) <= _LABEL else f"{name[: _LABEL // 2 - 1]}\u2026{name[-_LABEL // 2 :]}"
