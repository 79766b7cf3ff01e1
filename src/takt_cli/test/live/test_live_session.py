# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of executors that do not answer, or not at once, with real services and real discovery."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from waiting import PATIENCE_S, wait_until

from takt_cli.cli.inspect import executors
from takt_cli.errors import RunError
from takt_cli.host.domain import private_domain
from takt_cli.live.session import ros_session


class DroppedError(Exception):
    """Raised to drop the answer of a service."""


@contextmanager
def served(drops: Callable[[int], bool], name: str = "served") -> Iterator[list[int]]:
    """Run a node that offers the service of an executor. Of its answers, which are numbered from 0, those are lost for
    which `drops` is true. Yields the list of requests received."""
    # Not imported at the top, because these tests are skipped if ROS is not installed.
    import rclpy
    from rclpy.executors import SingleThreadedExecutor
    from takt_msgs.srv import Inspect

    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node(name, context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    asked: list[int] = []
    ending = threading.Event()

    def answer(_: Any, response: Any) -> Any:
        asked.append(len(asked))
        if drops(asked[-1]):
            raise DroppedError
        response.program = "served"
        return response

    def spin() -> None:
        while not ending.is_set():
            try:
                executor.spin_once(timeout_sec=0.02)
            except DroppedError:
                continue

    node.create_service(Inspect, "~/inspect", answer)
    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield asked
    finally:
        ending.set()
        thread.join()
        executor.shutdown()
        node.destroy_node()
        rclpy.shutdown(context=context)


@pytest.fixture(autouse=True)
def domain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not os.environ.get("TAKT_REQUIRE_PROGRAMS"):
        pytest.importorskip("rclpy")
    with private_domain() as number:
        monkeypatch.setenv("ROS_DOMAIN_ID", str(number))
        monkeypatch.setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
        yield


@pytest.mark.programs
def test_a_node_whose_service_is_only_asked_for_is_no_executor() -> None:
    import rclpy
    from takt_msgs.srv import Inspect

    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node("left", context=context)
    client = node.create_client(Inspect, "~/inspect")
    try:
        with served(lambda _: False), ros_session() as session:
            graph = session._node
            wait_until(
                lambda: "left" in graph.get_node_names() and graph.count_clients("/left/inspect") == 1,
                "the node that is left is known",
            )
            wait_until(lambda: session.known_executors() == ["/served"], "the executor alone")
    finally:
        node.destroy_client(client)
        node.destroy_node()
        rclpy.shutdown(context=context)


@pytest.mark.programs
def test_a_question_whose_answer_was_lost_is_asked_again() -> None:
    with served(lambda number: number == 0) as asked, ros_session() as session:
        assert session.discover(PATIENCE_S, "/served") == ["/served"]
        executor = session.inspect("/served", PATIENCE_S)
    assert executor is not None
    assert executor.program == "served"
    assert len(asked) >= 2


@pytest.mark.programs
def test_an_executor_that_does_not_answer_is_named() -> None:
    with served(lambda _: True) as asked, ros_session() as session, pytest.raises(RunError) as error:
        executors(session, "served", PATIENCE_S)
    why = "the process may be stopped or belong to another user, or the host may be too busy"
    assert str(error.value) == f"no answer from /served: {why}"
    assert asked


@pytest.mark.programs
def test_a_silent_executor_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    nobody = served(lambda _: True, "silent")
    with served(lambda _: False), nobody, ros_session() as session:
        wait_until(lambda: session.known_executors() == ["/served", "/silent"], "both are known")
        (executor,) = executors(session, None, PATIENCE_S)
    assert executor.name == "/served"
    why = "the process may be stopped or belong to another user, or the host may be too busy"
    assert capsys.readouterr().err == f"takt: no answer from /silent: {why}\n"
