# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pytest

from takt_cli.errors import ResultError
from takt_cli.results.achieved import Settling
from takt_cli.results.json_file import write_json
from takt_cli.results.origin import Origin
from takt_cli.results.result_file import RESULT_FILE, ResultFormat, kind_of, read_origin, replace_origin

ORIGIN = Origin(command=["takt", "measure"], began="2026-11-29T12:00:00+00:00", versions={}, commit=None, host=None)


@dataclass(frozen=True)
class Settings:
    rounds: int
    cpus: tuple[int, ...]


class Record(msgspec.Struct, frozen=True):
    medians: list[float]
    out: str


FORMAT = ResultFormat("timers", 2, Settings, Record)


def written(folder: Path) -> Path:
    record = Record([np.float64(1.5)], "x")
    FORMAT.write(folder, ORIGIN, Settings(3, (0, 1)), record)
    return folder


def test_what_was_written_is_read_as_the_same_objects(tmp_path: Path) -> None:
    read = FORMAT.read(written(tmp_path))
    assert (read.origin, read.settings, read.record) == (ORIGIN, Settings(3, (0, 1)), Record([1.5], "x"))
    assert kind_of(tmp_path) == "timers"
    assert read_origin(tmp_path) == ORIGIN


def test_another_kind_or_version_is_refused_in_one_line(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(ResultError, match=r"is the result of a timers, not of a soak$"):
        ResultFormat("soak", 2, Settings, Record).read(tmp_path)
    with pytest.raises(
        ResultError, match=r"has version 2 of its format, and this takt reads version 3; measure again$"
    ):
        ResultFormat("timers", 3, Settings, Record).read(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"), [('"rounds": 3', '"rounds": "3"'), ('"rounds": 3', '"laps": 3'), ("{", "["), ('"record"', '"rest"')]
)
def test_damaged_content_is_refused_with_the_place_of_the_damage(tmp_path: Path, old: str, new: str) -> None:
    path = written(tmp_path) / RESULT_FILE
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(ResultError, match=r"result\.json: is not what takt writes: .*"):
        FORMAT.read(tmp_path)


def test_no_test_writes_a_field_of_another_type_than_its_structure_promises(tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError, match="Expected `float`"):
        write_json(tmp_path / "a.json", Settling(seconds="1", has_settled=True))  # type: ignore[arg-type]


def test_a_folder_without_a_result_has_no_kind(tmp_path: Path) -> None:
    assert kind_of(tmp_path) is None
    with pytest.raises(ResultError, match="holds no result; name the folder of a finished one"):
        FORMAT.read(tmp_path)
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(ResultError, match="is a file; name the folder of a result"):
        FORMAT.read(path)


def test_a_new_origin_leaves_all_else_as_it_was(tmp_path: Path) -> None:
    replace_origin(written(tmp_path), commit="abc")
    read = FORMAT.read(tmp_path)
    assert read.origin == msgspec.structs.replace(ORIGIN, commit="abc")
    assert (read.settings, read.record) == (Settings(3, (0, 1)), Record([1.5], "x"))
