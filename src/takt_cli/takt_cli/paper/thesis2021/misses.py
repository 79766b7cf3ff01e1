# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Section 5.4.2 and chapter 6 of the thesis: deadline misses by message size, utilisation and number of nodes.

Shares are of all releases, in per cent.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec

from takt_cli.analysis.result_set import ResultSet
from takt_cli.paper.batch_part import BatchFigures, BatchPart, Items, Setup
from takt_cli.paper.claims import Way
from takt_cli.paper.statistics import find_row, find_rows, misses_of
from takt_cli.paper.thesis2021.applications import items, runs_of_application
from takt_cli.paper.thesis2021.cases import SIZES, CaseRow, miss_cases, size_name
from takt_cli.paper.verdict import Finding, Outcome, Share, holds, inconclusive, judged, missing_data, number, too_short

_EXECUTORS = ("baseline1", "takt")
# The thesis expects misses of baseline0 that depend on none of the parameters, and did not measure it.
_EXTRA = "baseline0"


class MissFigures(BatchFigures, frozen=True, kw_only=True):
    """The figures of the part."""

    rows: list[CaseRow]

    def row(self, executor: str, nodes: int, utilisation: float, size: int | None) -> CaseRow | None:
        """Return the row of an application under an executor, or None if that was not run."""
        return find_row(self.rows, executor=executor, nodes=nodes, utilisation=utilisation, size=size)

    def share(self, executor: str, nodes: int, utilisation: float, size: int | None) -> Share | None:
        """Return its share of misses."""
        row = self.row(executor, nodes, utilisation, size)
        return row.share if row is not None else None


def _items(setup: Setup) -> Items:
    return items(setup, miss_cases(), (*_EXECUTORS, _EXTRA) if setup.extra else _EXECUTORS)


def _statistics(results: ResultSet) -> dict[str, Any]:
    rows = []
    for case in miss_cases():
        for executor in (*_EXECUTORS, _EXTRA):
            runs = runs_of_application(results, case.name, executor)
            if runs or executor != _EXTRA:
                misses = msgspec.structs.asdict(misses_of(runs))
                rows.append(CaseRow(executor=executor, **case.fields, **misses))
    return {"rows": rows}


PART = BatchPart("misses", MissFigures, _items, _statistics)


class MissesOfBaseline(Way, frozen=True):
    """The share of baseline1 in one application, which is below a limit or about a printed share."""

    nodes: int
    utilisation: float
    size: int | None = None
    below: float | None = None
    about: float | None = None

    def judge(self, figures: MissFigures) -> Finding:
        share = figures.share("baseline1", self.nodes, self.utilisation, self.size)
        if share is None:
            size = "no messages" if self.size is None else size_name(self.size)
            return missing_data(f"baseline1 at {self.nodes} nodes, utilisation {self.utilisation}, {size}")
        if self.about is None:
            assert self.below is not None
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
        for size in (None, *SIZES):
            share = figures.share("baseline1", self.nodes, self.utilisation, size)
            if share is None:
                which = f"{self.nodes} nodes, utilisation {self.utilisation}, {size_name(size)}"
                return missing_data(f"baseline1 at {which}")
            shares.append(share)
            misses = share.below(self.visible)
            if misses is None:
                return judged(None, f"{size_name(size)}: {share.text()}", shares)
            if not misses:
                why = f"misses begin at {size_name(size)}: {share.text()}"
                if size is not None:
                    why += f"; {size_name((None, *SIZES)[len(shares) - 2])}: {shares[-2].text()}"
                return holds(size in self.sizes, why)
        return holds(False, f"{number(self.visible)} % is reached at no size; {size_name(size)}: {shares[-1].text()}")


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
        if fewer is None or more is None:
            which = f"{self.nodes[0]} and {self.nodes[1]} nodes, utilisation {self.utilisation}, {size_name(self.size)}"
            return missing_data(f"baseline1 at {which}")
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
        shares = {nodes: share for nodes, row in rows.items() if row is not None and (share := row.share) is not None}
        if len(shares) < len(self.printed):
            nodes = " and ".join(map(str, self.printed))
            return missing_data(f"takt at {nodes} nodes, utilisation {self.utilisation}, no messages")
        why = "; ".join(
            f"{nodes} nodes {share.text()}, {row.unforced} of them unforced, {row.throttled_misses} while the kernel "
            "throttled"
            for (nodes, share), row in zip(shares.items(), rows.values(), strict=True)
            if row is not None
        )
        is_less = [shares[nodes].below(value) for nodes, value in self.printed.items()]
        if all(is_less):
            return Finding(Outcome.better, why)
        is_near = [shares[nodes].about(value) for nodes, value in self.printed.items()]
        # If one is below the printed share and the other about as printed, the claim is confirmed.
        by_case = [True if a or b else None if None in (a, b) else False for a, b in zip(is_less, is_near, strict=True)]
        return judged(False if False in by_case else None if None in by_case else True, why, list(shares.values()))


class MissesByUtilisation(Way, frozen=True):
    """takt misses nothing, except by stalls of the host, at utilisation 0.5, but something at 0.75 and 1.0."""

    nodes: int

    def judge(self, figures: MissFigures) -> Finding:
        worst: dict[float, Share] = {}
        for utilisation in (0.5, 0.75, 1.0):
            shares = [figures.share("takt", self.nodes, utilisation, size) for size in (None, *SIZES)]
            known_shares = [share for share in shares if share is not None]
            if len(known_shares) < len(shares):
                return missing_data(f"takt at {self.nodes} nodes, utilisation {utilisation:g}, some sizes")
            worst[utilisation] = max(known_shares, key=lambda share: (share.surely, share.value))
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
        means, all_cases = [], [case for case in miss_cases() if case.utilisation == self.utilisation and case.size]
        for executor in ("baseline1", "takt"):
            found = find_rows(figures.rows, executor=executor, utilisation=self.utilisation)
            rows = [row for row in found if row.size is not None]
            if missing := len(all_cases) - len(rows):
                which = f"the {len(all_cases)} applications that exchange data at {self.utilisation}"
                return missing_data(f"{executor} in {missing} of {which}")
            means.append(_mean([share for row in rows if (share := row.share) is not None]))
        baseline, takt = means
        why = f"baseline1 {baseline.text()}; takt {takt.text()}; means of {len(all_cases)} applications"
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
        row, baseline = (
            figures.row(executor, self.nodes, self.utilisation, self.size) for executor in ("takt", "baseline1")
        )
        if row is None or baseline is None or (share := row.share) is None or (other := baseline.share) is None:
            return inconclusive("takt and baseline1 were not both run")
        kinds = f"{row.host_misses} host misses, {row.forced_misses} forced"
        why = f"takt {row.unforced} unforced of {row.jobs} jobs ({kinds}); baseline1 {other.text()}"
        if row.unforced:
            return inconclusive(why, *share.blind) if share.blind else Finding(Outcome.refuted, why)
        misses = other.below(self.visible)
        if misses is None:
            if other.too_short and not other.blind:
                return too_short(why)
            chance = "it depends on which misses of baseline1 were due to the host, or on chance"
            return inconclusive(why, *(other.blind or [chance]))
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
