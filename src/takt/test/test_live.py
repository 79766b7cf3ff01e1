# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The live view of an executor, seen by rclpy: its diagnostics and the services of its node."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest
from conftest import PATIENCE, Peer, Program
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from takt_msgs.srv import Inspect, SetScenario


@pytest.fixture
def program(start: Callable[..., Program]) -> Program:
    one = start("live")
    one.wait_for("ready")
    return one


class Heard:
    """Collects the messages on /diagnostics."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.arrays: list[DiagnosticArray] = []
        peer.node.create_subscription(DiagnosticArray, "/diagnostics", self.arrays.append, 10)

    def of(self, name: str, fits: Callable[[dict[str, str]], bool] = lambda _: True) -> DiagnosticStatus:
        """Returns the first status of this name, of those received from now on, whose values satisfy `fits`."""
        self.arrays.clear()

        def first() -> DiagnosticStatus | None:
            statuses = (each for array in self.arrays for each in array.status)
            return next((each for each in statuses if each.name == name and fits(values(each))), None)

        self._peer.spin_until(lambda: first() is not None, name)
        status = first()
        assert status is not None
        return status


def values(status: DiagnosticStatus) -> dict[str, str]:
    return {pair.key: pair.value for pair in status.values}


def call(peer: Peer, kind: Any, service: str, **fields: str) -> Any:
    client = peer.node.create_client(kind, service)
    assert client.wait_for_service(timeout_sec=PATIENCE)
    return peer.answer(lambda: client.call_async(kind.Request(**fields)), service)


def test_diagnostics_report_late_tasks_and_response_times(peer: Peer, program: Program) -> None:
    heard = Heard(peer)
    node = f"takt_{program.pid}"
    late = heard.of(f"{node}: robot/late", lambda found: int(found["jobs"]) >= 3 and int(found["late jobs"]) >= 3)
    assert late.level == DiagnosticStatus.ERROR
    assert "late jobs: " in late.message
    assert late.hardware_id == socket.gethostname()
    figures = values(late)
    names = ("p50", "p99", "p99.9", "worst")
    responses = [float(figures[f"response {each} (ms)"]) for each in names]
    assert responses == sorted(responses)
    assert responses[0] >= 2
    assert float(figures["deadline (ms)"]) == 1
    assert float(figures["least margin (ms)"]) == pytest.approx(1 - responses[-1], abs=0.002)
    assert int(figures["jobs recent"]) <= int(figures["jobs"])

    executor = heard.of(f"{node}: executor")
    figures = values(executor)
    assert figures["policy"] == "fp"
    assert figures["scenario"] == "drive"
    assert float(figures["longest middleware section (ms)"]) >= 0
    assert figures["real-time priorities"] == ("yes" if program.realtime() else "no")
    if not program.realtime():
        assert executor.level == DiagnosticStatus.WARN
        assert "not granted" in figures
    # Services that nobody has called are not reported, and messages are stamped with the host's time.
    told = {each.name for array in heard.arrays for each in array.status}
    assert not any("get_parameters" in name for name in told)
    assert abs(heard.arrays[-1].header.stamp.sec - peer.node.get_clock().now().seconds_nanoseconds()[0]) < PATIENCE


def test_inspect_returns_tasks_threads_and_processors(peer: Peer, program: Program) -> None:
    node = f"takt_{program.pid}"
    answer = call(peer, Inspect, f"/{node}/inspect")
    # The service is available before the last of the executor's threads exists.
    while program.realtime() and not any(each.role == "timer" and each.asked > 0 for each in answer.threads):
        answer = call(peer, Inspect, f"/{node}/inspect")
    assert answer.pid == program.pid
    assert answer.program == "live"
    assert answer.nodes == ["/robot"]
    assert list(answer.scenarios) == ["drive", "dock"]
    assert answer.scenario == "drive"
    assert answer.period_ns == 200_000_000
    tasks = {task.id: task for task in answer.tasks}
    work, late = tasks["robot/work"], tasks["robot/late"]
    assert (work.kind, work.node, work.reads, work.priority) == ("timer", "/robot", ["/range"], 90)
    assert (work.period_ns, work.deadline_ns, late.deadline_ns) == (20_000_000, 20_000_000, 1_000_000)
    assert work.exclusive
    assert not late.exclusive
    assert work.group == tasks["robot/get_parameters"].group != late.group
    assert tasks["robot/get_parameters"].deadline_ns == -1
    threads = {thread.tid: thread for thread in answer.threads}
    assert program.pid in threads
    assert len(answer.processors) == 1
    cpu = answer.processors[0].cpu
    if program.realtime():
        assert work.level > late.level > tasks["robot/get_parameters"].level
        timer = next(each for each in answer.threads if each.role == "timer" and each.asked > 0)
        assert (timer.policy, timer.priority, timer.asked, timer.cpu, timer.last_cpu) == ("FIFO", 49, 49, cpu, cpu)
    worker = next(each for each in answer.threads if each.role == "worker" and each.asked >= 0)
    assert worker.cpu == cpu


def test_a_scenario_can_be_requested_from_the_executor(peer: Peer, program: Program) -> None:
    node = f"takt_{program.pid}"
    assert not call(peer, SetScenario, f"/{node}/set_scenario", name="dcok").success
    assert call(peer, SetScenario, f"/{node}/set_scenario", name="dock").success

    def deadline() -> int:
        answer = call(peer, Inspect, f"/{node}/inspect")
        return next(task.deadline_ns for task in answer.tasks if task.id == "robot/work")

    peer.spin_until(lambda: deadline() == 10_000_000, "the deadline of the other scenario")


def test_executors_of_one_process_have_names_of_their_own(peer: Peer, program: Program) -> None:
    answer = call(peer, Inspect, "/second/inspect")
    assert (answer.pid, answer.nodes, answer.period_ns) == (program.pid, ["/arm"], 100_000_000)
    assert answer.scenarios == []
    call(peer, Inspect, f"/takt_{program.pid}/inspect")
    # The third executor has no live view.
    node: Node = peer.node
    shown = [name for name, types in node.get_service_names_and_types() if "takt_msgs/srv/Inspect" in types]
    assert sorted(shown) == sorted([f"/takt_{program.pid}/inspect", "/second/inspect"])


def test_the_services_of_the_executors_node_end_with_spinning(peer: Peer, program: Program) -> None:
    service = f"/takt_{program.pid}/inspect"
    call(peer, Inspect, service)
    assert program.stop() == 0
    # Only the number of servers is reliable. The name of the service stays known while this test has a client for it.
    # The node stays known for good if the last message of its process about nodes arrives after the message that the
    # process has left.
    peer.spin_until(lambda: peer.node.count_services(service) == 0, "the end of the executor's node")


def test_diagnostics_are_stamped_with_simulated_time_but_published_in_real_time(
    peer: Peer, start: Callable[..., Program]
) -> None:
    simulated = start("clock", "--ros-args", "-p", "use_sim_time:=true")
    simulated.wait_for("ready")
    heard = Heard(peer)
    clock = peer.node.create_publisher(Clock, "/clock", 1)
    time = Clock()
    for second, line in ((99, "now 99.0"), (100, "tick 100.0")):
        time.clock.sec = second
        peer.repeat_until(lambda: clock.publish(time), simulated, line)
    # From now on, simulated time stands still.
    heard.arrays.clear()
    peer.spin_until(lambda: len(heard.arrays) >= 2, "two messages")
    assert {(array.header.stamp.sec, array.header.stamp.nanosec) for array in heard.arrays} == {(100, 0)}
