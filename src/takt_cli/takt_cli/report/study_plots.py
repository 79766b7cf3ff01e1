# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Plots that compare applications and executors: a row for each application, a dot for each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log10
from statistics import median
from typing import Any

import plotly.graph_objects as go

from takt_cli.analysis.result_set import SetRun
from takt_cli.report.formatting import format_count, format_number
from takt_cli.report.measures import Distribution, Measure, Spread
from takt_cli.report.plotly_page import Plot, Table
from takt_cli.report.study import Case, Study, describe_application
from takt_cli.report.style import COLOURS

_LABEL = 22
_NO_TEXT = "<extra></extra>"

LIMIT = {"color": COLOURS["late"], "width": 1.5, "dash": "dash"}


@dataclass
class Rows:
    """The places of the cases on the y axis.

    Each application has a row, in which the executors follow one below the other. If there is only one application,
    each executor has a row.
    """

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
    def height(self) -> int:
        """The height of the plot in pixels."""
        each = 9 + 8 * len(self.study.executors) if self.shared else 34
        return 64 + each * len(self.labels) + 26 * len(self.headings)

    def layout(self) -> dict[str, Any]:
        """Return the Plotly layout of the y axis, with the titles of the groups as annotations."""
        last_row = max([*self.labels, *self.headings])
        return {
            "height": max(self.height, 170),
            "xaxis": {"side": "top" if len(self.labels) > 12 else "bottom"},
            "bargap": 0,
            "yaxis": {
                "tickmode": "array",
                "tickvals": list(self.labels),
                "ticktext": list(self.labels.values()),
                "range": [last_row + 0.6, -0.6],
                "showgrid": False,
            },
            "annotations": [
                {
                    "text": f"<b>{text}</b>",
                    "x": 0,
                    "xref": "paper",
                    "xanchor": "left",
                    "y": y + 0.12,
                    "yref": "y",
                    "yanchor": "middle",
                    "showarrow": False,
                }
                for y, text in self.headings.items()
            ],
        }


def measure_plot(study: Study, measure: Measure) -> Plot:
    """Return a plot with a bar for the median of each case and a dot for each run."""
    rows, figure, cells = Rows(study), go.Figure(), []
    for executor in study.executors:
        bars: list[tuple[float, float, str, str]] = []
        dots: list[tuple[float, float, str, str]] = []
        cases_with_values = [
            case for case in study.cases if case.executor == executor and _runs_with_values(study, measure, case)
        ]
        for case in cases_with_values:
            runs_with_values = _runs_with_values(study, measure, case)
            values, y = [value for _, value in runs_with_values], rows.places[case]
            text = (
                f"{_head(study, case)}<br>median {format_number(median(values))} {measure.unit} of {len(values)} runs"
            )
            bars.append((median(values), y, study.link_to_run(runs_with_values[0][0]), text))
            dots += [
                (
                    value,
                    y,
                    study.link_to_run(run),
                    f"{_head(study, case)}, run {run.run}<br>{_text(measure, run, value)}",
                )
                for run, value in runs_with_values
            ]
        parts = _parts(
            measure, [[run for run, _ in _runs_with_values(study, measure, case)] for case in cases_with_values]
        )
        _bars(figure, executor, bars, rows, parts)
        _dots(figure, executor, dots, rows)
    figure.update_layout(**rows.layout(), barmode="overlay")
    figure.update_xaxes(value_axis(measure.unit, [0, *(x for trace in figure.data for x in trace.x)]))
    for case, runs in study.cases.items():
        values = [value for _, value in _runs_with_values(study, measure, case)]
        low, high = (format_number(min(values)), format_number(max(values))) if values else ("", "")
        middle = format_number(median(values)) if values else "\u2013"
        cells.append((*case, str(len(values)), middle, low, high, "; ".join({measure.detail(run): 0 for run in runs})))
    columns = ("application", "executor", "runs", f"median, {measure.unit}", "min", "max", "details of each run")
    return _plot(study, measure, figure, columns, cells)


