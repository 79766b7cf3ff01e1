# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the kernel's recording of context switches, with files in place of tracefs: it is set up, read and always
removed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from takt_cli.analysis.kernel_file import parse_switches
from takt_cli.host import tracefs
from takt_cli.host.tracefs import ROOT, record_switches

TEXT = """\
# tracer: nop
#              | |         |   |||||     |         |
          <idle>-0       [001] d..2. 12345.678901: sched_switch: prev_comm=swapper/1 prev_pid=0 \
prev_prio=120 prev_state=R ==> next_comm=takt.w1 next_pid=77 next_prio=53
CPU:1 [LOST 4 EVENTS]
         takt.w1-77      [001] d..2. 12345.678951: sched_switch: prev_comm=takt.w1 prev_pid=77 \
prev_prio=53 prev_state=S ==> next_comm=a name = odd next_pid=0 next_prio=120
"""


def test_switches_are_read() -> None:
    rows, lost = parse_switches(TEXT.splitlines())
    assert lost == 4
    assert rows.tolist() == [
        (12345678901000, 1, 77, 53, b"takt.w1", b"R"),
        (12345678951000, 1, 0, 120, b"a name = odd", b"S"),
    ]
    assert len(parse_switches(["nothing"])[0]) == 0


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace mkdir and rmdir: they create and remove the files that the kernel has in an instance of tracefs."""
    (tmp_path / "instances").mkdir()
    made, removed = Path.mkdir, Path.rmdir

    def mkdir(self: Path, *args: int) -> None:
        made(self)
        if self.parent.name != "instances":
            return
        for folder in ("per_cpu", "per_cpu/cpu1", "events", "events/sched", "events/sched/sched_switch"):
            made(self / folder)
        (self / "trace").write_text(TEXT, "utf-8")
        (self / "per_cpu/cpu1/stats").write_text("entries: 2\noverrun: 3\ndropped events: 1\n", "utf-8")

    def rmdir(self: Path) -> None:
        for path in sorted(self.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else removed(path)
        removed(self)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    monkeypatch.setattr(Path, "rmdir", rmdir)
    return tmp_path


def test_an_instance_of_its_own_is_set_up_and_removed(root: Path) -> None:
    with record_switches((1,), root) as recording:
        place = root / "instances" / f"takt-{os.getpid()}"
        assert (place / "trace_clock").read_text() == "mono"
        assert (place / "tracing_cpumask").read_text() == "00000002"
        assert (place / "events/sched/sched_switch/enable").read_text() == "1"
    assert recording.refusal_reason is None
    assert recording.switches is not None
    assert (len(recording.switches), recording.lost) == (2, 4)
    assert list((root / "instances").iterdir()) == []


def test_the_instance_is_removed_after_an_error(root: Path) -> None:
    with pytest.raises(KeyError), record_switches((1,), root):
        raise KeyError
    assert list((root / "instances").iterdir()) == []


def test_what_a_killed_program_left_behind_is_removed_by_the_next(root: Path) -> None:
    for name in ("takt-4194305", f"takt-{os.getppid()}", "somebody"):
        (root / "instances" / name).mkdir()
    with record_switches((1,), root):
        pass
    assert {p.name for p in (root / "instances").iterdir()} == {f"takt-{os.getppid()}", "somebody"}


def test_a_refused_recording_is_reported_and_is_no_error(root: Path, tmp_path: Path) -> None:
    with record_switches((1,), tmp_path / "none") as recording:
        pass
    assert recording.switches is None
    assert "not recorded" in str(recording.refusal_reason)
    # The set-up finds that this CPU does not exist.
    with record_switches((7,), root) as recording:
        pass
    assert recording.refusal_reason is not None
    assert list((root / "instances").iterdir()) == []


def test_masks_are_as_the_kernel_reads_them() -> None:
    assert tracefs._mask((0, 3)) == "00000009"
    assert tracefs._mask((33,)) == "00000002,00000000"


@pytest.mark.skipif(not os.access(ROOT / "instances", os.W_OK), reason="tracefs does not let this user")
def test_the_kernel_itself_records() -> None:
    cpu = min(os.sched_getaffinity(0))
    before = set((ROOT / "instances").iterdir())
    with record_switches((cpu,)) as recording:
        for _ in range(20):
            os.waitpid(os.posix_spawnp("taskset", ["taskset", "-c", str(cpu), "true"], os.environ), 0)
    assert set((ROOT / "instances").iterdir()) == before
    if recording.refusal_reason is not None:
        pytest.skip(recording.refusal_reason)
    assert recording.switches is not None
    assert len(recording.switches) > 0
    assert set(recording.switches["cpu"].tolist()) == {cpu}
