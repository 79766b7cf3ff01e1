# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Results of a guest whose time counts instructions: they are marked as virtual, and no verdict is based on them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from takt_cli.errors import ResultError


def virtual_time_label(record: Mapping[str, Any]) -> str | None:
    """Return a text that marks a result as virtual and says what it was measured in; None for a real host. `record`:
    what has the entry `virtual`, such as a summary."""
    virtual = record.get("virtual")
    if not virtual:
        return None
    guest = virtual["guest"]
    kind = "PREEMPT_RT" if guest["realtime"] else "not PREEMPT_RT"
    return (
        f"virtual: kernel {guest['kernel']} ({kind}) in {virtual['time']}; "
        "it shows what happens there, not how long it takes on any host"
    )


def reasons_without_verdict(virtual: object) -> list[str]:
    """Return why no verdict may be based on a result; empty for a real host, where it was not measured in a `virtual`
    machine."""
    return ["its time is virtual, counted in instructions of a guest"] if virtual else []


def check_same_kind_of_time(a: Path, one: Mapping[str, Any], b: Path, other: Mapping[str, Any]) -> None:
    """Raise ResultError if one result is of a guest and the other of a real host, whose times cannot be compared."""
    if bool(one.get("virtual")) != bool(other.get("virtual")):
        guest, host = (a, b) if one.get("virtual") else (b, a)
        raise ResultError(
            f"{guest} is of a guest's virtual time and {host} of a real host: they are never comparable; "
            "compare two results of one kind"
        )
