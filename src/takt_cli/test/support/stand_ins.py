# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Stand-ins for the C++ programs: they write the promised files at once, and fail on demand.

They show that the command starts, watches, ends and reads programs correctly, without timing. The tests of the real
programs are in test/whole.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from takt_cli.host.facts import host_facts
from takt_cli.results import sample_files

# What is installed under each name. The program itself is a module beside this file, so that it is compiled only once.
# It needs the standard library alone: not to look for any other packages halves the time of a start.
PROGRAM = f"""#!{sys.executable} -IS
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import stand_in_program
"""
PROGRAMS: tuple[str, ...] = ("probe", "runner", "simulate", "timers", "transport", "interference")
PROGRAMS += ("soak", "replay", "dispatch", "preemption", "exchange", "crossing", "switch", "section", "trace", "nodes")
CONVERSATIONS = ("round_trip", "cyclic", "one_way")
# Programs of the system.
TOOLS = ("cyclictest",)


def install_stand_ins(prefix: Path) -> Path:
    """Write the programs under `prefix`, a folder to be named by TAKT_PREFIX, and return it."""
    folder = prefix / "lib" / "takt_lab"
    folder.mkdir(parents=True)
    kinds = {name: kind for name, kind in vars(sample_files).items() if isinstance(kind, np.dtype)}
    (folder / "formats.json").write_text(json.dumps({name: _formats(kind) for name, kind in kinds.items()}), "utf-8")
    for name in PROGRAMS + CONVERSATIONS + TOOLS:
        program = folder / name
        program.write_text(PROGRAM, "utf-8")
        program.chmod(0o755)
    return prefix


def _formats(kind: np.dtype[Any]) -> tuple[Any, str]:
    """Return the fields of a row, and the corresponding format string of the module struct."""
    packed = "<" + "".join(
        {"u4": "I", "V4": "4x", "u8": "Q", "i4": "i", "i8": "q", "f8": "d"}[each[1][1:]] for each in kind.descr
    )
    assert kind.itemsize == struct.calcsize(packed), kind
    return kind.descr, packed


def choose_no_middleware(patch: pytest.MonkeyPatch) -> None:
    """Unset the choice of an RMW, so that ROS 2 uses its default, which the stand-ins report."""
    for name in ("RMW_IMPLEMENTATION", "LD_PRELOAD"):
        patch.delenv(name, raising=False)


def put_in_place(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the command use stand-ins, which are written below `folder`, and see no other real-time threads on this
    host."""
    patch.setattr("takt_cli.host.realtime.realtime_threads", lambda _cpus: {})
    # Tests that run at the same time may tune this host temporarily, but results of one host must have the same facts.
    throttling = {"rt_runtime_us": 950_000, "rt_period_us": 1_000_000, "rt_throttling": True}
    patch.setattr("takt_cli.run.session.host_facts", lambda cpus: replace(host_facts(cpus), **throttling))
    choose_no_middleware(patch)
    prefix = install_stand_ins(folder / "prefix")
    patch.setenv("TAKT_PREFIX", str(prefix))
    patch.setenv("PATH", str(prefix / "lib" / "takt_lab"), prepend=":")
