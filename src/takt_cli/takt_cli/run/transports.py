# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The variants of round trips and cycles: a transport, the RMW below it, and real-time settings."""

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
from takt_cli.results.folder import file_name
from takt_cli.run.real_time import RealTime
from takt_cli.spec.executors import RCLCPP, TAKT_RCLCPP


class Transport(NamedTuple):
    """A transport. `program` is its name in the lab's programs. `ros` is true if it uses the selected RMW; raw
    transports do not use one. `description` describes it."""

    name: str
    program: str
    ros: bool
    description: str


TRANSPORTS = {
    each.name: each
    for each in (
        Transport("takt", "takt", True, "takt's executor and front end"),
        Transport(
            "baseline0", "stock", True, "an executor like ROS 2's single-threaded one, both nodes in one process"
        ),
        Transport("baseline1", "stock", True, "the same with one process per node"),
        Transport("takt-rclcpp", "takt-rclcpp", True, "rclcpp nodes under takt's executor"),
        Transport("rclcpp-single", "rclcpp-single", True, "rclcpp nodes under its single-threaded executor"),
        Transport("rclcpp-multi", "rclcpp-multi", True, "rclcpp nodes under its multi-threaded executor"),
        Transport("rclcpp-events", "rclcpp-events", True, "rclcpp nodes under its events executor"),
        Transport("fastdds", "fastdds", False, "Fast DDS without ROS"),
        Transport("cyclonedds", "cyclonedds", False, "Cyclone DDS without ROS"),
        Transport("udp", "udp", False, "UDP sockets: the floor"),
        Transport("control", "syscalls", False, "system calls alone"),
    )
}
BASELINE = "baseline"
# Transports without a gap in real-time settings: Fast DDS, whose profile sets histories and priorities, and those that
# have no history and no threads of their own.
_PROFILED = ("rmw_fastrtps_cpp", "rmw_fastrtps_dynamic_cpp", "fastdds", "udp", "control")


@dataclass(frozen=True)
class Variant:
    """A variant to measure: a transport, its RMW (None for raw transports), and real-time settings."""

    transport: Transport
    rmw: str | None
    real_time: RealTime

    @property
    def name(self) -> str:
        """The variant's name, such as `takt (rmw_fastrtps_cpp), rt`."""
        rmw_or_raw = self.rmw if self.transport.ros else "raw"
        return f"{self.transport.name} ({rmw_or_raw}), {self.real_time.label}"

    @property
    def tag(self) -> str:
        """The name of the variant's files."""
        return file_name(self.name.replace("(", "").replace(")", "").replace(",", ""))

    @property
    def lacking(self) -> list[str]:
        """A line for each real-time setting that cannot be applied to this variant."""
        middleware = self.rmw if self.transport.ros else self.transport.name
        lines = []
        if "history" in self.real_time.parts and middleware not in _PROFILED:
            lines.append(f"{middleware} cannot preallocate its history")
        if self.real_time.profile_priority is not None and middleware not in _PROFILED:
            lines.append(f"{middleware} reads no priorities from the profile: its threads are set by name")
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


def missing_transports(program: str) -> dict[str, str]:
    """Return the transports that this build of a program lacks, by the program's names, with the reasons. Raises a
    TaktError."""
    # The selected RMW does not matter here, and an rcl that cannot use it would end the program.
    environment = {name: value for name, value in os.environ.items() if name != CHOICE}
    command = [str(find_program(program)), "--transports"]
    result = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", errors="replace", timeout=60, check=False
    )
    try:
        return {str(each["name"]): str(each["why"]) for each in json.loads(result.stdout) if not each["available"]}
    except (ValueError, KeyError, TypeError):
        error_output = result.stderr.strip()[-300:] or "it reported nothing"
        raise RunError(f"{program} did not report its transports: {error_output}") from None


def require_built(executors: Iterable[str], option: str = "--executor") -> None:
    """Raise a HostError if this build lacks one of the executors: those for nodes of rclcpp need rclcpp at build time.

    `option` is the one by which the user named the executors; the message names it.
    """
    rclcpp_transports = [TRANSPORTS[name] for name in executors if name in (TAKT_RCLCPP, *RCLCPP)]
    missing_programs = missing_transports("round_trip") if rclcpp_transports else {}
    for each in rclcpp_transports:
        if each.program in missing_programs:
            raise HostError(f"{option} {each.name}: {missing_programs[each.program]}")


def available_transports(
    chosen: Sequence[Transport], reasons_missing: Mapping[str, str], chosen_by_user: bool, option: str = "--transport"
) -> tuple[tuple[Transport, ...], list[str]]:
    """Return the transports that this build has, and for each of the others a line that says why it is missing.

    Raises a HostError that names `option`, the one by which the user chose, if a transport was named by the user
    (`chosen_by_user`).
    """
    missing = [f"{each.name}: {reasons_missing[each.program]}" for each in chosen if each.program in reasons_missing]
    if missing and chosen_by_user:
        raise HostError(f"{option} {missing[0]}")
    return tuple(each for each in chosen if each.program not in reasons_missing), missing


def transports_by_name(names: Sequence[str], one_process: bool, known_names: Sequence[str]) -> tuple[Transport, ...]:
    """Return the transports of these names; `baseline` stands for the one with the right number of processes. Raises a
    UsageError."""
    fitting, other = ("baseline0", "baseline1") if one_process else ("baseline1", "baseline0")
    transports = []
    for name in (part.strip() for text in names for part in text.split(",")):
        chosen = fitting if name == BASELINE else name
        if chosen not in known_names:
            raise UsageError(f"--transport {name}: is not known; give some of {', '.join(known_names)}")
        if chosen == other and fitting in known_names:
            processes = "two processes" if other == "baseline1" else "one process"
            raise UsageError(f"--transport {name}: is of {processes}, which does not fit --server; give {fitting}")
        transports.append(TRANSPORTS[chosen])
    return tuple(dict.fromkeys(transports))


def make_variants(
    chosen: Sequence[Transport], rmws: Sequence[str], settings: Sequence[RealTime]
) -> tuple[Variant, ...]:
    """Return the variants: each transport over each RMW, with each of the settings. Raises a UsageError if two have the
    same name."""
    rmws_by_transport = {each: rmws if each.ros else [None] for each in chosen}
    variants = [Variant(each, rmw, rt) for rt in settings for each in chosen for rmw in rmws_by_transport[each]]
    if len({each.tag for each in variants}) < len(variants):
        raise UsageError("--rt: names the same settings twice")
    return tuple(variants)
