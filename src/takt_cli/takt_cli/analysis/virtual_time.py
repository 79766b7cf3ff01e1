# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Results of a guest whose time counts instructions: they are marked as virtual, and no verdict is based on them."""

from __future__ import annotations

from pathlib import Path

from takt_cli.errors import ResultError
from takt_cli.results.origin import Guest


def virtual_time_label(virtual: Guest | None) -> str | None:
    """Return a text that marks a result as virtual and says what it was measured in; None for a real host."""
    if virtual is None:
        return None
    kind = "PREEMPT_RT" if virtual.guest["realtime"] else "not PREEMPT_RT"
    return (
        f"virtual: kernel {virtual.guest['kernel']} ({kind}) in {virtual.time}; "
        "it shows what happens there, not how long it takes on any host"
    )


def reasons_without_verdict(virtual: object) -> list[str]:
    """Return why no verdict may be based on a result; empty for a real host, where it was not measured in a `virtual`
    machine."""
    return ["its time is virtual, counted in instructions of a guest"] if virtual else []


def check_same_kind_of_time(a: Path, a_is_virtual: bool, b: Path, b_is_virtual: bool) -> None:
    """Raise ResultError if one result is of a guest and the other of a real host, whose times cannot be compared."""
    if a_is_virtual != b_is_virtual:
        guest, host = (a, b) if a_is_virtual else (b, a)
        raise ResultError(
            f"{guest} is of a guest's virtual time and {host} of a real host: they are never comparable; "
            "compare two results of one kind"
        )
