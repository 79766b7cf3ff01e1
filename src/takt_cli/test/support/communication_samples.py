# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Made-up figures for the two papers on communication."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from takt_cli.analysis.cyclic import DELAYS, DelayFigures
from takt_cli.analysis.round_trip import RatioToReference
from takt_cli.analysis.trips import Count, SkippedCount
from takt_cli.analysis.variants import Distribution, RatioOfMedians, Stalls
from takt_cli.host.cpus import allowed_cpus
from takt_cli.paper.communication import CommunicationSettings, CommunicationSetup
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.gutierrez2018.cases import parts
from takt_cli.paper.gutierrez2018.rows import Effect, Points, RoundTripFigures, TripRow
from takt_cli.paper.icra2021 import part as icra
from takt_cli.paper.paper import Setup
from takt_cli.paper.result import PaperResult
from takt_cli.results.origin import Guest
from takt_cli.results.result_file import replace_origin
from takt_cli.results.verdict import FAIL, PASS, Verdict
from takt_cli.statistics.confidence import MedianOfRounds
from takt_cli.statistics.percentiles import percentiles
from takt_cli.statistics.slope import Slope


def setup(factor: float = 0.01, *names: str, **settings: Any) -> CommunicationSetup:
    common: dict[str, Any] = {"scale": factor, "cpus": (allowed_cpus()[-1],), "transports": names or ("udp",)}
    return Setup(CommunicationSettings(**common | settings), ("takt",))


def result_of(paper: Any, figures: Mapping[str, Any], place: Path) -> PaperResult:
    folder = PaperFolder(paper, setup(), place)
    folder.enter([], resume=False)
    judged = {"claims": paper.verdicts(figures), "goals": paper.goals(figures)}
    return with_summary(folder.result(), parts=figures, **judged)


def with_summary(result: PaperResult, **changes: Any) -> PaperResult:
    return replace(result, summary=structs.replace(result.summary, **changes))


NONE_SKIPPED = SkippedCount(n=0, host=0, other=0, explained=0, waiting=0, starved=0)


def counted(other: int, host: int = 0) -> Count:
    return Count(n=other + host, host=host, other=other, explained=0)


def trip_row(test: str, transport: str = "baseline1", missed: int = 0, lost: int = 0, host: int = 0,
             p50: float | None = 100.0) -> TripRow:  # fmt: skip
    raw = transport == "fastdds"
    times = Distribution(
        n=600, min=90.0, mean=101.0, p50=p50, p90=110.0, p99=130.0, max=150.0, p50_95=None, p90_95=None, p99_95=None
    )
    return TripRow(
        test=test, variant=f"{transport} ({'raw' if raw else 'rmw_fastrtps_cpp'})", runs=5,
        transport=transport, raw=raw, rmw=None if raw else "rmw_fastrtps_cpp", sent=6000,
        missed=counted(missed, host), lost=counted(lost), skipped=NONE_SKIPPED, round_trip_us=times,
        ratio=RatioToReference(to="fastdds (raw)", median=1.1, low=1.05, high=1.15, rounds=5, over="rounds",
                               too_short=False),
        stalls=Stalls(seen=True, length_us=percentiles(np.empty(0))),
        duration_s=60.0, effective_period_ms=10.0, refused=[],
        verdict=Verdict(FAIL if missed + lost else PASS, ["seen"]), virtual=False,
        load="none", traffic="none", labels=[], folders=["1.A-1.C/run"],
        points=Points([(0.0, 100.0), (1.0, 150.0)], [0.5] if lost else []),
    )  # fmt: skip


def effect(low: float | None = -3.0, high: float | None = -1.0, median: float = -2.0) -> Effect:
    points = MedianOfRounds(median=median, low=low, high=high, rounds=5, too_short=low is None)
    ratio = RatioOfMedians(median=0.9, low=0.8, high=1.0, rounds=5, too_short=False, over="rounds")
    return Effect(variant="baseline1 (rmw)", ratio=ratio, points=points, failed_plain=[3.0] * 5, failed_tuned=[1.0] * 5)


# The tests in which the paper reports missed or lost messages.
BAD = {"1.B": {"missed": 9}, "2.F": {"missed": 9, "lost": 9}, "3.C": {"lost": 4}, "5.B": {"lost": 1}}


def gutierrez_parts(**bad: dict[str, Any]) -> dict[str, RoundTripFigures]:
    """Return the parts of Gutierrez and others (2018) with figures as printed. `bad` replaces figures of single tests:
    `t2C={"missed": 1}`."""
    faults: dict[str, Any] = BAD | {f"{name[1]}.{name[2]}": each for name, each in bad.items()}
    return {
        name: RoundTripFigures(
            runs=1, failed=[], pending=0, duration_s=6.0,
            rows=[trip_row(test.name, transport, **faults.get(test.name, {}))
                  for test in tests for transport in ("takt", "baseline1", "fastdds")],
            effects=[effect()] if name == "2.F-4.A" else [],
        )
        for name, tests in parts().items()
    }  # fmt: skip


def become_virtual(folder: Path) -> None:
    """Change the record of a result so that it says that it was measured in a guest."""
    guest = Guest(
        asked="rt", package="linux-image-rt", package_version="6.1", guest={"kernel": "6.1.0-rt", "realtime": True},
        qemu="7.9.1", machine="microvm", memory_mib=512, icount_shift=1, time="virtual time",
    )  # fmt: skip
    replace_origin(folder, virtual=guest)


def delay(slope: float = 0.0, within: str = "inside", largest: float = 2.0) -> DelayFigures:
    return DelayFigures(
        least_us=5.0,
        aligned_us=Distribution(n=6000, p50=1.0, p90=1.2, p99=1.5, max=largest, min=0.0, mean=1.0,
                                p50_95=None, p90_95=None, p99_95=None),
        slope=Slope(slope=slope, low=slope - 0.1, high=slope + 0.1, n=6000, blocks=64, minutes=10.0,
                    grown=10 * slope, too_short=False),
        within_bound=within, why=None, against_control=None, alone=False,
    )  # fmt: skip


def cyclic_part(kernel: str = "vanilla", stress: bool = False, **delays: DelayFigures) -> icra.CycleFigures:
    """Return a part of the ICRA 2021 paper. `delays` are the delays of baseline0, by name; all others are steady."""
    point = icra.Points([(0.0, 1.0), (9.0, 2.0)], [(4.0, 1.0), (4.2, 2.0)], [(1.0, 1.2), (8.0, 1.3)])
    rows = [
        icra.CycleRow(
            executor=executor, variant=f"{executor} (rmw)", transport=executor, raw=False, rmw="rmw",
            sent=6000, missed=counted(0), lost=counted(0), skipped=NONE_SKIPPED, refused=[],
            delays={which: delays.get(which.partition(" ")[0], delay()) if executor == "baseline0" else delay()
                    for which in DELAYS},
            verdict=Verdict(PASS, []), runs=1, virtual=False,
            load="none", points=dict.fromkeys(("cycle", "request", "response"), point), folders=[],
        )
        for executor in ("takt", "baseline0")
    ]  # fmt: skip
    return icra.CycleFigures(
        runs=1, failed=[], pending=0, kernel=kernel, stress=stress, duration_s=6.0, rows=rows
    )  # fmt: skip
