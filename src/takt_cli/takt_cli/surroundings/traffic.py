# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Background traffic: iperf3 over UDP in both directions at once, and how much of it really arrived."""

from __future__ import annotations

import json
import socket
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from takt_cli.errors import RunError
from takt_cli.host.processes import Child, Children
from takt_cli.host.system import THIS_HOST
from takt_cli.results.conditions import Traffic
from takt_cli.surroundings.leftovers import Record
from takt_cli.surroundings.link import SIDES, Wire
from takt_cli.surroundings.tools import find_tool, version_of

# The ports of the two directions in takt's own namespaces, where both are free.
PORTS = (5201, 5202)
# A sender and a receiver for each direction.
PROCESSES = 4
_LISTENING = "0A"
# Payload of a UDP datagram that fits into one Ethernet frame, in bytes.
_LENGTH = 1448
_SETTLING, _STARTING, _ENDING = 1.0, 30.0, 10.0
_LONGEST = 86_400
# If nothing has arrived for so long, in s, the traffic is considered dead.
_SILENCE = 10.0


class Flow:
    """Traffic in one direction: a client that sends, and a server that counts."""

    def __init__(self, name: str, rate: float, ends: Ends, work: Path, children: Children, record: Record) -> None:
        self.name = name
        self._files = {end: work / f"traffic-{name}-{end}.json" for end in ("sent", "received")}
        self._ends, self._rate, self._work, self._children, self._record = ends, rate, work, children, record
        self._received_before, self._received_at = 0, time.monotonic()
        words = ["--server", "--one-off", "--bind", ends.address, "--port", str(ends.port)]
        self._server = self._start("received", words, ends.receiver)

    def send(self) -> None:
        """Wait until the server listens, then start sending."""
        deadline = time.monotonic() + _STARTING
        while not self._listens():
            self._alive(self._server)
            if time.monotonic() > deadline:
                raise RunError(f"iperf3 did not listen within {_STARTING:g} s; {_error_message(self._server)}")
            time.sleep(0.02)
        rate = ["--udp", "--bitrate", str(round(self._rate * 1e6)), "--length", str(_LENGTH)]
        words = ["--client", self._ends.address, "--port", str(self._ends.port), *rate, "--time", str(_LONGEST)]
        self._client = self._start("sent", words, self._ends.sender)
        self._start_time = time.monotonic()

    def settle(self) -> None:
        """Wait until traffic arrives, and for at least a second."""
        while True:
            self._alive(self._client)
            self._alive(self._server)
            age = time.monotonic() - self._start_time
            # More than the handshake of client and server.
            if age >= _SETTLING and self._received() > 10 * _LENGTH:
                break
            if age > _STARTING:
                raise RunError(f"no traffic {self.name} arrived within {age:.0f} s; {_error_message(self._client)}")
            time.sleep(0.05)
        self._traffic_start = {"bytes": self._received(), "at": time.monotonic()}
        self._received_before, self._received_at = self._received(), time.monotonic()

    def check(self) -> None:
        """Raise a RunError if the traffic has died or nothing arrives any more."""
        self._alive(self._client)
        self._alive(self._server)
        now, received = time.monotonic(), self._received()
        if received > self._received_before:
            self._received_before, self._received_at = received, now
        elif now - self._received_at > _SILENCE:
            raise RunError(f"traffic {self.name} died: nothing arrived for {now - self._received_at:.0f} s")

    def take_sample(self) -> dict[str, Any]:
        """Return what has arrived since `settle`."""
        seconds = time.monotonic() - self._traffic_start["at"]
        return {"seconds": seconds, "received_mbit": (self._received() - self._traffic_start["bytes"]) * 8e-6 / seconds}

    def end(self) -> dict[str, Any]:
        """End the traffic and return what iperf3 counted, by whole seconds."""
        self._client.end(_ENDING)
        if not self._server.wait(_ENDING):
            self._server.end(_ENDING)
        sent, received = (whole_seconds(self._files[end]) for end in ("sent", "received"))
        return {"sent": rates(sent), "received": rates(received)}

    def _start(self, end: str, arguments: list[str], prefix: list[str]) -> Child:
        command = ["iperf3", *arguments, "--json", "--interval", "1", "--logfile", str(self._files[end])]
        name = f"iperf3 {self.name} {end}"
        child = self._children.start(name, command, self._work / f"traffic-{self.name}-{end}.log", prefix=prefix)
        self._record.note_session(child.pid)
        return child

    def _alive(self, child: Child) -> None:
        if not child.running():
            error_text = _error(self._files["sent" if child.name.endswith("sent") else "received"]) or _error_message(
                child
            )
            raise RunError(f"traffic {self.name} died: {error_text}")

    def _listens(self) -> bool:
        """Return whether the server listens, as listed by the kernel; connecting to it would start a test."""
        fields = [line.split() for line in THIS_HOST.lines(f"proc/{self._server.pid}/net/tcp")[1:]]
        return any(int(f[1].rpartition(":")[2], 16) == self._ends.port and f[3] == _LISTENING for f in fields)

    def _received(self) -> int:
        """Return the bytes that the server has read: the datagrams' payload and the handshake."""
        return int(THIS_HOST.table(f"proc/{self._server.pid}/io").get("rchar", self._received_before))


