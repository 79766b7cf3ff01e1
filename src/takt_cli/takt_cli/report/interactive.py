# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A page of a study: one file that needs nothing else, with plots to look into and a table under each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup

from takt_cli.report.figures import dressed, key_of
from takt_cli.report.html import script_json, template
from takt_cli.report.style import COLOURS, DARK
from takt_cli.report.words import count

_NUMBER = re.compile(r"[-+<>~\u2013\u221e\d]")
_LONG = 12
# Characters in a cell that make a column one of prose.
_PROSE = 40
# Verdicts and what they are drawn as.
_OUTCOMES = {
    "confirmed": "good",
    "better": "good",
    "yes": "good",
    "not confirmed": "bad",
    "no": "bad",
}


class Link(NamedTuple):
    """To the run that a figure came from: a place on this page (`#run-3`) or a file beside it."""

    label: str
    href: str
    name: str = ""
    """What is read aloud, where the label alone says too little."""


@dataclass(frozen=True)
class Table:
    """Cells are text. The first column names the row; `links`, if any, has the links of each row."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    links: Sequence[Sequence[Link]] = ()
    anchors: Sequence[str] = ()
    """An id for each row, where others link to it."""
    links_title: str = "from run"
    verdict: str = ""
    """The column of verdicts, which are seen at once. On a phone each row of such a table is a block."""
    whole: bool = False
    """Never folded, however long it is."""

    def __post_init__(self) -> None:
        for what, each in (("links", self.links), ("anchors", self.anchors)):
            if each and len(each) != len(self.rows):
                raise ValueError(f"{self.caption}: {len(each)} {what} for {len(self.rows)} rows")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.caption}: a row has not as many cells as there are columns")
        for links in self.links:
            for link in links:
                _check(link.href)

    @property
    def folded(self) -> bool:
        return len(self.rows) > _LONG and not self.whole

    @property
    def kinds(self) -> list[str]:
        """What each column holds, as the style sheet calls it: nothing for figures, which are set flush right."""
        columns = [[cell for cell in (row[i] for row in self.rows) if cell] for i in range(len(self.columns))]
        return [self._kind(name, cells) for name, cells in zip(self.columns, columns, strict=True)]

    def outcome(self, cell: str) -> str:
        return _OUTCOMES.get(cell, "open")

    def _kind(self, name: str, cells: Sequence[str]) -> str:
        if name == self.verdict:
            return "text verdict"
        if any(len(cell) > _PROSE for cell in cells):
            return "text prose"
        return "" if cells and all(_NUMBER.match(cell) for cell in cells) else "text"


@dataclass(frozen=True)
class Plot:
    """`figure` is Plotly's JSON (`graph_objects.Figure.to_plotly_json()`, or a dict) in the colours of the
    light page (`style.COLOURS`); size, fonts, axes and legend are the page's. A point whose `customdata` is
    a string, or a list that begins with one, opens what this names: `#run-3`. `description` says in words
    what is to be seen."""

    id: str
    title: str
    description: str
    figure: dict[str, Any]
    table: Table | None = None
    wide: bool = False
    """Takes the whole width of the page."""


class Card(NamedTuple):
    """Figures that matter most, for one executor: (label, figure, what it is of)."""

    name: str
    what: str
    outcome: str
    why: Sequence[str]
    figures: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class Section:
    """A heading with what belongs to it; `id` is where links lead to."""

    id: str
    title: str
    paragraphs: Sequence[str] = ()
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = ()
    cards: Sequence[Card] = ()
    points: Sequence[str] = ()
    """A list. What stands between backticks is code."""


def study_page(
    title: str,
    subtitle: Sequence[str],
    sections: Sequence[Section],
    facts: Sequence[tuple[str, str]] = (),
    notes: Sequence[str] = (),
) -> str:
    """The page as HTML. Every text may hold anything: it is escaped here."""
    plots = [plot for section in sections for plot in section.plots]
    ids = [section.id for section in sections] + [plot.id for plot in plots]
    if len(set(ids)) < len(ids) or not all(re.fullmatch(r"[a-z][a-z0-9-]*", each) for each in ids):
        raise ValueError(f"ids of sections and plots must be different words of a-z, 0-9 and -: {ids}")
    if len({plot.title for plot in plots}) < len(plots):
        raise ValueError(f"plots of a page must have different titles: {[plot.title for plot in plots]}")
    figures = {plot.id: dressed(plot.figure) for plot in plots}
    drawings = [{"id": name, "figure": figure} for name, figure in figures.items()]
    return template("study.html.j2").render(
        title=title,
        subtitle=subtitle,
        sections=sections,
        facts=facts,
        notes=notes,
        light=COLOURS,
        dark=DARK,
        count=count,
        keys={plot.id: key_of(plot.figure) for plot in plots},
        heights={name: figure["layout"]["height"] for name, figure in figures.items()},
        data=script_json({"light": COLOURS, "dark": DARK, "plots": drawings}),
        plotly=_plotly() if plots else "",
        made=datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
    )


def _plotly() -> Markup:
    """The library that draws, whole: nothing is fetched when the page is opened."""
    text = files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8")
    if re.search(r"</script|<!--", text, re.IGNORECASE):
        raise ValueError("plotly.min.js cannot stand inside a page: it has the end of a script in it")
    return Markup(text)


def _check(href: str) -> None:
    """Only to places on this page and to files beside it."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or href.startswith("/"):
        raise ValueError(f"{href!r} leads away from the page and its folder")
