# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How far it is, on standard error, for a person who watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bars
from rich.table import Column

from takt_cli.run.pace import Pace, Running

# The bar's own units, and how often it is drawn, in s.
_WHOLE, _REDRAW = 1000, 0.1


class Progress:
    """A bar over all the parts of a run; silent unless standard error is a terminal.

    It is drawn by the caller's own calls: a thread of its own would be in the way of forking.
    """

    def __init__(self, parts: int, length: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`parts` runs that last `length` seconds in all, starting up and the like left out."""
        self.pace = Pace(parts, length)
        self._watch = length > 2
        self._clock = clock
        self._entered = self._idle_since = clock()
        self._drawn = 0.0
        self._share = 0.0
        self._before = 0
        self._outer = False
        self._present: Running | None = None
        self._words = "starting"
        self._bars: Bars | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty() and self._watch:
            self._bars = Bars(
                BarColumn(),
                TextColumn("{task.percentage:3.0f} %"),
                TextColumn("{task.fields[left]}"),
                # Last, as its length changes.
                TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis")),
                console=Console(stderr=True),
                auto_refresh=False,
                transient=True,
            )
            self._task = self._bars.add_task(self._words, total=_WHOLE, left="")
            self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    # ---- by who knows how many parts there are --------------------------------------------------------------

    def expect(self, parts: int, length: float, before: int = 0) -> None:
        """There are so many parts after all, of which `before` have been done another time."""
        self.pace = Pace(parts - before, length)
        self._before = before

    @contextmanager
    def part(self, name: str, length: float) -> Iterator[None]:
        """A part with all that comes with it; what is begun and ended inside is of it."""
        part = self.start(name, length)
        self._outer, self._present = True, part
        well = False
        try:
            yield
            well = True
        finally:
            self._outer, self._present = False, None
            self.finish(part, well)

    def start(self, name: str, length: float) -> Running:
        """A part that may run beside others."""
        part = self.pace.start(name, length, self._clock())
        self._say(None)
        return part

    def finish(self, part: Running, well: bool = True) -> None:
        self.pace.finish(part, self._clock(), well)
        self._idle_since = self._clock()
        self._say(None)

    def pause(self, seconds: float, why: str) -> None:
        """Waits, as a part of the present part."""
        end = self._clock() + seconds
        self._say(why)
        while (rest := end - self._clock()) > 0:
            time.sleep(min(rest, 0.1))
            self.draw()

    # ---- by who runs a part ---------------------------------------------------------------------------------

    def begin(self, name: str, length: float) -> None:
        """The next part, which lasts `length` seconds."""
        if self._outer:
            self._say(None)
            return
        if self._present is not None:
            # It was not ended: it begins anew.
            self.pace.running.remove(self._present)
            self._idle_since = self._clock()
        self._present = self.pace.start(name, length, self._idle_since)
        self._say(None)

    def at(self, seconds: float) -> None:
        """So far into the present part."""
        if self._present is not None:
            self._present.within = min(max(seconds, 0.0), self._present.length)
        self.draw()

    def end(self) -> None:
        """The present part is over; one that is not ended begins anew with the next `begin`."""
        if self._present is None:
            return
        self._present.within = self._present.length
        if not self._outer:
            part, self._present = self._present, None
            self.finish(part)

    def say(self, text: str) -> None:
        """What is being done now, outside any part."""
        self._say(text)

    # ---- drawing --------------------------------------------------------------------------------------------

    def description(self) -> str:
        """What runs, and which of how many it is."""
        names = [part.name for part in self.pace.running]
        if not names:
            return self._words
        text = ", ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")
        total = self._before + self.pace.parts
        if total > 1:
            text += f" ({self._before + self.pace.over + len(names)} of {total})"
        return f"{text}: {self._words}" if self._words else text

    def draw(self, force: bool = False) -> None:
        now = self._clock()
        if self._bars is None or self._task is None or (not force and now - self._drawn < _REDRAW):
            return
        self._drawn = now
        left, gone = self.pace.left(now), now - self._entered
        # Never backwards, though the rest may turn out longer than it seemed.
        self._share = max(self._share, gone / (gone + left) if gone + left > 0 else 0.0)
        self._bars.update(
            self._task,
            completed=_WHOLE * self._share,
            description=self.description(),
            left=f"{duration(left)} left",
            refresh=True,
        )

    def _say(self, text: str | None) -> None:
        self._words = text or ""
        self.draw(force=True)


def duration(seconds: float) -> str:
    """`1 h 05 min`, `4 min 10 s`, `12 s`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
