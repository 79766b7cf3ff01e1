# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Joins the events of a trace as tools that analyse traces of ROS 2 do, and checks what these tools need.

Objects are joined by their addresses: a callback to its timer, subscription or service, and these to their node. The
layers of a publication or a take are joined by the message, on one thread.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple


class Event(NamedTuple):
    name: str
    tid: int
    arguments: tuple[Any, ...]


class Owner(NamedTuple):
    """The timer, subscription or service of a callback. `what` is the period in ns, or the topic or service name."""

    kind: str
    node: str
    what: str | int


class Instance(NamedTuple):
    """A callback that ran."""

    owner: Owner
    symbol: str
    inside: bool


class Broken(Exception):  # noqa: N818
    """A tool would not understand the trace."""


def read_events(path: Path) -> list[Event]:
    return parse_events(path.read_text("utf-8").splitlines())


def parse_events(lines: list[str]) -> list[Event]:
    return [Event(name, tid, tuple(rest)) for name, tid, *rest in map(json.loads, lines)]


def demand(fits: bool, what: str) -> None:
    if not fits:
        raise Broken(what)


class Model:
    """The objects that a tool finds in the events, which are in order; the constructor raises Broken if one is bad. In
    a trace that is still being written (not `ended`), the last callbacks and publications may be incomplete."""

    def __init__(self, events: list[Event], ended: bool = True) -> None:
        self.instances: list[Instance] = []
        # The topics of publications through the middleware, of publications inside the process, and of takes.
        self.published: list[str] = []
        self.published_inside: list[str] = []
        self.taken: list[str] = []
        self._nodes: dict[int, str] = {}
        self._contexts = 0
        self._publishers: dict[int, str] = {}
        self._rmw_publishers: set[int] = set()
        self._subscriptions: dict[int, Owner] = {}
        self._rmw_subscriptions: dict[int, str] = {}
        self._objects: dict[int, Owner] = {}
        self._services: dict[int, Owner] = {}
        self._timers: dict[int, int] = {}
        self._timer_of: dict[int, int] = {}
        self._timer_nodes: dict[int, str] = {}
        self._owners: dict[int, Owner] = {}
        self._symbols: dict[int, str] = {}
        self._running: dict[int, tuple[int, bool]] = {}
        self._before: dict[int, list[Event]] = defaultdict(list)
        for event in events:
            getattr(self, event.name)(event.tid, *event.arguments)
            self._before[event.tid].append(event)
        if not ended:
            return
        demand(not self._running, "a callback began and did not end")
        for before in self._before.values():
            self._check_publications(before)

    # ---- registration

    def rcl_init(self, _tid: int, context: int) -> None:
        demand(context != 0, "a context is a null pointer")
        self._contexts += 1

    def rcl_node_init(self, _tid: int, handle: int, rmw: int, name: str, space: str) -> None:
        demand(self._contexts > 0, "a node before a context")
        demand(bool(handle and rmw), "a node is a null pointer")
        self._nodes[handle] = space.rstrip("/") + "/" + name

    def rmw_publisher_init(self, _tid: int, rmw: int, gid: str) -> None:
        demand(set(gid) != {"0"}, "a publisher has no gid")
        self._rmw_publishers.add(rmw)

    def rcl_publisher_init(self, _tid: int, handle: int, node: int, rmw: int, topic: str, _depth: int) -> None:
        demand(rmw in self._rmw_publishers, "a publisher that the middleware did not make")
        demand(node in self._nodes, "a publisher of no node")
        self._publishers[handle] = topic

    def rmw_subscription_init(self, _tid: int, rmw: int, _gid: str) -> None:
        self._rmw_subscriptions[rmw] = ""

    def rcl_subscription_init(self, _tid: int, handle: int, node: int, rmw: int, topic: str, _depth: int) -> None:
        demand(rmw in self._rmw_subscriptions, "a subscription that the middleware did not make")
        demand(node in self._nodes, "a subscription of no node")
        self._rmw_subscriptions[rmw] = topic
        self._subscriptions[handle] = Owner("subscription", self._nodes[node], topic)

    def rclcpp_subscription_init(self, _tid: int, handle: int, subscription: int) -> None:
        demand(handle in self._subscriptions, "a subscription that rcl did not make")
        self._objects[subscription] = self._subscriptions[handle]

    def rclcpp_subscription_callback_added(self, _tid: int, subscription: int, callback: int) -> None:
        demand(subscription in self._objects, "a callback of no subscription")
        self._owners[callback] = self._objects[subscription]

    def rcl_service_init(self, _tid: int, handle: int, node: int, _rmw: int, name: str) -> None:
        demand(node in self._nodes, "a service of no node")
        self._services[handle] = Owner("service", self._nodes[node], name)

    def rclcpp_service_callback_added(self, _tid: int, handle: int, callback: int) -> None:
        demand(handle in self._services, "a callback of no service")
        self._owners[callback] = self._services[handle]

    def rcl_client_init(self, _tid: int, _handle: int, node: int, _rmw: int, _name: str) -> None:
        demand(node in self._nodes, "a client of no node")

    def rcl_timer_init(self, _tid: int, handle: int, period: int) -> None:
        self._timers[handle] = period

    def rclcpp_timer_callback_added(self, _tid: int, handle: int, callback: int) -> None:
        demand(handle in self._timers, "a callback of no timer")
        self._timer_of[callback] = handle

    def rclcpp_timer_link_node(self, _tid: int, handle: int, node: int) -> None:
        demand(handle in self._timers, "an unknown timer belongs to a node")
        demand(node in self._nodes, "a timer of no node")
        self._timer_nodes[handle] = self._nodes[node]

    def rclcpp_callback_register(self, _tid: int, callback: int, symbol: str) -> None:
        demand(callback in self._owners or callback in self._timer_of, "a callback without an owner has a name")
        demand(bool(symbol), "a callback has no name")
        self._symbols[callback] = symbol

    # ---- running

    def callback_start(self, _tid: int, callback: int, inside: bool) -> None:
        demand(callback not in self._running, "a callback began twice")
        self._running[callback] = (_tid, inside)

    def callback_end(self, tid: int, callback: int) -> None:
        demand(callback in self._running, "a callback ended that had not begun")
        began, inside = self._running.pop(callback)
        demand(began == tid, "a callback ended on another thread")
        demand(callback in self._symbols, "a callback without a name ran")
        owner = self._owners.get(callback)
        if owner is None:
            demand(callback in self._timer_of, "a callback without an owner ran")
            timer = self._timer_of[callback]
            demand(timer in self._timer_nodes, "a timer of no node ran")
            owner = Owner("timer", self._timer_nodes[timer], self._timers[timer])
        self.instances.append(Instance(owner, self._symbols[callback], inside))

    # ---- messages

    def rclcpp_intra_publish(self, _tid: int, publisher: int, message: int) -> None:
        demand(publisher in self._publishers, "a publication by no publisher")
        demand(message != 0, "a published message is a null pointer")
        self.published_inside.append(self._publishers[publisher])

    def rclcpp_publish(self, _tid: int, _publisher: int, message: int) -> None:
        demand(message != 0, "a published message is a null pointer")

    def rcl_publish(self, _tid: int, publisher: int, _message: int) -> None:
        demand(publisher in self._publishers, "a publication by no publisher")

    def rmw_publish(self, tid: int, publisher: int, _message: int, stamp: int) -> None:
        # Without rcl_publish before, it is a publication of the middleware itself: rmw_cyclonedds announces nodes so.
        asked = bool(self._before[tid]) and self._before[tid][-1].name == "rcl_publish"
        demand(not asked or publisher in self._rmw_publishers, "a publication by no publisher of the middleware")
        demand(stamp > 0, "a publication without a time stamp")

    def rmw_take(self, _tid: int, _subscription: int, message: int, _stamp: int, _taken: bool) -> None:
        demand(message != 0, "a taken message is a null pointer")

    def rcl_take(self, tid: int, message: int) -> None:
        before = self._before[tid][-1] if self._before[tid] else None
        demand(before is not None and before.name == "rmw_take", "rcl_take does not follow rmw_take")
        assert before is not None
        demand(before.arguments[0] in self._rmw_subscriptions, "a take by no subscription")
        demand(before.arguments[1] == message, "the layers of a take have different messages")

    def rclcpp_take(self, tid: int, message: int) -> None:
        # rcl_take is traced only if a message was taken.
        before = [event.name for event in self._before[tid][-2:]]
        takes = [event for event in self._before[tid][-2:] if event.name == "rmw_take"]
        demand(bool(takes) and before[-1] in ("rcl_take", "rmw_take"), "rclcpp_take does not follow the layers below")
        take = takes[-1]
        # The middleware also takes from subscriptions of its own: rmw_cyclonedds takes announcements of nodes.
        demand(take.arguments[0] in self._rmw_subscriptions, "a take by no subscription")
        demand(take.arguments[1] == message, "the layers of a take have different messages")
        if take.arguments[3]:
            demand(before[-1] == "rcl_take", "rclcpp_take of a message does not follow rcl_take")
            self.taken.append(self._rmw_subscriptions[take.arguments[0]])

    def _check_publications(self, events: list[Event]) -> None:
        """The layers of each publication must follow one another, with the same message."""
        for number, event in enumerate(events):
            if event.name != "rclcpp_publish":
                continue
            below = events[number + 1 : number + 3]
            demand(
                [each.name for each in below] == ["rcl_publish", "rmw_publish"],
                "rclcpp_publish without the layers below",
            )
            message = event.arguments[1]
            demand(
                all(each.arguments[1] == message for each in below),
                "the layers of a publication have different messages",
            )
            self.published.append(self._publishers[below[0].arguments[0]])