@dataclass(frozen=True)
class Ends:
    """The ends of one direction: command prefixes of both sides, and the server's address and port."""

    sender: list[str]
    receiver: list[str]
    address: str
    port: int


class Flows:
    """Traffic in both directions, over a link or, without one, over loopback. `prefix` is the commands' prefix."""

    def __init__(
        self, traffic: Traffic, wire: Wire | None, work: Path, children: Children, record: Record, prefix: list[str]
    ) -> None:
        find_tool("iperf3")
        self._traffic = traffic
        self._medium = "a link" if wire is not None else "loopback"
        self._flows = []
        for (sender, receiver), port in zip((SIDES, SIDES[::-1]), PORTS, strict=True):
            if wire is None:
                ends = Ends(prefix, prefix, "127.0.0.1", _free_port())
            else:
                sender_prefix, receiver_prefix = ([*prefix, *wire.inside(side)] for side in (sender, receiver))
                ends = Ends(sender_prefix, receiver_prefix, wire.address(receiver), port)
            name = f"{sender}_to_{receiver}"
            self._flows.append(Flow(name, traffic.mbit_each_way, ends, work, children, record))
        self._last_samples: dict[str, dict[str, Any]] = {flow.name: {} for flow in self._flows}
        for flow in self._flows:
            flow.send()

    def settle(self) -> None:
        for flow in self._flows:
            flow.settle()

    def check(self) -> None:
        for flow in self._flows:
            flow.check()

    def take_sample(self) -> None:
        for flow in self._flows:
            self._last_samples[flow.name] |= flow.take_sample()

    def end(self) -> None:
        self.take_sample()
        for flow in self._flows:
            self._last_samples[flow.name] |= flow.end()

    def achieved(self) -> dict[str, Any]:
        return {
            "asked": asdict(self._traffic),
            "by": version_of("iperf3"),
            "over": self._medium,
            **self._last_samples,
        }


def whole_seconds(path: Path) -> list[dict[str, Any]]:
    """Return iperf3's intervals of whole seconds, without the first, in which it settles. The last interval may be
    shorter or appear twice; such ones are left out."""
    try:
        sums = [each["sum"] for each in json.loads(path.read_text("utf-8"))["intervals"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    sums_by_start = {each["start"]: each for each in sums if each["start"] > 0 and each["seconds"] > 0.5}
    return list(sums_by_start.values())


def rates(intervals: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Summarise the intervals; None if there are none, as after less than two seconds."""
    if not intervals:
        return None
    rates = [each["bits_per_second"] / 1e6 for each in intervals]
    mean = sum(each["bytes"] for each in intervals) * 8e-6 / sum(each["seconds"] for each in intervals)
    packets, lost_packets = (sum(each.get(key, 0) for each in intervals) for key in ("packets", "lost_packets"))
    return {"mbit": mean, "least_mbit": min(rates), "seconds": len(rates), "packets": packets, "lost": lost_packets}


def _error(path: Path) -> str | None:
    """Return the error that iperf3 reports in its output, or None."""
    try:
        return str(json.loads(path.read_text("utf-8"))["error"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _error_message(child: Child) -> str:
    return child.last_error_line() or "it reported nothing"
