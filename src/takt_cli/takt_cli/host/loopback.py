# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Checks the loopback interface, through which processes on this host find each other."""

from __future__ import annotations

import fcntl
import socket
import struct

from takt_cli.errors import HostError

REMEDY = "ip link set lo up"
_SIOCGIFFLAGS, _IFF_UP = 0x8913, 1


def loopback_is_down() -> bool:
    """Return whether the loopback interface is down in this process's network namespace, which may not be the one in
    /sys."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            answer = fcntl.ioctl(any_socket, _SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0))
        except OSError:
            return True  # there is no loopback interface
    return not struct.unpack("16sh14x", answer)[1] & _IFF_UP


def require_loopback() -> None:
    """Raise a HostError if the loopback interface is down."""
    if loopback_is_down():
        raise HostError(f"the loopback interface is down: processes on this host cannot find each other; {REMEDY}")
