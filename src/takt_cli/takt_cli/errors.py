# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The exceptions of takt: every error that the user meets is one of these, with a text of one line."""

from __future__ import annotations

from pathlib import Path


class TaktError(Exception):
    """Base class of all errors that takt raises on purpose.

    The text is one line that says what went wrong, where, and what to do about it. `exit_status` is the exit status of
    the command.
    """

    exit_status = 1

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))


class UsageError(TaktError):
    """The command line is invalid, or its options contradict each other."""

    exit_status = 2


class SpecError(TaktError):
    """A spec is invalid. The text begins with the file, the line if it is known, and the key."""

    exit_status = 2

    def __init__(self, file: str | Path, line: int | None, key: str, text: str) -> None:
        place = f"{file}:{line}" if line is not None else f"{file}"
        super().__init__(f"{place}: {key}: {text}" if key else f"{place}: {text}")
        self.line = line
        self.key = key


class HostError(TaktError):
    """The host lacks or refuses something that is needed: a CPU, a permission, a program."""


class DiskFull(HostError):  # noqa: N818 - it is a state of the host rather than a fault
    """The disk is full, so that a result cannot be written. Later writes would fail, too: do not go on."""


class RunError(TaktError):
    """A program of the lab crashed, hung or left a result that cannot be read."""


class RunTimeout(RunError):  # noqa: N818 - the name is clear without "Error"
    """A program of the lab did not end within its time limit."""


class ResultError(TaktError):
    """A result folder or file cannot be written or read."""


class Interrupted(TaktError):  # noqa: N818 - an interruption is not an error
    """The user or the system asked the command to stop, for example by SIGINT or SIGTERM."""

    exit_status = 130
