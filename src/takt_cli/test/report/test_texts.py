# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the texts of pages and tables: each is used, and what is shown has one."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import takt_cli.report
from takt_cli.report.measures import COSTS, DEADLINES_AND_DATA
from takt_cli.report.texts import CHARTS, FACTS, FIGURES, REMARKS
from takt_cli.results.origin import Host


def test_every_figure_has_its_text() -> None:
    assert {each.id for each in (*DEADLINES_AND_DATA, *COSTS)} == set(FIGURES)


def test_facts_are_those_of_a_host() -> None:
    assert set(FACTS) <= set(Host.__struct_fields__)


def used_texts(table: str) -> dict[str, set[str | None]]:
    """Return the names by which the code takes texts of a table, each with the values that it puts into the text."""
    (folder,) = takt_cli.report.__path__
    nodes = [node for path in Path(folder).rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    calls = [(node.func, node.keywords) for node in nodes if isinstance(node, ast.Call)]
    given = {id(call.value): keywords for call, keywords in calls if isinstance(call, ast.Attribute)}
    return {
        str(each.value): {keyword.arg for keyword in given.get(id(node), [])}
        for node in nodes
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == table
        for each in ast.walk(node.slice)
        if isinstance(each, ast.Constant)
    }


def test_every_text_is_used() -> None:
    # And every text that is used exists, and is given its values.
    assert used_texts("CHARTS").keys() == CHARTS.keys()
    wanted = {name: {field for _, field, _, _ in Formatter().parse(text) if field} for name, text in REMARKS.items()}
    assert used_texts("REMARKS") == wanted
