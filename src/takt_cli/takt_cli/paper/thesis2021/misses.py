# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.2 and chapter 6 of the thesis: deadline misses by message size, utilisation and number of nodes.

Shares are of all releases, in per cent.
"""

from __future__ import annotations

import math

from takt_cli.analysis.result_set import ResultSet
from takt_cli.paper.batch_part import BatchFigures, BatchPart, BatchSettings, Items
from takt_cli.paper.claims import Way
from takt_cli.paper.statistics import find_row
from takt_cli.paper.thesis2021.cases import (
    SIZES,
    UTILISATIONS,
    CaseRow,
    case_rows,
    cases,
    items,
    rows_of_all,
    size_name,
)
from takt_cli.paper.verdict import Finding, Outcome, Share, holds, inconclusive, judged, missing_data, number
from takt_cli.results.structures import extended

_EXECUTORS = ("baseline1", "takt")
# The thesis expects misses of baseline0 that depend on none of the parameters, and did not measure it.
_EXTRA = "baseline0"


class MissFigures(BatchFigures, frozen=True, kw_only=True):
    rows: list[CaseRow]

    def row(self, executor: str, nodes: int, utilisation: float, size: int | None) -> CaseRow:
        """Return the row of an application under an executor. Raises NotJudged if it has no jobs."""
        row = find_row(self.rows, executor=executor, nodes=nodes, utilisation=utilisation, size=size)
        if row is None or not row.jobs:
            messages = "no messages" if size is None else size_name(size)
            raise missing_data(f"{executor} at {nodes} nodes, utilisation {utilisation}, {messages}")
        return row

    def share(self, executor: str, nodes: int, utilisation: float, size: int | None) -> Share:
        """Return its share of misses. Raises NotJudged if it has no jobs."""
        return self.row(executor, nodes, utilisation, size).share


def _items(settings: BatchSettings) -> Items:
    return items("misses", (*_EXECUTORS, _EXTRA) if settings.extra else _EXECUTORS, settings)


def _figures(results: ResultSet, common: BatchFigures) -> MissFigures:
    rows = case_rows(CaseRow, results, "misses", (*_EXECUTORS, _EXTRA))
    return extended(common, MissFigures, rows=[row for row in rows if row.runs or row.executor != _EXTRA])


PART = BatchPart("misses", MissFigures, _items, _figures)


class MissesOfBaseline(Way, frozen=True):
    """The share of baseline1 in one application, which is about a printed share, or else below a limit."""

    nodes: int
    utilisation: float
    size: int | None = None
    below: float = 0.0
    about: float | None = None

    def judge(self, figures: MissFigures) -> Finding:
        share = figures.share("baseline1", self.nodes, self.utilisation, self.size)
        if self.about is None:
            return judged(share.below(self.below), f"{share.text()} missed", [share])
        why = f"{share.text()} missed; about {number(self.about)} % printed"
        return judged(share.about(self.about), why, [share])


class MissesBegin(Way, frozen=True):
    """The smallest message size with visible misses of baseline1 is one of `sizes`."""

    nodes: int
    utilisation: float
    sizes: tuple[int, ...]
    visible: float

    def judge(self, figures: MissFigures) -> Finding:
        shares: list[Share] = []
        text = ""
        for size in SIZES:
            smaller = text
            shares.append(figures.share("baseline1", self.nodes, self.utilisation, size))
            text = f"{size_name(size)}: {shares[-1].text()}"
            misses = shares[-1].below(self.visible)
            if misses is None:
                return judged(None, text, shares)
            if not misses:
                return holds(size in self.sizes, f"misses begin at {text}" + (f"; {smaller}" if smaller else ""))
        return holds(False, f"{number(self.visible)} % is reached at no size; {text}")


class MoreMisses(Way, frozen=True):
    """The share of baseline1 with more nodes is so many times, or so many points above, that with fewer: the thesis may
    mean either."""

    nodes: tuple[int, int]
    utilisation: float
    size: int
    times: tuple[float, float]
    points: tuple[float, float]

    def judge(self, figures: MissFigures) -> Finding:
        fewer, more = (figures.share("baseline1", nodes, self.utilisation, self.size) for nodes in self.nodes)
        why = f"{self.nodes[1]} nodes {more.text()}; {self.nodes[0]} nodes {fewer.text()}"
        if any(share.blind or share.too_short for share in (fewer, more)):
            return judged(None, why, [fewer, more])
        # Also the largest and the smallest difference that both intervals allow.
        (low, high), (least, most) = fewer.ends, more.ends
        pairs = [(fewer.value, more.value), (fewer.lower_bound, more.lower_bound), (low, most), (high, least)]
        outcomes = {
            self.times[0] <= (b / a if a else math.inf) <= self.times[1] or self.points[0] <= b - a <= self.points[1]
            for a, b in pairs
        }
        times = f"{number(more.value / fewer.value)} times, " if fewer.value else ""
        why = f"{times}{number(more.value - fewer.value)} points more: {why}"
        return judged(outcomes.pop() if len(outcomes) == 1 else None, why, [fewer, more])


class MissesAlone(Way, frozen=True):
    """The shares of takt without messages are below or about those printed, by the number of nodes."""

    utilisation: float
    printed: dict[int, float]

    def judge(self, figures: MissFigures) -> Finding:
        rows = {nodes: figures.row("takt", nodes, self.utilisation, None) for nodes in self.printed}
        why = "; ".join(
            f"{nodes} nodes {row.share.text()}, {row.unforced} of them unforced, {row.throttled_misses} while the "
            "kernel throttled"
            for nodes, row in rows.items()
        )
        is_less = [rows[nodes].share.below(value) for nodes, value in self.printed.items()]
        if all(is_less):
            return Finding(Outcome.better, why)
        is_near = [rows[nodes].share.about(value) for nodes, value in self.printed.items()]
        # If one is below the printed share and the other about as printed, the claim is confirmed.
        by_case = [True if a or b else None if None in (a, b) else False for a, b in zip(is_less, is_near, strict=True)]
        outcome = False if False in by_case else None if None in by_case else True
        return judged(outcome, why, [row.share for row in rows.values()])


class MissesByUtilisation(Way, frozen=True):
    """takt misses nothing, except by stalls of the host, at utilisation 0.5, but something at 0.75 and 1.0."""

    nodes: int

    def judge(self, figures: MissFigures) -> Finding:
        worst: dict[float, Share] = {}
        for utilisation in UTILISATIONS:
            shares = [figures.share("takt", self.nodes, utilisation, size) for size in SIZES]
            worst[utilisation] = max(shares, key=lambda share: (share.surely, share.value))
        why = "; ".join(f"{u:g}: at most {share.text()}" for u, share in worst.items())
        clear, none_at_half, none_at_full = (_none_missed(share) for share in worst.values())
        if clear is None or none_at_half is None:
            return judged(None, why, list(worst.values()))
        if not clear:
            return Finding(Outcome.refuted, why)
        if none_at_half or none_at_full:
            return Finding(Outcome.better, why)
        return judged(None if none_at_full is None else True, why, list(worst.values()))


class MeanMisses(Way, frozen=True):
    """The means over the applications that exchange data: takt's is below that of the thesis's prototype, and the ratio
    of baseline1's to takt's no less than printed; or both are about as printed."""

    utilisation: float
    baseline: float
    prototype: float
    visible: float

    def judge(self, figures: MissFigures) -> Finding:
        measured = [case for case in cases("misses") if case.utilisation == self.utilisation and case.size]
        mine = [row for row in figures.rows if row.utilisation == self.utilisation and row.size and row.jobs]
        which = f" that exchange data at {self.utilisation}"
        means = [_mean([row.share for row in rows_of_all(mine, measured, executor, which)]) for executor in _EXECUTORS]
        baseline, takt = means
        why = f"baseline1 {baseline.text()}; takt {takt.text()}; means of {len(measured)} applications"
        least, most = min(baseline.surely, baseline.ends[0]), max(takt.value, takt.ends[1])
        far_apart = least >= self.visible and least * self.prototype >= most * self.baseline
        if takt.below(self.prototype) and not baseline.too_short and far_apart:
            return Finding(Outcome.better, why)
        near_printed = [baseline.about(self.baseline), takt.about(self.prototype)]
        return judged(None if None in near_printed else all(near_printed), why, means)


class NoUnforcedMiss(Way, frozen=True):
    """takt has no unforced miss in an application in which baseline1 misses visibly."""

    nodes: int
    utilisation: float
    size: int
    visible: float

    def judge(self, figures: MissFigures) -> Finding:
        row, baseline = (figures.row(each, self.nodes, self.utilisation, self.size) for each in ("takt", "baseline1"))
        other = baseline.share
        kinds = f"{row.host_misses} host misses, {row.forced_misses} forced"
        why = f"takt {row.unforced} unforced of {row.jobs} jobs ({kinds}); baseline1 {other.text()}"
        if row.unforced:
            return inconclusive(why, *row.blind) if row.blind else Finding(Outcome.refuted, why)
        misses = other.below(self.visible)
        if misses is None:
            return judged(None, why, [other])
        return holds(not misses, f"{why}: below {number(self.visible)} %" if misses else why)


def _none_missed(share: Share) -> bool | None:
    """Return True if nothing was missed except by stalls of the host, None if that is unknown."""
    return True if share.value == 0 else None if share.blind else share.lower_bound == 0


def _mean(shares: list[Share]) -> Share:
    """Return the mean of the applications' shares, all with the same weight.

    The applications are a fixed selection, so that the differences between them are not random: the interval is
    computed from their own intervals.
    """
    value = sum(share.value for share in shares) / len(shares)
    below, above = (math.hypot(*(share.ends[end] - share.value for share in shares)) / len(shares) for end in (0, 1))
    is_short = any(share.too_short for share in shares)
    has_interval = any(share.interval is not None for share in shares) and not is_short
    return Share(
        value=value,
        lower_bound=sum(share.lower_bound for share in shares) / len(shares),
        jobs=sum(share.jobs for share in shares),
        runs=sum(share.runs for share in shares),
        interval=(max(value - below, 0.0), min(value + above, 100.0)) if has_interval else None,
        too_short=is_short,
        blind=tuple(dict.fromkeys(why for share in shares for why in share.blind)),
    )


WAYS = (MissesOfBaseline, MissesBegin, MoreMisses, MissesAlone, MissesByUtilisation, MeanMisses, NoUnforcedMiss)
