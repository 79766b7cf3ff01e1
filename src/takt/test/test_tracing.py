# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""takt calls the tracepoints that ROS 2 tracing tools need, with the order and the arguments that they need.

A preloaded library replaces tracetools and writes each call to a file; rcl and the middleware are the real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import PROGRAMS, Peer, Program
from std_msgs.msg import UInt64
from trace_model import Broken, Event, Model, Owner, parse_events, read_events
from type_description_interfaces.srv import GetTypeDescription

from takt_msgs.srv import Echo

MS = 1_000_000


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """The events of one run of the program, which all tests of this file share."""
    path = tmp_path_factory.mktemp("trace") / "events"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAKT_TRACE", str(path))
        patch.setenv("LD_PRELOAD", str(PROGRAMS / "libtrace_double.so"), prepend=":")
        program = Program(PROGRAMS / "traced")
    peer = Peer()
    try:
        program.wait_for("ready")
        peer.node.create_subscription(UInt64, "outside", lambda _: None, 10)
        publisher = peer.node.create_publisher(UInt64, "foreign", 1)
        client = peer.node.create_client(Echo, "taker/ask")
        peer.spin_until(client.service_is_ready, "the service")
        peer.answer(lambda: client.call_async(Echo.Request()), "the answer")
        types = peer.node.create_client(GetTypeDescription, "taker/get_type_description")
        peer.spin_until(types.service_is_ready, "the service of types")
        peer.answer(lambda: types.call_async(GetTypeDescription.Request()), "the answer about types")
        peer.matched("outside", publishers=1)
        peer.repeat_until(lambda: publisher.publish(UInt64()), program, "done")
        peer.spin_until(lambda: own_timer_ran(path), "a call of the timer of takt's own node")
    finally:
        peer.close()
        assert program.stop() == 0, program.errors
    return read_events(path)


def own_timer_ran(path: Path) -> bool:
    """Return whether the trace, which is still being written, has a call of the timer of takt's own node, which has a
    thread of ordinary priority."""
    complete_lines = path.read_text("utf-8").rpartition("\n")[0].splitlines()
    instances = Model(parse_events(complete_lines), ended=False).instances
    return any(each.owner.node.startswith("/takt_") and each.owner.kind == "timer" for each in instances)


def test_tools_find_every_callback_with_its_owner(recorded: list[Event]) -> None:
    model = Model(recorded)
    ran = {instance.owner: instance for instance in model.instances}
    expected = {
        Owner("timer", "/giver", 20 * MS): ("Giver::Giver()::{lambda()", False),
        Owner("timer", "/giver", 30 * MS): ("void (*)()", False),
        Owner("timer", "/taker", 25 * MS): ("Taker::Taker()::{lambda()", False),
        Owner("subscription", "/taker", "/inside"): ("Taker::Taker()::{lambda(", True),
        Owner("subscription", "/taker", "/foreign"): ("Taker::Taker()::{lambda(", False),
        Owner("service", "/taker", "/taker/ask"): ("Taker::Taker()::{lambda(", False),
        Owner("service", "/taker", "/taker/get_type_description"): ("TypeDescriptionService", False),
    }
    for owner, (symbol, inside) in expected.items():
        assert owner in ran, owner
        assert symbol in ran[owner].symbol
        assert ran[owner].inside == inside
    # takt's own node is traced like any other.
    assert any(owner.node.startswith("/takt_") and owner.kind == "timer" for owner in ran)


def test_publications_and_takes_are_traced_at_every_layer(recorded: list[Event]) -> None:
    model = Model(recorded)
    assert {"/outside"} <= set(model.published)
    assert set(model.published_inside) == {"/inside"}
    assert "/foreign" in model.taken
    # Messages from inside the process are not taken from the middleware.
    assert "/inside" not in model.taken


REQUIRED = [
    "rcl_init",
    "rcl_node_init",
    "rmw_publisher_init",
    "rcl_publisher_init",
    "rcl_publish",
    "rmw_publish",
    "rmw_subscription_init",
    "rcl_subscription_init",
    "rclcpp_subscription_init",
    "rclcpp_subscription_callback_added",
    "rmw_take",
    "rcl_take",
    "rcl_service_init",
    "rclcpp_service_callback_added",
    "rcl_timer_init",
    "rclcpp_timer_callback_added",
    "rclcpp_timer_link_node",
    "rclcpp_callback_register",
    "callback_start",
    "callback_end",
]


@pytest.mark.parametrize("missing", REQUIRED)
def test_the_model_rejects_a_trace_without_a_required_event(recorded: list[Event], missing: str) -> None:
    assert any(event.name == missing for event in recorded)
    with pytest.raises(Broken):
        Model([event for event in recorded if event.name != missing])


def first(events: list[Event], name: str) -> int:
    return next(number for number, event in enumerate(events) if event.name == name)


def exchanged(events: list[Event]) -> list[Event]:
    """Exchanges two events, so that a callback has its name before it has its owner."""
    number = first(events, "rclcpp_timer_callback_added")
    return [*events[:number], events[number + 1], events[number], *events[number + 2 :]]


def another_message(events: list[Event]) -> list[Event]:
    number = first(events, "rclcpp_publish")
    return [*events[:number], events[number]._replace(arguments=(0, 4711)), *events[number + 1 :]]


def another_thread(events: list[Event]) -> list[Event]:
    number = first(events, "callback_end")
    return [*events[:number], events[number]._replace(tid=1), *events[number + 1 :]]


def test_in_a_trace_that_is_still_written_a_callback_may_not_have_ended(recorded: list[Event]) -> None:
    written = recorded[: first(recorded, "callback_start") + 1]
    assert Model(written, ended=False).instances == []
    with pytest.raises(Broken):
        Model(written)


@pytest.mark.parametrize("fault", [exchanged, another_message, another_thread])
def test_the_model_rejects_a_wrong_order_or_argument(
    recorded: list[Event], fault: Callable[[list[Event]], list[Event]]
) -> None:
    with pytest.raises(Broken):
        Model(fault(recorded))
