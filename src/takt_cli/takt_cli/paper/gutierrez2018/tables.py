# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables I to XV of Gutierrez et al. (2018): the printed rows, and below them the measured ones."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.paper.gutierrez2018 import printed
from takt_cli.paper.gutierrez2018.cases import PROFILE, TESTS
from takt_cli.paper.gutierrez2018.rows import Effect, TripRow
from takt_cli.paper.gutierrez2018.ways import rows_of
from takt_cli.paper.paper import Parts
from takt_cli.paper.tables import run_links
from takt_cli.report.formatting import NONE, format_count, format_interval, format_number, format_percentile
from takt_cli.report.plotly_page import Link, Table
from takt_cli.results.result_file import RESULT_FILE

_COLUMNS = ("row", "sent", "min", "mean", "p50", "p99", "max", "missed", "lost", "skipped", "period, ms", "load",
            "traffic, Mbit/s")  # fmt: skip


def gutierrez_tables(parts: Parts) -> dict[str, Table]:
    """Return the tables by name, for example `table-I`.

    Test 5.A, of which the paper has no table, is `test-5.A`; `effect` compares the kernel threads' default and tuned
    priorities.
    """
    tables = {}
    for number_, test in dict.fromkeys((row.table, row.test) for row in printed.all_rows()):
        if rows := rows_of(parts, test):
            tables[f"table-{number_}"] = _table(f"Table {number_}", test, rows)
    if rows := rows_of(parts, "5.A"):
        tables["test-5.A"] = _table("No table", "5.A", rows)
    if effects := [effect for part in parts.values() for effect in part.effects]:
        tables["effect"] = _effects(effects)
    return tables


def _table(name: str, test: str, measured_rows: Sequence[TripRow]) -> Table:
    printed_rows = printed.rows_of_test(test)
    title = printed_rows[0].title if printed_rows else TESTS[test].title
    # One cell for each of _COLUMNS; the paper prints neither p50 nor p99, skipped cycles, load or traffic.
    rows = [
        [
            f"{row.middleware}, printed", format_count(row.sent), format_count(row.minimum), format_count(row.mean),
            NONE, NONE,
            format_count(row.maximum), format_count(row.missed), format_count(row.lost), NONE,
            format_number(row.period_ms), NONE, NONE,
        ]
        for row in printed_rows
    ]  # fmt: skip
    linked: list[list[Link]] = [[] for _ in printed_rows]
    for row in measured_rows:
        times = row.round_trip_us
        rows.append(
            [
                row.variant,
                format_count(row.sent),
                format_number(times.min),
                format_number(times.mean),
                *(format_percentile(times, each) for each in ("p50", "p99")),
                _largest(row),
                *(_of_host(each) for each in (row.missed, row.lost, row.skipped)),
                format_number(row.effective_period_ms),
                row.load,
                row.traffic,
            ]
        )
        linked.append(run_links(row.folders, RESULT_FILE))
    duration_text = f"measured for {measured_rows[0].duration_s:g} s each"
    caption = f"{name}, test {test}: {title}; {duration_text}; times in us; in brackets those due to the host"
    return Table(caption, _COLUMNS, rows, linked)


def _largest(row: TripRow) -> str:
    """Return the longest round trip among the replies that came; lost messages do not count as infinite here."""
    points = [us for _, us in row.points.trips]
    return format_number(max(points)) if points else NONE


def _of_host(counts: dict[str, int]) -> str:
    """Format a count, with the part that is due to the host in brackets: `12 (3)`."""
    return format_count(counts["n"]) + (f" ({format_count(counts['host'])})" if counts["host"] else "")


def _effects(effects: Sequence[Effect]) -> Table:
    rows = []
    for effect in effects:
        points, ratio, sides = effect.points, effect.ratio, (effect.failed_plain, effect.failed_tuned)
        rows.append(
            [
                effect.variant,
                *(format_number(sum(each) / len(each)) if each else NONE for each in sides),
                *([f"{points.median:+.3g}", format_interval(points.low, points.high)] if points else [NONE, NONE]),
                *([format_number(ratio.median), format_interval(ratio.low, ratio.high)] if ratio else [NONE, NONE]),
                format_count(points.rounds) if points else NONE,
            ]
        )
    columns = ("row", "2.F failed, %", "4.A failed, %", "difference, points", "95 %", "ratio of medians", "95 %",
               "rounds")  # fmt: skip
    what = f"Effect of profile {PROFILE} for the kernel's threads, measured in turns"
    return Table(f"{what}: failed cycles (late, lost or skipped)", columns, rows)
