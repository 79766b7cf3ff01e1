# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt inspect`: print the structure of running executors."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.cli.output import print_json, print_output, print_remark
from takt_cli.errors import RunError
from takt_cli.host.loopback import REMEDY, loopback_is_down
from takt_cli.live.session import Session, ros_session
from takt_cli.live.silence import explain_silence
from takt_cli.live.state import Executor
from takt_cli.options.common import Number, json_option
from takt_cli.report.live_tree import executor_tree
from takt_cli.report.terminal_picture import write_picture

PATIENCE = 5.0


def none_found(patience: float) -> RunError:
    """Return the error for no executor found within `patience` seconds, with the likely cause."""
    if loopback_is_down():
        return RunError(
            f"no running executor was found within {patience:g} s, because the loopback interface is down; {REMEDY}"
        )
    return RunError(
        f"no running executor was found within {patience:g} s: check that one spins in this ROS domain "
        "(ROS_DOMAIN_ID) and has its diagnostics enabled"
    )


def node_name(name: str) -> str:
    """Return the name of an executor's node with its leading slash, as `Session.found` returns it."""
    return "/" + name.removeprefix("/")


def executors(session: Session, name: str | None, patience: float) -> list[Executor]:
    """Return the executors that answer within `patience` seconds, or only the one whose node is called `name`.

    Executors that do not answer are reported on standard error. Raises a RunError if none answers.
    """
    wanted_node = None if name is None else node_name(name)
    names = session.discover(patience, wanted_node)
    if wanted_node is not None:
        if wanted_node not in names:
            others_text = f"there are {', '.join(names)}" if names else "there is no other executor either"
            raise RunError(f"no running executor {wanted_node} was found within {patience:g} s: {others_text}")
        names = [wanted_node]
    if not names:
        raise none_found(patience)
    answers = {each: session.inspect(each) for each in names}
    answering = [executor for executor in answers.values() if executor is not None]
    silent = [each for each, executor in answers.items() if executor is None]
    if silent:
        silence_text = explain_silence(silent)
        if not answering:
            raise RunError(silence_text)
        print_remark(f"takt: {silence_text}")
    return answering


wait_option = click.option(
    "--wait",
    type=Number(min=0.1, max=3600),
    default=PATIENCE,
    metavar="NUMBER",
    help=f"How long to look for executors, in seconds [default: {PATIENCE:g}].",
)


picture_option = click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write the printed output to this file, as an SVG picture.",
)


def answers_after_watching(session: Session, running: list[Executor], seconds: float) -> list[Executor]:
    """Have executors watch their threads for some seconds, and return their answers afterwards.

    Of an executor that has ended meanwhile the answer from before is returned.
    """
    for executor in running:
        session.inspect(executor.name, watch=seconds)
    session.process_events_for(seconds)
    return [session.inspect(executor.name) or executor for executor in running]


@click.command()
@click.argument("name", required=False)
@wait_option
@click.option(
    "--watch",
    type=Number(min=0, max=600),
    default=1.0,
    metavar="NUMBER",
    help="How long to observe the real-time threads whose priority is above that of all callbacks, in seconds; the "
    "tree shows the longest time for which each of them had a CPU without a pause. 0: not at all [default: 1].",
)
@picture_option
@json_option
def inspect(name: str | None, wait: float, watch: float, out: Path | None, as_json: bool) -> None:
    """Print the structure of running executors as a tree: nodes, tasks, groups, preemption levels, CPUs and threads.

    For engineers who want to check how a running application is configured. Executors are found through ROS, on this
    host and others; NAME is the node of one of them, such as takt_4711 (takt_ and the process ID) [default: all].

    \b
    Examples:
      takt inspect
      takt inspect takt_4711 --watch 60
      takt inspect takt_4711 --json
    """
    with ros_session() as session:
        found_executors = executors(session, name, wait)
        if watch > 0:
            found_executors = answers_after_watching(session, found_executors, watch)
    trees = [executor_tree(executor) for executor in found_executors]
    if out is not None:
        write_picture(out, "takt inspect", *trees)
    if as_json:
        print_json({"executors": found_executors})
    else:
        print_output(*trees)
