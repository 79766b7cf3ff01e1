# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import takt_cli.results
from takt_cli.errors import ResultError
from takt_cli.measurements.registry import all_measurements
from takt_cli.results.json_file import write_json
from takt_cli.results.origin import Origin
from takt_cli.results.reading import formats
from takt_cli.results.result_file import RESULT_FILE
from takt_cli.results.sample_files import STALLS, write_rows
from takt_cli.results.timers import TIMERS_FORMAT, TimersRecord, TimersSettings

ORIGIN = Origin(command=["takt"], began="2026-11-29T12:00:00+00:00", versions={}, commit=None, host=None)


def test_a_folder_is_read_as_typed_objects_and_tables(tmp_path: Path) -> None:
    settings = TimersSettings(1, 1, 10**6, "equal", 10**9, 1, 0, ())
    TIMERS_FORMAT.write(tmp_path, ORIGIN, settings, TimersRecord(processes={}))
    write_json(tmp_path / "summary.json", {"rounds": 1})
    (tmp_path / "round-1").mkdir()
    write_rows(tmp_path / "round-1" / "takt.stalls.npy", np.array([(0, 1, 2)], STALLS))
    result = takt_cli.results.read(tmp_path)
    assert (result.kind, result.origin, result.settings) == ("timers", ORIGIN, settings)
    assert isinstance(result.record, TimersRecord)
    assert result.summary == {"rounds": 1}
    assert list(result.tables) == ["round-1/takt.stalls"]
    assert result.tables["round-1/takt.stalls"]["to"].tolist() == [2]


def test_each_kind_of_measurement_can_be_read() -> None:
    assert set(all_measurements()) <= set(formats())


def test_a_kind_that_is_not_known_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="holds no result"):
        takt_cli.results.read(tmp_path)
    write_json(tmp_path / RESULT_FILE, {"kind": "tides", "schema_version": 1})
    with pytest.raises(ResultError, match=r"is the result of a tides, which this takt does not know; measure again$"):
        takt_cli.results.read(str(tmp_path))
