# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Pictures of terminal output."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console, RenderableType

from takt_cli.errors import ResultError
from takt_cli.results.atomic_file import write_atomically

_WIDTH = 118


def write_picture(path: Path, title: str, *parts: RenderableType) -> None:
    """Write the output as an SVG that needs nothing from the network. ResultError if the file cannot be written."""
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    for part in parts:
        console.print(part)
    # A fixed id keeps the file reproducible; the reference to a font on the web is removed.
    svg = console.export_svg(title=title, unique_id="takt")
    svg = re.sub(r"@font-face \{.*?\}\n*\s*", "", svg, flags=re.DOTALL).replace("Fira Code", "monospace")
    svg = re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResultError(f"{path}: cannot be written: {error.strerror}; name another file by --out") from None
    write_atomically(path, svg)
