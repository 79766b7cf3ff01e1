# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests that the links between the documents lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from repository import ROOT


def without_code(path: Path) -> str:
    return re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document: its own, and those that GitHub makes of headings."""
    own = re.findall(r'<a id="([^"]+)"', without_code(path))
    headings = re.findall(r"^#+ (.*)$", re.sub(r"\]\([^)]*\)", "", without_code(path)), re.MULTILINE)
    return {*own, *(re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings)}


def broken(path: Path) -> list[str]:
    links = re.findall(r"\]\((?![a-z]+:)([^)#\s]*)#?([^)\s]*)\)", re.sub(r"`[^`\n]+`", "", without_code(path)))
    targets = [(path.parent / file if file else path, anchor) for file, anchor in links]
    return [
        f"{path.name}: {target.name}#{anchor}"
        for target, anchor in targets
        if not target.exists() or (anchor and anchor not in anchors(target))
    ]


def test_relative_links_and_anchors_resolve(tmp_path: Path) -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert [each for path in documents for each in broken(path)] == []
    page = tmp_path / "a.md"
    page.write_text("# `run`: its *end*\n[a](a.md#run-its-end) [b](b.md) [c](#end) [d](https://d)\n", "utf-8")
    assert broken(page) == ["a.md: b.md#", "a.md: a.md#end"]
