# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The verbs of the command, each imported only when it is used.

So `takt top` and `takt inspect` start without the libraries for statistics and plots that other verbs need.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import click


class Verb(NamedTuple):
    """A verb: its module in this package, the function there, and its line in the list of commands."""

    module: str
    function: str
    short_help: str


VERBS = {
    "batch": Verb("batch", "batch", "Run many applications repeatedly, in random order; resumable."),
    "check": Verb("check", "check_command", "Predict whether deadlines hold, by response-time analysis."),
    "compare": Verb("compare", "compare_command", "Compare two results, with confidence intervals."),
    "demo": Verb("demo", "demo", "Run one application under several executors, side by side."),
    "doctor": Verb("doctor", "doctor", "Check whether this host is fit for real time; suggest fixes."),
    "generate": Verb("generate", "generate", "Generate synthetic applications as specs or ROS 2 packages."),
    "inspect": Verb("inspect", "inspect", "Print the structure of running executors: nodes, tasks, threads."),
    "measure": Verb("measure", "measure", "Measure one property of executor, middleware or host."),
    "paper": Verb("paper", "paper", "Repeat a paper's experiments and compare with its figures."),
    "report": Verb("report", "report", "Make an interactive HTML page of a result."),
    "run": Verb("run", "run", "Run one application under one executor and judge it."),
    "simulate": Verb("simulate", "simulate", "Simulate an application, or replay a run, in virtual time."),
    "soak": Verb("soak", "soak", "Run an application under load for hours and judge it."),
    "top": Verb("top", "top", "Show running executors live: response times, misses, threads."),
    "trace": Verb("trace", "trace", "Explain, draw or export the trace of a run."),
    "tune": Verb("tune", "tune", "Configure this host for real time, and restore it."),
}


class Verbs(click.Group):
    """A click group whose commands are VERBS."""

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
