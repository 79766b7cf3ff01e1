# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Shows the progress of a measurement on standard error."""

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

from takt_cli.run.remaining_time import RemainingTime, RunningPart

# The bar's resolution, and the interval of its updates in s.
_WHOLE, _REDRAW = 1000, 0.1


class Progress:
    """A progress bar over all parts of a measurement; nothing is shown unless standard error is a terminal.

    The caller's own calls update it: a separate thread would be a problem when processes are forked.
    """

    def __init__(self, parts: int, length: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare a bar for `parts` parts with a total duration of `length` seconds, without start-up and the like."""
        self.pace = RemainingTime(parts, length)
        self._watch = length > 2
        self._clock = clock
        self._entered = self._idle_since = clock()
        self._last_update = 0.0
        self._share = 0.0
        self._parts_before = 0
        self._in_outer_part = False
        self._present_part: RunningPart | None = None
        self._text = "starting"
        self._bars: Bars | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty() and self._watch:
            self._bars = Bars(
                BarColumn(),
                TextColumn("{task.percentage:3.0f} %"),
                TextColumn("{task.fields[left]}"),
                # Last, because its length varies.
                TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis")),
                console=Console(stderr=True),
                auto_refresh=False,
                transient=True,
            )
            self._task = self._bars.add_task(self._text, total=_WHOLE, left="")
            self._bars.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    # ---- for callers that know the number of parts -----------------------------------------------------------

    def expect(self, parts: int, length: float, before: int = 0) -> None:
        """Correct the number of parts and their total duration; `before` of them were done in an earlier attempt."""
        self.pace = RemainingTime(parts - before, length)
        self._parts_before = before

    @contextmanager
    def part(self, name: str, length: float) -> Iterator[None]:
        """Run a part with everything that belongs to it; `begin` and `end` inside do not start parts of their own."""
        part = self.start(name, length)
        self._in_outer_part, self._present_part = True, part
        succeeded = False
        try:
            yield
            succeeded = True
        finally:
            self._in_outer_part, self._present_part = False, None
            self.finish(part, succeeded)

    def start(self, name: str, length: float) -> RunningPart:
        """Begin a part that may run beside others."""
        part = self.pace.start(name, length, self._clock())
        self.say()
        return part

    def finish(self, part: RunningPart, succeeded: bool = True) -> None:
        """End a part that `start` began. If it did not go `succeeded`, its duration is not used for estimates."""
        self.pace.finish(part, self._clock(), succeeded)
        self._idle_since = self._clock()
        self.say()

    def pause(self, seconds: float, reason: str) -> None:
        """Wait, and show the reason, as part of the current part."""
        end = self._clock() + seconds
        self.say(reason)
        while (remaining := end - self._clock()) > 0:
            time.sleep(min(remaining, 0.1))
            self.draw()

    # ---- for callers that run a part -------------------------------------------------------------------------

    def begin(self, name: str, length: float) -> None:
        """Begin the next part, which lasts `length` seconds."""
        if self._in_outer_part:
            self.say()
            return
        if self._present_part is not None:
            # The part before was not ended, so it starts again.
            self.pace.running.remove(self._present_part)
            self._idle_since = self._clock()
        self._present_part = self.pace.start(name, length, self._idle_since)
        self.say()

    def at(self, seconds: float) -> None:
        """Report how many seconds of the current part have passed."""
        if self._present_part is not None:
            self._present_part.elapsed = min(max(seconds, 0.0), self._present_part.length)
        self.draw()

    def end(self) -> None:
        """End the current part. A part that is not ended starts again with the next `begin`."""
        if self._present_part is None:
            return
        self._present_part.elapsed = self._present_part.length
        if not self._in_outer_part:
            part, self._present_part = self._present_part, None
            self.finish(part)

    def say(self, text: str = "") -> None:
        """Show what is being done, outside of all parts or in the current one."""
        self._text = text
        self.draw(force=True)

    # ---- drawing --------------------------------------------------------------------------------------------

    def description(self) -> str:
        """Return which parts are running, and their number out of all."""
        names = [part.name for part in self.pace.running]
        if not names:
            return self._text
        text = ", ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")
        total = self._parts_before + self.pace.parts
        if total > 1:
            text += f" ({self._parts_before + self.pace.finished_parts + len(names)} of {total})"
        return f"{text}: {self._text}" if self._text else text

    def draw(self, force: bool = False) -> None:
        """Update the bar if the last update is long enough ago, or `force` is set."""
        now = self._clock()
        if self._bars is None or self._task is None or (not force and now - self._last_update < _REDRAW):
            return
        self._last_update = now
        time_left, elapsed = self.pace.remaining(now), now - self._entered
        # The bar never goes backwards, even if the remaining time turns out longer than estimated.
        self._share = max(self._share, elapsed / (elapsed + time_left) if elapsed + time_left > 0 else 0.0)
        self._bars.update(
            self._task,
            completed=_WHOLE * self._share,
            description=self.description(),
            left=f"{duration(time_left)} left",
            refresh=True,
        )


def duration(seconds: float) -> str:
    """Return a duration such as `1 h 05 min`, `4 min 10 s` or `12 s`."""
    whole_seconds = round(seconds)
    if whole_seconds < 60:
        return f"{whole_seconds} s"
    if whole_seconds < 3600:
        return f"{whole_seconds // 60} min {whole_seconds % 60:02} s"
    return f"{whole_seconds // 3600} h {whole_seconds % 3600 // 60:02} min"
