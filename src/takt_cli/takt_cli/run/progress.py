# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far it is, on standard error, for a person who watches."""

from __future__ import annotations

import sys
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars


class Progress:
    """A bar over all the parts of a run; silent unless standard error is a terminal.

    It is drawn by the caller's own calls: a thread of its own would be in the way of forking.
    """

    def __init__(self, parts: int, length: float) -> None:
        """`parts` runs that last `length` seconds in all."""
        self._length = max(length, 0.001)
        self._parts = parts
        self._part = 0
        self._done = 0.0
        self._current = 0.0
        self._bars: Bars | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty() and self._length > 2:
            self._bars = Bars(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:3.0f} %"),
                TimeRemainingColumn(compact=True),
                TextColumn("left"),
                console=Console(stderr=True),
                auto_refresh=False,
                transient=True,
            )
            self._task = self._bars.add_task("starting", total=self._length)
            self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def begin(self, name: str, length: float) -> None:
        """The next part, which lasts `length` seconds."""
        self._current = length
        count = f" ({self._part + 1} of {self._parts})" if self._parts > 1 else ""
        self._show(f"{name}{count}", 0.0)

    def at(self, seconds: float) -> None:
        """So far into the present part."""
        self._show(None, min(max(seconds, 0.0), self._current))

    def end(self) -> None:
        """The present part is over; one that is not ended begins anew with the next `begin`."""
        self._part += 1
        self._done += self._current
        self._current = 0.0
        self._show(None, 0.0)

    def say(self, text: str) -> None:
        """What is being done now, outside any part."""
        self._show(text, 0.0)

    def _show(self, text: str | None, within: float) -> None:
        if self._bars is not None and self._task is not None:
            self._bars.update(self._task, completed=self._done + within, description=text, refresh=True)
