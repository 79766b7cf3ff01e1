# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Elements of pages: those that a page has, and those that a page is made of."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np

from takt_cli.chart.axis import rows_axis
from takt_cli.chart.chart import Chart, Panel
from takt_cli.chart.marks import Bars
from takt_cli.report.plotly_page import Link, Plot, Table

HOSTILE = "</script><script>alert(1)</script><img src=http://example.org onerror=alert(2)> \"'&{{7*7}}\u2028"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts of its scripts by their id."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        tag, attributes = self.found[-1] if self.found else ("", {})
        if tag == "script" and data.strip():
            self.scripts.setdefault(attributes.get("id") or str(len(self.scripts)), data)
        else:
            self.texts.append(data)


def plot(name: str = "n20", id_: str = "misses") -> Plot:
    bars = Bars([0, 1], np.array([1.5, 2.5]), horizontal=True, name=name, links=["#run-1", "#run-2"])
    chart = Chart.of(Panel([bars], name, y=rows_axis([name, "b"])))
    table = Table(
        "Misses of " + name, ("application", name), [(name, "1.5 %"), ("b", "2.5 %")], [[Link("1", "#run-1")]] * 2
    )
    return Plot(id_, "Misses of " + name, name, chart, table)
