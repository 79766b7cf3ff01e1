# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What goes to standard output."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console, RenderableType


def print_json(data: dict[str, Any]) -> None:
    """One JSON document alone on standard output; no infinities, which JSON does not have."""
    click.echo(json.dumps(data, indent=2, allow_nan=False))


def show(*parts: RenderableType) -> None:
    """Tables and sentences for a person."""
    console = Console(highlight=False)
    if not console.is_terminal:
        # Into a file or a pipe: as wide as the content, not cut to a terminal that is not there.
        console = Console(highlight=False, width=160)
    for part in parts:
        console.print(part)
