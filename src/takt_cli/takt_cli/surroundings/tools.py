# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs the system's programs that surroundings need, and says what to do if one is missing or not permitted."""

from __future__ import annotations

import json
import shutil
from typing import Any

from takt_cli.errors import HostError
from takt_cli.host.command import completed, output_of

_PACKAGES = {
    "ip": "iproute2",
    "tc": "iproute2",
    "nsenter": "util-linux",
    "iperf3": "iperf3",
    "stress-ng": "stress-ng",
    "stress": "stress",
}
# All programs that surroundings may call.
TOOLS = (*_PACKAGES, "env", "sh")
# Messages of ip and tc when a right is missing; other text may stand around them.
_DENIED = ("Operation not permitted", "Permission denied", "must be root")


def find_tool(name: str) -> str:
    """Return the program's path. Raises a HostError that says what to install if it is not found."""
    # Administration tools may be in folders that are not on an ordinary user's path.
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if program is None:
        package = _PACKAGES.get(name, name)
        raise HostError(f"{name} is not installed; install it by `apt-get install {package}`, or run `make setup`")
    return program


def run_tool(*command: str) -> str:
    """Run a program and return its standard output. Raises a HostError if it fails."""
    try:
        return output_of([find_tool(command[0]), *command[1:]])
    except OSError as error:
        call, why = " ".join(command), str(error.strerror)
    if any(denied in why for denied in _DENIED):
        needs = "network namespaces and links need root (CAP_SYS_ADMIN and CAP_NET_ADMIN)"
        raise HostError(f"{needs}; start takt as root, or leave out the link (`{call}`: {why})")
    raise HostError(f"`{call}` failed: {why}")


def try_tool(*command: str) -> str | None:
    """Run a program whose failure means that there is nothing to do: returns None then."""
    try:
        return run_tool(*command)
    except HostError:
        return None


def ask_tool(*command: str) -> Any:
    """Run a program and return the JSON that it writes."""
    text = run_tool(*command)
    try:
        return json.loads(text or "[]")
    except ValueError:
        raise HostError(f"`{' '.join(command)}` wrote no JSON; install a newer {_PACKAGES.get(command[0])}") from None


def version_of(program: str) -> str:
    """Return the name and version that a program reports."""
    output = completed([find_tool(program), "--version"]).stdout
    return (output.splitlines() or [program])[0].partition(" (")[0].strip()
