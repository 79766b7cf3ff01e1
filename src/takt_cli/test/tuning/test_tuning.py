# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of tuning on a recorded tree of a host: it is tuned and restored, in any order, after failures, and after being
killed at any step."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tuning_tree import FAIR_SERVER, TreeSystem, add_thread, make_tree, picture

from takt_cli.errors import HostError, SpecError, UsageError
from takt_cli.tuning.knobs import plan
from takt_cli.tuning.profile import Profile, parse_profile, profile_names, read_profile
from takt_cli.tuning.state import Store
from takt_cli.tuning.tune import apply, inside_hints, pending, revert, state_rows
from takt_cli.tuning.tuned_host import tuned_host

ALL = b"""\
description: everything at once
priorities: {network_irqs: 90, executors: 80, middleware: 79, discovery: 70, ksoftirqd: 60}
cpu: {governor: performance, idle_latency_us: 20, interrupts: away}
throttling: {runtime_us: -1}
isolation: {rt_runtime_us: 900000}
limits: {cpu_share: 0.8, mbit: 40}
traffic: {critical_first: true}
"""
VERSIONS = (1, 2)


def everything() -> Profile:
    return parse_profile(ALL, "all.yaml", "all", (1,))


def profile(name: str) -> Profile:
    return everything() if name == "all" else read_profile(name, (1,))


@pytest.fixture(params=VERSIONS)
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return make_tree(tmp_path / "host", request.param)


def test_the_papers_priorities(tmp_path: Path) -> None:
    system = TreeSystem(make_tree(tmp_path))
    add_thread(tmp_path, 80, 85, "dds.asyn.0.0", "FIFO", 48)
    add_thread(tmp_path, 80, 86, "dds.asyn.1.0")
    add_thread(tmp_path, 80, 87, "dds.udp.7410")
    applied = apply(system, profile("gutierrez4"))
    assert applied.lacking == []
    now = {task.name: f"{task.policy} {task.priority}" for task in system.all_tasks()}
    assert now["irq/24-eth0"] == now["irq/25-eth0"] == "FIFO 90"
    assert now["ksoftirqd/0"] == now["ksoftirqd/1"] == "FIFO 60"
    # The workers keep their order below the timer thread; a worker without real-time priority stays as it is.
    assert (now["takt.timer"], now["takt.w1"], now["takt.w2"]) == ("FIFO 80", "FIFO 77", "OTHER 0")
    assert (now["dds.udp.7411"], now["dds.udp.7410"]) == ("FIFO 79", "FIFO 70")
    # Asynchronous senders are left as they are.
    assert (now["dds.asyn.0.0"], now["dds.asyn.1.0"]) == ("FIFO 48", "OTHER 0")
    assert now["sh"] == "OTHER 0"


def test_every_profile_is_put_back(root: Path) -> None:
    before = picture(root)
    for name in [*profile_names(), "all"]:
        system = TreeSystem(root)
        applied = apply(system, profile(name))
        assert applied.granted, name
        assert picture(root) != before, name
        assert all(not row.differs for row in state_rows(system, Store(system).load()[0]))
        assert revert(system), name
        assert picture(root) == before, name
    assert not Store(TreeSystem(root)).file.exists()


def test_a_plan_changes_nothing(root: Path) -> None:
    before = picture(root)
    system = TreeSystem(root)
    planned = plan(system, everything())
    assert planned.commands(system)
    assert pending(system, everything())[0]
    assert (picture(root), system.steps) == (before, 0)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    version=st.sampled_from(VERSIONS),
    steps=st.lists(st.sampled_from([*profile_names(), "all", "revert", "refused"]), max_size=5),
)
def test_any_order_ends_where_it_began(version: int, steps: list[str], tmp_path: Path) -> None:
    place = tmp_path / "host"
    shutil.rmtree(place, ignore_errors=True)
    before = picture(make_tree(place, version))
    for step in steps:
        if step == "revert":
            revert(TreeSystem(place))
            assert picture(place) == before
        elif step == "refused":
            as_it_was = picture(place)
            with pytest.raises(HostError, match="all settings were restored"):
                apply(TreeSystem(place, refuses="scheduling 22 FIFO 61"), refused())
            assert picture(place) == as_it_was
        else:
            apply(TreeSystem(place), profile(step))
    revert(TreeSystem(place))
    assert picture(place) == before


