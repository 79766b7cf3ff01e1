# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of surroundings without setting them up: options, messages, and control groups and records as plain files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from tuning_tree import TreeSystem, make_tree, write

from takt_cli.errors import HostError, UsageError
from takt_cli.host.system import THIS_HOST, System
from takt_cli.options.surroundings import surroundings_options
from takt_cli.results.achieved import AchievedLimits, Rates
from takt_cli.results.conditions import KINDS, Conditions, Limits, Link, Load, Traffic
from takt_cli.surroundings import leftovers
from takt_cli.surroundings.autogroup import set_session_weight
from takt_cli.surroundings.cpu_group import CpuGroup, give_up_controller, remove_group
from takt_cli.surroundings.isolation import leave_groups_prefix
from takt_cli.surroundings.leftovers import Record, clean_leftovers
from takt_cli.surroundings.load import PRESETS, FreeResources, load_command, parse_load
from takt_cli.surroundings.pressure import Pressure
from takt_cli.surroundings.tools import ask_tool, run_tool
from takt_cli.surroundings.traffic import rates, whole_seconds

MUCH = FreeResources(1 << 40, 1 << 40)


def test_the_papers_loads_have_their_workers() -> None:
    assert {name: load.kinds["cpu"] for name, load in PRESETS.items()} == {
        "gutierrez": 10,
        "gutierrez-pc": 8,
        "gutierrez-board": 2,
        "icra": 10,
    }
    for load in PRESETS.values():
        assert set(load.kinds) == set(KINDS)
        assert len(set(load.kinds.values())) == 1


def test_scaling_keeps_workers_per_cpu_of_the_papers_machine() -> None:
    assert PRESETS["gutierrez-pc"].scaled(6).kinds["vm"] == 8
    assert PRESETS["gutierrez-pc"].scaled(2).kinds["vm"] == 3
    assert PRESETS["gutierrez-board"].scaled(16).kinds["io"] == 16
    assert PRESETS["icra"].scaled(4).kinds["hdd"] == 4  # the paper does not describe the machine
    assert PRESETS["icra"].scaled(4).scaled_to == 4


def test_commands_bound_memory_and_files_by_what_is_free(tmp_path: Path) -> None:
    for tool in ("stress", "stress-ng"):
        load = PRESETS["gutierrez-pc"].with_tool(tool)
        much, little = (load_command(load, tmp_path, room) for room in (MUCH, FreeResources(64 << 20, 64 << 20)))
        assert much[:9] == [tool, "--cpu", "8", "--vm", "8", "--io", "8", "--hdd", "8"]
        workers = 1 if tool == "stress" else 8  # stress-ng takes the total of all workers
        assert much[much.index("--vm-bytes") + 1] == str((256 << 20) * workers)
        assert much[much.index("--hdd-bytes") + 1] == str((1 << 30) * workers)
        assert int(little[little.index("--hdd-bytes") + 1]) <= 64 << 20
    assert "--vm-bytes" not in load_command(Load({"cpu": 2}), tmp_path, MUCH)


def test_a_load_of_kinds_alone_has_workers_on_each_cpu(tmp_path: Path) -> None:
    each = parse_load("cpu,io")
    assert load_command(each.total(4), tmp_path, MUCH)[1:5] == ["--cpu", "4", "--io", "4"]
    assert each.scaled(4) == each
    assert parse_load("cpu=3").total(4) == parse_load("cpu=3")


@pytest.mark.parametrize("text", ["icra", "cpu=3,hdd=1", "cpu,vm"])
def test_the_name_of_a_load_is_read_as_that_load(text: str) -> None:
    assert parse_load(text).name == text
    assert parse_load(parse_load(text).name) == parse_load(text)


def test_a_load_is_a_name_or_workers_by_kind() -> None:
    assert parse_load("icra") is PRESETS["icra"]
    assert parse_load("cpu=3, hdd=1").kinds == {"cpu": 3, "hdd": 1}
    assert parse_load("cpu, vm") == Load({"cpu": 1, "vm": 1}, on_each_cpu=True)
    for wrong in ("", "cpu,", "cpu,vm=2", "cpu,cpu", "cpu=0", "gpu=1", "cpu=1,cpu=2", "cpu=-1", "cpu=99999"):
        with pytest.raises(ValueError, match="give gutierrez, gutierrez-pc"):
            parse_load(wrong)


