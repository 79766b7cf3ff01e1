# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Parameters of a node of takt, seen and set by the parameter client of rclpy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import PATIENCE, Peer, Program
from rcl_interfaces.msg import ParameterEvent, ParameterType
from rclpy.parameter import Parameter, parameter_value_to_python
from rclpy.parameter_client import AsyncParameterClient
from rclpy.qos import qos_profile_parameter_events


class Client:
    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._client = AsyncParameterClient(peer.node, "parameters")
        assert self._client.wait_for_services(timeout_sec=PATIENCE)

    def call(self, method: str, *arguments: Any) -> Any:
        return self._peer.answer(lambda: getattr(self._client, method)(*arguments), method)

    def get(self, *names: str) -> list[Any]:
        return [parameter_value_to_python(v) for v in self.call("get_parameters", names).values]

    def set(self, name: str, value: Any) -> Any:
        return self.call("set_parameters", [Parameter(name, value=value)]).results[0]


@pytest.fixture
def client(peer: Peer, start: Callable[..., Program]) -> Client:
    start("parameters").wait_for("ready")
    return Client(peer)


def test_values_of_every_type_can_be_read(client: Client) -> None:
    names = ["pid.gain", "serial", "name", "bytes", "flags", "numbers", "limits", "names"]
    gain, serial, name, octets, flags, numbers, limits, strings = client.get(*names)
    assert (gain, serial, name) == (0.5, 17, "robot")
    assert [bytes(octet) for octet in octets] == [b"\x01", b"\x02"]
    assert list(flags) == [True, False]
    assert (list(numbers), list(limits), list(strings)) == ([1, 2, 3], [0.5], ["a", "b"])
    types = client.call("get_parameter_types", names).types
    assert types[0] == ParameterType.PARAMETER_DOUBLE
    assert types[3:] == bytes(range(5, 10)) or list(types[3:]) == list(range(5, 10))


def test_parameters_are_listed_and_described(client: Client) -> None:
    everything = client.call("list_parameters", [], 0).result
    assert {"pid.gain", "serial", "use_sim_time"} <= set(everything.names)
    assert "pid" in everything.prefixes
    assert client.call("list_parameters", ["pid"], 1).result.names == ["pid.gain"]
    gain, serial = client.call("describe_parameters", ["pid.gain", "serial"]).descriptors
    assert gain.description == "how strongly it pulls"
    assert gain.floating_point_range[0].to_value == 10.0
    assert gain.type == ParameterType.PARAMETER_DOUBLE
    assert serial.read_only


def test_valid_values_are_set_and_invalid_ones_are_refused(client: Client) -> None:
    assert client.set("pid.gain", 2.5).successful
    assert client.get("pid.gain") == [2.5]
    for name, value, reason in [
        ("pid.gain", 5.0, "not five"),
        ("pid.gain", 11.0, "not within 0.0 to 10.0"),
        ("pid.gain", "text", "of type double"),
        ("serial", 18, "read-only"),
        ("nowhere", 1, "not declared"),
    ]:
        result = client.set(name, value)
        assert not result.successful
        assert reason in result.reason
    assert client.get("pid.gain") == [2.5]
    assert client.set("any", "another type").successful
    assert client.get("any") == ["another type"]


def test_several_parameters_are_set_all_or_none(client: Client) -> None:
    both = [Parameter("pid.gain", value=3.0), Parameter("name", value="x")]
    assert client.call("set_parameters_atomically", both).result.successful
    assert client.get("pid.gain", "name") == [3.0, "x"]
    one_wrong = [Parameter("name", value="y"), Parameter("pid.gain", value=99.0)]
    assert not client.call("set_parameters_atomically", one_wrong).result.successful
    assert client.get("name") == ["x"]


def test_requests_for_undeclared_parameters_return_empty_lists(client: Client) -> None:
    assert client.get("name", "nowhere") == []
    assert client.call("describe_parameters", ["nowhere"]).descriptors == []


def test_changes_are_published_as_parameter_events(peer: Peer, client: Client) -> None:
    events: list[ParameterEvent] = []
    peer.node.create_subscription(
        ParameterEvent,
        "/parameter_events",
        lambda event: events.append(event) if event.node == "/parameters" else None,
        qos_profile_parameter_events,
    )
    value = 0.0

    def reported() -> bool:
        # It is not known when the subscription has matched, so the value is changed until the first event arrives.
        nonlocal value
        value = (value + 0.25) % 4.0
        assert client.set("pid.gain", value).successful
        return bool(events)

    peer.spin_until(reported, "an event")
    (changed,) = events[-1].changed_parameters
    assert changed.name == "pid.gain"
    assert events[-1].stamp.sec > 0


def test_a_file_and_the_command_line_are_loaded(peer: Peer, start: Callable[..., Program], tmp_path: Path) -> None:
    file = tmp_path / "parameters.yaml"
    file.write_text(
        "/**:\n  ros__parameters:\n    name: everybody\n"
        "parameters:\n  ros__parameters:\n    pid:\n      gain: 4.0\n    numbers: [4, 5]\n"
    )
    program = start("parameters", "--ros-args", "--params-file", str(file), "-p", "name:=command line")
    program.wait_for("ready")
    assert program.lines[:3] == [
        "start pid.gain 4.0",
        "start name command line",
        "start numbers [4, 5]",
    ]
    later = tmp_path / "later.yaml"
    later.write_text("parameters:\n  ros__parameters:\n    pid.gain: 1.5\n    name: later\n")
    client = Client(peer)
    results = client.call("load_parameter_file", str(later)).results
    assert all(result.successful for result in results)
    program.wait_for("set name later")
    assert client.get("pid.gain", "name") == [1.5, "later"]
