# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt top`: show running executors live."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from takt_cli.cli.inspect import executors, node_name
from takt_cli.cli.output import show
from takt_cli.errors import Interrupted, UsageError
from takt_cli.live.keys import TERMINAL_GONE, Keys, raw_keys
from takt_cli.live.session import PendingCall, Session, ros_session
from takt_cli.live.silence import explain_silence
from takt_cli.live.state import Executor
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.live_screen import ORDERS, Screen
from takt_cli.report.terminal_picture import write_picture

_QUIT = ("q", "\x03", TERMINAL_GONE)
_POLL_INTERVAL = 0.05
# An executor that has not answered within this time, in s, is shown as silent.
_ANSWER = 1.0
_PAGE = 10
_STEPS = {"up": -1, "down": 1, "page up": -_PAGE, "page down": _PAGE, "home": -(10**6), "end": 10**6}


def _command(
    name: str | None, once: bool, order: str, every: float, wait: float, out: Path | None, as_json: bool
) -> None:
    if not (as_json or once):
        if out is not None:
            raise UsageError("--out: writes a single screen; give --once, too")
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError("takt top needs a terminal; for a file or a pipe give --once or --json")
    with ros_session() as session:
        if as_json or once:
            found_executors = executors(session, name, wait)
            screens = [Screen(executor, order, Text()) for executor in found_executors]
            if out is not None:
                write_picture(out, "takt top", *screens)
            show(as_json, {"executors": found_executors}, *screens)
            return
        console = Console(highlight=False)
        # Ctrl-C ends it like the key q, without an error.
        with suppress(Interrupted), raw_keys() as keys, Live(console=console, screen=True, auto_refresh=False) as live:
            Top(session, order, None if name is None else node_name(name)).run(keys, live, every)


class Top:
    """The interactive screen of `takt top`: what it shows, and what keys change.

    `order` is a key of ORDERS; `only_name` limits it to the executor with that node name.
    """

    def __init__(self, session: Session, order: str, only_name: str | None) -> None:
        self._session = session
        self._only_name = only_name
        self._names: list[str] = []
        self._shown_name: str | None = None
        # The last answer of the executor shown, which may have ended since.
        self._executor: Executor | None = None
        self._question: PendingCall | None = None
        self._order = order
        self._first_row = 0
        self._threads = True
        self._choosing = False
        self._message = Text()
        self._trouble = Text()

    def run(self, keys: Keys, live: Live, interval: float) -> None:
        """Handle keys and update the screen every `interval` seconds until a key ends it."""
        due = 0.0
        size = live.console.size
        while True:
            changed = live.console.size != size
            for key in keys.pressed():
                if key in _QUIT:
                    return
                shown_before = self._shown_name
                self.press(key)
                changed = True
                if self._shown_name != shown_before:
                    due = 0.0
            if self._question is not None and self._question.is_settled():
                self._take_answer(self._question)
                changed = True
            if self._question is None and time.monotonic() >= due:
                due = time.monotonic() + interval
                changed |= self._ask_for_state()
            if changed:
                size = live.console.size
                self._draw(live)
            self._session.wait(_POLL_INTERVAL)

    def _ask_for_state(self) -> bool:
        """Look for executors and ask the one that is shown for its state; return whether to redraw at once."""
        known_names = self._session.known_executors()
        self._names = [name for name in known_names if self._only_name in (None, name)]
        if self._shown_name is not None and self._shown_name not in self._names:
            # This stays until a key is pressed, even if another executor is shown by then.
            self._message = Text(f"{self._shown_name} has gone", style="red")
            self._trouble = Text()
            self._shown_name = None
        if self._shown_name is None and self._names:
            self._show(self._names[0])
        if self._shown_name is None:
            return True
        self._question = self._session.ask(self._shown_name, _ANSWER)
        return False

    def _show(self, name: str) -> None:
        self._shown_name = name
        self._question = None
        self._choosing = False
        self._first_row = 0

    def _take_answer(self, question: PendingCall) -> None:
        self._question = None
        if self._shown_name is None:
            return
        if question.message is None:
            remark = "" if self._executor is None else "; its last answer is shown"
            self._trouble = Text(f"{explain_silence([self._shown_name])}{remark}", style="red")
            return
        self._trouble = Text()
        self._executor = Executor.from_message(self._shown_name, question.message)

    def press(self, key: str) -> None:
        """Apply a pressed key to the state."""
        self._message = Text()
        if self._choosing:
            self._choosing = False
            if key != "escape":
                self._choose(key)
            return
        for order, (letter, _) in ORDERS.items():
            if key == letter:
                self._order, self._first_row = order, 0
        if key == "\t" and self._names:
            place = self._names.index(self._shown_name) + 1 if self._shown_name in self._names else 0
            self._trouble = Text()
            self._show(self._names[place % len(self._names)])
        elif key == "t":
            self._threads = not self._threads
        elif key == "s" and self._executor is not None:
            self._choosing = bool(self._executor.scenarios)
            if not self._choosing:
                self._message = Text("this executor has no scenarios", style="yellow")
        else:
            self._first_row = max(0, self._first_row + _STEPS.get(key, 0))

    def _choose(self, key: str) -> None:
        assert self._executor is not None
        scenarios = self._executor.scenarios
        if not key.isdecimal() or not 1 <= int(key) <= len(scenarios):
            self._message = Text(f"no scenario has the number {key!r}", style="yellow")
            return
        scenario = scenarios[int(key) - 1]
        answer = self._session.set_scenario(self._executor.name, scenario, _ANSWER)
        if answer.success:
            self._message = Text(f"scenario {scenario} was requested")
        else:
            self._message = Text(answer.message, style="red")

    def _draw(self, live: Live) -> None:
        picture = self.picture(live.console.height)
        live.update(picture, refresh=True)
        if isinstance(picture, Screen):
            self._first_row = picture.first

    def picture(self, height: int) -> RenderableType:
        """Return the screen to draw for a terminal of `height` lines."""
        if self._executor is None:
            wanted_text = f"executor {self._only_name}" if self._only_name else "executors"
            domain = os.environ.get("ROS_DOMAIN_ID") or "0"
            return Group(Text(f"looking for {wanted_text} in ROS domain {domain} ...", style="bold"), self._foot())
        place = ""
        if len(self._names) > 1 and self._shown_name in self._names:
            place = f"executor {self._names.index(self._shown_name) + 1} of {len(self._names)} (Tab)"
        return Screen(
            self._executor,
            self._order,
            self._foot(),
            position=place,
            first=self._first_row,
            threads=self._threads,
            height=height,
        )

    def _foot(self) -> Text:
        if self._choosing and self._executor is not None:
            numbered = (f"{number} {name}" for number, name in enumerate(self._executor.scenarios[:9], 1))
            return Text("request scenario: " + "  ".join(numbered) + "  (Esc: cancel)", style="bold")
        keys = "  ".join(f"{letter} {order}" for order, (letter, _) in ORDERS.items())
        foot = Text(f"sort: {keys}   s scenario   t threads   q quit", style="dim")
        return Text("\n").join(line for line in (self._trouble, self._message, foot) if line)


top = verb("top", read_usage(__name__, orders=ORDERS), _command)
