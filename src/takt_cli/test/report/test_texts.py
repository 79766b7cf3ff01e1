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


def code() -> list[ast.AST]:
    (folder,) = takt_cli.report.__path__
    return [node for path in Path(folder).rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))]


def names_in(node: ast.AST, table: str) -> set[str]:
    """Return the names by which `node` takes texts of a table, one or either of two."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == table):
        return set()
    return {str(each.value) for each in ast.walk(node.slice) if isinstance(each, ast.Constant)}


def test_every_text_is_used() -> None:
    # And every text that is used exists.
    assert {name for node in code() for name in names_in(node, "CHARTS")} == set(CHARTS)
    assert {name for node in code() for name in names_in(node, "REMARKS")} == set(REMARKS)


def test_remarks_are_given_the_values_in_their_texts() -> None:
    given = {
        name: {each.arg for each in node.keywords}
        for node in code()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
        for name in names_in(node.func.value, "REMARKS")
    }
    wanted = {name: {field for _, field, _, _ in Formatter().parse(text) if field} for name, text in REMARKS.items()}
    assert {name: fields for name, fields in wanted.items() if fields} == given
