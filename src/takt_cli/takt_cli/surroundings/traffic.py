# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Background traffic: iperf3 over UDP in both directions at once, and how much of it really arrived."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from takt_cli.errors import RunError
from takt_cli.host.polling import becomes_true
from takt_cli.host.processes import Child, Children
from takt_cli.host.system import THIS_HOST
from takt_cli.results.achieved import AchievedFlow, AchievedTraffic, Rates
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
        self.achieved = AchievedFlow()
        words = ["--server", "--one-off", "--bind", ends.address, "--port", str(ends.port)]
        self._server = self._start("received", words, ends.receiver)

    def send(self) -> None:
        """Wait until the server listens, then start sending."""
        if not becomes_true(self._listens, _STARTING):
            raise RunError(f"iperf3 did not listen within {_STARTING:g} s; {self._server.reported()}")
        rate = ["--udp", "--bitrate", str(round(self._rate * 1e6)), "--length", str(_LENGTH)]
        words = ["--client", self._ends.address, "--port", str(self._ends.port), *rate, "--time", str(_LONGEST)]
        self._client = self._start("sent", words, self._ends.sender)
        self._start_time = time.monotonic()

    def settle(self) -> None:
        """Wait until traffic arrives, and for at least a second."""

        def arrives() -> bool:
            self._alive(self._client)
            self._alive(self._server)
            # More than the handshake of client and server.
            return time.monotonic() - self._start_time >= _SETTLING and self._received() > 10 * _LENGTH

        if not becomes_true(arrives, _STARTING):
            raise RunError(f"no traffic {self.name} arrived within {_STARTING:g} s; {self._client.reported()}")
        self._bytes_at_start = self._received_before = self._received()
        self._start_time = self._received_at = time.monotonic()

    def check(self) -> None:
        """Raise a RunError if the traffic has died or nothing arrives any more."""
        self._alive(self._client)
        self._alive(self._server)
        now, received = time.monotonic(), self._received()
        if received > self._received_before:
            self._received_before, self._received_at = received, now
        elif now - self._received_at > _SILENCE:
            raise RunError(f"traffic {self.name} died: nothing arrived for {now - self._received_at:.0f} s")

    def take_sample(self) -> None:
        """Record what has arrived since `settle`."""
        seconds = time.monotonic() - self._start_time
        self.achieved = AchievedFlow(seconds, (self._received() - self._bytes_at_start) * 8e-6 / seconds)

    def end(self) -> None:
        """End the traffic, and record what iperf3 counted, by whole seconds."""
        self._client.end(_ENDING)
        if not self._server.wait(_ENDING):
            self._server.end(_ENDING)
        sent, received = (whole_seconds(self._files[end]) for end in ("sent", "received"))
        self.achieved = replace(self.achieved, sent=rates(sent), received=rates(received))

    def _start(self, end: str, arguments: list[str], prefix: list[str]) -> Child:
        command = ["iperf3", *arguments, "--json", "--interval", "1", "--logfile", str(self._files[end])]
        name = f"iperf3 {self.name} {end}"
        child = self._children.start(name, command, self._work / f"traffic-{self.name}-{end}.log", prefix=prefix)
        self._record.note_session(child.pid)
        return child

    def _alive(self, child: Child) -> None:
        if not child.running():
            output = _output(self._files["sent" if child.name.endswith("sent") else "received"])
            raise RunError(f"traffic {self.name} died: {output.error or child.reported()}")

    def _listens(self) -> bool:
        """Return whether the server listens, as listed by the kernel; connecting to it would start a test. Raises a
        RunError if it has died."""
        self._alive(self._server)
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
            flow.take_sample()

    def end(self) -> None:
        self.take_sample()
        for flow in self._flows:
            flow.end()

    def achieved(self) -> AchievedTraffic:
        flows = {flow.name: flow.achieved for flow in self._flows}
        return AchievedTraffic(self._traffic, version_of("iperf3"), self._medium, flows)


class Interval(msgspec.Struct, frozen=True):
    """An interval of iperf3, in s, and what was counted in it."""

    start: float
    seconds: float
    bytes: float
    bits_per_second: float
    packets: int = 0
    lost_packets: int = 0


class _Sum(msgspec.Struct, frozen=True):
    sum: Interval


class _Output(msgspec.Struct, frozen=True):
    intervals: list[_Sum] = []
    error: str = ""


def _output(path: Path) -> _Output:
    """Return what iperf3 wrote; nothing if that cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Output)
    except (OSError, msgspec.MsgspecError):
        return _Output()


def whole_seconds(path: Path) -> list[Interval]:
    """Return iperf3's intervals of whole seconds, without the first, in which it settles. The last interval may be
    shorter or appear twice; such ones are left out."""
    intervals = [each.sum for each in _output(path).intervals]
    return list({each.start: each for each in intervals if each.start > 0 and each.seconds > 0.5}.values())


def rates(intervals: list[Interval]) -> Rates | None:
    """Summarise the intervals; None if there are none, as after less than two seconds."""
    if not intervals:
        return None
    return Rates(
        mbit=sum(each.bytes for each in intervals) * 8e-6 / sum(each.seconds for each in intervals),
        least_mbit=min(each.bits_per_second for each in intervals) / 1e6,
        seconds=len(intervals),
        packets=sum(each.packets for each in intervals),
        lost=sum(each.lost_packets for each in intervals),
    )


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
