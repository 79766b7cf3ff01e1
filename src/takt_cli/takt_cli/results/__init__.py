# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Results as data. For notebooks: `import takt_cli.results`, then `takt_cli.results.read("results/…")`.

`read(folder)` returns a `Result` of any kind: where it comes from, settings, record and figures as typed objects, and
its samples as tables. The types of each kind are described in docs/reference/reading.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from takt_cli.reading import Result, read

__all__ = ["Result", "read"]


def __getattr__(name: str) -> Any:
    """Load the interface when it is first used: it lies above all kinds of result, and needs numpy, which most of the
    command does not."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from takt_cli import reading  # noqa: PLC0415 - only when used

    return getattr(reading, name)
