# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The one tree of errors: whatever goes wrong reaches the user as one line of one of these."""

from __future__ import annotations

from pathlib import Path


class TaktError(Exception):
    """Base of all errors that takt raises on purpose. Its text is one line: what, where, what to do."""

    exit_status = 1

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))


class UsageError(TaktError):
    """The command line asks for something that makes no sense."""

    exit_status = 2


class SpecError(TaktError):
    """A spec that cannot be used, with the place in its file."""

    exit_status = 2

    def __init__(self, file: str | Path, line: int | None, key: str, text: str) -> None:
        place = f"{file}:{line}" if line is not None else f"{file}"
        super().__init__(f"{place}: {key}: {text}" if key else f"{place}: {text}")
        self.line = line
        self.key = key


class HostError(TaktError):
    """The host does not have or allow what was asked for: a CPU, a permission, a program."""


class DiskFull(HostError):  # noqa: N818 - it is a state, and nobody's fault
    """There is no room for what is to be written. What follows would end in the same way."""


class RunError(TaktError):
    """A program of the lab failed, hung or left an unreadable result."""


class RunTimeout(RunError):  # noqa: N818 - reads as what it is
    """A program of the lab did not end in time."""


class ResultError(TaktError):
    """A result folder that cannot be written or read."""


class Interrupted(TaktError):  # noqa: N818 - it is an ending, not a fault
    """The user or the system asked to stop."""

    exit_status = 130