def distribution_plot(study: Study, measure: Distribution) -> Plot:
    """Return a plot of distributions by case.

    Each case has a thick line from p50 to p99, a thin one from there to the maximum, and a dot at the p99 of each run.
    """
    rows, figure, cells, ends = Rows(study), go.Figure(), [], []
    for executor in study.executors:
        thick_line: list[tuple[float | None, float | None]] = []
        thin_line: list[tuple[float | None, float | None]] = []
        dots: list[tuple[float, float, str, str]] = []
        for case, runs in study.cases.items():
            if case.executor != executor:
                continue
            y, spreads = rows.places[case], [_spread(study, measure, run) for run in runs]
            middle = Spread(*(_median([getattr(s, name) for s in spreads]) for name in Spread._fields))
            p99_or_maximum = middle.p99 if middle.p99 is not None else middle.maximum
            if middle.p50 is None or p99_or_maximum is None:
                continue
            thick_line += [(middle.p50, y), (p99_or_maximum, y), (None, None)]
            largest = (
                max(s.maximum for s in spreads if s.maximum is not None)
                if middle.maximum is not None
                else p99_or_maximum
            )
            thin_line += [(p99_or_maximum, y), (largest, y), (None, None)]
            ends += [middle.p50, largest]
            for run, spread in zip(runs, spreads, strict=True):
                dot_value = spread.p99 if spread.p99 is not None else spread.maximum
                if dot_value is not None:
                    head = f"{_head(study, case)}, run {run.run}"
                    dots.append(
                        (
                            dot_value,
                            y,
                            study.link_to_run(run),
                            f"{head}<br>{_describe_point(spread, measure)}, n {format_count(measure.n(run))}",
                        )
                    )
        colour = _colour(executor)
        for points, width in ((thin_line, 1.5), (thick_line, 5)):
            figure.add_scatter(
                x=[x for x, _ in points],
                y=[y for _, y in points],
                mode="lines",
                line={"color": colour, "width": width},
                opacity=0.55 if width > 2 else 0.9,
                legendgroup=executor,
                showlegend=False,
                hoverinfo="skip",
            )
        _dots(figure, executor, dots, rows)
    figure.update_layout(**rows.layout())
    figure.update_xaxes(value_axis(measure.unit, ends, measure.limit))
    if measure.limit is not None:
        figure.add_vline(x=measure.limit, line=LIMIT)
    for case, runs in study.cases.items():
        spreads = [_spread(study, measure, run) for run in runs]
        values_by_percentile = [
            [getattr(s, name) for s in spreads if getattr(s, name) is not None] for name in Spread._fields
        ]
        cells.append(
            (
                *case,
                str(len(runs)),
                *(_median_of_known(values) for values in values_by_percentile),
                format_count(sum(measure.n(run) for run in runs)),
            )
        )
    unit = measure.unit
    columns = ("application", "executor", "runs", f"p50, {unit}", f"p99, {unit}", f"max, {unit}", "samples")
    return _plot(study, measure, figure, columns, cells)


def value_axis(unit: str, values: Sequence[float], limit: float | None = None) -> dict[str, Any]:
    """Return the Plotly axis of values: linear from zero, or logarithmic if the range is large.

    It is logarithmic if the largest value exceeds 10 times the limit, or, without a limit, 50 times the smallest value.
    """
    if not values:
        return {"title": unit}
    low, high = min(values), max([*values, limit or 0])
    if low > 0 and high > (50 * low if limit is None else 10 * limit):
        ends = [log10(min(low, limit or low)) - 0.1, log10(high) + 0.1]
        return {"title": unit, "type": "log", "range": ends, "dtick": 1, "tickformat": "~g"}
    return {"title": unit, "range": [0, 1.06 * high if high else 1]}


def _plot(
    study: Study,
    measure: Measure | Distribution,
    figure: go.Figure,
    columns: tuple[str, ...],
    cells: Sequence[Sequence[str]],
) -> Plot:
    table = Table(measure.title, columns, cells, [study.links(runs) for runs in study.cases.values()])
    return Plot(measure.id, measure.title, measure.description, figure.to_plotly_json(), table)