@settings(deadline=None)
@given(st.text())
def test_no_text_breaks_the_reader_of_loads(text: str) -> None:
    with suppress(ValueError):
        assert parse_load(text).kinds


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Conditions(link=Link(10)), "--link"),
        (lambda: Conditions(limits=Limits(cpu_share=0.5)), "--limit-cpu"),
        (lambda: Conditions(Load({"cpu": 1}), limits=Limits(cpu_share=1.5)), "--limit-cpu"),
        (lambda: Conditions(limits=Limits(mbit=1.0)), "--limit-rate"),
        (lambda: Conditions(traffic=Traffic(1), limits=Limits(mbit=1.0)), "--limit-rate needs a link"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(make: Callable[[], Conditions], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        make()


@click.command()
@surroundings_options
@click.option("--other", default=1)
def verb(conditions: Conditions, other: int) -> None:
    assert other == 1
    click.echo(repr(conditions))


def test_options_become_conditions() -> None:
    said = CliRunner().invoke(verb, []).output.strip()
    assert said == repr(Conditions())
    words = "--load gutierrez-board --load-tool stress --traffic 40 --traffic-link own --link 100 --limit-cpu 30%"
    said = CliRunner().invoke(verb, [*words.split(), "--limit-rate", "20"]).output.strip()
    wanted = Conditions(
        PRESETS["gutierrez-board"].with_tool("stress"), Traffic(40.0, "own"), Link(100), Limits(0.3, 20.0)
    )
    assert said == repr(wanted)
    scaled = CliRunner().invoke(verb, ["--load", "icra", "--load-scale"]).output
    assert "scaled_to=None" not in scaled


@pytest.mark.parametrize(
    "words", ["--load x", "--load-scale", "--limit-cpu 0", "--limit-cpu 120%", "--link 10", "--traffic 0"]
)
def test_options_that_make_no_sense_are_refused(words: str) -> None:
    assert CliRunner().invoke(verb, words.split()).exit_code == 2


def test_pressure_is_a_share_of_the_time_and_none_where_it_is_not_kept(tmp_path: Path) -> None:
    system = System(tmp_path)
    assert Pressure(system).so_far() is None
    lines = "some avg10=1.00 avg60=0.00 avg300=0.00 total={}\nfull avg10=0.00 total=0\n"
    write(tmp_path / "proc/pressure/cpu", lines.format(1000))
    pressure = Pressure(system)
    write(tmp_path / "proc/pressure/cpu", lines.format(3000))
    found = pressure.so_far()
    assert found is not None
    assert found["cpu"]["some"] > 0
    assert found["cpu"]["full"] == 0
    assert set(found) == {"cpu"}


def test_a_group_of_version_1_gets_period_quota_and_weight(tmp_path: Path) -> None:
    system, noted = TreeSystem(make_tree(tmp_path, 1)), []
    group = CpuGroup("takt-1-0", system)
    group.make(0.5, 40, lambda kind, name: noted.append((kind, name)))
    assert noted == [("group", "/sys/fs/cgroup/cpu/takt-1-0")] == [("group", group.path)]
    names = ("cfs_period_us", "cfs_quota_us", "shares")
    assert [system.text(f"{group.path}/cpu.{name}") for name in names] == ["10000", "5000", "40960"]
    assert group.granted() == 0.5
    write(system.path(f"{group.path}/cpu.stat"), "nr_periods 10\nnr_throttled 4\nthrottled_time 2500000000\n")
    assert group.achieved(Limits(0.5)) == AchievedLimits(Limits(0.5), 0.5, 10, 4, 2.5)


def test_a_group_of_version_2_switches_its_controller_on_and_off_again(tmp_path: Path) -> None:
    system, noted, mount = TreeSystem(make_tree(tmp_path, 2)), [], "/sys/fs/cgroup"
    control = f"{mount}/cgroup.subtree_control"
    write(system.path(control), "memory")
    group = CpuGroup("takt-1-0", system)
    group.make(1.5, 500, lambda kind, name: noted.append((kind, name)))
    assert noted == [("controller", control), ("group", f"{mount}/takt-1-0")]
    assert system.words(control) == ["cpu", "memory"]
    assert system.text(f"{group.path}/cpu.max") == "15000 10000"
    assert system.text(f"{group.path}/cpu.weight") == "10000"
    assert group.granted() == 1.5
    write(system.path(f"{group.path}/cpu.stat"), "nr_periods 10\nnr_throttled 4\nthrottled_usec 2500000\n")
    assert group.achieved(Limits(0.5)).throttled_seconds == 2.5
    assert group.inside()[-1] == str(system.path(f"{group.path}/cgroup.procs"))
    assert remove_group(system, group.path)
    give_up_controller(system, control)
    assert system.words(control) == ["cpu", "memory"]  # groups exist, which may belong to other programs
    for name in ("user.slice", "system.slice"):
        shutil.rmtree(system.path(f"{mount}/{name}"))
    give_up_controller(system, control)
    assert system.words(control) == ["memory"]


def test_a_group_that_exists_is_not_taken(tmp_path: Path) -> None:
    system = TreeSystem(make_tree(tmp_path, 1))
    group = CpuGroup("takt-1-0", system)
    system.path(group.path).mkdir()
    with pytest.raises(HostError, match=r"^/sys/fs/cgroup/cpu/takt-1-0: the limit .* could not be set: File exists"):
        group.make(0.5, 40, lambda *_: None)


def test_a_limit_needs_a_hierarchy_with_the_controller(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="mount it"):
        CpuGroup("takt-1-0", System(tmp_path))


def test_a_session_gets_the_weight_of_its_workers_where_sessions_share(tmp_path: Path) -> None:
    system, file = System(tmp_path), tmp_path / "proc/7/autogroup"
    assert set_session_weight(7, 40, system) == 40  # no such thing
    write(tmp_path / "proc/sys/kernel/sched_autogroup_enabled", "1\n")
    write(file, "/autogroup-7 nice 0\n")
    assert set_session_weight(7, 40, system) == pytest.approx(40, rel=0.13)
    assert file.read_text() == "-17"
    set_session_weight(7, 1000, system)
    assert file.read_text() == "-20"
    assert set_session_weight(7, 1, system) == 1
    file.unlink()
    file.mkdir()
    assert set_session_weight(7, 40, system) == 1  # refused


def seconds(start: float, length: float, mbit: float, lost: int = 0) -> dict[str, object]:
    found = {"start": start, "seconds": length, "bytes": mbit * length * 1e6 / 8, "bits_per_second": mbit * 1e6}
    return {"sum": found | {"packets": 100, "lost_packets": lost}}


def test_rates_are_of_whole_seconds_after_the_first(tmp_path: Path) -> None:
    path = tmp_path / "traffic.json"
    found = [seconds(0, 1, 500), seconds(1, 1, 40), seconds(2, 1, 20, 3), seconds(2, 1, 20, 3), seconds(3, 0.1, 900)]
    path.write_text(json.dumps({"intervals": found}))
    assert rates(whole_seconds(path)) == Rates(mbit=30, least_mbit=20, seconds=2, packets=200, lost=3)
    for broken in ("", "{", "[]", '{"intervals": [{}]}'):
        path.write_text(broken)
        assert rates(whole_seconds(path)) is None


def test_a_tool_that_fails_is_reported_in_one_line() -> None:
    assert ask_tool("sh", "-c", "echo '[1]'") == [1]
    with pytest.raises(HostError, match=r"^`sh -c echo no >&2; exit 3` failed: no$"):
        run_tool("sh", "-c", "echo no >&2; exit 3")
    with pytest.raises(HostError, match="need root"):
        run_tool("sh", "-c", "echo RTNETLINK answers: Operation not permitted >&2; exit 2")
    with pytest.raises(HostError, match="wrote no JSON"):
        ask_tool("sh", "-c", "echo what")


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "records"
    monkeypatch.setenv("TAKT_RECORD_DIR", str(folder))
    return folder


def orphan(folder: Path, things: object) -> Path:
    """Write the record of an ended process that had the same ID as this one, but another start time."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{os.getpid()}-1-0.json"
    path.write_text(things if isinstance(things, str) else json.dumps(things))
    return path


def test_a_record_removes_what_it_lists_and_then_itself(records: Path, tmp_path: Path) -> None:
    with closing(Record()) as record:
        scratch = record.scratch(tmp_path)
        (scratch / "file").touch()
        assert len(list(records.glob("*.json"))) == 1
        assert clean_leftovers() == []  # its owner lives
        assert scratch.exists()
    assert not scratch.exists()
    assert not list(records.glob("*.json"))


def test_leftovers_are_those_whose_owner_is_gone(records: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "takt-scratch-1-0"
    scratch.mkdir()
    path = orphan(records, [["scratch", str(scratch)], ["namespace", "takt-none"], ["group", str(tmp_path / "none")]])
    assert clean_leftovers()[0] == f"scratch {scratch}"
    assert not scratch.exists()
    assert not path.exists()
    assert clean_leftovers() == []


def test_a_record_removes_nothing_that_is_not_ours(records: Path, tmp_path: Path) -> None:
    mine = tmp_path / "precious"
    mine.mkdir()
    us = THIS_HOST.task(os.getpid())
    assert us is not None
    # First this process's ID with another start time; then this process itself, which is no tool that makes load.
    sessions = [["session", f"{us.pid}:{us.started + 1}"], ["session", f"{us.pid}:{us.started}"]]
    orphan(records, [["scratch", str(mine)], ["what", "ever"], ["session", "x"], *sessions])
    clean_leftovers()
    assert mine.exists()


@pytest.mark.parametrize("broken", ["", "{", "[1]", "null", '{"a": 1}', '[["a"]]'])
def test_a_broken_record_is_ignored(records: Path, broken: str) -> None:
    path = orphan(records, broken)
    assert clean_leftovers() == []
    assert not path.exists()


def test_leftovers_that_cannot_be_removed_are_reported_and_stay_recorded(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(leftovers._UNDO, "group", lambda _name: False)
    record = Record()
    record.note("group", "/sys/fs/cgroup/x")
    with pytest.raises(HostError, match=r"group /sys/fs/cgroup/x could not be removed; the next start"):
        record.close()
    assert len(list(records.glob("*.json"))) == 1


def test_a_folder_of_somebody_else_is_not_used(records: Path) -> None:
    records.symlink_to("/")
    assert clean_leftovers() == []
    with pytest.raises(HostError, match="another user"):
        Record()


def _in_groups(root: Path, mounts: str, memberships: str) -> System:
    write(root / "proc/mounts", mounts)
    write(root / "proc/self/cgroup", memberships)
    return System(root)


def test_load_leaves_the_groups_that_are_takts_alone(tmp_path: Path) -> None:
    one, two = tmp_path / "cpuset", tmp_path / "unified"
    for place in (one / "takt", one / "takt.rest", two / "takt", two):
        write(place / "cgroup.procs", "")
    mounts = "c /cpuset cgroup rw,cpuset 0 0\nc /cpu cgroup rw,cpu 0 0\nc /unified cgroup2 rw 0 0\n"
    words = leave_groups_prefix(_in_groups(tmp_path, mounts, "5:cpuset:/takt\n4:cpu:/\n0::/takt\n"))
    assert words[-1].split() == [str(one / "takt.rest"), str(two)]
    # Ordinary files stand in for the groups; the process ID is written to them.
    assert run_tool(*words, "echo", "started") == "started\n"
    assert (one / "takt.rest" / "cgroup.procs").read_text() == (two / "cgroup.procs").read_text()


def test_load_moves_from_the_root_group_to_takt_rest(tmp_path: Path) -> None:
    rest = tmp_path / "cpu" / "takt.rest"
    rest.mkdir(parents=True)
    mounts = "c /cpu cgroup rw,cpu 0 0\nc /cpuset cgroup rw,cpuset 0 0\n"
    system = _in_groups(tmp_path, mounts, "5:cpuset:/\n4:cpu:/\n")
    with pytest.raises(HostError, match=f"{rest}, which needs root: start takt as root"):
        leave_groups_prefix(system)
    (rest / "cgroup.procs").touch()
    assert leave_groups_prefix(system)[-1] == str(rest)


def test_outside_of_takts_groups_the_load_needs_no_prefix(tmp_path: Path) -> None:
    system = _in_groups(tmp_path, "c /cpuset cgroup rw,cpuset 0 0\n", "5:cpuset:/taktik\n0::/\n")
    assert leave_groups_prefix(system) == []