def refused() -> Profile:
    """Return a profile whose last change, a priority of 61, is in no other profile, so that a host can refuse just that
    change."""
    text = b"description: x\nthrottling: {runtime_us: 1000}\npriorities: {ksoftirqd: 61}\n"
    return parse_profile(text, "x.yaml", "x", (1,))


def test_the_hint_says_how_to_leave_a_group_without_real_time_runtime(tmp_path: Path) -> None:
    system = TreeSystem(make_tree(tmp_path, 1))
    (hint,) = inside_hints(system, apply(system, profile("quiet")))
    # Only the group for all other processes has a limit, and this group has no real-time runtime.
    assert "/sys/fs/cgroup/cpu/cgroup.procs" in hint
    (hint,) = inside_hints(system, apply(system, profile("isolate")))
    assert "/sys/fs/cgroup/cpuset/takt/cgroup.procs" in hint
    assert "/sys/fs/cgroup/cpuset/cgroup.procs" not in hint


def test_where_every_group_is_limited_it_says_how_to_get_out_of_them_all(tmp_path: Path) -> None:
    system = TreeSystem(make_tree(tmp_path, 2))
    (hint,) = inside_hints(system, apply(system, profile("quiet")))
    assert hint.endswith(" /sys/fs/cgroup/cgroup.procs")


def test_a_second_profile_replaces_the_first(root: Path) -> None:
    only = picture(root)
    apply(TreeSystem(root), profile("unthrottled"))
    only = picture(root)
    revert(TreeSystem(root))
    apply(TreeSystem(root), everything())
    apply(TreeSystem(root), profile("unthrottled"))
    assert picture(root) == only


def in_a_child(root: Path, dies_at: int, name: str, verb: str = "apply") -> bool:
    """Apply a profile, or revert, in a child process that dies before its change number `dies_at`. Return whether it
    died."""
    child = os.fork()
    if child == 0:
        system = TreeSystem(root, dies_at)
        apply(system, profile(name)) if verb == "apply" else revert(system)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0 or os.WTERMSIG(status) == signal.SIGKILL
    return status != 0


@pytest.mark.parametrize(("first", "stride"), [("", 1), ("gutierrez4", 5)])
def test_killed_at_each_step_it_is_put_back(root: Path, first: str, stride: int) -> None:
    before = picture(root)
    dies_at = 1
    while True:
        if first:
            apply(TreeSystem(root), profile(first))
        if not in_a_child(root, dies_at, "all"):
            break
        revert(TreeSystem(root))
        assert picture(root) == before, f"killed before change {dies_at}"
        dies_at += stride
    assert dies_at > 20
    revert(TreeSystem(root))
    assert picture(root) == before


def test_a_revert_that_is_killed_is_finished_by_the_next(root: Path) -> None:
    before = picture(root)
    dies_at = 1
    while True:
        apply(TreeSystem(root), everything())
        if not in_a_child(root, dies_at, "", "revert"):
            break
        revert(TreeSystem(root))
        assert picture(root) == before, f"killed before change {dies_at}"
        dies_at += 3
    assert dies_at > 15
    assert picture(root) == before


def test_threads_that_have_ended_are_ignored_when_reverting(root: Path) -> None:
    system = TreeSystem(root)
    apply(system, profile("gutierrez4"))
    for path in ("proc/80", "proc/81", "proc/82", "proc/83", "proc/84"):
        shutil.rmtree(root / path)
    revert(system)
    assert system.integer("proc/sys/kernel/sched_rt_runtime_us") == 950000


def test_after_a_reboot_nothing_is_put_back(root: Path) -> None:
    system = TreeSystem(root)
    apply(system, profile("gutierrez4"))
    (root / "proc/sys/kernel/random/boot_id").write_text("boot-2\n")
    assert Store(system).load() == []
    now = picture(root)
    assert revert(system) == []
    assert picture(root) == now


def test_a_value_that_cannot_be_restored_stays_recorded(root: Path) -> None:
    before = picture(root)
    apply(TreeSystem(root), everything())
    with pytest.raises(HostError, match=r"ksoftirqd/1.*takt tune revert"):
        revert(TreeSystem(root, refuses="scheduling 22 OTHER"))
    revert(TreeSystem(root))
    assert picture(root) == before


