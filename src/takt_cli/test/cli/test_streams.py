# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the command with standard streams that are closed, full or without a reader, and in locales that are not
UTF-8."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from spec_samples import GOOD

import takt_cli
from takt_cli.cli.streams import plain

# Arguments with which the command fails with one line and status 2, and with which it prints and succeeds. Both import
# only a few modules.
FAILS, PRINTS = ("top", "--every", "nan"), ("--help",)
LINE = "takt: Invalid value for '--every': 'nan' is not a finite number (see takt top --help)\n"
# Environments with other encodings: the C locale without Python's switch to UTF-8, and ISO 8859-1.
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LATIN = {"PYTHONIOENCODING": "iso-8859-1"}


def takt(
    *arguments: str, streams: str = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run takt. `streams` are redirections in the shell's syntax, such as `>&-`."""
    command = ["sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-m", "takt_cli", *arguments]
    return subprocess.run(
        command, env=dict(os.environ) | (environment or {}), capture_output=True, check=False, stdin=subprocess.DEVNULL
    )


def test_a_missing_standard_output_is_reported_before_anything_is_done() -> None:
    done = takt(*PRINTS, streams=">&-")
    assert done.returncode == 1
    assert done.stderr == b"takt: standard output: is closed; send it elsewhere, to a file or to /dev/null\n"
    assert takt(*FAILS, streams=">&- 2>&- <&-").returncode == 1


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full"])
def test_a_standard_error_that_cannot_be_written_changes_nothing_else(streams: str) -> None:
    done = takt(*FAILS, streams=streams)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")
    done = takt(*PRINTS, streams=streams)
    assert done.returncode == 0
    assert b"Usage: takt" in done.stdout


def test_no_standard_input_is_no_terminal() -> None:
    done = takt("top", streams="<&-")
    assert (done.returncode, done.stderr) == (
        2,
        b"takt: takt top needs a terminal; for a file or a pipe give --once or --json\n",
    )


def test_an_output_that_nobody_reads_ends_the_command_silently() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        for arguments, status in ((PRINTS, 1), (FAILS, 2)):
            command = [sys.executable, "-m", "takt_cli", *arguments]
            done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
            assert (done.returncode, done.stderr.decode()) == (status, LINE if status == 2 else "")
            assert subprocess.run(command, stdout=writer, stderr=writer, check=False).returncode == status
    finally:
        os.close(writer)


@pytest.mark.parametrize(("environment", "encoding"), [(ASCII, "ascii"), (LATIN, "iso-8859-1")])
def test_characters_that_the_encoding_lacks_are_replaced_by_plain_ones(
    environment: dict[str, str], encoding: str, spec: Path, tmp_path: Path
) -> None:
    spec.write_text(GOOD.replace("name: three", 'name: "Gr\u00f6\u00dfe \u2013 \u2126"'), "utf-8")
    out = tmp_path / "out"
    done = takt("check", str(spec), "--out", str(out), environment=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode(encoding)
    assert ("Gr\u00f6\u00dfe - " if encoding == "iso-8859-1" else "Gro?e - ") in shown
    # Files are UTF-8 whatever the locale.
    texts = [path.read_text("utf-8") for path in out.iterdir()]
    assert any("\u2126" in text for text in texts)
    missing = takt("check", f"{tmp_path}/Gr\u00f6\u2013.yaml", environment=environment)
    assert missing.returncode == 2
    assert missing.stderr.startswith(b"takt: ")
    assert missing.stderr.endswith(b".yaml: there is no such file; name a spec (YAML)\n")


def test_a_file_name_that_is_not_valid_text_is_shown_unchanged() -> None:
    command: list[str | bytes] = [sys.executable, "-m", "takt_cli", "check", b"\xff.yaml"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr == b"takt: \xff.yaml: there is no such file; name a spec (YAML)\n"


def test_a_character_that_the_encoding_lacks_is_replaced_by_a_plain_one() -> None:
    text = "7\u202f200 \u00b1 3 \u00b5s \u2026 \u2264 \u00e9 \u2500\u2588 \u65e5"
    expected = "7 200 +/- 3 us ... <= e ## ?"
    for encoding in ("ascii", "iso-8859-1", "cp437"):
        written = "".join(part if isinstance(part := _one(c, encoding), str) else "" for c in text)
        if encoding == "ascii":
            assert written == expected
        written.encode(encoding)


def _one(character: str, encoding: str) -> str | bytes:
    try:
        character.encode(encoding)
    except UnicodeEncodeError as error:
        return plain(error)[0]
    return character


def without_encoding(source: str) -> Iterator[int]:
    """Yield the lines of calls that read or write text in the locale's encoding. ruff's rule for this knows the types
    of few expressions, and does not cover subprocesses."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or any(each.arg in {"encoding", None} for each in call.keywords):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        words = {each.arg for each in call.keywords}
        program = bool({"text", "universal_newlines"} & words) and name in {"run", "Popen", "check_output"}
        if program or (name == "read_text" and not call.args) or (name == "write_text" and len(call.args) < 2):
            yield call.lineno


def test_every_file_and_every_program_is_read_in_a_stated_encoding() -> None:
    package = Path(takt_cli.__file__).parent
    found = {f"{path}:{line}" for path in package.rglob("*.py") for line in without_encoding(path.read_text("utf-8"))}
    assert not found
    broken = "subprocess.run(a, text=True)\n(b / 'c').read_text()\nd.write_text(e)\nf.read_text('utf-8')\n"
    assert list(without_encoding(broken)) == [1, 2, 3]
