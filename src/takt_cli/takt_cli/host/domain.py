# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reserves a ROS domain, so that an experiment does not meet other nodes on this host."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from takt_cli.errors import HostError

# Domains are reserved as in ROS 2's own tests (domain_coordinator): the process that has bound the corresponding
# TCP port owns the domain. There are a hundred.
_DOMAINS = range(1, 101)
_FIRST_PORT = 32768


@contextmanager
def private_domain() -> Iterator[int]:
    """Reserve an unused domain while the context is open. Raises a HostError if none is free."""
    domain, lock = _reserve_domain()
    with lock:
        yield domain


def _reserve_domain() -> tuple[int, socket.socket]:
    for domain in random.sample(_DOMAINS, len(_DOMAINS)):
        # The kernel closes the socket with this process, however it ends.
        lock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            lock.bind(("", _FIRST_PORT + domain))
        except OSError:
            lock.close()
            continue
        if not _in_use(domain):
            return domain, lock
        lock.close()
    raise HostError("every ROS domain from 1 to 100 is in use on this host; end runs that were left behind")


def _in_use(domain: int) -> bool:
    """Return whether the domain has a participant: the unicast port of its first one (DDSI-RTPS 9.6) is taken."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("", 7400 + 250 * domain + 10))
        except OSError:
            return True
    return False
