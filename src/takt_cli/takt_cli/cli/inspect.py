# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt inspect`: print the structure of running executors."""

from __future__ import annotations

from pathlib import Path

from takt_cli.cli.output import print_remark, show
from takt_cli.errors import RunError
from takt_cli.host.loopback import REMEDY, loopback_is_down
from takt_cli.live.session import Session, ros_session
from takt_cli.live.silence import explain_silence
from takt_cli.live.state import Executor
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.live_tree import executor_tree
from takt_cli.report.terminal_picture import write_picture


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


def answers_after_watching(session: Session, running: list[Executor], seconds: float) -> list[Executor]:
    """Have executors watch their threads for some seconds, and return their answers afterwards.

    Of an executor that has ended meanwhile the answer from before is returned.
    """
    for executor in running:
        session.inspect(executor.name, watch=seconds)
    session.process_events_for(seconds)
    return [session.inspect(executor.name) or executor for executor in running]


def _command(name: str | None, wait: float, watch: float, out: Path | None, as_json: bool) -> None:
    with ros_session() as session:
        found_executors = executors(session, name, wait)
        if watch > 0:
            found_executors = answers_after_watching(session, found_executors, watch)
    trees = [executor_tree(executor) for executor in found_executors]
    if out is not None:
        write_picture(out, "takt inspect", *trees)
    show(as_json, {"executors": found_executors}, *trees)


inspect = verb("inspect", read_usage(__name__), _command)