def _bars(
    figure: go.Figure, executor: str, bars: list[tuple[float, float, str, str]], rows: Rows, parts: list[list[float]]
) -> None:
    """Draw one bar for each case, or several end to end in the proportions of `parts`."""
    opacity = 0.45 if rows.shared else 0.8
    base = [0.0] * len(bars)
    for number_ in range(max(map(len, parts), default=0)):
        lengths = [bar[0] * part[number_] for bar, part in zip(bars, parts, strict=True)]
        figure.add_bar(
            x=lengths,
            base=list(base),
            y=[bar[1] for bar in bars],
            width=rows.bar * 0.86,
            orientation="h",
            name=executor,
            legendgroup=executor,
            showlegend=False,
            marker={"color": _colour(executor), "opacity": opacity * 0.55**number_, "line": {"width": 0}},
            customdata=[bar[2] for bar in bars],
            hovertext=[bar[3] for bar in bars],
            hovertemplate="%{hovertext}" + _NO_TEXT,
            textposition="none",
        )
        base = [begin + length for begin, length in zip(base, lengths, strict=True)]


def _parts(measure: Measure, cases: list[list[SetRun]]) -> list[list[float]]:
    """Return for each case the shares of the parts of its bar, summed over its runs."""
    if measure.parts is None:
        return [[1.0] for _ in cases]
    sums = [[sum(part) for part in zip(*map(measure.parts, runs), strict=True)] for runs in cases]
    return [
        [part / total for part in parts] if (total := sum(parts)) else [1.0, *[0.0] * (len(parts) - 1)]
        for parts in sums
    ]


def _dots(figure: go.Figure, executor: str, dots: list[tuple[float, float, str, str]], rows: Rows) -> None:
    figure.add_scatter(
        x=[dot[0] for dot in dots],
        y=[dot[1] for dot in dots],
        mode="markers",
        name=executor,
        legendgroup=executor,
        showlegend=rows.shared,
        marker={"color": _colour(executor), "size": 6 if rows.shared else 9, "line": {"width": 0}},
        cliponaxis=False,
        customdata=[dot[2] for dot in dots],
        hovertext=[dot[3] for dot in dots],
        hovertemplate="%{hovertext}" + _NO_TEXT,
    )


def _colour(executor: str) -> str:
    return COLOURS.get(executor, COLOURS["host"])


def _runs_with_values(study: Study, measure: Measure, case: Case) -> list[tuple[SetRun, float]]:
    """Return the runs of a case for which the measure has a value, with these values."""
    run_values = ((run, measure.compute(run, study.application(run))) for run in study.cases[case])
    return [(run, value) for run, value in run_values if value is not None]


def _spread(study: Study, measure: Distribution, run: SetRun) -> Spread:
    return measure.compute(run, study.application(run))


def _head(study: Study, case: Case) -> str:
    return f"<b>{case.executor}</b>, {case.application} ({describe_application(study.applications[case.application])})"


def _text(measure: Measure, run: SetRun, value: float) -> str:
    return f"{format_number(value)} {measure.unit}<br>{measure.detail(run)}"


def _describe_point(spread: Spread, measure: Distribution) -> str:
    percentiles = zip(("p50", "p99", "max"), spread, strict=True)
    return (
        ", ".join(f"{name} {format_number(value)}" for name, value in percentiles if value is not None)
        + f" {measure.unit}"
    )


def _median(values: list[float | None]) -> float | None:
    known_values = [value for value in values if value is not None]
    return median(known_values) if known_values else None


def _median_of_known(values: list[float]) -> str:
    if not values:
        return "\u2013"
    low, high = format_number(min(values)), format_number(max(values))
    return format_number(median(values)) if low == high else f"{format_number(median(values))} ({low} to {high})"


def _shortened(name: str) -> str:
    """Shorten a name in its middle, since generated names differ at their beginning or end."""
    return name if len(name) <= _LABEL else f"{name[: _LABEL // 2 - 1]}\u2026{name[-_LABEL // 2 :]}"
