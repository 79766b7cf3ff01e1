# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks of the RMW that the environment selects and of its settings. The settings that `takt run` gives its own
processes are not checked here: each result states them."""

from __future__ import annotations

import re
from pathlib import Path

from takt_cli.doctor.finding import ExaminedHost, Finding, Severity
from takt_cli.host.middleware import socket_receive_buffer_limit
from takt_cli.host.rmw import untested_rmw_note
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
_INDEX = "share/ament_index/resource_index/rmw_typesupport"


def middleware(host: ExaminedHost) -> list[Finding]:
    """Check the selected RMW: whether it loads, its security, publication mode, shared memory and socket buffers."""
    chosen = host.environment.get("RMW_IMPLEMENTATION") or _FAST
    installed = _installed(host)
    description = f"{chosen}{'' if host.environment.get('RMW_IMPLEMENTATION') else ' (the default)'}"
    if installed and chosen not in installed:
        cost = "no ROS 2 program starts"
        mend = f"export RMW_IMPLEMENTATION={_FAST if _FAST in installed else installed[0]}"
        return [Finding("RMW", Severity.unfit, f"{description} is not installed", cost, mend)]
    if host.real and (refused := rmw_refusal(host.environment)):
        return [_refused(refused), _sockets(host, chosen)]
    others = [name for name in installed if name != chosen]
    description += f"; also installed: {', '.join(others)}" if others else ""
    findings = [Finding("RMW", Severity.fit, description)]
    if unseen := untested_rmw_note(chosen):
        findings = [Finding("RMW", Severity.note, f"{description}; takt was never tried over {chosen}", unseen)]
    findings.append(_security(host))
    if "fastrtps" in chosen:
        findings += [_publication(host), _segment(host)]
        findings += [row] if (row := shared_memory_room(host)) is not None else []
    return [*findings, _sockets(host, chosen)]


def _refused(refused: RmwRefusal) -> Finding:
    exception_text = ", except takt's own measurements, which preload it" if refused.bound and refused.loader else ""
    cost = f"no ROS 2 program starts{exception_text}"
    return Finding("RMW", Severity.unfit, f"{refused.rmw}, but {refused.cause}", cost, refused.remedy)


def _installed(host: ExaminedHost) -> list[str]:
    prefixes = host.environment.get("AMENT_PREFIX_PATH", "").split(":")
    names = {name for prefix in prefixes if prefix for name in host.system.entries(f"{prefix}/{_INDEX}")}
    # rmw_implementation is always listed: it is the library that selects an RMW, and no RMW itself.
    return sorted(names - {"rmw_implementation"})


def _security(host: ExaminedHost) -> Finding:
    subject, problem = "ROS security", security_problem(host.environment, host.system.root)
    if problem is not None and problem.fatal:
        cost = "programs without an enclave of their own do not start, takt's among them"
        return Finding(subject, Severity.unfit, problem.cause, cost, problem.remedy)
    if problem is not None:
        cost = "programs start without the requested security and do not report it: others can read and write messages"
        return Finding(subject, Severity.warning, problem.cause, cost, problem.remedy)
    is_enabled = host.environment.get("ROS_SECURITY_ENABLE") == "true"
    return Finding(subject, Severity.fit, "requested, and its keys are present" if is_enabled else "not requested")


def _publication(host: ExaminedHost) -> Finding:
    mode = host.environment.get("RMW_FASTRTPS_PUBLICATION_MODE", "SYNCHRONOUS")
    if mode == "SYNCHRONOUS":
        return Finding("publication mode", Severity.fit, "SYNCHRONOUS: sent by the publishing thread")
    cost = "messages are sent by a separate thread of ordinary priority: a busy CPU delays them without bound"
    return Finding("publication mode", Severity.warning, mode, cost, "unset RMW_FASTRTPS_PUBLICATION_MODE")


def _segment(host: ExaminedHost) -> Finding:
    subject = "shared-memory segment"
    names = ("FASTDDS_DEFAULT_PROFILES_FILE", "FASTRTPS_DEFAULT_PROFILES_FILE")
    profile = next((host.environment[name] for name in names if host.environment.get(name)), None)
    # Programs that are started from this folder look for a relative path here.
    text = host.system.text(str(Path(profile).absolute())) if profile else None
    if profile and text is None:
        mend = "unset FASTDDS_DEFAULT_PROFILES_FILE FASTRTPS_DEFAULT_PROFILES_FILE, or name a file that exists"
        return Finding(subject, Severity.warning, f"{profile} cannot be read", "its settings have no effect", mend)
    size = re.search(r"<segment_size>\s*(\d+)", text or "")
    segment = int(size[1]) if size else _DEFAULT_SEGMENT
    description = f"{segment // _KIB} KiB" + (f", by {Path(profile).name}" if size and profile else " (the default)")
    if segment >= _ENOUGH:
        return Finding(subject, Severity.fit, description)
    cost = "large best-effort messages, from some 100 KiB on, are lost"
    mend = "a profile with <segment_size>4194304</segment_size>, named by FASTDDS_DEFAULT_PROFILES_FILE"
    return Finding(subject, Severity.note, f"{description}; takt run sets 4 MiB or more", cost, mend)


def shared_memory_room(host: ExaminedHost) -> Finding | None:
    """Check the space left in /dev/shm for the shared-memory segments of Fast DDS. Return None for the record of a
    host that does not include that folder."""
    subject, space = "room for shared memory", free_space(host.system.path(str(FOLDER)))
    needed_space = space_of_segments(DEMO_SEGMENT, DEMO_PROCESSES)
    if space is None and not host.real:
        return None
    cost = "takt refuses runs that need more; other programs go on without shared memory and lose large messages"
    if space is None:
        return Finding(subject, Severity.warning, f"{FOLDER} does not exist", cost, remount_command(needed_space))
    if space.free is None:
        return Finding(subject, Severity.fit, "unlimited")
    count = space.free // space_of_segments(DEMO_SEGMENT, 1)
    description = f"{space.free // _MIB} MiB of {FOLDER}: {count} processes with {DEMO_SEGMENT // _MIB} MiB each"
    if space.free >= needed_space:
        return Finding(subject, Severity.fit, description)
    return Finding(
        subject, Severity.warning, description, cost, remount_command(space.size - space.free + needed_space)
    )


def _sockets(host: ExaminedHost, chosen: str) -> Finding:
    size = socket_receive_buffer_limit(host.system)
    if size is None:
        return Finding("socket buffers", Severity.note, "unknown")
    if size >= _SOCKET:
        return Finding("socket buffers", Severity.fit, f"up to {size // _KIB} KiB")
    # Between processes on one host Fast DDS uses shared memory, Cyclone DDS sockets.
    origin = "from other processes" if chosen == _CYCLONE else "from other hosts"
    cost = f"large or frequent messages {origin} are dropped before the middleware sees them"
    return Finding(
        "socket buffers", Severity.note, f"up to {size // _KIB} KiB", cost, "sysctl net.core.rmem_max=8388608"
    )
