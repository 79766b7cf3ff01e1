# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of `takt compare` for the terminal: two results side by side."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rich import box
from rich.console import RenderableType
from rich.text import Text

from takt_cli.analysis.result_set import BATCH, DEMO, RUN
from takt_cli.comparison.compare import ALL, COST_MARGIN
from takt_cli.comparison.comparison import ComparedSide, Comparison
from takt_cli.comparison.entry import BETTER, DIFFERING, INCONCLUSIVE, NO_DIFFERENCE, WORSE, Entry
from takt_cli.report.tables.rows import table_of
from takt_cli.report.texts import REMARKS
from takt_cli.report.values import NONE, Value, format_count, format_number
from takt_cli.results.verdict import TOO_SHORT

_STYLES = {BETTER: "green", WORSE: "red", INCONCLUSIVE: "yellow", TOO_SHORT: "yellow", NO_DIFFERENCE: "dim"}
_OPEN = (INCONCLUSIVE, TOO_SHORT)
# With more groups than this (one for each application and pair of executors), only differences that stand and the
# figures over all applications are shown.
_MANY_APPLICATIONS = 6
_CHANCE = 0.05
# The longest word in the name of a metric, so that none is broken.
_LONGEST_WORD = len("preemptions")


def compare_report(result: Comparison, show_all: bool) -> list[RenderableType]:
    """Return the report: a table for each application and executor, then the overall verdict. With `show_all`,
    comparisons whose difference is not significant are listed even if there are many applications."""
    parts: list[RenderableType] = [_side("A", result.a), _side("B", result.b)]
    parts += [Text(note, style="yellow") for note in result.notes]
    if result.forced:
        parts.append(Text(f"forced comparison: hosts or settings differ: {'; '.join(result.unlike)}", style="bold red"))
    groups = [
        (key, list(entries))
        for key, entries in groupby(result.entries, lambda e: (e.application, e.executor_a, e.executor_b))
    ]
    brief = not show_all and len(groups) > _MANY_APPLICATIONS
    hidden = 0
    for (application, one, other), entries in groups:
        shown_entries = entries if application == ALL or not brief else [entry for entry in entries if entry.stands]
        hidden += len(entries) - len(shown_entries)
        if shown_entries:
            parts += _table(application, one, other, shown_entries, result.forced)
    if hidden:
        parts.append(
            f"{format_count(hidden)} comparisons without a significant difference are hidden; --all shows them"
        )
    return [*parts, *_sums(result)]


def _side(name: str, side: ComparedSide) -> str:
    runs = "1 run" if side.runs == 1 else f"{format_count(side.runs)} runs"
    doubts = side.runs - side.conclusive
    remarks = [f"{format_count(doubts)} inconclusive"] if doubts else []
    remarks += [f"{format_count(n)} {what}" for n, what in ((side.failed, "failed"), (side.pending, "pending")) if n]
    return f"{name}: {side.folder} ({', '.join([runs, *remarks])})"


