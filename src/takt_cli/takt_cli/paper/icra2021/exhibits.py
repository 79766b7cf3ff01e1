# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of the ICRA 2021 paper: which of its eight runs were made, and the delays of each, with a part of them
enlarged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from takt_cli.analysis.cyclic import PRINTED
from takt_cli.chart.chart import Chart
from takt_cli.paper.exhibit import Exhibit, ExhibitTexts, Row
from takt_cli.paper.icra2021.cases import GUESTS, OROCOS, Case, cases
from takt_cli.paper.icra2021.part import CycleFigures, CycleRow
from takt_cli.paper.icra2021.ways import spikes
from takt_cli.paper.paper import Parts
from takt_cli.paper.tables import run_links
from takt_cli.paper.time_chart import Series, paper_chart
from takt_cli.report.formatting import format_interval, format_percentile
from takt_cli.report.values import NONE, format_count, format_number
from takt_cli.results.result_file import RESULT_FILE

_KERNEL_OPTIONS = {kernel: asked for asked, kernel in GUESTS.items()}


def icra_exhibits(parts: Parts, texts: Mapping[str, ExhibitTexts]) -> Iterator[Exhibit]:
    """Return the table of the runs, and for each part its charts, and a table of its delays."""
    kernels = {part.kernel for part in parts.values()}
    states = [(case, _state(case, parts.get(case.name), kernels)) for case in cases()]
    yield texts["runs"].show(
        [([case.framework, case.kernel, "yes" if case.stress else "no", state], []) for case, state in states]
    )
    for part, figures in parts.items():
        rows: list[CycleRow] = figures.rows
        for name, chart in _charts(part, rows):
            yield texts["delays"].show(figures={name: chart}, part=part)
            kind = "drift" if name.endswith("-drift") else "delay"
            for which, panel in zip(PRINTED, chart.panels, strict=True):
                yield texts[kind].show(
                    chart=Chart.of(panel), part=part, id=f"{name}-{which}", title=f"{part}, {panel.title}"
                )
        cells = [_cells(row, delay) for row in rows for delay in row.delays]
        yield texts["delays"].show(cells, part=part)


def _state(case: Case, part: CycleFigures | None, kernels: set[str]) -> str:
    """Describe whether a run was made here; `kernels` are those on which runs were made."""
    if case.framework == OROCOS:
        return "not run: OROCOS is not part of takt"
    if part is not None and part.failed:
        return f"failed: {part.failed[0].error}"
    if case.kernel in kernels and (part is None or not part.rows):
        return "not run yet: --resume goes on"
    if part is None:
        return f"not run: needs a host with this kernel, or a guest by --kernel {_KERNEL_OPTIONS[case.kernel]}"
    place = "in a guest, in virtual time, not used for verdicts" if part.virtual else "on this host"
    return f"run {place}, {part.duration_s:g} s"


def _charts(part: str, rows: Sequence[CycleRow]) -> Iterator[tuple[str, Chart]]:
    """Return the charts of a part by name: first the drift under all executors, then one for each executor, with the
    three delays of the paper."""
    if not rows:
        return
    drift = [
        (f"drift of the {which} delay", [Series(row.variant, row.executor, row.points[which].drift) for row in rows])
        for which in PRINTED
    ]
    yield f"{part}-drift", paper_chart(f"{part}: median delay in successive intervals of the run", drift)
    for row in rows:
        delays = [
            (f"{row.variant}: {which} delay", [Series(row.variant, row.executor, points.all, zoom=points.zoom)])
            for which, points in ((which, row.points[which]) for which in PRINTED)
        ]
        rmw = "" if row.rmw is None else f"-{row.rmw.replace('_', '-')}"
        yield f"{part}-{row.executor}{rmw}", paper_chart(f"{part}: delays of {row.variant}", delays)


def _cells(row: CycleRow, name: str) -> Row:
    delay = row.delays[name]
    slope = delay.slope
    cells = [f"{row.variant}: {name}", format_count(row.sent), format_number(delay.least_us)]
    cells += [format_percentile(delay.aligned_us, each) for each in ("p50", "p99", "max")]
    cells.append(format_number(spikes(delay)))
    cells += [NONE, NONE] if slope.slope is None else [f"{slope.slope:+.3g}", format_interval(slope.low, slope.high)]
    counts = [format_count(each.n) for each in (row.missed, row.lost, row.skipped)]
    return [*cells, delay.within_bound or NONE, *counts, row.load], run_links(row.folders, RESULT_FILE)
