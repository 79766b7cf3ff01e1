# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables I to XV of Gutierrez et al. (2018), the printed rows and below them the measured ones, and figures 4 to 9."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from takt_cli.analysis.trips import Count
from takt_cli.paper.exhibit import Exhibit, ExhibitTexts, Row
from takt_cli.paper.gutierrez2018 import printed
from takt_cli.paper.gutierrez2018.cases import PROFILE, TESTS, Test
from takt_cli.paper.gutierrez2018.rows import Effect, TripRow
from takt_cli.paper.gutierrez2018.ways import rows_of_test
from takt_cli.paper.paper import Parts
from takt_cli.paper.tables import run_links
from takt_cli.paper.time_chart import Series, paper_chart
from takt_cli.report.formatting import format_interval, format_percentile
from takt_cli.report.values import NONE, format_count, format_number
from takt_cli.results.result_file import RESULT_FILE

LIMIT_US = 10_000.0
# Figure 4 shows test 2.D, which is also panel d of figure 6.
_EXAMPLE = "2.D"


def gutierrez_exhibits(parts: Parts, texts: Mapping[str, ExhibitTexts]) -> Iterator[Exhibit]:
    """Return what is shown of the tests that were run: a table and a plot of each, the effect of tuned kernel threads,
    and the figures, which have a panel for each of their tests."""
    measured = {test: rows for test in TESTS.values() if (rows := rows_of_test(parts, test.name))}
    panels = {test: _panel(test, rows) for test, rows in measured.items() if test.panel}
    ranks = {name: rank for rank, name in enumerate(dict.fromkeys(row.test for row in printed.all_rows()))}
    for test, rows in measured.items():
        printed_rows = printed.rows_of_test(test.name)
        cells = [*map(_printed, printed_rows), *map(_measured, rows)]
        names: dict[str, Any] = {
            "test": test,
            "first": printed_rows[0] if printed_rows else None,
            "seconds": f"{rows[0].duration_s:g}",
        }
        chart = None
        if panel := panels.get(test):
            chart = paper_chart(f"Figure {test.panel[0]}, {panel[0]}", [panel], LIMIT_US)
            names |= {"panel": panel[0], "id": test.name.lower().replace(".", "-")}
        kind = "trips" if chart and printed_rows else "untabled" if chart else "undrawn"
        yield texts[kind].show(cells, chart, rank=ranks.get(test.name, len(ranks)), **names)
    if effects := [effect for part in parts.values() for effect in part.effects]:
        yield texts["effect"].show(list(map(_effect, effects)), rank=len(ranks) + 1, profile=PROFILE)
    yield from _figures(panels, texts)


def _figures(panels: Mapping[Test, tuple[str, list[Series]]], texts: Mapping[str, ExhibitTexts]) -> Iterator[Exhibit]:
    by_figure: dict[str, list[tuple[str, list[Series]]]] = {}
    for test, panel in panels.items():
        for figure in ("4", test.panel[0]) if test.name == _EXAMPLE else test.panel[0]:
            by_figure.setdefault(figure, []).append(panel)
    for figure, drawn in sorted(by_figure.items()):
        chart = paper_chart(f"Figure {figure}: {texts[f'figure-{figure}'].title}", drawn, LIMIT_US)
        yield texts[f"figure-{figure}"].show(figures={f"figure-{figure}": chart})


def _panel(test: Test, rows: Sequence[TripRow]) -> tuple[str, list[Series]]:
    letter = f"{test.panel[1:]}) " if test.panel[1:] else ""
    series = [Series(row.variant, row.transport, row.points.trips, row.points.lost) for row in rows]
    return f"{letter}{test.name}: {test.title}", series


def _printed(row: printed.Printed) -> Row:
    # The paper prints neither p50 nor p99, skipped cycles, load or traffic.
    counts = [format_count(each) for each in (row.sent, row.minimum, row.mean, row.maximum, row.missed, row.lost)]
    counts[3:3], period = [NONE, NONE], format_number(row.period_ms)
    return [f"{row.middleware}, printed", *counts, NONE, period, NONE, NONE], []


def _measured(row: TripRow) -> Row:
    times = row.round_trip_us
    # The longest among the replies that came; lost messages do not count as infinite here.
    longest = max((us for _, us in row.points.trips), default=None)
    cells = [row.variant, format_count(row.sent), format_number(times.min), format_number(times.mean)]
    cells += [format_percentile(times, "p50"), format_percentile(times, "p99"), format_number(longest)]
    cells += map(_of_host, (row.missed, row.lost, row.skipped))
    cells += [format_number(row.effective_period_ms), row.load, row.traffic]
    return cells, run_links(row.folders, RESULT_FILE)


def _of_host(count: Count) -> str:
    """Format a count, with the part that is due to the host in brackets: `12 (3)`."""
    return format_count(count.n) + (f" ({format_count(count.host)})" if count.host else "")


def _effect(effect: Effect) -> Row:
    points, ratio, sides = effect.points, effect.ratio, (effect.failed_plain, effect.failed_tuned)
    cells = [effect.variant, *(format_number(sum(each) / len(each)) if each else NONE for each in sides)]
    cells += [f"{points.median:+.3g}", format_interval(points.low, points.high)] if points else [NONE, NONE]
    cells += [format_number(ratio.median), format_interval(ratio.low, ratio.high)] if ratio else [NONE, NONE]
    return [*cells, format_count(points.rounds) if points else NONE], []
