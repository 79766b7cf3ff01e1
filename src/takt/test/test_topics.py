# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Topics between rclpy and takt, both ways."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Peer, Program
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from takt_msgs.msg import Payload

KIB = 1024
MIB = 1024 * KIB


def payload(sequence: int, size: int) -> Payload:
    message = Payload(sequence=sequence, stamp_ns=-sequence)
    message.data.frombytes(bytes([sequence % 256]) * size)
    return message


@pytest.mark.parametrize("reliability", ["reliable", "best_effort"])
@pytest.mark.parametrize("size", [256, 4 * MIB], ids=["256B", "4MiB"])
def test_takt_returns_messages_unchanged(
    peer: Peer, start: Callable[..., Program], reliability: str, size: int
) -> None:
    qos = QoSProfile(depth=10, reliability=ReliabilityPolicy[reliability.upper()])
    received: list[Payload] = []
    peer.node.create_subscription(Payload, "from_takt", received.append, qos)
    publisher = peer.node.create_publisher(Payload, "to_takt", qos)
    start("echo_topics", reliability, "10").wait_for("ready")
    peer.matched("to_takt", subscriptions=1)
    peer.matched("from_takt", publishers=1)
    peer.spin_until(lambda: publisher.get_subscription_count() == 1, "a match")

    count = 0

    def answered() -> bool:
        # A best-effort message may be lost while the ends still match each other, so more are published.
        nonlocal count
        count += 1
        publisher.publish(payload(count, size))
        return len(received) >= 5

    peer.spin_until(answered, "five messages")
    sequences = [message.sequence for message in received]
    assert sequences == sorted(set(sequences)), "messages were out of order or duplicated"
    for message in received:
        assert message.stamp_ns == -message.sequence
        assert bytes(message.data) == bytes([message.sequence % 256]) * size


def test_a_reliable_stream_arrives_whole(peer: Peer, start: Callable[..., Program]) -> None:
    total = 500
    qos = QoSProfile(depth=total)
    received: list[int] = []
    peer.node.create_subscription(Payload, "from_takt", lambda message: received.append(message.sequence), qos)
    publisher = peer.node.create_publisher(Payload, "to_takt", qos)
    start("echo_topics", "reliable", str(total)).wait_for("ready")
    peer.spin_until(lambda: publisher.get_subscription_count() == 1, "a match")
    peer.matched("from_takt", publishers=1, subscriptions=1)
    # When the first message has returned, both ends of the topic back to rclpy have matched.
    probe = payload(0, 0)

    def probed() -> bool:
        publisher.publish(probe)
        return bool(received)

    peer.spin_until(probed, "the first message")
    for sequence in range(1, total + 1):
        publisher.publish(payload(sequence, 100))
    peer.spin_until(lambda: received[-1] == total, "the last message")
    assert [s for s in received if s > 0] == list(range(1, total + 1))


def test_a_late_transient_local_subscription_gets_the_last_message(peer: Peer, start: Callable[..., Program]) -> None:
    qos = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    back = peer.node.create_publisher(Payload, "latched_back", qos)
    back.publish(payload(7, 10))
    program = start("latched")
    program.wait_for("ready")
    program.wait_for("got 7")
    received: list[int] = []
    peer.node.create_subscription(Payload, "latched", lambda message: received.append(message.sequence), qos)
    peer.spin_until(lambda: received == [42], "the message that was published before")


def test_topics_are_remapped(peer: Peer, start: Callable[..., Program]) -> None:
    program = start("echo_topics", "reliable", "1", "--ros-args", "-r", "to_takt:=/in", "-r", "__ns:=/deep")
    program.wait_for("ready")
    peer.matched("/in", subscriptions=1)
    peer.matched("/deep/from_takt", publishers=1)
    peer.spin_until(lambda: ("echo_topics", "/deep") in peer.node.get_node_names_and_namespaces(), "the node")
