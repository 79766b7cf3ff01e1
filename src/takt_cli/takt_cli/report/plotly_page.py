# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Interactive pages: one self-contained HTML file with Plotly plots and a table of data below each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup

from takt_cli.chart.chart import Chart
from takt_cli.chart.page_figure import page_figure
from takt_cli.chart.style import COLOURS, DARK
from takt_cli.report.html import template
from takt_cli.report.values import format_count

# The beginning of a cell that holds a figure.
_NUMBER = re.compile(r"[-+<>~\u2013\u221e\d]")
# Tables with more rows than this are folded.
_MAX_UNFOLDED_ROWS = 12
# A column with a longer cell than this is shown as prose.
_PROSE_LENGTH = 40
# The CSS classes of verdicts.
_OUTCOMES = {
    "pass": "good",
    "confirmed": "good",
    "better": "good",
    "yes": "good",
    "fail": "bad",
    "not confirmed": "bad",
    "no": "bad",
}


class Link(NamedTuple):
    """A link to the run that a figure came from: to an element of this page (`#run-3`) or to a file beside it."""

    label: str
    href: str
    name: str = ""
    """The accessible name, read aloud by screen readers, if the label alone is not descriptive."""


@dataclass(frozen=True)
class Table:
    """A table of texts whose first column names the row. `links`, if any, holds the links of each row."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    links: Sequence[Sequence[Link]] = ()
    anchors: Sequence[str] = ()
    """The element id of each row, if something links to the rows."""
    links_title: str = "from run"
    verdict: str = ""
    """The title of the column of verdicts, which are highlighted. On a phone each row of such a table is a block."""
    never_folded: bool = False
    """True if the table is shown unfolded however long it is."""

    def __post_init__(self) -> None:
        for field_name, each in (("links", self.links), ("anchors", self.anchors)):
            if each and len(each) != len(self.rows):
                raise ValueError(f"{self.caption}: {len(each)} {field_name} for {len(self.rows)} rows")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.caption}: a row does not have one cell for each column")
        for links in self.links:
            for link in links:
                _check(link.href)

    @classmethod
    def of(
        cls, caption: str, rows: Sequence[Mapping[str, str]], links: Sequence[Sequence[Link]] = (), **settings: Any
    ) -> Table:
        """Return the table of rows that map the titles of columns to texts, all in the order of the first one."""
        cells = [tuple(row.values()) for row in rows]
        return cls(caption, list(rows[0]) if rows else [], cells, links, **settings)

    @property
    def folded(self) -> bool:
        """True if the table is shown folded, which long tables are."""
        return len(self.rows) > _MAX_UNFOLDED_ROWS and not self.never_folded

    @property
    def kinds(self) -> list[str]:
        """The CSS classes of each column; empty for figures, which are aligned right."""
        columns = [[cell for cell in (row[i] for row in self.rows) if cell] for i in range(len(self.columns))]
        return [self._kind(name, cells) for name, cells in zip(self.columns, columns, strict=True)]

    def outcome(self, cell: str) -> str:
        """Return the CSS class of a verdict."""
        return _OUTCOMES.get(cell, "open")

    def _kind(self, name: str, cells: Sequence[str]) -> str:
        if name == self.verdict:
            return "text verdict"
        if any(len(cell) > _PROSE_LENGTH for cell in cells):
            return "text prose"
        return "" if cells and all(_NUMBER.match(cell) for cell in cells) else "text"


@dataclass(frozen=True)
class Plot:
    """A chart on the page. `description` says in words what it shows."""

    id: str
    title: str
    description: str
    chart: Chart
    table: Table | None = None
    wide: bool = False
    """True if the plot takes the full width of the page."""


class Card(NamedTuple):
    """The most important figures of one executor, each as (label, figure, note), with its verdict."""

    name: str
    description: str
    outcome: str
    reasons: Sequence[str]
    entries: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Section:
    """A section of the page. `id` is the target of links to it."""

    id: str
    title: str
    paragraphs: Sequence[str] = ()
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = ()
    cards: Sequence[Card] = ()
    points: Sequence[str] = ()
    """The items of a bulleted list. Texts between backticks are shown as code."""


def study_page(
    title: str,
    subtitle: Sequence[str],
    sections: Sequence[Section],
    facts: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return the page as HTML. All texts are escaped here, so they may hold any characters. ValueError if ids or titles
    of plots are not unique, or an id is not of the letters a-z, digits and hyphens."""
    plots = [plot for section in sections for plot in section.plots]
    ids = [section.id for section in sections] + [plot.id for plot in plots]
    if len(set(ids)) < len(ids) or not all(re.fullmatch(r"[a-z][a-z0-9-]*", each) for each in ids):
        raise ValueError(f"ids of sections and plots must be different words of a-z, 0-9 and -: {ids}")
    if len({plot.title for plot in plots}) < len(plots):
        raise ValueError(f"plots of a page must have different titles: {[plot.title for plot in plots]}")
    figures = {plot.id: page_figure(plot.chart) for plot in plots}
    drawings = [{"id": name, "figure": figure.json} for name, figure in figures.items()]
    return template("study.html.j2").render(
        title=title,
        subtitle=subtitle,
        sections=sections,
        facts=facts,
        notes=notes,
        light=COLOURS,
        dark=DARK,
        count=format_count,
        keys={name: figure.key for name, figure in figures.items()},
        heights={name: figure.json["layout"]["height"] for name, figure in figures.items()},
        data={"light": COLOURS, "dark": DARK, "plots": drawings},
        plotly=_plotly() if plots else "",
        made=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
    )


def _plotly() -> Markup:
    """Return the complete plotly.js library for inclusion in the page, so that opening it needs no network."""
    text = files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8")
    if re.search(r"</script|<!--", text, re.IGNORECASE):
        raise ValueError("plotly.min.js cannot be included in a page: it contains the end of a script element")
    return Markup(text)


def _check(href: str) -> None:
    """Raise a ValueError unless the link leads to an element of this page or to a file in or below its folder."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or href.startswith("/"):
        raise ValueError(f"{href!r} is not a link within the page or its folder")
