# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs functions in a separate process that first gives up rights or enters namespaces of its own."""

from __future__ import annotations

import ctypes
import os
import pickle
import resource
import subprocess
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from takt_cli.cli.main import cli

_NEWNS, _NEWUSER, _NEWNET, _PRIVATE = 0x00020000, 0x10000000, 0x40000000, (1 << 18) | (1 << 14)
_CAPBSET_DROP, _LINUX_CAPABILITY_VERSION_3 = 24, 0x20080522
_libc = ctypes.CDLL(None, use_errno=True)


def in_separate_process(prepare: Callable[[], None], act: Callable[[], Any]) -> Any:
    """Call `prepare` and then `act` in a child process, and return the result of `act`. Skip the test if the kernel
    refuses the preparation; fail it if `act` raises an exception."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        outcome: tuple[str, Any] = ("failed", "it ended")
        try:
            try:
                prepare()
            except (OSError, subprocess.CalledProcessError) as error:
                outcome = ("refused", str(error))
            else:
                outcome = ("done", act())
        except BaseException:
            outcome = ("failed", traceback.format_exc())
        finally:
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(outcome, pipe)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        how, what = pickle.load(pipe)
    os.waitpid(child, 0)
    if how == "refused":
        pytest.skip(f"not for us here: {what}")
    assert how == "done", what
    return what


class CommandResult(NamedTuple):
    status: int
    stderr: str


def run_takt(*arguments: str) -> CommandResult:
    """Run takt; return its exit status and its output on standard error."""
    result = CliRunner().invoke(cli, arguments)
    return CommandResult(result.exit_code, result.stderr)


def enter_own_network() -> None:
    """Enter a new network namespace, in which no interface is up."""
    _unshare(_NEWNET)


def own_shared_memory(mebibytes: int) -> Callable[[], None]:
    """Return a function that gives the process a /dev/shm of its own with this size."""

    def prepare() -> None:
        _unshare(_NEWNS)
        _check(_libc.mount(b"none", b"/", None, ctypes.c_ulong(_PRIVATE), None))
        _check(_libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", ctypes.c_ulong(0), f"size={mebibytes}m".encode()))

    return prepare


def enter_user_namespace() -> None:
    """Enter a user namespace in which this process is root; outside of it the process keeps its user."""
    user = os.getuid()
    _unshare(_NEWUSER)
    Path("/proc/self/uid_map").write_text(f"0 {user} 1\n", encoding="utf-8")


def limited_in_user_namespace(limit: int) -> None:
    """Limit locked memory to `limit` bytes, or to the present limit if that is lower, and become root in a user
    namespace."""
    _limit_lock(limit)
    enter_user_namespace()


def without_right_to_lock(limit: int) -> None:
    """Limit locked memory to `limit` bytes, or to the present limit if that is lower, and give up the right to exceed
    it."""
    _limit_lock(limit)
    # Programs that root starts get what the bounding set has.
    _libc.prctl(_CAPBSET_DROP, 14, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_LINUX_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    _check(_libc.capget(header, sets))
    for word in range(3):
        sets[word] &= ~(1 << 14)
    _check(_libc.capset(header, sets))


def _limit_lock(wanted_limit: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
    limit = wanted_limit if hard == resource.RLIM_INFINITY else min(hard, wanted_limit)
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (limit, limit))


def _unshare(flags: int) -> None:
    _check(_libc.unshare(flags))


def _check(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
