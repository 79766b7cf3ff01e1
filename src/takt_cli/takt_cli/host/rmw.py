# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The installed RMW implementations, and which of them to use."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from takt_cli.errors import HostError
from takt_cli.host.programs import ament_prefixes
from takt_cli.host.rmw_choice import CHOICE
from takt_cli.host.system import THIS_HOST, System

# The RMW implementations available for ROS 2, its usual default first.
KNOWN = ("rmw_fastrtps_cpp", "rmw_cyclonedds_cpp", "rmw_zenoh_cpp", "rmw_connextdds", "rmw_fastrtps_dynamic_cpp")
# Those that takt was tried over; a test compares this with takt_core/tasks/middlewares.hpp.
TESTED = ("rmw_fastrtps_cpp", "rmw_cyclonedds_cpp")
ALL = "all"
_INDEX = "share/ament_index/resource_index/rmw_typesupport"
# Listed among them, but only loads one of the others; no RMW itself.
_LOADER = "rmw_implementation"


class RmwSelection(NamedTuple):
    """`names` are the RMW implementations to use, `absent` the known ones that were asked for but are not installed."""

    names: tuple[str, ...]
    absent: tuple[str, ...]


def installed_rmws(environment: Mapping[str, str] | None = None, system: System = THIS_HOST) -> tuple[str, ...]:
    """Return the RMW implementations in the ament index of every prefix in the environment (None: this process's),
    known ones first."""
    prefixes = ament_prefixes(environment)
    names = {name for prefix in prefixes for name in system.entries(f"{prefix}/{_INDEX}")} - {_LOADER}
    return tuple(name for name in KNOWN if name in names) + tuple(sorted(names - set(KNOWN)))


def choose_rmws(requested: Sequence[str]) -> RmwSelection:
    """Select RMW implementations: by default the one that ROS 2 would use, with `all` every one, else by name
    (`cyclonedds` for short). Raises a HostError if one is not installed."""
    installed = installed_rmws()
    if not installed:
        raise HostError("no RMW implementation is installed under AMENT_PREFIX_PATH; start takt by ./takt")
    if not requested:
        selected = os.environ.get(CHOICE) or installed[0]
        return RmwSelection((_full_name(selected, installed, f"{CHOICE}="),), ())
    if ALL in requested:
        return RmwSelection(installed, tuple(name for name in KNOWN if name not in installed))
    return RmwSelection(tuple(dict.fromkeys(_full_name(name, installed) for name in requested)), ())


def over_fast_dds(rmws: Sequence[str | None]) -> bool:
    """Return whether one of these is for Fast DDS; None stands for the one that ROS 2 would use."""
    default = os.environ.get(CHOICE) or next(iter(installed_rmws()), KNOWN[0])
    return any("fastrtps" in (each or default) for each in rmws)


def untested_rmw_note(name: str) -> str:
    """Return what may differ over an RMW that takt was never tried over; an empty string for the others."""
    if name in TESTED:
        return ""
    return (
        "which threads get real-time priorities, and how its events and queues behave, may differ from what is "
        "documented"
    )


def _full_name(name: str, installed: Sequence[str], option: str = "--rmw ") -> str:
    for each in installed:
        if name in (each, each.removeprefix("rmw_"), each.removeprefix("rmw_").removesuffix("_cpp")):
            return each
    raise HostError(f"{option}{name}: is not installed; installed: {', '.join(installed)}")
