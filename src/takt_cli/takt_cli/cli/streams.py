# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Standard input, output and error as whoever started the command left them: closed, full, without a reader, or of
an encoding that lacks what is written."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

from takt_cli.errors import HostError

_ERRORS = "takt.plain"
# What takt and its libraries write that many encodings lack, as plain characters.
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
    """Before anything is written. HostError where there is no standard output: nothing could be told of what was
    measured for hours. Streams that somebody has put in place of the process's own are left alone."""
    codecs.register_error(_ERRORS, plain)
    stdin, stdout, stderr = (stream is None for stream in (sys.stdin, sys.stdout, sys.stderr))
    # All of them, before the next file that is opened gets the number of one.
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
        writer = io.BufferedWriter(_Bearing(2, "w", closefd=False))
        sys.stderr = io.TextIOWrapper(writer, encoding, _ERRORS, line_buffering=True)
    if stdout:
        raise HostError("standard output: is closed; send it elsewhere, to a file or to /dev/null")


class _Bearing(io.FileIO):
    """Standard error: what cannot be written there is lost, as there is no other place to say so."""

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
        found = os.open(os.devnull, os.O_RDWR)
        if found != number:
            os.dup2(found, number)
            os.close(found)


def plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """For `codecs`: the next character that the encoding lacks, in others."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    if "\udc80" <= character <= "\udcff":
        # A byte of a file's name that is no text in its encoding: as it came.
        return bytes([ord(character) - 0xDC00]), error.start + 1
    return _without(character), error.start + 1


def _without(character: str) -> str:
    if character in _PLAIN:
        return _PLAIN[character]
    if character.isspace():
        return " "
    # Blocks and lines that rich draws with.
    if "\u2500" <= character <= "\u25ff":
        return _BAR
    parts = unicodedata.normalize("NFKD", character)
    return "".join(part for part in parts if part.isascii()) or "?"
