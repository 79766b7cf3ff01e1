# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Simulated time: a node of takt follows the /clock that rclpy publishes."""

from __future__ import annotations

from collections.abc import Callable

from conftest import Peer, Program
from rclpy.parameter import Parameter
from rclpy.parameter_client import AsyncParameterClient
from rosgraph_msgs.msg import Clock


class Time:
    """Publishes /clock from rclpy."""

    def __init__(self, peer: Peer) -> None:
        self._publisher = peer.node.create_publisher(Clock, "/clock", 1)
        self._peer = peer

    def set(self, seconds: float) -> None:
        message = Clock()
        message.clock.sec = int(seconds)
        message.clock.nanosec = round(seconds % 1 * 1e9)
        self._publisher.publish(message)

    def set_until(self, seconds: float, program: Program, line: str) -> None:
        """Publishes the same time again until the program has printed `line`."""
        self._peer.repeat_until(lambda: self.set(seconds), program, line)


def test_timers_and_jumps_follow_the_clock(peer: Peer, start: Callable[..., Program]) -> None:
    time = Time(peer)
    program = start("clock", "--ros-args", "-p", "use_sim_time:=true")
    program.wait_for("ready")
    time.set_until(100.0, program, "now 100.0")  # the grid of the program's timer begins
    time.set_until(101.0, program, "tick 101.0")
    for second in (102, 103):
        for tenth in range(-9, 0):
            time.set(second + tenth / 10)
        time.set_until(second, program, f"tick {second}.0")
    time.set_until(50.0, program, "back to 50.0")
    time.set(50.9)  # the jump back to 50.0 has begun a new grid
    time.set_until(51.0, program, "tick 51.0")
    ticks = [line for line in program.lines if line.startswith("tick")]
    assert ticks == [f"tick {t}.0" for t in (101, 102, 103, 51)]


def test_a_parameter_client_turns_simulated_time_on_and_off(peer: Peer, start: Callable[..., Program]) -> None:
    time = Time(peer)
    program = start("clock")
    program.wait_for("ready")
    program.wait_for("tick 1")  # the system's time: 1 followed by nine digits
    client = AsyncParameterClient(peer.node, "clock")
    assert client.wait_for_services(timeout_sec=30.0)

    def use_sim_time(on: bool) -> None:
        values = [Parameter("use_sim_time", value=on)]
        assert peer.answer(lambda: client.set_parameters(values), "the answer").results[0].successful

    use_sim_time(True)
    time.set_until(7.0, program, "now 7.0")
    time.set_until(8.0, program, "tick 8.0")
    use_sim_time(False)
    before = len(program.lines)
    peer.spin_until(lambda: program.printed("tick 1", since=before), "a tick in the system's time")
