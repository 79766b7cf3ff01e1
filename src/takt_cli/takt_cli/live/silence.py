# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reasons why an executor that was found does not answer."""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Sequence

from takt_cli.host.system import THIS_HOST

# The default name of an executor's node, which contains the id of its process.
_NODE = re.compile(r".*/takt_([0-9]{1,7})(_[0-9]+)?", re.ASCII)


def explain_silence(names: Sequence[str]) -> str:
    """Describe why one or several executors do not answer."""
    explanations = [line for name in names if (line := _known(name)) is not None]
    others = [name for name in names if _known(name) is None]
    if others:
        other_names = ", ".join(others)
        explanations.append(
            f"no answer from {other_names}: the process may be stopped or belong to another user, or the host may be "
            "too busy"
        )
    return "; ".join(explanations)


def _known(name: str) -> str | None:
    match = _NODE.fullmatch(name)
    if match is None:
        return None
    pid = int(match[1])
    try:
        owner = THIS_HOST.path(f"proc/{pid}").stat().st_uid
    except OSError:
        return None  # on another host, or not visible to this user
    if owner != os.geteuid():
        user = _user(owner)
        return (
            f"no answer from {name}: process {pid} belongs to the user {user}, and the middleware's shared memory is "
            f"not accessible to other users; run this command as that user (sudo -u {user})"
        )
    process = THIS_HOST.task(pid)
    if process is not None and process.state in "Tt":
        return f"no answer from {name}: process {pid} is stopped; continue it (kill -CONT {pid})"
    return None


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"#{number}"
