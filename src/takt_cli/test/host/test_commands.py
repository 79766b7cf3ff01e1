# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of running other programs to their end, and of waiting for what they bring about."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from takt_cli.errors import HostError
from takt_cli.host import command
from takt_cli.host.command import completed, output_of
from takt_cli.host.polling import becomes_true
from takt_cli.host.programs import ament_prefixes, find_program, inheritance_library
from takt_cli.surroundings.tools import run_tool


def test_output_is_text_whatever_its_bytes_are() -> None:
    assert output_of(["printf", r"a\377b"]) == "a\N{REPLACEMENT CHARACTER}b"
    assert completed(["sh", "-c", "cat; exit 3"]).returncode == 3  # there is no input to wait for


def test_a_failure_is_one_line_that_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match=r"first second") as failed:
        output_of(["sh", "-c", "printf 'first\nsecond\n' >&2; exit 1"])
    assert failed.value.errno == errno.EINVAL
    with pytest.raises(OSError, match="it reported nothing"):
        output_of(["false"])
    with pytest.raises(FileNotFoundError, match="no-such-program is not installed"):
        output_of(["no-such-program"])
    monkeypatch.setattr(command, "_LONGEST", 0.01)
    with pytest.raises(OSError, match=r"it did not end within 0\.01 s") as late:
        output_of(["sleep", "1000"])
    assert late.value.errno == errno.ETIMEDOUT


def test_what_a_missing_right_prevents_says_who_may_do_it() -> None:
    with pytest.raises(HostError, match=r"need root.*start takt as root.*\(`sh -c .*`: x: Operation not permitted\)"):
        run_tool("sh", "-c", "echo x: Operation not permitted >&2; exit 1")
    with pytest.raises(HostError, match=r"`sh -c .*` failed: no such device"):
        run_tool("sh", "-c", "echo no such device >&2; exit 1")


def test_a_condition_is_evaluated_until_it_is_true_or_time_is_up() -> None:
    values = iter([False, False, True])
    assert becomes_true(lambda: next(values), 1000, interval=0)
    assert not list(values)
    assert not becomes_true(lambda: False, -1)


def test_programs_are_found_below_the_prefixes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for prefix in (first, second):
        (prefix / "lib" / "takt_lab").mkdir(parents=True)
        (prefix / "lib" / "takt_lab" / "probe").touch(0o755)
    (first / "lib" / "takt_lab" / "probe").chmod(0o644)
    (second / "lib" / "libtakt_inheritance.so").touch()
    monkeypatch.delenv("TAKT_PREFIX", raising=False)
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{first}::{second}")
    assert ament_prefixes() == [first, second]
    assert ament_prefixes({"AMENT_PREFIX_PATH": "/a:/b"}) == [Path("/a"), Path("/b")]
    assert find_program("probe") == second / "lib" / "takt_lab" / "probe"  # the first one cannot be executed
    assert inheritance_library() == second / "lib" / "libtakt_inheritance.so"
    monkeypatch.setenv("TAKT_PREFIX", str(first))
    with pytest.raises(HostError, match="'probe' of takt_lab is not installed"):
        find_program("probe")
