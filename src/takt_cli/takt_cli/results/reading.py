# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The reading interface: a result folder of any kind as typed objects and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from takt_cli.errors import ResultError
from takt_cli.results.json_file import read_json
from takt_cli.results.result_file import SUMMARY_FILE, ResultFormat, StoredResult, kind_of
from takt_cli.results.sample_files import Rows, read_array

# Where the formats of the kinds lie, from which on nothing is known by name: each module may hold some.
_PACKAGES = ("takt_cli.results", "takt_cli.measurements")


@dataclass(frozen=True)
class Result(StoredResult[Any, Any]):
    """A result. `settings` and `record` are objects of the types of its kind."""

    @property
    def kind(self) -> str:
        return self.envelope.kind

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The figures that the command printed, as summary.json holds them; empty if there is none."""
        path = self.folder / SUMMARY_FILE
        return read_json(path, dict[str, Any]) if path.exists() else {}

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
    kind = kind_of(place)
    if kind is None:
        raise ResultError(f"{place}: holds no result; name the folder of a finished one")
    if (found := formats().get(kind)) is None:
        raise ResultError(f"{place}: is the result of a {kind}, which this takt does not know; measure again")
    return Result(place, found.read(place))


def formats() -> dict[str, ResultFormat[Any, Any]]:
    """Return the formats of all kinds, by kind."""
    packages = [import_module(name) for name in _PACKAGES]
    names = [f"{each.__name__}.{found.name}" for each in packages for found in iter_modules(each.__path__)]
    modules = [import_module(name) for name in names]
    held = [each for module in modules for each in vars(module).values() if isinstance(each, ResultFormat)]
    held += [each.format for module in modules for each in getattr(module, "MEASUREMENTS", ())]
    return {each.kind: each for each in sorted(held, key=lambda each: each.kind)}
