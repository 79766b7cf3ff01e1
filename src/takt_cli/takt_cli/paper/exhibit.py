# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is shown of a paper's results: tables and plots, with the texts of the paper's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from takt_cli.chart.chart import Chart
from takt_cli.report.plotly_page import Link, Plot, Table

# The cells of a row, and the links to the runs that it was computed from.
Row: TypeAlias = tuple[Sequence[str], Sequence[Link]]


@dataclass(frozen=True)
class Exhibit:
    """A table, a plot on the page, or a plot with its table below it, in a section of the page. `name` is that of the
    table's files, `figures` are the charts for files by name."""

    section: str
    name: str
    table: Table | None = None
    plot: Plot | None = None
    figures: Mapping[str, Chart] = field(default_factory=dict)
    rank: int = 0
    """Tables of a lower rank come first outside of the page."""


class ExhibitTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The texts of all exhibits of one kind. Names in braces stand for what differs between them.

    `name`, `caption` and `columns` are those of the table, `id`, `title` and `description` those of the plot.
    """

    section: str
    name: str = ""
    caption: str = ""
    columns: tuple[str, ...] = ()
    never_folded: bool = False
    id: str = ""
    title: str = ""
    description: str = ""
    wide: bool = False

    def show(
        self,
        rows: Sequence[Row] | None = None,
        chart: Chart | None = None,
        figures: Mapping[str, Chart] | None = None,
        rank: int = 0,
        **names: Any,
    ) -> Exhibit:
        """Return the exhibit of these rows and of this chart, either of which may be missing. `names` are the values of
        the names in braces."""
        section, name, caption, plot_id, title, description = (
            text.format(**names)
            for text in (self.section, self.name, self.caption, self.id, self.title, self.description)
        )
        table = plot = None
        if rows is not None:
            links = [each for _, each in rows] if any(each for _, each in rows) else ()
            cells = [each for each, _ in rows]
            table = Table(caption, self.columns, cells, links, never_folded=self.never_folded)
        if chart is not None:
            plot = Plot(plot_id, title, description, chart, table, self.wide)
        return Exhibit(section, name, table, plot, figures or {}, rank)
