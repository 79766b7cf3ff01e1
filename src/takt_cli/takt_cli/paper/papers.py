# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The papers that takt repeats: each folder beside this file that has a `paper.yaml`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any

from takt_cli.paper.paper import Paper


def paper_names() -> list[str]:
    """Return the names of all papers."""
    folders = (each for each in files(__package__).iterdir() if each.is_dir())
    return sorted(each.name for each in folders if each.joinpath("paper.yaml").is_file())


@cache
def find_paper(name: str) -> Paper[Any]:
    """Return a paper, which the module `definition` of its folder defines as PAPER."""
    paper: Paper[Any] = import_module(f"{__package__}.{name}.definition").PAPER
    return paper