def _table(application: str, one: str, other: str, entries: list[Entry], forced: bool) -> list[RenderableType]:
    executors = one if one == other else f"{one} (A) and {other} (B)"
    # What applies to all rows is in the title, which leaves more room for the table on a narrow terminal.
    counts, reasons = _shared(map(_n, entries)) or _samples(entries), _shared(entry.why for entry in entries)
    title = Text("; ".join([f"{application}: {executors}", *filter(None, (counts, reasons))]), style="italic")
    rows: list[dict[str, Value]] = [
        {
            "": f"{entry.metric}, {entry.unit}" if entry.unit else entry.metric,
            "A": format_number(entry.a),
            "B": format_number(entry.b),
            "B - A": _signed(entry.difference),
            "95 % interval": NONE if entry.low is None else f"{_signed(entry.low)} to {_signed(entry.high)}",
            **({} if counts is not None else {"n": _n(entry)}),
            "B is": _verdict(entry, reasons is not None),
            **({"differs in": ", ".join(_name(each) for each in entry.unlike)} if forced else {}),
        }
        for entry in entries
    ]
    table = table_of(
        None,
        rows,
        ("", "B is", "differs in"),
        no_wrap=("A", "B", "B - A", "95 % interval"),
        box=box.SIMPLE,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    # No word is broken in the name of a metric or in a verdict.
    table.columns[0].min_width = _LONGEST_WORD
    next(each for each in table.columns if each.header == "B is").min_width = len(NO_DIFFERENCE)
    return [title, table]


def _name(condition: str) -> str:
    """Return the name of a setting that differs without its values, which the report lists at its beginning."""
    return condition.partition(" (")[0]


def _shared(values: Iterable[str | None]) -> str | None:
    """Return the value that all non-empty values have in common, or None if they differ."""
    distinct_values = set(values) - {""}
    return distinct_values.pop() if len(distinct_values) == 1 else None


def _verdict(entry: Entry, sentence: bool) -> Text:
    words = entry.verdict
    if entry.why and not sentence:
        words += f": {entry.why}"
    elif entry.differs and not entry.stands:
        words += " (may be chance)"
    return Text(words, style=_STYLES.get(entry.verdict, "") if entry.stands or entry.p is None else "dim")


def _signed(value: float | None) -> str:
    if value is None:
        return NONE
    return format_number(value) if value <= 0 else f"+{format_number(value)}"


def _n(entry: Entry) -> str:
    if entry.over is None:
        return ""
    counts = (
        format_count(entry.n_a) if entry.n_a == entry.n_b else f"{format_count(entry.n_a)}, {format_count(entry.n_b)}"
    )
    unit = entry.over if counts != "1" else entry.over.removesuffix("s")
    return f"{counts} {unit}{', paired' if entry.paired and entry.over == 'runs' else ''}"


def _samples(entries: list[Entry]) -> str | None:
    """Return the range of the numbers of samples in a comparison of two runs, where each metric has its own number.
    None if the comparison is not one over samples."""
    if _shared(entry.over or "" for entry in entries) != "samples":
        return None
    numbers = [n for entry in entries if entry.over for n in (entry.n_a, entry.n_b)]
    return f"{format_count(min(numbers))} to {format_count(max(numbers))} samples"


def _sums(result: Comparison) -> list[RenderableType]:
    """Return the overall verdict, and remarks on how far it can be relied on."""
    n = result.comparisons
    standing = [entry.verdict for entry in result.entries if entry.stands]
    differing_count = sum(entry.differs for entry in result.entries)
    counts_text = ", ".join(f"{standing.count(word)} {word}" for word in DIFFERING if word in standing)
    open_verdicts = {entry.verdict for entry in result.entries}
    unknown = TOO_SHORT if open_verdicts == {TOO_SHORT} else INCONCLUSIVE
    text_if_none = unknown if open_verdicts <= set(_OPEN) else "no significant difference"
    parts: list[RenderableType] = [Text(f"B against A: {counts_text or text_if_none}", style="bold")]
    if n:
        chance = f"about {format_number(_CHANCE * n)} would differ by chance alone"
        parts.append(
            f"{format_count(n)} comparisons at 95 % each, {format_count(differing_count)} differ, {chance}; "
            "differences that may be chance are marked"
        )
    over_samples = any(entry.over == "samples" for entry in result.entries)
    if over_samples and result.a.kind not in (RUN, DEMO, BATCH):
        parts.append(REMARKS["few rounds"])
    elif over_samples:
        parts.append(REMARKS["two runs"].format(margin=f"{100 * COST_MARGIN:g}"))
    elif any(
        (entry.over == "cases" or (entry.over == "runs" and not entry.paired)) and entry.verdict not in _OPEN
        for entry in result.entries
    ):
        parts.append("not run in turns: the differences include what changed on the host between A and B")
    return parts
