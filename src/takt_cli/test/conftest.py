# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Fixtures that several tests share."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from spec_samples import GOOD
from stand_ins import PROGRAMS, put_in_place

from takt_cli.chart import svg
from takt_cli.chart.chart import Chart
from takt_cli.errors import HostError
from takt_cli.host.programs import find_program
from takt_cli.results import json_file


@pytest.fixture(autouse=True, scope="session")
def _locks_of_our_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the tests lock and record folders of their own, so that batches of other users of this host do not affect
    them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAKT_LOCK_DIR", str(tmp_path_factory.mktemp("locks")))
        # A test that kills a command checks itself that its leftovers are removed.
        patch.setenv("TAKT_RECORD_DIR", str(tmp_path_factory.mktemp("records")))
        yield


@pytest.fixture(autouse=True)
def _files_are_of_their_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse to write a structure to a JSON file whose fields are not of the types that it promises, which constructors
    do not check."""
    write = json_file.encoded

    def checked(content: Any) -> bytes:
        text = write(content)
        if isinstance(content, msgspec.Struct):
            msgspec.json.decode(text, type=type(content))
        return text

    monkeypatch.setattr(json_file, "encoded", checked)


@pytest.fixture(autouse=True, scope="session")
def _equal_charts_are_drawn_once() -> Iterator[None]:
    """Let commands draw a chart only if no test has drawn the same one. What stand-ins measure is the same in many
    tests, and the same chart always gives the same document, for which it has a test."""
    draw = svg.to_svg
    drawn: dict[bytes, str] = {}

    def to_svg(chart: Chart) -> str:
        key = pickle.dumps(chart)
        if key not in drawn:
            drawn[key] = draw(chart)
        return drawn[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(svg, "to_svg", to_svg)
        yield


@pytest.fixture
def stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put stand-ins in place of the C++ programs, and change to a work folder of the test's own, which is returned."""
    put_in_place(monkeypatch, tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def spec(stand_ins: Path) -> Path:
    path = stand_ins / "app.yaml"
    path.write_text(GOOD, "utf-8")
    return path


def is_installed(program: str) -> bool:
    try:
        find_program(program)
    except HostError:
        return False
    return True


@pytest.fixture(scope="session")
def real_programs() -> None:
    """Skip the test if takt_lab is not built; fail it if TAKT_REQUIRE_PROGRAMS is set, as `make test` does."""
    if not (names := [name for name in PROGRAMS if not is_installed(name)]):
        return
    reason = f"programs of takt_lab are not built: {', '.join(names)}"
    if os.environ.get("TAKT_REQUIRE_PROGRAMS"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write a spec into a folder of the test's own, change to that folder, and return the name of the spec."""
    monkeypatch.chdir(tmp_path)
    Path("app.yaml").write_text(GOOD, "utf-8")
    return "app.yaml"
