# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the RMW that the environment selects and of its settings. The settings that `takt run` gives its own
processes are not checked here: each result states them."""

from __future__ import annotations

import re
from pathlib import Path

from takt_cli.doctor.finding import ExaminedHost, Finding, finding
from takt_cli.host.middleware import socket_receive_buffer_limit
from takt_cli.host.rmw import installed_rmws, untested_rmw_note
from takt_cli.host.rmw_choice import RmwRefusal, rmw_refusal
from takt_cli.host.ros_security import security_problem
from takt_cli.host.segments import FOLDER, free_space, remount_command, space_of_segments

_FAST, _CYCLONE = "rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"
_KIB, _MIB = 1024, 1024 * 1024
# The segment size that Fast DDS uses unless a profile sets another.
_DEFAULT_SEGMENT = 512 * _KIB
_ENOUGH, _SOCKET = 4096 * _KIB, 2 * 1024 * _KIB
# What takt's demo needs with one process per node: the number of processes, and the segment size of each.
DEMO_PROCESSES, DEMO_SEGMENT = 20, 16 * _MIB


def middleware(host: ExaminedHost) -> list[Finding]:
    """Check the selected RMW: whether it loads, its security, publication mode, shared memory and socket buffers."""
    chosen = host.environment.get("RMW_IMPLEMENTATION") or _FAST
    installed = installed_rmws(host.environment, host.system)
    found = f"{chosen}{'' if host.environment.get('RMW_IMPLEMENTATION') else ' (the default)'}"
    if installed and chosen not in installed:
        return [finding("RMW", "missing", found=found, other=_FAST if _FAST in installed else installed[0])]
    if host.real and (refused := rmw_refusal(host.environment)):
        return [_refused(refused), _sockets(host, chosen)]
    others = [name for name in installed if name != chosen]
    found += f"; also installed: {', '.join(others)}" if others else ""
    findings = [finding("RMW", "tested", found=found)]
    if unknown := untested_rmw_note(chosen):
        findings = [finding("RMW", "untested", found=found, rmw=chosen, unknown=unknown)]
    findings.append(_security(host))
    if "fastrtps" in chosen:
        findings += [_publication(host), _segment(host)]
        findings += [row] if (row := shared_memory_room(host)) is not None else []
    return [*findings, _sockets(host, chosen)]


def _refused(refused: RmwRefusal) -> Finding:
    exception = ", except takt's own measurements, which preload it" if refused.bound and refused.loader else ""
    values = {"rmw": refused.rmw, "cause": refused.cause, "remedy": refused.remedy}
    return finding("RMW", "refused", **values, exception=exception)


def _security(host: ExaminedHost) -> Finding:
    problem = security_problem(host.environment, host.system.root)
    if problem is not None:
        case = "fatal" if problem.fatal else "weak"
        return finding("ROS security", case, found=problem.cause, remedy=problem.remedy)
    return finding("ROS security", "on" if host.environment.get("ROS_SECURITY_ENABLE") == "true" else "off")


def _publication(host: ExaminedHost) -> Finding:
    mode = host.environment.get("RMW_FASTRTPS_PUBLICATION_MODE", "SYNCHRONOUS")
    if mode == "SYNCHRONOUS":
        return finding("publication mode", "synchronous")
    return finding("publication mode", "others", found=mode)


def _segment(host: ExaminedHost) -> Finding:
    names = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")
    profile = next((host.environment[name] for name in names if host.environment.get(name)), None)
    # Programs that are started from this folder look for a relative path here.
    text = host.system.text(str(Path(profile).absolute())) if profile else None
    if profile and text is None:
        return finding("shared-memory segment", "no profile", profile=profile)
    size = re.search(r"<segment_size>\s*(\d+)", text or "")
    segment = int(size[1]) if size else _DEFAULT_SEGMENT
    found = f"{segment // _KIB} KiB" + (f", by {Path(profile).name}" if size and profile else " (the default)")
    return finding("shared-memory segment", "large" if segment >= _ENOUGH else "small", found=found)


def shared_memory_room(host: ExaminedHost) -> Finding | None:
    """Check the space left in /dev/shm for the shared-memory segments of Fast DDS. Return None for the record of a
    host that does not include that folder."""
    space = free_space(host.system.path(str(FOLDER)))
    needed_space = space_of_segments(DEMO_SEGMENT, DEMO_PROCESSES)
    if space is None and not host.real:
        return None
    if space is None:
        return finding("room for shared memory", "none", folder=FOLDER, mend=remount_command(needed_space))
    if space.free is None:
        return finding("room for shared memory", "unlimited")
    count = space.free // space_of_segments(DEMO_SEGMENT, 1)
    found = f"{space.free // _MIB} MiB of {FOLDER}: {count} processes with {DEMO_SEGMENT // _MIB} MiB each"
    if space.free >= needed_space:
        return finding("room for shared memory", "enough", found=found)
    mend = remount_command(space.size - space.free + needed_space)
    return finding("room for shared memory", "scarce", found=found, mend=mend)


def _sockets(host: ExaminedHost, chosen: str) -> Finding:
    size = socket_receive_buffer_limit(host.system)
    if size is None:
        return finding("socket buffers", "unknown")
    if size >= _SOCKET:
        return finding("socket buffers", "large", size=size // _KIB)
    # Between processes on one host Fast DDS uses shared memory, Cyclone DDS sockets.
    origin = "processes" if chosen == _CYCLONE else "hosts"
    return finding("socket buffers", "small", size=size // _KIB, origin=origin)
