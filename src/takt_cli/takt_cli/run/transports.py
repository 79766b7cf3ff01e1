# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is compared by round trips and cycles: a transport, the RMW below it, and real-time settings."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from takt_cli.errors import HostError, RunError, UsageError
from takt_cli.host.programs import find_program
from takt_cli.host.rmw_choice import CHOICE
from takt_cli.run.folder import file_name
from takt_cli.run.real_time import RealTime
from takt_cli.spec.executors import RCLCPP, TAKT_RCLCPP


class Transport(NamedTuple):
    """`program`: what the programs of the lab call it. `ros`: through whatever RMW is selected; the others are raw:
    they are not RMWs."""

    name: str
    program: str
    ros: bool
    does: str


TRANSPORTS = {
    each.name: each
    for each in (
        Transport("takt", "takt", True, "takt's executor and front end"),
        Transport("baseline0", "stock", True, "an executor as ROS 2's single-threaded one, both nodes in one process"),
        Transport("baseline1", "stock", True, "the same, a process for each node"),
        Transport("takt-rclcpp", "takt-rclcpp", True, "nodes of rclcpp under takt's executor"),
        Transport("rclcpp-single", "rclcpp-single", True, "nodes of rclcpp under its single-threaded executor"),
        Transport("rclcpp-multi", "rclcpp-multi", True, "nodes of rclcpp under its multi-threaded executor"),
        Transport("rclcpp-events", "rclcpp-events", True, "nodes of rclcpp under its events executor"),
        Transport("fastdds", "fastdds", False, "Fast DDS without ROS"),
        Transport("cyclonedds", "cyclonedds", False, "Cyclone DDS without ROS"),
        Transport("udp", "udp", False, "UDP sockets: the floor"),
        Transport("control", "syscalls", False, "system calls alone"),
    )
}
BASELINE = "baseline"
# Fast DDS, whose profile sets histories and priorities, and those that have neither history nor threads of their own.
_PROFILED = ("rmw_fastrtps_cpp", "rmw_fastrtps_dynamic_cpp", "fastdds", "udp", "control")


@dataclass(frozen=True)
class Variant:
    """One thing to measure."""

    transport: Transport
    rmw: str | None
    real_time: RealTime

    @property
    def name(self) -> str:
        """`takt (rmw_fastrtps_cpp), rt`"""
        below = self.rmw if self.transport.ros else "raw"
        return f"{self.transport.name} ({below}), {self.real_time.label}"

    @property
    def tag(self) -> str:
        """Of its files."""
        return file_name(self.name.replace("(", "").replace(")", "").replace(",", ""))

    @property
    def lacking(self) -> list[str]:
        """Real-time settings that there is no way to, in words."""
        below = self.rmw if self.transport.ros else self.transport.name
        lines = []
        if "history" in self.real_time.parts and below not in _PROFILED:
            lines.append(f"{below} cannot allocate its history beforehand")
        if self.real_time.profile_priority is not None and below not in _PROFILED:
            lines.append(f"{below} reads no priorities from the profile: its threads are set by name")
        return lines

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "tag": self.tag,
            "transport": self.transport.name,
            "program": self.transport.program,
            "raw": not self.transport.ros,
            "rmw": self.rmw,
            "real_time": self.real_time.to_json() | {"lacking": self.lacking},
        }


def lacking(program: str) -> dict[str, str]:
    """What this build of a program lacks, as it calls it, with the reason. Raises a TaktError."""
    # Whatever RMW is chosen: that is not the question, and an rcl that cannot take it would end the program.
    environment = {name: value for name, value in os.environ.items() if name != CHOICE}
    command = [str(find_program(program)), "--transports"]
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", errors="replace", timeout=60, check=False
    )
    try:
        return {str(each["name"]): str(each["why"]) for each in json.loads(done.stdout) if not each["available"]}
    except (ValueError, KeyError, TypeError):
        said = done.stderr.strip()[-300:] or "it reported nothing"
        raise RunError(f"{program} does not tell its transports: {said}") from None


def demand_built(executors: Iterable[str], option: str = "--executor") -> None:
    """Raise a HostError if this build lacks one of the executors: those for nodes of rclcpp need rclcpp at build time.

    `option` is the one by which the user named the executors; the message names it.
    """
    asked = [TRANSPORTS[name] for name in executors if name in (TAKT_RCLCPP, *RCLCPP)]
    lacks = lacking("round_trip") if asked else {}
    for each in asked:
        if each.program in lacks:
            raise HostError(f"{option} {each.name}: {lacks[each.program]}")


def there(
    chosen: Sequence[Transport], lacks: Mapping[str, str], asked: bool, option: str = "--transport"
) -> tuple[tuple[Transport, ...], list[str]]:
    """Return the transports that this build has, and for each of the others a line that says why it is missing.

    Raises a HostError that names `option`, the one by which the user chose, if a transport was `asked` for by name.
    """
    missing = [f"{each.name}: {lacks[each.program]}" for each in chosen if each.program in lacks]
    if missing and asked:
        raise HostError(f"{option} {missing[0]}")
    return tuple(each for each in chosen if each.program not in lacks), missing


def transports(names: Sequence[str], one_process: bool, known: Sequence[str]) -> tuple[Transport, ...]:
    """By name; `baseline` is that of the two which has as many processes. UsageError."""
    fitting, other = ("baseline0", "baseline1") if one_process else ("baseline1", "baseline0")
    found = []
    for name in (part.strip() for text in names for part in text.split(",")):
        chosen = fitting if name == BASELINE else name
        if chosen not in known:
            raise UsageError(f"--transport {name}: is not known; give some of {', '.join(known)}")
        if chosen == other and fitting in known:
            processes = "two processes" if other == "baseline1" else "one process"
            raise UsageError(f"--transport {name}: is of {processes}, and these are not; give {fitting}")
        found.append(TRANSPORTS[chosen])
    return tuple(dict.fromkeys(found))


def variants(chosen: Sequence[Transport], rmws: Sequence[str], settings: Sequence[RealTime]) -> tuple[Variant, ...]:
    """Each transport over each RMW, with each of the settings."""
    below = {each: rmws if each.ros else [None] for each in chosen}
    found = [Variant(each, rmw, rt) for rt in settings for each in chosen for rmw in below[each]]
    if len({each.tag for each in found}) < len(found):
        raise UsageError("--rt: names the same settings twice")
    return tuple(found)
