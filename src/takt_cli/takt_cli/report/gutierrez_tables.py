# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables I to XV: what the paper printed, and under it what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from takt_cli.paper.gutierrez2018 import printed
from takt_cli.paper.gutierrez2018.cases import PROFILE, TESTS
from takt_cli.paper.gutierrez2018.claims import rows_of
from takt_cli.report.interactive import Link, Table
from takt_cli.report.paper_tables import links
from takt_cli.report.words import NONE, between, count, number, percentile

Figures = dict[str, Any]
_COLUMNS = ("row", "sent", "min", "mean", "p50", "p99", "max", "missed", "lost", "skipped", "period, ms", "load",
            "traffic, Mbit/s")  # fmt: skip


def gutierrez_tables(parts: dict[str, Figures]) -> dict[str, Table]:
    """By name: `table-I`, and `test-5.A`, which the paper has no table of; last what tuning does."""
    made = {}
    for number_ in printed.TABLES:
        test = next(row.test for row in printed.every() if row.table == number_)
        if rows := rows_of(parts, test):
            made[f"table-{number_}"] = _table(f"Table {number_}", test, rows)
    if rows := rows_of(parts, "5.A"):
        made["test-5.A"] = _table("No table", "5.A", rows)
    if effects := [effect for part in parts.values() for effect in part["effects"]]:
        made["effect"] = _effects(effects)
    return made


def _table(name: str, test: str, measured: Sequence[Figures]) -> Table:
    theirs = printed.rows(test)
    title = theirs[0].title if theirs else TESTS[test].title
    rows = [
        [
            f"{row.middleware}, printed", count(row.sent), count(row.least), count(row.mean), NONE, NONE,
            count(row.most), count(row.missed), count(row.lost), NONE, number(row.period_ms), NONE, NONE,
        ]
        for row in theirs
    ]  # fmt: skip
    linked: list[list[Link]] = [[] for _ in theirs]
    for row in measured:
        times = row["round_trip_us"]
        rows.append(
            [
                row["variant"],
                count(row["sent"]),
                *(number(times[each]) for each in ("min", "mean")),
                *(percentile(times, each) for each in ("p50", "p99")),
                _largest(row),
                *(_of_host(row[each]) for each in ("missed", "lost", "skipped")),
                number(row["effective_period_ms"]),
                row["load"],
                row["traffic"],
            ]
        )
        linked.append(links(row, "run.json"))
    here = f"here {measured[0]['duration_s']:g} s each"
    return Table(f"{name}, test {test}: {title}; {here}; us, in brackets the host's", _COLUMNS, rows, linked)


def _largest(row: Figures) -> str:
    """Of replies that came, and that there were others."""
    points = [us for _, us in row["points"]["trips"]]
    return number(max(points)) if points else NONE


def _of_host(figures: Figures) -> str:
    """`12 (3)`"""
    return count(figures["n"]) + (f" ({count(figures['host'])})" if figures["host"] else "")


def _effects(effects: Sequence[Figures]) -> Table:
    rows = []
    for effect in effects:
        points, ratio = effect["points"], effect["ratio"]
        sides = (effect["failed_plain"], effect["failed_tuned"])
        rows.append(
            [
                effect["variant"],
                *(number(sum(each) / len(each)) if each else NONE for each in sides),
                *([f"{points['median']:+.3g}", _interval(points)] if points else [NONE, NONE]),
                *([number(ratio["median"]), _interval(ratio)] if ratio else [NONE, NONE]),
                count(points["rounds"]) if points else NONE,
            ]
        )  # fmt: skip
    columns = ("row", "2.F failed, %", "4.A failed, %", "points more", "95 %", "median, times", "95 %", "rounds")
    return Table(
        f"Priorities of the kernel's threads by profile {PROFILE}, in turns: cycles late, lost or skipped",
        columns,
        rows,
    )


def _interval(figures: Figures) -> str:
    return between(figures)
