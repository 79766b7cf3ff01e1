# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Table of `takt doctor`: a row for each finding."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.doctor.finding import Finding, Severity, worst_severity

_STYLES = {Severity.fit: "green", Severity.note: None, Severity.warning: "yellow", Severity.unfit: "red"}
_VERDICTS = {
    Severity.fit: "fit for real time",
    Severity.note: "fit for real time, with notes",
    Severity.warning: "fit for tests, not for guarantees: see the warnings",
    Severity.unfit: "not fit for real time",
}


def doctor_report(findings: list[Finding]) -> list[RenderableType]:
    """Return the table of findings and the overall verdict, which is that of the worst finding."""
    table = Table(title="is this host fit for real time", title_justify="left", show_lines=True)
    for name in ("checked", "", "found", "cost", "remedy"):
        table.add_column(name, overflow="fold")
    for each in findings:
        word = Text(each.severity.name, style=_STYLES[each.severity] or "")
        table.add_row(each.subject, word, Text(each.found), Text(each.costs), Text(each.mend))
    severity = worst_severity(findings)
    return [table, Text(_VERDICTS[severity], style=f"bold {_STYLES[severity] or ''}")]
