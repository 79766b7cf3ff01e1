# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Shared parts of the interoperability tests: a node of rclpy, and programs of takt that run beside it.

Every wait is for a condition, and lasts PATIENCE seconds at most. Nothing asserts how fast a condition was met.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

PATIENCE = 30.0
PROGRAMS = Path(os.environ["TAKT_TEST_PROGRAMS"])

# Before rclpy is loaded: the middleware reads its environment once. Fast DDS 2 and 3 name the file
# differently.
PROFILES = str(Path(__file__).parent / "fastdds.xml")
os.environ["FASTRTPS_DEFAULT_PROFILES_FILE"] = PROFILES
os.environ["FASTDDS_DEFAULT_PROFILES_FILE"] = PROFILES
os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"

import rclpy  # noqa: E402
from rclpy.executors import SingleThreadedExecutor  # noqa: E402
from rclpy.node import Node  # noqa: E402


def end_with_parent() -> None:
    """Called in the child process: the kernel kills it when the test process ends, however that ends."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


class Program:
    """A running program of takt. Tests can wait for the lines that it prints."""

    def __init__(self, program: Path, *arguments: str) -> None:
        self.name = program.name
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.expected_status = 0
        self._news = threading.Condition()
        self._process = subprocess.Popen(
            [str(program), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=end_with_parent,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout, self.lines)),
            threading.Thread(target=self._read, args=(self._process.stderr, self.errors)),
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: IO[str], lines: list[str]) -> None:
        for line in stream:
            with self._news:
                lines.append(line.rstrip("\n"))
                self._news.notify_all()

    def printed(self, wanted: str, since: int = 0) -> bool:
        with self._news:
            return any(wanted in line for line in (self.lines + self.errors)[since:])

    def wait_for(self, wanted: str, since: int | None = None) -> str:
        """Returns the first line that contains `wanted`; waits until the program has printed one.

        Without `since`, lines of standard output and standard error count. With `since`, only standard output counts,
        without its first `since` lines.
        """
        with self._news:

            def line() -> str | None:
                lines = self.lines + self.errors if since is None else self.lines[since:]
                return next((line for line in lines if wanted in line), None)

            if not self._news.wait_for(lambda: line() is not None, timeout=PATIENCE):
                pytest.fail(f"{self.name} did not print {wanted!r}, but {self.lines[-50:]} and {self.errors[-50:]}")
            return line() or ""

    def realtime(self) -> bool:
        """Return whether it was granted real-time priorities."""
        threads = Path(f"/proc/{self._process.pid}/task").iterdir()
        return any(os.sched_getscheduler(int(thread.name)) == os.SCHED_FIFO for thread in threads)

    @contextmanager
    def halted(self) -> Iterator[None]:
        """Stops the process by SIGSTOP while the `with` block runs."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self, how: signal.Signals) -> None:
        """Ends the program by this signal. SIGKILL ends it at once, so its status is that of a killed process."""
        self.expected_status = -signal.SIGKILL if how == signal.SIGKILL else 0
        self._process.send_signal(how)
        self.exit_status()

    def exit_status(self) -> int:
        """Waits until the program has ended, and returns its exit status."""
        status = self._process.wait(timeout=PATIENCE)
        for reader in self._readers:
            reader.join()
        return status

    def stop(self) -> int:
        """Sends SIGINT, as Ctrl-C does, if the program is still running; returns its exit status."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            return self.exit_status()
        except subprocess.TimeoutExpired:
            self._process.kill()
            self.exit_status()
            pytest.fail(f"{self.name} did not end when asked to")


@pytest.fixture
def start() -> Iterator[Callable[..., Program]]:
    """Starts programs and, after the test, ends them; each must end cleanly."""
    programs: list[Program] = []

    def start_one(name: str, *arguments: str) -> Program:
        programs.append(Program(PROGRAMS / name, *arguments))
        return programs[-1]

    yield start_one
    ends = [(program.name, program.stop(), program.expected_status, program.errors) for program in programs]
    for name, _, _, errors in ends:
        print(f"{name} said on standard error:", *errors, sep="\n")  # pytest shows it if the test failed
    assert all(status == expected for _, status, expected, _ in ends), ends


class Peer:
    """A node of rclpy and the executor that runs it."""

    def __init__(self) -> None:
        self.context = rclpy.Context()
        rclpy.init(context=self.context)
        self.node = Node("peer", context=self.context)
        self._executor = SingleThreadedExecutor(context=self.context)
        self._executor.add_node(self.node)

    def spin_until(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                pytest.fail(f"waited in vain for: {what}")
            self._executor.spin_once(timeout_sec=0.02)

    def matched(self, topic: str, publishers: int = 0, subscriptions: int = 0) -> None:
        """Waits until the peer has discovered at least so many publishers and subscriptions of the topic."""
        self.spin_until(
            lambda: (
                self.node.count_publishers(topic) >= publishers and self.node.count_subscribers(topic) >= subscriptions
            ),
            f"{publishers} publishers and {subscriptions} subscriptions of {topic}",
        )

    def repeat_until(self, act: Callable[[], object], program: Program, line: str) -> None:
        """Calls `act` until the program has printed `line`: a message is lost if the other end has not matched yet."""

        def line_printed() -> bool:
            act()
            return program.printed(line)

        self.spin_until(line_printed, f"{program.name}: {line}")

    def answer(self, ask: Callable[[], Any], what: str) -> Any:
        """Returns the response to the service call that `ask` makes, and calls again each second until there is one.

        A server drops the response if it has not discovered the client within 100 ms. The client does not notice.
        """
        calls: list[Any] = []
        again = time.monotonic()

        def answered() -> bool:
            nonlocal again
            if any(call.done() for call in calls):
                return True
            if time.monotonic() >= again:
                again = time.monotonic() + 1
                calls.append(ask())
            return False

        self.spin_until(answered, what)
        return next(call.result() for call in calls if call.done())

    def close(self) -> None:
        self._executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)


@pytest.fixture
def peer() -> Iterator[Peer]:
    one = Peer()
    yield one
    one.close()
