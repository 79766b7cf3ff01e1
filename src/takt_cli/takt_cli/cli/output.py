# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Output of the command: JSON and tables on standard output, remarks on standard error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console, RenderableType

from takt_cli.results.json_file import plain
from takt_cli.spec.application import Application
from takt_cli.spec.units import format_share

# Utilisations that add up to exactly 1 may exceed it by rounding in floating point.
_FULL = 1 + 1e-9


def show(as_json: bool, data: Any, *parts: RenderableType, folder: Path | None = None, **further: Any) -> None:
    """Print data as one JSON document, with `further` entries and the result's folder if there is one; or else tables
    and text."""
    if as_json:
        print_json(data, **further, **({"folder": str(folder)} if folder is not None else {}))
    else:
        print_output(*parts)


def print_json(data: Any, **further: Any) -> None:
    """Print one JSON document with `further` entries on standard output; raise a ValueError on nan or infinity, which
    JSON lacks."""
    print_plain(json.dumps(plain(data) | plain(further), indent=2, allow_nan=False))


def print_plain(line: str) -> None:
    """Print a line on standard output without formatting, for other programs to read."""
    # The stream is passed explicitly: otherwise click writes UTF-8 even where the encoding is ASCII.
    click.echo(line, file=sys.stdout)


def print_remark(line: str | None) -> None:
    """Print a line on standard error, unless it is empty or None; standard output stays free for JSON."""
    if line:
        click.echo(line, file=sys.stderr)


def warn_of_overload(cpus: int, *applications: Application) -> None:
    """Print a warning on standard error if the utilisation of applications exceeds the number of CPUs.

    Then some jobs must be late or skipped under every executor.
    """
    if too_large := [each for each in applications if each.peak_utilisation > cpus * _FULL]:
        first, some = too_large[0], f"{len(too_large)} of {len(applications)} applications, such as"
        of_many = f"{some} {first.name} with " if len(applications) > 1 else ""
        cpu_text = "one CPU has" if cpus == 1 else f"{cpus} CPUs have"
        share = format_share(first.peak_utilisation)
        print_remark(f"takt: {of_many}utilisation {share}: more than {cpu_text}; jobs will be late or skipped")


def print_output(*parts: RenderableType) -> None:
    """Print tables and text on standard output for a human reader."""
    console = Console(highlight=False)
    if not console.is_terminal:
        # In a file or a pipe rich would assume a terminal of 80 columns and cut the tables.
        console = Console(highlight=False, width=160)
    for part in parts:
        console.print(part)
