# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The verbs of the command, each loaded when it is asked for: one that looks at what runs now need not wait
for what others compute and draw with."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import click


class Verb(NamedTuple):
    """Where it is, and what the list of all says of it."""

    module: str
    function: str
    short_help: str


VERBS = {
    "batch": Verb("batch", "batch", "Many runs: shuffled, repeated, resumable."),
    "check": Verb("check", "check_command", "Will it hold: response-time analysis."),
    "compare": Verb("compare", "compare_command", "Two results: better, worse or no difference."),
    "demo": Verb("demo", "demo", "One application under several executors, side by side."),
    "doctor": Verb("doctor", "doctor", "Is this host fit for real time, and what would mend it."),
    "generate": Verb("generate", "generate", "Synthetic applications from parameters."),
    "inspect": Verb("inspect", "inspect", "What a running executor is made of."),
    "measure": Verb("measure", "measure", "Measure one thing: timers, dispatch, preemption ..."),
    "paper": Verb("paper", "paper", "A paper's experiment, beside what it printed."),
    "report": Verb("report", "report", "One page of a result: plots to look into, tables, links."),
    "run": Verb("run", "run", "Run one application under one executor."),
    "simulate": Verb("simulate", "simulate", "The same in virtual time."),
    "soak": Verb("soak", "soak", "An application under load for hours, while it changes."),
    "top": Verb("top", "top", "What running executors do, live."),
    "trace": Verb("trace", "trace", "What happened, decision by decision."),
    "tune": Verb("tune", "tune", "Make this host fit for real time, and put it back."),
}


class Verbs(click.Group):
    """A group of these."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        command: click.Command = getattr(import_module(f"takt_cli.cli.{verb.module}"), verb.function)
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.short_help) for name, verb in VERBS.items()])
