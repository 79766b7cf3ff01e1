# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from page_samples import make_demo, make_measured

import takt_cli.results
from takt_cli.analysis.overload import OverloadSummary
from takt_cli.analysis.run_summary import RunSummary
from takt_cli.errors import ResultError
from takt_cli.measurements.registry import all_measurements
from takt_cli.reading import forms
from takt_cli.report.demo_summary import DemoSummary
from takt_cli.results.json_file import encoded, write_json
from takt_cli.results.origin import Origin
from takt_cli.results.result_file import RESULT_FILE
from takt_cli.results.sample_files import STALLS, write_rows
from takt_cli.results.timers import TIMERS_FORMAT, TimersRecord, TimersSettings

ORIGIN = Origin(command=["takt"], began="2026-11-29T12:00:00+00:00", versions={}, commit=None, host=None)


def test_a_folder_is_read_as_typed_objects_and_tables(tmp_path: Path) -> None:
    settings = TimersSettings(1, 1, 10**6, "equal", 10**9, 1, 0, ())
    TIMERS_FORMAT.write(tmp_path, ORIGIN, settings, TimersRecord(processes={}))
    (tmp_path / "round-1").mkdir()
    write_rows(tmp_path / "round-1" / "takt.stalls.npy", np.array([(0, 1, 2)], STALLS))
    result = takt_cli.results.read(tmp_path)
    assert (result.kind, result.origin, result.settings) == ("timers", ORIGIN, settings)
    assert isinstance(result.record, TimersRecord)
    assert result.summary is None
    assert list(result.tables) == ["round-1/takt.stalls"]
    assert result.tables["round-1/takt.stalls"]["to"].tolist() == [2]


def test_each_kind_of_measurement_can_be_read() -> None:
    assert set(all_measurements()) | {"all", "batch", "demo", "paper", "run"} == set(forms())
    for form in forms().values():
        msgspec.json.Decoder(form.summary)


def test_a_summary_is_read_as_the_type_of_its_kind(tmp_path: Path) -> None:
    measured = make_measured(tmp_path / "one", "overload", "--duration", "0.5", "--calm", "0.2").parent
    demo = make_demo(tmp_path / "other")
    read: list[tuple[Path, Any]] = [(measured, OverloadSummary), (demo, DemoSummary), (demo / "takt", RunSummary)]
    for folder, kind in read:
        summary = takt_cli.results.read(folder).summary
        assert isinstance(summary, kind)
        assert encoded(summary) == (folder / "summary.json").read_bytes()


def test_a_summary_of_another_form_is_refused(tmp_path: Path) -> None:
    settings = TimersSettings(1, 1, 10**6, "equal", 10**9, 1, 0, ())
    TIMERS_FORMAT.write(tmp_path, ORIGIN, settings, TimersRecord(processes={}))
    write_json(tmp_path / "summary.json", {"callbacks": 1})
    result = takt_cli.results.read(tmp_path)
    with pytest.raises(ResultError, match=r"summary\.json: is not what takt writes"):
        _ = result.summary
    dataclasses.replace(TIMERS_FORMAT, version=99).write(tmp_path, ORIGIN, settings, TimersRecord(processes={}))
    with pytest.raises(ResultError, match="has version 99 of its format"):
        takt_cli.results.read(tmp_path)


def test_a_kind_that_is_not_known_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="holds no result"):
        takt_cli.results.read(tmp_path)
    write_json(tmp_path / RESULT_FILE, {"kind": "tides", "schema_version": 1})
    with pytest.raises(ResultError, match=r"is the result of a tides, which this takt does not know; measure again$"):
        takt_cli.results.read(str(tmp_path))
