# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""QoS events reach takt when the other end, a node of rclpy, causes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Peer, Program
from rclpy.duration import Duration
from rclpy.qos import LivelinessPolicy, QoSPolicyKind, QoSProfile, ReliabilityPolicy
from rclpy.utilities import get_rmw_implementation_identifier

from takt_msgs.msg import Payload


def test_incompatible_qos_is_reported_on_both_ends(peer: Peer, start: Callable[..., Program]) -> None:
    program = start("events")
    program.wait_for("ready")
    reliable = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE)
    best_effort = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    peer.node.create_subscription(Payload, "asked_reliable", lambda _: None, reliable)
    peer.node.create_publisher(Payload, "offered_best_effort", best_effort)
    kind = QoSPolicyKind.RELIABILITY.value
    program.wait_for(f"publisher incompatible_qos {kind}")
    program.wait_for(f"subscription incompatible_qos {kind}")


def test_a_missed_deadline_is_reported(peer: Peer, start: Callable[..., Program]) -> None:
    program = start("events")
    program.wait_for("ready")
    publisher = peer.node.create_publisher(
        Payload, "often", QoSProfile(depth=1, deadline=Duration(nanoseconds=50_000_000))
    )
    peer.repeat_until(lambda: publisher.publish(Payload()), program, "often")
    program.wait_for("subscription deadline")  # because no more messages are published
    program.wait_for("publisher deadline")


def test_a_change_of_liveliness_is_reported(peer: Peer, start: Callable[..., Program]) -> None:
    program = start("events")
    program.wait_for("ready")
    qos = QoSProfile(
        depth=1,
        liveliness=LivelinessPolicy.MANUAL_BY_TOPIC,
        liveliness_lease_duration=Duration(nanoseconds=150_000_000),
    )
    publisher = peer.node.create_publisher(Payload, "alive", qos)
    peer.repeat_until(publisher.assert_liveliness, program, "subscription alive 1 not alive 0")
    program.wait_for("subscription alive 0 not alive 1")  # nothing asserts it any more
    program.wait_for("publisher liveliness lost")


@pytest.mark.skipif(
    get_rmw_implementation_identifier() == "rmw_cyclonedds_cpp",
    reason="Cyclone DDS 0.10.2 does not report lost best-effort messages, and neither does rclpy",
)
def test_a_lost_message_is_reported(peer: Peer, start: Callable[..., Program]) -> None:
    program = start("events")
    program.wait_for("ready")
    best_effort = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    publisher = peer.node.create_publisher(Payload, "lossy", best_effort)
    peer.matched("lossy", subscriptions=1)
    too_large = Payload()  # for the shared memory between the processes (fastdds.xml) while no reader takes from it
    too_large.data.frombytes(bytes(48 << 20))

    def lose_one() -> None:
        publisher.publish(Payload(sequence=1))
        with program.halted():
            publisher.publish(too_large)
        publisher.publish(Payload(sequence=3))

    peer.repeat_until(lose_one, program, "subscription lost")


def test_a_match_is_reported(peer: Peer, start: Callable[..., Program]) -> None:
    program = start("events")
    program.wait_for("ready")
    subscription = peer.node.create_subscription(Payload, "counted", lambda _: None, 1)
    program.wait_for("publisher matched 1")
    peer.node.destroy_subscription(subscription)
    program.wait_for("publisher matched 0")
