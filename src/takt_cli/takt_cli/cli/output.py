# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What goes to standard output."""

from __future__ import annotations

import json
import sys
from typing import Any

import click
from rich.console import Console, RenderableType

from takt_cli.spec.application import Application

# Shares that add up to a whole CPU need not do so in floating point.
_FULL = 1 + 1e-9


def print_json(data: dict[str, Any]) -> None:
    """One JSON document alone on standard output; no infinities, which JSON does not have."""
    put(json.dumps(data, indent=2, allow_nan=False))


def put(line: str) -> None:
    """A line on standard output as it is: for other programs."""
    # Named, or click would write UTF-8 where the encoding is ASCII.
    click.echo(line, file=sys.stdout)


def say(line: str | None) -> None:
    """One line on standard error, if there is any: what matters beside JSON."""
    if line:
        click.echo(line, file=sys.stderr)


def warn_of_overload(application: Application, cpus: int = 1) -> None:
    """Says where an application asks for more than its CPUs have: no executor can help it."""
    if application.peak_utilisation > cpus * _FULL:
        have = "one CPU has" if cpus == 1 else f"{cpus} CPUs have"
        say(f"takt: utilisation {application.peak_utilisation:.3g}: more than {have}; jobs will be late or skipped")


def show(*parts: RenderableType) -> None:
    """Tables and sentences for a person."""
    console = Console(highlight=False)
    if not console.is_terminal:
        # Into a file or a pipe: as wide as the content, not cut to a terminal that is not there.
        console = Console(highlight=False, width=160)
    for part in parts:
        console.print(part)
