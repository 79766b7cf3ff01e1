# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a terminal shows, as a picture."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console, RenderableType

from takt_cli.errors import UsageError

_WIDTH = 118


def write_picture(path: Path, title: str, *parts: RenderableType) -> None:
    """An SVG that needs nothing from the network; UsageError where it cannot be written."""
    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True, highlight=False)
    for part in parts:
        console.print(part)
    # The same picture gets the same names inside; fonts are the reader's own.
    svg = console.export_svg(title=title, unique_id="takt")
    svg = re.sub(r"@font-face \{.*?\}\n*\s*", "", svg, flags=re.DOTALL).replace("Fira Code", "monospace")
    svg = re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, "utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None