def test_a_state_that_cannot_be_read_is_reported(root: Path) -> None:
    system = TreeSystem(root)
    apply(system, profile("unthrottled"))
    stored = Store(system).file.read_text("utf-8")
    before, setting = '"before": "950000"', '"kind": "file"'
    assert before in stored
    assert setting in stored
    for damaged in (
        '{"schema_version": 1, "boot_id": "boot-1", "layers": [{}]}',
        stored.replace(before, '"before": 950000'),
        stored.replace(setting, '"kind": "files"'),
        stored.replace(setting, '"kind": "file", "more": 1'),
        stored[:-20],
        "",
    ):
        Store(system).file.write_text(damaged)
        with pytest.raises(HostError, match="is not valid"):
            revert(system)
    Store(system).file.write_text(stored.replace('"schema_version": 1', '"schema_version": 0'))
    with pytest.raises(HostError, match="another version of takt"):
        revert(system)
    Store(system).file.write_text(stored)
    assert revert(system)


def test_two_commands_cannot_tune_at_once(root: Path) -> None:
    system = TreeSystem(root)
    with Store(system).locked(), pytest.raises(HostError, match="right now"):
        apply(system, everything())


# ---- around a run -------------------------------------------------------------------------------------------


def test_tuning_for_a_run_keeps_what_was_applied_before(root: Path) -> None:
    system = TreeSystem(root)
    apply(system, profile("unthrottled"))
    before = picture(root)
    with tuned_host(everything(), system=system) as record:
        assert picture(root) != before
        assert record.granted
        with pytest.raises(HostError, match="for a run"):
            revert(system)
    assert picture(root) == before
    assert [layer.profile for layer in Store(system).load()] == ["unthrottled"]


def test_a_failing_run_is_put_back(root: Path) -> None:
    before = picture(root)
    with pytest.raises(KeyError), tuned_host(everything(), system=TreeSystem(root)):
        raise KeyError
    assert picture(root) == before


def test_refusals_are_reported_and_do_not_end_a_run(root: Path) -> None:
    before = picture(root)
    with tuned_host(everything(), system=TreeSystem(root, refuses="scheduling")) as record:
        lacking = "\n".join(record.lacking)
    assert "ksoftirqd/0 (14): FIFO 60 was refused: Invalid argument" in lacking
    assert picture(root) == before


@pytest.mark.parametrize("user", [0, 1000])
def test_only_users_other_than_root_are_advised_to_become_root(
    user: int, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: TreeSystem, what: str) -> None:
        if "scheduling" in what:
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(TreeSystem, "_step", refuse)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    with tuned_host(everything(), system=TreeSystem(root)) as record:
        lacking = "\n".join(record.lacking)
    assert "ksoftirqd/0 (14): FIFO 60 was refused: Operation not permitted" in lacking
    assert ("(run as root)" in lacking) == (user != 0)


def test_a_killed_run_is_put_back_by_the_next(root: Path) -> None:
    before = picture(root)
    child = os.fork()
    if child == 0:
        with tuned_host(everything(), system=TreeSystem(root)):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert picture(root) != before
    with tuned_host(profile("unthrottled"), system=TreeSystem(root)):
        rows = {row.setting for layer in Store(TreeSystem(root)).load() for row in state_rows(TreeSystem(root), layer)}
        assert {row.partition(" ")[0] for row in rows} <= {"sched_rt_runtime_us", "cpu.rt_runtime_us", "runtime"}
    assert picture(root) == before


# ---- the fair server, whose switches may be out of reach ----------------------------------------------------


def runtimes(root: Path) -> list[str]:
    return [(root / FAIR_SERVER / f"cpu{cpu}/runtime").read_text().strip() for cpu in (0, 1)]


def test_without_bound_there_is_no_fair_server_on_the_cpus_of_real_time_work(root: Path) -> None:
    apply(TreeSystem(root), profile("unthrottled"))
    assert runtimes(root) == ["50000000", "0"]
    revert(TreeSystem(root))
    apply(TreeSystem(root), read_profile("unthrottled", (0, 1)))
    assert runtimes(root) == ["0", "0"]
    revert(TreeSystem(root))
    assert runtimes(root) == ["50000000", "50000000"]


def hide(root: Path, how: str) -> str:
    """Make debugfs inaccessible in the way `how`, and return the message that is expected."""
    if how == "locked":
        # The file is listed but cannot be read. A folder in its place has the same effect.
        (root / FAIR_SERVER / "cpu1/runtime").unlink()
        (root / FAIR_SERVER / "cpu1/runtime").mkdir()
        return "locked; boot without kernel lockdown"
    shutil.rmtree(root / "sys/kernel/debug")
    if how == "root's":
        with (root / "proc/mounts").open("a") as mounts:
            mounts.write("debugfs /sys/kernel/debug debugfs rw 0 0\n")
        return "only root can read debugfs; run as root"
    return "not mounted; mount -t debugfs none /sys/kernel/debug"


