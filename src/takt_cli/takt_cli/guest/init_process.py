#!/usr/bin/python3 -S
# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The first process of a guest: sets it up, runs the commands in /guest.json, writes out the results, ends the guest.

The guest's kernel starts it as a script of its own: it can import neither takt nor any other package.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import platform
import socket
import struct
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

PLAN, RESULTS, FACTS = "/guest.json", "/results", "guest.json"
# The prefix of this script's lines on the console.
MESSAGE_PREFIX = "guest: "
_MOUNTS = (
    ("proc", "/proc"),
    ("sysfs", "/sys"),
    ("devtmpfs", "/dev"),
    ("tmpfs", "/dev/shm"),
    ("devpts", "/dev/pts"),
)
# Seeds the kernel's random numbers, so that they are available at once and the same every time.
_RNDADDENTROPY, _SEED = 0x40085203, bytes(range(64))
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
_SYNC_AND_RESTART = 0x1234567
_FINIT_MODULE = 313
_DISK = "/dev/vda"
_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    plan: dict[str, Any] = json.loads(Path(PLAN).read_text("utf-8"))
    _set_up(plan)
    status = 0
    for number, command in enumerate(plan["commands"]):
        with Path(RESULTS, f"command-{number}.log").open("wb") as log:
            status = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=RESULTS,
                env=plan["environment"],
                check=False,
            ).returncode
        if status:
            print(f"{MESSAGE_PREFIX}failed {number} {status}", flush=True)
            break
    Path(RESULTS, FACTS).write_text(json.dumps(_facts(), indent=1) + "\n", "utf-8")
    _send(plan)


def _set_up(plan: dict[str, Any]) -> None:
    for kind, place in _MOUNTS:
        Path(place).mkdir(parents=True, exist_ok=True)
        if _libc.mount(kind.encode(), place.encode(), kind.encode(), 0, None) and place != "/dev":
            raise OSError(ctypes.get_errno(), f"{place} cannot be mounted")
    with Path("/dev/urandom").open("wb") as random:
        fcntl.ioctl(random, _RNDADDENTROPY, struct.pack("ii64s", 8 * len(_SEED), len(_SEED), _SEED))
    for folder in ("/run/lock", "/tmp", RESULTS):
        Path(folder).mkdir(parents=True, exist_ok=True)
    socket.sethostname("guest")
    for name, value in plan["settings"].items():
        Path("/proc/sys", name).write_text(value, "utf-8")
    _load(plan["modules"])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


def _load(modules: list[str]) -> None:
    for module in modules:
        with Path(module).open("rb") as file:
            if _libc.syscall(_FINIT_MODULE, file.fileno(), b"", 0):
                raise OSError(ctypes.get_errno(), f"{module} cannot be loaded")


def _facts() -> dict[str, Any]:
    """Return what the guest's kernel reports about itself."""
    clock = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource")
    return {
        "kernel": platform.release(),
        "uname": " ".join(platform.uname()).strip(),
        "realtime": "PREEMPT_RT" in platform.version().split(),
        "cmdline": Path("/proc/cmdline").read_text("utf-8").strip(),
        "clocksource": clock.read_text("utf-8").strip(),
    }


def _send(plan: dict[str, Any]) -> None:
    """Write the results as a tar archive to a disk, whose driver is loaded only now, after all measurements."""
    _load(plan["disk"])
    with Path(_DISK).open("r+b") as disk:
        with tarfile.open(fileobj=disk, mode="w|") as tar:
            tar.add(RESULTS, arcname=".")
        disk.flush()
        os.fsync(disk.fileno())
    print(f"{MESSAGE_PREFIX}done", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        print(f"{MESSAGE_PREFIX}broken {error!r}", flush=True)
    finally:
        sys.stdout.flush()
        os.sync()
        _libc.reboot(_SYNC_AND_RESTART)
