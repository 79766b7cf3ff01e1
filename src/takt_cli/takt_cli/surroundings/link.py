# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A link between two simulated hosts: two network namespaces joined by a veth pair that is limited to a given rate."""

from __future__ import annotations

import itertools
import os
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict

from takt_cli.errors import RunError
from takt_cli.host.polling import becomes_true
from takt_cli.results.achieved import AchievedLink, Carried
from takt_cli.results.conditions import Link
from takt_cli.surroundings.leftovers import Record
from takt_cli.surroundings.tools import ask_tool, find_tool, run_tool

SIDES = ("client", "server")
# From the address block for benchmarks (RFC 2544). Each link has its own namespaces, so all can use the same addresses.
_ADDRESSES = {"client": "198.18.0.1", "server": "198.18.0.2"}
_DEVICE = "takt0"
_FRAME = 1514
_QUEUE = 1000 * _FRAME  # 1000 full frames, like a network card's queue
_COMING_UP = 10.0
_number = itertools.count()


class Wire:
    """A link that has been set up. Traffic on `ports` is limited to `at_most` Mbit/s of it, if that is given."""

    def __init__(self, link: Link, record: Record, at_most: float | None = None, ports: tuple[int, ...] = ()) -> None:
        for tool in ("ip", "tc", "nsenter"):
            find_tool(tool)
        number = next(_number)
        self._link = link
        self._names = {side: f"takt-{os.getpid()}-{number}-{side}" for side in SIDES}
        for name in self._names.values():
            record.note("namespace", name)
            run_tool("ip", "netns", "add", name)
        self._join()
        for side in SIDES:
            self._bring_up(side)
            if at_most is None:
                self._shape(side)
            else:
                self._divide(side, at_most, ports)
        self._verify()
        self._counters_at_start = self._carried = {side: self._counters(side) for side in SIDES}

    def inside(self, side: str) -> list[str]:
        """Return the prefix of a command that is to run on this side."""
        return ["nsenter", f"--net=/run/netns/{self._names[side]}"]

    def address(self, side: str) -> str:
        return _ADDRESSES[side]

    def check(self) -> None:
        """Raise a RunError if one of the link's namespaces has been removed."""
        for name in self._names.values():
            if not Path("/run/netns", name).exists():
                raise RunError(f"the link is gone: the network namespace {name} has been removed from outside")

    def take_sample(self) -> None:
        """Record what each direction has carried so far."""
        self._carried = {side: self._counters(side) for side in SIDES}

    def achieved(self) -> AchievedLink:
        sent = {}
        for side, other in zip(SIDES, reversed(SIDES), strict=True):
            before, now = (asdict(counters[side]) for counters in (self._counters_at_start, self._carried))
            sent[f"{side}_to_{other}"] = Carried(**{name: now[name] - before[name] for name in now})
        return AchievedLink(self._link, sent)

    def _join(self) -> None:
        one, other = (f"name {_DEVICE} netns {name}" for name in self._names.values())
        run_tool(*f"ip link add {one} type veth peer {other}".split())

    def _bring_up(self, side: str) -> None:
        for words in (
            "link set lo up",
            # No IPv6 addresses: the kernel would send announcements over the link for a while.
            f"link set {_DEVICE} addrgenmode none",
            f"address add {_ADDRESSES[side]}/24 dev {_DEVICE}",
            f"link set {_DEVICE} up",
            # DDS discovery uses multicast.
            f"route add 224.0.0.0/4 dev {_DEVICE}",
        ):
            run_tool("ip", "-n", self._names[side], *words.split())

    def _shape(self, side: str) -> None:
        rate = self._link.mbit
        self._add(side, "qdisc", f"root tbf rate {rate}mbit burst {_burst(rate)} limit {_QUEUE}")

    def _divide(self, side: str, at_most: float, ports: tuple[int, ...]) -> None:
        """Divide the link: packets to or from these ports belong to a class limited to `at_most`, all others to a class
        that may use the link's full rate."""
        rate, at_most = self._link.mbit, min(at_most, self._link.mbit)
        self._add(side, "qdisc", "root handle 1: htb default 10")
        self._class(side, "1:", "1:1", rate, rate, 0)
        self._class(side, "1:1", "1:10", max(rate - at_most, rate / 100), rate, 0)
        self._class(side, "1:1", "1:20", at_most, at_most, 1)
        for port in ports:
            for end in ("dport", "sport"):
                self._add(side, "filter", f"parent 1: protocol ip u32 match ip {end} {port} 0xffff flowid 1:20")

    def _class(self, side: str, parent: str, name: str, rate: float, ceiling: float, rank: int) -> None:
        shape = f"rate {rate:g}mbit ceil {ceiling:g}mbit prio {rank} quantum {_FRAME}"
        bursts = f"burst {_burst(rate)} cburst {_burst(ceiling)}"
        self._add(side, "class", f"parent {parent} classid {name} htb {shape} {bursts}")

    def _add(self, side: str, kind: str, words: str) -> None:
        run_tool("tc", "-n", self._names[side], kind, "add", "dev", _DEVICE, *words.split())

    def _verify(self) -> None:
        # The kernel reports the link as up with some delay; with a single CPU, only once this process yields.
        for side in SIDES:
            if not becomes_true(partial(self._is_up, side), _COMING_UP):
                raise RunError(f"the {side}'s side of the link did not come up")
            if not self._qdisc(side):
                raise RunError(f"the rate limit is not in force on the {side}'s side of the link")

    def _is_up(self, side: str) -> bool:
        (device,) = ask_tool("ip", "-n", self._names[side], "-j", "link", "show", _DEVICE)
        return bool(device.get("operstate") == "UP")

    def _qdisc(self, side: str) -> dict[str, Any]:
        disciplines = ask_tool("tc", "-n", self._names[side], "-j", "-s", "qdisc", "show", "dev", _DEVICE)
        return next((each for each in disciplines if each.get("kind") in ("tbf", "htb") and each.get("root")), {})

    def _counters(self, side: str) -> Carried:
        return msgspec.convert(self._qdisc(side), Carried)


def _burst(mbit: float) -> int:
    """Return the burst in bytes that the link may send at once after a late timer: 1 ms of its rate, at least 2
    frames."""
    return max(2 * _FRAME, int(mbit * 1e6 / 8 / 1000))
