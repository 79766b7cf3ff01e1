# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A node that finds running executors by the type of the service they offer, and asks them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from takt_cli.errors import HostError, RunError
from takt_cli.host.loopback import MEND, loopback_is_down
from takt_cli.host.rmw_choice import refusal
from takt_cli.host.ros_security import demand_security
from takt_cli.live.state import Executor, Request

_INSPECT = "takt_msgs/srv/Inspect"
# How long discovery may go on to bring executors when the first is known.
_SETTLE = 0.3
_ANSWER = 2.0
_AGAIN = 0.5


class Question:
    """A call of a service, on its way.

    It is made again while there is no answer: a server drops the response to a client that it has not found
    within 100 ms, as on a busy host, and the client cannot see that. So it must bear to be served twice.
    """

    def __init__(self, client: Any, request: Any, patience: float) -> None:
        self.message: Any = None
        self._client = client
        self._request = request
        self._calls: list[Any] = []
        self._again = time.monotonic()
        self._end = self._again + patience

    def settled(self) -> bool:
        """Whether there is an answer, or none came in time; asks for another look if neither."""
        answered = next((call for call in self._calls if call.done()), None)
        now = time.monotonic()
        if answered is None and now < self._end:
            if now >= self._again and self._client.service_is_ready():
                self._again = now + _AGAIN
                self._calls.append(self._client.call_async(self._request))
            return False
        if answered is not None:
            self.message = answered.result()
        for call in self._calls:
            if not call.done():
                self._client.remove_pending_request(call)
        return True


class Session:
    """The node. One thread uses it, which waits inside its members."""

    def __init__(self, node: Any, ros: Any, services: Any) -> None:
        self._node = node
        self._ros = ros
        self._services = services
        self._clients: dict[str, Any] = {}

    def found(self) -> list[str]:
        """Names of the executors that are known now: those of their nodes."""
        services = [name for name, types in self._node.get_service_names_and_types() if _INSPECT in types]
        # A service is known for as long as someone asks for it, we ourselves, too. Nor does the node say that it is
        # there: where the last message of a process about its nodes comes after its farewell, they stay for good.
        return sorted(name.removesuffix("/inspect") for name in services if self._node.count_services(name) > 0)

    def find(self, patience: float, wanted: str | None = None) -> list[str]:
        """The same when discovery has had its time: `patience` seconds, fewer if there are any, fewer still if
        the one that is wanted is among them."""
        end = time.monotonic() + patience
        names: list[str] = []
        while wanted not in names and time.monotonic() < end:
            self.wait(0.02)
            now = self.found()
            if now and not names and wanted is None:
                end = min(end, time.monotonic() + _SETTLE)
            names = now
        return names

    def wait(self, seconds: float) -> None:
        """Lets the middleware work for so long, or until something came."""
        self._ros.spin_once(self._node, timeout_sec=seconds)

    def rest(self, seconds: float) -> None:
        """Lets it work for so long, whatever comes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.wait(left)

    def ask(self, name: str, patience: float, watch: float = 0) -> Question:
        """How the executor is: asks, and does not wait. It watches its threads for so many seconds from then on."""
        return self._ask(self._services.Inspect, f"{name}/inspect", {"watch_ns": round(watch * 1e9)}, patience)

    def inspect(self, name: str, patience: float = _ANSWER, watch: float = 0) -> Executor | None:
        """The same, and waits for the answer; None if it does not come in time."""
        message = self._answer(self.ask(name, patience, watch))
        return Executor.of(name, message) if message is not None else None

    def set_scenario(self, name: str, scenario: str, patience: float = _ANSWER) -> Request:
        """Asks the executor for it."""
        question = self._ask(self._services.SetScenario, f"{name}/set_scenario", {"name": scenario}, patience)
        message = self._answer(question)
        if message is None:
            return Request(False, f"{name} does not answer", -1)
        return Request(message.success, message.message, message.effect_ns)

    def _ask(self, kind: Any, service: str, fields: dict[str, Any], patience: float) -> Question:
        client = self._clients.get(service)
        if client is None:
            client = self._clients[service] = self._node.create_client(kind, service)
        return Question(client, kind.Request(**fields), patience)

    def _answer(self, question: Question) -> Any:
        while not question.settled():
            self.wait(0.01)
        return question.message


@contextmanager
def ros_session() -> Iterator[Session]:
    """Takes part in ROS while inside. HostError where it is not there."""
    # It would end this process.
    if refused := refusal(os.environ):
        raise HostError(str(refused))
    demand_security()
    # Only here: nothing else of the command needs ROS, and it takes a while to load.
    try:
        import rclpy  # noqa: PLC0415
        from rclpy.signals import SignalHandlerOptions  # noqa: PLC0415
        from takt_msgs import srv  # noqa: PLC0415
    except ImportError as error:
        raise HostError(
            f"ROS 2's Python client or takt_msgs is not there ({error}): start takt by ./takt, or source the workspace"
        ) from error
    try:
        # No file of logs: nothing is logged, and a home without room for one would be the end.
        rclpy.init(args=["--ros-args", "--disable-external-lib-logs"], signal_handler_options=SignalHandlerOptions.NO)
        node = rclpy.create_node("takt_command", use_global_arguments=False, start_parameter_services=False)
    except Exception as error:
        # Over Cyclone DDS there is no node without it; over Fast DDS one that finds nobody.
        why = f"as the loopback interface is down; {MEND}" if loopback_is_down() else str(error)
        raise RunError(f"cannot take part in ROS: {why}") from error
    try:
        yield Session(node, rclpy, srv)
    finally:
        node.destroy_node()
        rclpy.try_shutdown()
