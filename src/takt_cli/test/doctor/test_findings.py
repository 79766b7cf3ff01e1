# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the catalogue of findings: the checks and it name the same cases, and each text gets its values."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import takt_cli.doctor
from takt_cli.doctor.finding import Severity, catalogue, finding


def calls() -> list[ast.Call]:
    """Return the calls of `finding` in all checks."""
    files = Path(takt_cli.doctor.__file__).parent.glob("*.py")
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    return [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "finding"]


def test_every_case_is_found_by_a_check() -> None:
    words = {
        node.value
        for file in Path(takt_cli.doctor.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert len(calls()) > 60
    for subject, cases in catalogue().items():
        assert {subject, *cases} <= words, subject


def test_the_checks_name_cases_of_the_catalogue_with_the_values_of_their_texts() -> None:
    checked = 0
    for call in calls():
        subject, case = call.args
        names = {each.arg for each in call.keywords}
        # Some subjects and cases, and some values, are variables.
        if not isinstance(subject, ast.Constant) or None in names:
            continue
        branches = [case.body, case.orelse] if isinstance(case, ast.IfExp) else [case]
        for branch in branches:
            if isinstance(branch, ast.Constant):
                known = catalogue()[str(subject.value)][str(branch.value)]
                wanted = {name for text in (known.found, known.costs, known.mend) for name in fields(text)}
                assert wanted <= names, (subject.value, branch.value)
                checked += 1
    assert checked > 40


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_what_is_no_problem_costs_nothing_and_what_is_one_does() -> None:
    for subject, cases in catalogue().items():
        for name, case in cases.items():
            if case.severity is Severity.fit:
                assert (case.costs, case.mend) == ("", ""), (subject, name)
            if case.severity > Severity.note:
                assert case.costs, (subject, name)
                assert case.mend, (subject, name)


def test_a_finding_has_the_values_in_its_texts() -> None:
    late = finding("wake-ups on CPU {cpu}", "late", cpu=3, found="late by 200 us", longest=0.2)
    assert (late.subject, late.severity, late.found) == ("wake-ups on CPU 3", Severity.warning, "late by 200 us")
    assert late.costs == "a loop on this CPU starts up to 0.2 ms late, whatever its priority"
