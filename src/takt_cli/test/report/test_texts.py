# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the texts of pages and tables: each is used, and what is shown has one."""

from __future__ import annotations

from pathlib import Path

import takt_cli.report
from takt_cli.report.measures import COSTS, DEADLINES_AND_DATA
from takt_cli.report.texts import CHARTS, FACTS, FIGURES, REMARKS
from takt_cli.results.origin import Host


def test_every_figure_has_its_text() -> None:
    assert {each.id for each in (*DEADLINES_AND_DATA, *COSTS)} == set(FIGURES)


def test_facts_are_those_of_a_host() -> None:
    assert set(FACTS) <= set(Host.__struct_fields__)


def test_every_text_is_used() -> None:
    (folder,) = takt_cli.report.__path__
    code = "".join(path.read_text("utf-8") for path in Path(folder).rglob("*.py"))
    assert [name for name in (*CHARTS, *REMARKS) if f'"{name}"' not in code] == []
