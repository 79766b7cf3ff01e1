# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Fixtures that several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_samples import GOOD
from stand_ins import install_stand_ins


@pytest.fixture
def stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins in place of the C++ programs, and a work folder of the test's own; returns the folder."""
    # What else runs on this host is none of these tests' business.
    monkeypatch.setattr("takt_cli.host.realtime.realtime_threads", lambda _cpus: {})
    monkeypatch.setenv("TAKT_PREFIX", str(install_stand_ins(tmp_path / "prefix")))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def spec(stand_ins: Path) -> Path:
    path = stand_ins / "app.yaml"
    path.write_text(GOOD, "utf-8")
    return path
