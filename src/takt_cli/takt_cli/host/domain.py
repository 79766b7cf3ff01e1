# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A ROS domain of our own, so that an experiment meets nobody else's nodes."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from takt_cli.errors import HostError

# Whose domain is whose is agreed upon as ROS 2's own tests do it (domain_coordinator): who has the
# TCP port has the domain, of which there are a hundred.
_DOMAINS = range(1, 101)
_FIRST_PORT = 32768


@contextmanager
def private_domain() -> Iterator[int]:
    """A domain that nobody on this host uses, held while inside. HostError if all are taken."""
    domain, lock = _take()
    with lock:
        yield domain


def _take() -> tuple[int, socket.socket]:
    for domain in random.sample(_DOMAINS, len(_DOMAINS)):
        # A lock that the kernel drops with us, whatever becomes of us.
        lock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            lock.bind(("", _FIRST_PORT + domain))
        except OSError:
            lock.close()
            continue
        if not _in_use(domain):
            return domain, lock
        lock.close()
    raise HostError("every ROS domain from 1 to 100 is in use on this host; end a run that is left over")


def _in_use(domain: int) -> bool:
    """Whether the first participant of the domain is there: its unicast port (DDSI-RTPS 9.6) is taken."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("", 7400 + 250 * domain + 10))
        except OSError:
            return True
    return False
