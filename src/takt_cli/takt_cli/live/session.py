# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A ROS node that finds running executors by the type of their services, and calls these."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from takt_cli.errors import HostError, RunError
from takt_cli.host.loopback import REMEDY, loopback_is_down
from takt_cli.host.rmw_choice import rmw_refusal
from takt_cli.host.ros_security import require_security
from takt_cli.live.state import Executor, Request

_INSPECT = "takt_msgs/srv/Inspect"
# For how long to look for further executors after the first was found, s.
_SETTLE = 0.3
# For how long to wait for an answer, and after what time to repeat a call, s.
_ANSWER = 2.0
_RETRY_INTERVAL = 0.5


class PendingCall:
    """A pending call of a service.

    The call is repeated while there is no answer: a server drops the response to a client that it has not discovered
    within 100 ms, as can happen on a busy host, and the client cannot detect that. So the service must be idempotent.
    """

    def __init__(self, client: Any, request: Any, patience: float) -> None:
        self.message: Any = None
        self._client = client
        self._request = request
        self._calls: list[Any] = []
        self._next_try = time.monotonic()
        self._end = self._next_try + patience

    def is_settled(self) -> bool:
        """Return whether the call has an answer or has timed out. Repeats the call if it is due."""
        answered = next((call for call in self._calls if call.done()), None)
        instant = time.monotonic()
        if answered is None and instant < self._end:
            if instant >= self._next_try and self._client.service_is_ready():
                self._next_try = instant + _RETRY_INTERVAL
                self._calls.append(self._client.call_async(self._request))
            return False
        if answered is not None:
            self.message = answered.result()
        for call in self._calls:
            if not call.done():
                self._client.remove_pending_request(call)
        return True


class Session:
    """The node that queries executors. It is for use by one thread, which blocks inside its methods."""

    def __init__(self, node: Any, ros: Any, services: Any) -> None:
        self._node = node
        self._ros = ros
        self._services = services
        self._clients: dict[str, Any] = {}

    def known_executors(self) -> list[str]:
        """Return the names of the executors that are known now, which are those of their nodes."""
        services = [name for name, types in self._node.get_service_names_and_types() if _INSPECT in types]
        # A service stays known while it has clients, such as this node's, so the number of its servers counts. Whether
        # the executor's node is known does not help: it stays known for ever if the last message of a process about
        # its nodes arrives after the process has left.
        return sorted(name.removesuffix("/inspect") for name in services if self._node.count_services(name) > 0)

    def discover(self, patience: float, executor_name: str | None = None) -> list[str]:
        """Wait for discovery, for at most `patience` seconds, and return the names of the executors found.

        Returns shortly after the first is found, or as soon as `executor_name` is found if that is given.
        """
        end = time.monotonic() + patience
        names: list[str] = []
        while executor_name not in names and time.monotonic() < end:
            self.wait(0.02)
            executor_names = self.known_executors()
            if executor_names and not names and executor_name is None:
                end = min(end, time.monotonic() + _SETTLE)
            names = executor_names
        return names

    def wait(self, seconds: float) -> None:
        """Run the middleware for the given time, or until something has arrived."""
        self._ros.spin_once(self._node, timeout_sec=seconds)

    def process_events_for(self, seconds: float) -> None:
        """Run the middleware for the given time, whatever arrives."""
        end = time.monotonic() + seconds
        while (time_left := end - time.monotonic()) > 0:
            self.wait(time_left)

    def ask(self, name: str, patience: float, watch: float = 0) -> PendingCall:
        """Send a request for the executor's state, without waiting for the answer.

        The executor also watches its threads for `watch` seconds from then on.
        """
        return self._ask(self._services.Inspect, f"{name}/inspect", {"watch_ns": round(watch * 1e9)}, patience)

    def inspect(self, name: str, patience: float = _ANSWER, watch: float = 0) -> Executor | None:
        """Return the executor's state, or None if it does not answer in time."""
        message = self._answer(self.ask(name, patience, watch))
        return Executor.from_message(name, message) if message is not None else None

    def set_scenario(self, name: str, scenario: str, patience: float = _ANSWER) -> Request:
        """Request another scenario of the executor, and return the result."""
        question = self._ask(self._services.SetScenario, f"{name}/set_scenario", {"name": scenario}, patience)
        message = self._answer(question)
        if message is None:
            return Request(False, f"{name} does not answer", -1)
        return Request(message.success, message.message, message.effect_ns)

    def _ask(self, kind: Any, service: str, fields: dict[str, Any], patience: float) -> PendingCall:
        client = self._clients.get(service)
        if client is None:
            client = self._clients[service] = self._node.create_client(kind, service)
        return PendingCall(client, kind.Request(**fields), patience)

    def _answer(self, question: PendingCall) -> Any:
        while not question.is_settled():
            self.wait(0.01)
        return question.message


@contextmanager
def ros_session() -> Iterator[Session]:
    """Yield a session with a node in the ROS graph. HostError without ROS 2's Python client, RunError if it fails."""
    # Loading an RMW that was refused would terminate this process.
    if refused := rmw_refusal(os.environ):
        raise HostError(str(refused))
    require_security()
    # Imported here because no other part of the command needs ROS, which takes a while to load.
    try:
        import rclpy  # noqa: PLC0415
        from rclpy.signals import SignalHandlerOptions  # noqa: PLC0415
        from takt_msgs import srv  # noqa: PLC0415
    except ImportError as error:
        raise HostError(
            f"ROS 2's Python client or takt_msgs is not available ({error}): run ./takt, or source the workspace"
        ) from error
    try:
        # Without a log file: nothing is logged, and rclpy fails if it cannot create one.
        rclpy.init(args=["--ros-args", "--disable-external-lib-logs"], signal_handler_options=SignalHandlerOptions.NO)
        node = rclpy.create_node("takt_command", use_global_arguments=False, start_parameter_services=False)
    except Exception as error:
        # Without a loopback interface Cyclone DDS creates no node, and with Fast DDS a node discovers nothing.
        reason = f"the loopback interface is down; {REMEDY}" if loopback_is_down() else str(error)
        raise RunError(f"cannot join the ROS graph: {reason}") from error
    try:
        yield Session(node, rclpy, srv)
    finally:
        node.destroy_node()
        rclpy.try_shutdown()
