# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Services between rclpy and takt, both ways."""

from __future__ import annotations

from collections.abc import Callable

from conftest import PATIENCE, Peer, Program
from type_description_interfaces.srv import GetTypeDescription

from takt_msgs.srv import Echo


def test_takt_answers_requests_of_rclpy(peer: Peer, start: Callable[..., Program]) -> None:
    start("services").wait_for("ready")
    client = peer.node.create_client(Echo, "takt_echo")
    assert client.wait_for_service(timeout_sec=PATIENCE)
    peer.answer(lambda: client.call_async(Echo.Request()), "an answer")
    requests = []
    for sequence in range(10):
        request = Echo.Request(sequence=sequence)
        request.data.frombytes(bytes([sequence]) * 10_000)
        requests.append(client.call_async(request))
    peer.spin_until(lambda: all(future.done() for future in requests), "ten answers")
    for sequence, future in enumerate(requests):
        response = future.result()
        assert response.sequence == sequence + 1
        assert bytes(response.data) == bytes([sequence]) * 10_000


def test_takt_calls_a_service_of_rclpy(peer: Peer, start: Callable[..., Program]) -> None:
    program = start("services")
    asked: list[Echo.Request] = []

    def serve(request: Echo.Request, response: Echo.Response) -> Echo.Response:
        asked.append(request)
        response.sequence = 2 * request.sequence
        response.data = request.data
        return response

    peer.node.create_service(Echo, "py_echo", serve)
    peer.spin_until(lambda: bool(asked), "a request")
    assert asked[0].sequence == 7
    peer.spin_until(lambda: program.printed("answer"), "the answer")
    assert program.wait_for("answer") == "answer 14 with 1000 bytes"


def test_a_node_of_takt_describes_its_message_types(peer: Peer, start: Callable[..., Program]) -> None:
    start("echo_topics", "reliable", "1").wait_for("ready")
    peer.matched("to_takt", subscriptions=1)
    (info,) = peer.node.get_subscriptions_info_by_topic("to_takt")
    client = peer.node.create_client(GetTypeDescription, "echo_topics/get_type_description")
    assert client.wait_for_service(timeout_sec=PATIENCE)
    request = GetTypeDescription.Request(type_name="takt_msgs/msg/Payload", type_hash=str(info.topic_type_hash))
    response = peer.answer(lambda: client.call_async(request), "the description")
    assert response.successful, response.failure_reason
    fields = response.type_description.type_description.fields
    assert [field.name for field in fields] == ["sequence", "stamp_ns", "data"]
