# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the kernel's recording of context switches, with files in place of tracefs: it is set up, read and always
removed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tuning_tree import write

from takt_cli.host.system import System
from takt_cli.host.tracefs import record_switches
from takt_cli.results.kernel_file import parse_switches

INSTANCES = "sys/kernel/tracing/instances"

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


class Tracefs(System):
    """A host made of files with those that the kernel has in an instance of tracefs."""

    def instances(self) -> set[str]:
        return set(self.entries(INSTANCES))

    def make_folder(self, path: str) -> None:
        super().make_folder(path)
        folders = ("per_cpu/cpu1", "events/sched/sched_switch")
        files = {f"{folders[0]}/stats": "entries: 2\noverrun: 3\ndropped events: 1\n", "trace": TEXT}
        names = ("trace_clock", "tracing_cpumask", "tracing_on", f"{folders[0]}/buffer_size_kb", f"{folders[1]}/enable")
        for name, text in (files | dict.fromkeys(names, "")).items():
            write(self.path(f"{path}/{name}"), text)

    def remove_folder(self, path: str) -> None:
        shutil.rmtree(self.path(path))


@pytest.fixture
def system(tmp_path: Path) -> Tracefs:
    (tmp_path / INSTANCES).mkdir(parents=True)
    return Tracefs(tmp_path)


def test_an_instance_of_its_own_is_set_up_and_removed(system: Tracefs) -> None:
    with record_switches((1,), system) as recording:
        place = f"{INSTANCES}/takt-{os.getpid()}"
        assert system.text(f"{place}/trace_clock") == "mono"
        assert system.text(f"{place}/tracing_cpumask") == "2"
        assert system.text(f"{place}/events/sched/sched_switch/enable") == "1"
    assert recording.refusal_reason is None
    assert recording.switches is not None
    assert (len(recording.switches), recording.lost) == (2, 4)
    assert system.instances() == set()


def test_the_instance_is_removed_after_an_error(system: Tracefs) -> None:
    with pytest.raises(KeyError), record_switches((1,), system):
        raise KeyError
    assert system.instances() == set()


def test_what_a_killed_program_left_behind_is_removed_by_the_next(system: Tracefs) -> None:
    (system.path("proc/7")).mkdir(parents=True)
    for name in ("takt-8", "takt-7", "somebody"):
        system.make_folder(f"{INSTANCES}/{name}")
    with record_switches((1,), system):
        pass
    assert system.instances() == {"takt-7", "somebody"}


def test_a_refused_recording_is_reported_and_is_no_error(system: Tracefs, tmp_path: Path) -> None:
    with record_switches((1,), System(tmp_path / "none")) as recording:
        pass
    assert recording.switches is None
    assert "tracefs is not mounted at /sys/kernel/tracing" in str(recording.refusal_reason)
    # The set-up finds that this CPU does not exist.
    with record_switches((7,), system) as recording:
        pass
    assert recording.refusal_reason is not None
    assert system.instances() == set()


@pytest.mark.skipif(not os.access(Path("/", INSTANCES), os.W_OK), reason="tracefs does not let this user")
def test_the_kernel_itself_records() -> None:
    cpu = min(os.sched_getaffinity(0))
    before = set((Path("/", INSTANCES)).iterdir())
    with record_switches((cpu,)) as recording:
        for _ in range(20):
            os.waitpid(os.posix_spawnp("taskset", ["taskset", "-c", str(cpu), "true"], os.environ), 0)
    assert set((Path("/", INSTANCES)).iterdir()) == before
    if recording.refusal_reason is not None:
        pytest.skip(recording.refusal_reason)
    assert recording.switches is not None
    assert len(recording.switches) > 0
    assert set(recording.switches["cpu"].tolist()) == {cpu}
