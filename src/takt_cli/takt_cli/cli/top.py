# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt top`: what running executors do."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

import click
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from takt_cli.cli.inspect import executors, wait_option
from takt_cli.cli.options import json_option
from takt_cli.cli.output import print_json, show
from takt_cli.errors import Interrupted, UsageError
from takt_cli.live.keys import Keys, raw_keys
from takt_cli.live.session import Session, ros_session
from takt_cli.live.state import Executor
from takt_cli.report.live_screen import ORDERS, screen

_QUIT = ("q", "\x03", "\x04")
_ESCAPE = "\x1b"
_TICK = 0.05
# Without an answer for so long, an executor is gone.
_ANSWER = 1.0


@click.command()
@click.argument("name", required=False)
@click.option("--once", is_flag=True, help="Print it once and end.")
@click.option(
    "--sort", "order", type=click.Choice(list(ORDERS)), default="margin", help="Which tasks first [default: margin]."
)
@click.option(
    "--every",
    type=click.FloatRange(min=0.1, max=60),
    default=1.0,
    metavar="SECONDS",
    help="How often executors are asked [default: 1].",
)
@wait_option
@json_option
def top(name: str | None, once: bool, order: str, every: float, wait: float, as_json: bool) -> None:
    """Show running executors: tasks by margin, the priority plan with each thread's CPU, the scenario.

    They are found through ROS; NAME is the node of one of them, as `takt_4711`. Figures are of the
    executor's last period of diagnostics (a second), the margin is deadline less the worst response in it;
    counts are since the task was made. Keys: m, r, x, n sort by margin, response, misses, name; s asks
    for another scenario; Tab shows the next executor; q ends.

    \b
    Examples:
      takt top
      takt top --once --json
    """
    with ros_session() as session:
        if as_json or once:
            found = executors(session, name, wait)
            if as_json:
                print_json({"executors": [executor.to_json() for executor in found]})
            else:
                show(*(screen(executor, order, Text()) for executor in found))
            return
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("takt top wants a terminal; into a file or a pipe give --once or --json")
        found = executors(session, name, wait)
        console = Console(highlight=False)
        # Ctrl-C is a way to end it like any other.
        with suppress(Interrupted), raw_keys() as keys, Live(console=console, screen=True, auto_refresh=False) as live:
            Top(session, found, order, name).run(keys, live, every)


class Top:
    """The state of the screen."""

    def __init__(self, session: Session, found: list[Executor], order: str, name: str | None) -> None:
        self._session = session
        self._only = name
        self._executors = {executor.name: executor for executor in found}
        self._shown = found[0].name
        self._order = order
        self._choosing = False
        self._said = Text()

    def run(self, keys: Keys, live: Live, every: float) -> None:
        """Until a key ends it."""
        due = 0.0
        while True:
            for key in keys.pressed():
                if key in _QUIT:
                    return
                self.press(key)
                due = 0.0
            if time.monotonic() >= due:
                due = time.monotonic() + every
                self.refresh()
                live.update(self.picture(), refresh=True)
            self._session.wait(_TICK)

    def refresh(self) -> None:
        """Asks all that there are now; who does not answer is left out."""
        names = list(self._executors) if self._only else self._session.found()
        answers = {name: self._session.inspect(name, _ANSWER) for name in names}
        present = {name: executor for name, executor in answers.items() if executor is not None}
        if not present:
            # What was seen last stays on the screen.
            self._said = Text("no executor answers any more", style="red")
            return
        self._executors = present
        if self._shown not in present:
            self._shown = min(present)
            self._choosing = False

    def press(self, key: str) -> None:
        """What a key does."""
        self._said = Text()
        if self._choosing:
            self._choosing = False
            if key != _ESCAPE:
                self._choose(key)
            return
        for order, (letter, _) in ORDERS.items():
            if key == letter:
                self._order = order
        if key == "\t":
            names = sorted(self._executors)
            self._shown = names[(names.index(self._shown) + 1) % len(names)]
        elif key == "s":
            self._choosing = bool(self._current["scenarios"])
            if not self._choosing:
                self._said = Text("this executor has no scenarios", style="yellow")

    def _choose(self, key: str) -> None:
        scenarios = self._current["scenarios"]
        if not key.isdecimal() or not 1 <= int(key) <= len(scenarios):
            self._said = Text(f"no scenario has the number {key!r}", style="yellow")
            return
        wanted = scenarios[int(key) - 1]
        answer = self._session.set_scenario(self._shown, wanted, _ANSWER)
        if answer.success:
            self._said = Text(f"scenario {wanted} was asked for")
        else:
            self._said = Text(answer.message, style="red")

    @property
    def _current(self) -> Executor:
        return self._executors[self._shown]

    def picture(self) -> RenderableType:
        """What is to be seen now."""
        names = sorted(self._executors)
        place = f"executor {names.index(self._shown) + 1} of {len(names)} (Tab)" if len(names) > 1 else ""
        return screen(self._current, self._order, self._foot(), place)

    def _foot(self) -> Text:
        if self._choosing:
            numbered = (f"{number} {name}" for number, name in enumerate(self._current["scenarios"][:9], 1))
            return Text("ask for scenario: " + "  ".join(numbered) + "  (Esc: none)", style="bold")
        keys = "  ".join(f"{letter} {order}" for order, (letter, _) in ORDERS.items())
        foot = Text(f"sort: {keys}   s scenario   q end", style="dim")
        return Text.assemble(self._said, "\n", foot) if self._said else foot
