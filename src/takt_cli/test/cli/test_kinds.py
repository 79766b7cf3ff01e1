# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the kinds of result that `takt report` and `takt compare` know."""

from __future__ import annotations

from pathlib import Path

import pytest
from origins import origin

from takt_cli.cli.kinds import all_kinds, comparison_of, kind_in
from takt_cli.errors import ResultError
from takt_cli.measurements.registry import all_measurements
from takt_cli.results.result_file import NoRecord, ResultFormat


def folder_with(place: Path, kind: str) -> Path:
    place.mkdir()
    ResultFormat(kind, 1, NoRecord, NoRecord).write(place, origin(), NoRecord(), NoRecord())
    return place


def test_measurements_runs_and_papers_are_kinds_of_result() -> None:
    assert set(all_kinds()) == {*all_measurements(), "all", "run", "demo", "batch", "paper"}
    assert all(kind.name == name for name, kind in all_kinds().items())


@pytest.mark.parametrize("name", ["timers", "batch", "soak", "paper"])
def test_a_folder_holds_the_kind_that_its_result_names(name: str, tmp_path: Path) -> None:
    assert kind_in(folder_with(tmp_path / "a", name)) is all_kinds()[name]


def test_a_folder_without_a_known_result_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="holds no result; name the folder of a finished one"):
        kind_in(tmp_path)
    with pytest.raises(ResultError, match="is the result of a puzzle, which this takt does not know"):
        kind_in(folder_with(tmp_path / "a", "puzzle"))


def test_results_are_comparable_within_a_kind_and_among_runs_demos_and_batches(tmp_path: Path) -> None:
    names = ("run", "demo", "batch", "timers", "one-way", "soak")
    run, demo, batch, timers, one_way, soak = (folder_with(tmp_path / name, name) for name in names)
    assert comparison_of(run, batch) is comparison_of(demo, demo)
    assert comparison_of(timers, timers) is not comparison_of(one_way, one_way)
    for a, b in ((run, timers), (timers, one_way)):
        with pytest.raises(ResultError, match=f"{b.name}: is of another kind than .*{a.name}"):
            comparison_of(a, b)
    with pytest.raises(ResultError, match="soak: a result of takt soak cannot be compared with another"):
        comparison_of(timers, soak)