@pytest.mark.parametrize("how", ["not mounted", "root's", "locked"])
def test_a_fair_server_out_of_reach_is_one_line_and_stays_whole(how: str, root: Path) -> None:
    said = hide(root, how)
    applied = apply(TreeSystem(root), read_profile("unthrottled", (0, 1)))
    (line,) = applied.lacking
    assert line.startswith("fair server: ordinary threads keep a share of each CPU")
    assert said in line
    assert "fair server" not in {change.knob for change in applied.granted}
    if how == "locked":
        assert (root / FAIR_SERVER / "cpu0/runtime").read_text() == "50000000\n"


def test_a_fair_server_that_was_switched_off_is_not_forgotten_when_debugfs_is_unmounted(root: Path) -> None:
    before = picture(root)
    apply(TreeSystem(root), profile("unthrottled"))
    (root / "sys/kernel/debug").rename(root / "tree")
    with pytest.raises(HostError, match=r"fair server of CPU 1.*mount -t debugfs.*takt tune revert"):
        revert(TreeSystem(root))
    (root / "tree").rename(root / "sys/kernel/debug")
    revert(TreeSystem(root))
    assert picture(root) == before


def test_fair_servers_are_switched_off_together_or_not(root: Path) -> None:
    with tuned_host(
        read_profile("unthrottled", (0, 1)), system=TreeSystem(root, refuses="fair_server/cpu1/runtime")
    ) as record:
        assert runtimes(root) == ["50000000", "50000000"]
        assert "fair server of CPU 0-1" in "\n".join(record.lacking)


def test_an_older_kernel_has_no_fair_server_to_miss(root: Path) -> None:
    hide(root, "not mounted")
    (root / "proc/sys/kernel/osrelease").write_text("6.11.0\n")
    assert apply(TreeSystem(root), profile("unthrottled")).lacking == []


# ---- what is lacking ----------------------------------------------------------------------------------------


def test_what_a_host_lacks_is_reported_for_each_knob(tmp_path: Path) -> None:
    (tmp_path / "sys/class/net/veth0").mkdir(parents=True)
    system = TreeSystem(tmp_path)
    text = ALL.replace(b"{critical_first: true}", b"{critical_first: true, interfaces: [veth0]}")
    lacking = plan(system, parse_profile(text, "x.yaml", "x", (0,))).lacking
    line_of_knob = {line.partition(":")[0]: line for line in lacking}
    assert "veth0 has no interrupt" in line_of_knob["network IRQ threads"]
    assert "no cpufreq here" in line_of_knob["governor"]
    assert "no cpuidle here" in line_of_knob["idle states"]
    assert "no sched_rt_runtime_us" in line_of_knob["real-time throttling"]
    assert "no CPU but 0" in line_of_knob["isolation"]
    assert "no cpu controller" in line_of_knob["CPU limit"]
    assert "no such thread is visible" in line_of_knob["ksoftirqd"]
    assert "no takt process is running" in line_of_knob["executors and middleware"]
    assert "net_prio" in line_of_knob["traffic"]


def test_a_queueing_discipline_of_somebody_else_is_left_alone(root: Path) -> None:
    file = root / "tree/commands.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"eth0": {"kind": "tbf", "handle": "1:", "root": True}}))
    planned = plan(TreeSystem(root), profile("quiet"))
    assert any("already has a queueing discipline (tbf 1:)" in line for line in planned.lacking)
    assert not any(change.knob == "traffic" for change in planned.changes)


def test_profiles_are_checked() -> None:
    for text, words in (
        (b"description: x\npriority: {}\n", "x.yaml:2: priority: unknown key; did you mean 'priorities'?"),
        (b"description: x\npriorities: {ksoftirqd: 99}\n", "ksoftirqd: 99 is outside 1 to 98"),
        (b"cpu: {governor: performance}\n", "'description' is missing"),
        (b"description: x\ncpu: {interrupts: near}\n", "interrupts"),
    ):
        with pytest.raises(SpecError, match=words.replace("?", r"\?")):
            parse_profile(text, "x.yaml", "x", (0,))
    with pytest.raises(UsageError, match="did you mean 'gutierrez4'"):
        read_profile("gutierez4", (0,))
    with pytest.raises(UsageError, match="No such file"):
        read_profile("mine.yaml", (0,))
