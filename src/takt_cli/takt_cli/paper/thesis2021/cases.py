# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The combinations of parameters that the thesis ran, from its tables 5.3 to 5.5, 5.9 and 5.10; their applications,
which the generator makes, and their rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any, TypeVar

import msgspec

from takt_cli.analysis.result_set import ResultSet, SetRun
from takt_cli.paper.batch_part import BatchSettings, Items, LazyApplication, scale_for
from takt_cli.paper.paper_file import read_yaml
from takt_cli.paper.statistics import Misses, find_rows, misses_of
from takt_cli.paper.verdict import missing_data
from takt_cli.results.structures import extended
from takt_cli.spec.load import Spec
from takt_cli.spec.units import format_size
from takt_cli.synthetic.generate import generate
from takt_cli.synthetic.parameters import Parameters

# The number of runs of each application, and their duration in ns.
RUNS, DURATION = 5, 30 * 10**9
KIB, MIB = 1024, 1024 * 1024


class _Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of `cases.yaml`."""

    name: str
    nodes: tuple[int, ...]
    utilisations: tuple[float, ...]
    periods: dict[str, tuple[int, ...]]
    sizes: tuple[int | None, ...]
    pubsub: tuple[float, float] = (0.0, 0.0)
    group: str = ""


_GRIDS = read_yaml("thesis2021", "cases", dict[str, tuple[_Grid, ...]])
SMALL, LARGE, LARGE_EXCHANGE = dict.fromkeys(grid.group for grid in _GRIDS["overhead"])
(_MISSES,), (_FRESHNESS,) = _GRIDS["misses"], _GRIDS["freshness"]
# The first of the sizes is None, that of applications without exchange.
NODES, UTILISATIONS, SIZES = _MISSES.nodes, _MISSES.utilisations, _MISSES.sizes
FRESHNESS_SIZES, (HARMONIC, OTHER_PERIODS) = _FRESHNESS.sizes, _FRESHNESS.periods.values()


@dataclass(frozen=True)
class Case:
    """A combination of parameters. `periods` are in ms. `size` is in bytes, None if nothing is exchanged. `pubsub` are
    the shares of nodes that publish and that subscribe. Deadlines always equal periods, and priorities are rate
    monotonic."""

    name: str
    nodes: int
    utilisation: float
    periods: tuple[int, ...]
    pubsub: tuple[float, float]
    size: int | None
    group: str

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of CaseRow."""
        names = ("nodes", "utilisation", "periods", "size")
        return {"application": self.name} | {name: getattr(self, name) for name in names}


@cache
def cases(part: str) -> tuple[Case, ...]:
    """Return the cases of a part."""
    made = []
    for grid in _GRIDS[part]:
        values = product(grid.nodes, grid.utilisations, grid.periods.items(), grid.sizes)
        for nodes, utilisation, (kind, periods), size in values:
            percent, pubsub = round(100 * utilisation), (0.0, 0.0) if size is None else grid.pubsub
            name = grid.name.format(nodes=nodes, percent=percent, kind=kind, size=size_name(size))
            made.append(Case(name, nodes, utilisation, periods, pubsub, size, grid.group))
    return tuple(made)


def size_name(size: int | None) -> str:
    """Return a name for a message size: `512KiB`, or `none` if nothing is exchanged."""
    return "none" if size is None else format_size(size)


class CaseRow(Misses, frozen=True, kw_only=True):
    """The misses of a case under an executor."""

    application: str
    nodes: int
    utilisation: float
    periods: tuple[int, ...]
    size: int | None
    executor: str


CaseRowT = TypeVar("CaseRowT", bound=CaseRow)


def rows_of_all(
    rows: Sequence[CaseRowT], among: Sequence[Case], executor: str, which: str = "", **values: Any
) -> list[CaseRowT]:
    """Return the rows of an executor in those cases that have these values. Raises NotJudged if one was not run."""
    expected = sum(all(getattr(case, name) == value for name, value in values.items()) for case in among)
    found = find_rows(rows, executor=executor, **values)
    if len(found) < expected:
        raise missing_data(f"{executor} in {expected - len(found)} of {expected} applications{which}")
    return found


def items(part: str, executors: Sequence[str], settings: BatchSettings) -> Items:
    """Return every case of a part under every executor, with the number and length of runs of the scale."""
    applications = [
        LazyApplication(case.name, case.nodes, partial(spec_of, case, settings.seed)) for case in cases(part)
    ]
    pairs = [(case.name, executor) for case in cases(part) for executor in executors]
    return Items(applications, pairs, scale_for(settings.scale, RUNS, DURATION))


def case_rows(
    kind: type[CaseRowT],
    results: ResultSet,
    part: str,
    executors: Sequence[str],
    further: Callable[[list[SetRun]], dict[str, Any]] = lambda _: {},
) -> list[CaseRowT]:
    """Return a row of every case under every executor, with the misses and the `further` fields of its runs."""
    rows = []
    for case in cases(part):
        for executor in executors:
            runs = runs_of_application(results, case.name, executor)
            rows.append(extended(misses_of(runs), kind, executor=executor, **case.fields, **further(runs)))
    return rows


def runs_of_application(results: ResultSet, application: str, executor: str) -> list[SetRun]:
    """Return the runs of an application under an executor."""
    return [run for run in results.runs if (run.application, run.executor) == (application, executor)]


def spec_of(case: Case, seed: int) -> Spec:
    """Return the generated spec of a case.

    All message sizes use the same seed, so that only the WCETs differ, which include the filling of messages.
    """
    parameters = Parameters(
        nodes=case.nodes,
        utilisation=case.utilisation,
        periods=tuple(period * 10**6 for period in case.periods),
        pubsub=case.pubsub,
        message_size=case.size,
    )
    return generate(parameters, seed, case.name)
