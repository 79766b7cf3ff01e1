# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Make standard input, output and error usable, in whatever state the parent process left them.

They may be closed, full, without a reader, or of an encoding that lacks characters that takt writes.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

from takt_cli.errors import HostError

_ERRORS = "takt.plain"
# ASCII replacements for characters that takt and its libraries write and that many encodings lack.
_PLAIN = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\u00b7", "-"),
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u201c\u201d\u201e", '"'),
    **dict.fromkeys("\u00b5\u03bc", "u"),
    **{"\u2022": "*", "\u2026": "...", "\u00d7": "x", "\u00b1": "+/-", "\u2192": "->", "\u2190": "<-"},
    **{"\u2264": "<=", "\u2265": ">=", "\u2248": "~"},
}
_BAR = "#"


def prepare() -> None:
    """Prepare the standard streams; to be called before anything is written.

    Closed streams are opened on /dev/null, characters that an encoding lacks are replaced, and failed writes to
    standard error are ignored. Streams that were replaced from outside, as tests do, are left alone. Raises a
    HostError if standard output is closed: the result of a measurement of hours could not be printed.
    """
    codecs.register_error(_ERRORS, plain)
    stdin, stdout, stderr = (stream is None for stream in (sys.stdin, sys.stdout, sys.stderr))
    # First of all: the next file that is opened would get the number of a closed stream.
    for number, closed in enumerate((stdin, stdout, stderr)):
        if closed:
            _open_null(number)
    if stdin:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - for the whole process
    if stdout:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    elif isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout is sys.__stdout__:
        sys.stdout.reconfigure(errors=_ERRORS)
    if stderr or sys.stderr is sys.__stderr__:
        encoding = "utf-8" if stderr else sys.stderr.encoding
        writer = io.BufferedWriter(_TolerantStderr(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(writer, encoding, _ERRORS, line_buffering=True)
    if stdout:
        raise HostError("standard output: is closed; send it elsewhere, to a file or to /dev/null")


class _TolerantStderr(io.FileIO):
    """Standard error that ignores failed writes, since there is no other place to report them."""

    def write(self, data: object, /) -> int:
        view = memoryview(data)  # type: ignore[arg-type]
        try:
            return super().write(view)
        except OSError:
            return view.nbytes


def _open_null(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        descriptor = os.open(os.devnull, os.O_RDWR)
        if descriptor != number:
            os.dup2(descriptor, number)
            os.close(descriptor)


def plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return a replacement for the character that cannot be encoded, and where to go on; an error handler of codecs."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":
        # A byte of a file name that is not valid in the file system's encoding: written unchanged.
        return bytes([ord(character) - 0xDC00]), error.start + 1
    return _without(character), error.start + 1


def _without(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    if character.isspace():
        return " "
    # Box drawing characters and blocks, which rich uses.
    if "\u2500" <= character <= "\u25ff":
        return _BAR
    parts = unicodedata.normalize("NFKD", character)
    return "".join(part for part in parts if part.isascii()) or "?"
