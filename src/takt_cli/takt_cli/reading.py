# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The reading interface: a result folder of any kind as typed objects and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from takt_cli.analysis.batch_summary import BatchSummary
from takt_cli.analysis.benchmark import BenchmarkSummary
from takt_cli.analysis.run_summary import RunSummary
from takt_cli.errors import ResultError
from takt_cli.measurements.registry import all_measurements
from takt_cli.paper.result import PAPER_FORMAT, PaperSummary
from takt_cli.report.demo_summary import DemoSummary
from takt_cli.results.batch import BATCH_FORMAT
from takt_cli.results.benchmark import ALL_FORMAT
from takt_cli.results.demo import DEMO_FORMAT
from takt_cli.results.json_file import read_json
from takt_cli.results.result_file import SUMMARY_FILE, ResultFormat, StoredResult, require_kind
from takt_cli.results.run import RUN_FORMAT
from takt_cli.results.sample_files import Rows, read_array


class Form(NamedTuple):
    format: ResultFormat[Any, Any]
    summary: Any
    """The type of the summary."""


@dataclass(frozen=True)
class Result(StoredResult[Any, Any]):
    """A result. `settings`, `record` and `summary` are objects of the types of its kind."""

    @property
    def kind(self) -> str:
        return self.envelope.kind

    @cached_property
    def summary(self) -> Any:
        """All figures, None if there is no summary.json. Raises takt_cli.errors.ResultError if it is damaged."""
        path = self.folder / SUMMARY_FILE
        return read_json(path, forms()[self.kind].summary) if path.exists() else None

    @cached_property
    def tables(self) -> Mapping[str, Rows]:
        """The samples, by the names of their files below the folder without `.npy`, such as `round-1/takt.jobs`.
        They are numpy's structured arrays, read when they are used; `pandas.DataFrame(table)` takes them as they
        are."""
        return Tables(self.folder)


class Tables(Mapping[str, Rows]):
    """The .npy files below a folder."""

    def __init__(self, folder: Path) -> None:
        self._paths = {
            path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.npy"))
        }

    def __getitem__(self, name: str) -> Rows:
        rows: Rows = read_array(self._paths[name])
        return rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def read(folder: Path | str) -> Result:
    """Return the result in `folder`. Raises takt_cli.errors.ResultError if there is none, if it is damaged, or if a
    takt with another form of this kind wrote it."""
    place = Path(folder)
    if (found := forms().get(kind := require_kind(place))) is None:
        raise ResultError(f"{place}: is the result of a {kind}, which this takt does not know; measure again")
    return Result(place, found.format.read(place))


def forms() -> dict[str, Form]:
    """Return the forms of all kinds, by kind."""
    measured = [Form(each.format, get_type_hints(each.summarise)["return"]) for each in all_measurements().values()]
    others = [
        Form(ALL_FORMAT, dict[str, BenchmarkSummary]),
        Form(BATCH_FORMAT, BatchSummary),
        Form(DEMO_FORMAT, DemoSummary),
        Form(PAPER_FORMAT, PaperSummary),
        Form(RUN_FORMAT, RunSummary),
    ]
    return {each.format.kind: each for each in (*measured, *others)}
