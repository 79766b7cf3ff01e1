# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests with real guests on Debian's kernels: their runs are recorded and labelled, and give the same result every
time."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from real_programs import takt

from takt_cli.errors import HostError
from takt_cli.guest.guest import Guest
from takt_cli.guest.kernel import KERNELS, find_kernel
from takt_cli.host.programs import find_program
from takt_cli.results.json_file import plain
from takt_cli.results.origin import Guest as GuestFacts
from takt_cli.results.result_file import read_origin
from takt_cli.results.sample_files import STALLS, read_rows

# These tests do not have the marker `programs`, because a guest has all rights, even without rights on this host.
# The longest time on this host, in s, for which a guest that hangs is waited for.
_PATIENCE = 500.0


@pytest.fixture(autouse=True, scope="module")
def _a_guest_can_be_started() -> None:
    """Skip the tests if something that a guest needs is not installed; fail them if it should be, as with `make
    test`."""
    _required("TAKT_REQUIRE_GUEST", [n for n in ("qemu-system-x86_64", "apt-get", "dpkg-deb") if not shutil.which(n)])
    try:
        for name in ("probe", "timers"):
            find_program(name)
    except HostError as error:
        _required("TAKT_REQUIRE_PROGRAMS", [str(error)])
    try:
        for name in KERNELS:
            find_kernel(name)
    except HostError as error:
        _required("TAKT_REQUIRE_GUEST", [f"kernels that apt can fetch ({error})"])


def _required(by: str, missing: list[str]) -> None:
    if missing and os.environ.get(by):
        pytest.fail(f"guests need {', '.join(missing)}")
    if missing:
        pytest.skip(f"guests need {', '.join(missing)}")


def _probed(place: Path) -> GuestFacts:
    """Run the stall probe in a guest for 0.2 s, with one row per wake-up; the guest also prints its kernel version."""
    probe = ["--cpu", "0", "--duration-ns", "200000000", "--threshold-ns", "1", "--out", "/results/wakes.npy"]
    look = "read -r version < /proc/version; echo $version"
    return Guest("rt").run(
        [["sh", "-c", look], [str(find_program("probe")), *probe]],
        [],
        _PATIENCE,
        place,
        environment={"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")},
    )


def test_a_guest_runs_preempt_rt_and_the_same_every_time(tmp_path: Path) -> None:
    record = _probed(tmp_path / "one")
    assert record == _probed(tmp_path / "other")
    assert record.guest["realtime"]
    assert "PREEMPT_RT" in (tmp_path / "one" / "command-0.log").read_text("utf-8")
    rows = read_rows(tmp_path / "one" / "wakes.npy", STALLS)
    assert len(rows) >= 100
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert {"wakes.npy", "wakes.json", "guest.json"} <= set(files)
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes(), name
    # Inside the guest, real-time priority is granted even if this host refuses it.
    assert json.loads((tmp_path / "one" / "wakes.json").read_text("utf-8"))["granted"] == 99


def test_timers_are_measured_in_a_guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("--callbacks", "2", "--period", "10ms", "--duration", "0.2", "--rounds", "1", "--executor", "takt")
    summary = takt("measure", "timers", *arguments, "--kernel", "vanilla", "--out", "out")
    assert summary["virtual"]["asked"] == "vanilla"
    assert not summary["virtual"]["guest"]["realtime"]
    origin = read_origin(Path("out"))
    assert (plain(origin.virtual), plain(origin.host)) == (summary["virtual"], summary["host"])
    assert summary["host"]["kernel"] == summary["virtual"]["guest"]["kernel"]
    assert summary["host"]["virtual_time"] == summary["virtual"]["time"]
    assert summary["host"]["used_cpus"] == [0]
    # Nothing else runs in the guest, and virtual time passes only with instructions, so all jobs run.
    for figures in (*summary["executors"].values(), *summary["floors"].values()):
        assert figures["jobs"] == {"released": 40, "run": 40, "skipped": 0, "unfinished": 0}
        assert figures["refused"] == []
    jobs = np.load("out/round-1/takt.jobs.npy")
    assert (jobs["start"] >= jobs["release"]).all()
