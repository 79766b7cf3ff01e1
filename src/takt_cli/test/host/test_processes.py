# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the end of processes: by the user, by the system, with children that do not end; and of what is left in
shared memory."""

from __future__ import annotations

import errno
import mmap
import os
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from domain_coordinator import domain_id
from run_results import read_json
from separate_process import in_separate_process
from waiting import PATIENCE_S, alive, logged, wait_until, wait_until_ended

from takt_cli.cli.main import cli
from takt_cli.errors import HostError, Interrupted, RunError
from takt_cli.host.cpus import allowed_cpus, keep_off
from takt_cli.host.domain import private_domain
from takt_cli.host.interrupt import InterruptHandler
from takt_cli.host.processes import Children
from takt_cli.host.realtime import Intruders, realtime_threads
from takt_cli.run.shared_memory import SharedMemory
from takt_cli.signals import uninterrupted


# The last parameter is a Ctrl-C in a terminal followed by the signal of a launcher.
@pytest.mark.parametrize(
    "numbers", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGHUP], [signal.SIGINT, signal.SIGTERM]]
)
@pytest.mark.parametrize("mode", ["hang", "stubborn"])
def test_an_interrupted_run_leaves_nothing(numbers: list[signal.Signals], mode: str, spec: Path) -> None:
    log = Path("log").absolute()
    process = subprocess.Popen(
        [sys.executable, "-m", "takt_cli", "run", str(spec), "--executor", "baseline1", "--out", "deep/out"],
        env=dict(os.environ) | {"STAND_IN_RUNNER": mode, "STAND_IN_LOG": str(log)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: len(logged(log)) == 3, "the probe and two runners start")
    for number in numbers:
        process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert out == ""
    assert err == "takt: interrupted; all processes that it started were ended, and no result was kept\n"
    wait_until_ended(logged(log))
    assert {p.name for p in Path().iterdir()} == {"app.yaml", "log"}


def test_a_runner_whose_own_end_hangs_costs_no_result(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_RUNNER", "linger")
    monkeypatch.setenv("STAND_IN_LOG", str(Path("log").absolute()))
    # The runner reports that its files are complete when the other one has ended, so no other process is waited for.
    monkeypatch.setattr("takt_cli.run.watch._ENDING", 0.0)
    arguments = ["run", str(spec), "--executor", "baseline1", "--duration", "0.5", "--warmup", "0", "--out", "out"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.stderr
    said = " ".join(result.stdout.split())
    assert "runner baseline1.001 was killed: it hung while exiting, but its files are complete" in said
    assert read_json(Path("out"))["record"]["unended"] == ["runner baseline1.001"]


def test_children_die_with_us_even_if_we_are_killed_and_the_next_start_clears_up(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, temporary = Path("log").absolute(), Path("tmp").absolute()
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "takt_cli", "run", str(spec), "--executor", "takt", "--out", "out"],
        # The leftovers of the killed process are in the test's own temporary folder.
        env=dict(os.environ) | {"STAND_IN_RUNNER": "stubborn", "STAND_IN_LOG": str(log), "TMPDIR": str(temporary)},
    )
    wait_until(lambda: len(logged(log)) == 2, "the probe and the runner start")
    process.kill()
    process.wait(PATIENCE_S)
    wait_until_ended(logged(log))
    assert len([*temporary.glob("takt-tmp-run-*"), *Path().glob(".out.*.partial")]) == 2
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    result = CliRunner().invoke(cli, ["simulate", str(spec), "--out", "out"])
    assert result.exit_code == 0, result.stderr
    assert not list(temporary.iterdir())
    assert {path.name for path in Path().iterdir()} == {"app.yaml", "log", "tmp", "out"}


MAPPER = """
import mmap, signal, sys
maps = []
for name in sys.argv[1:]:
    with open(name, "r+b") as file:
        maps.append(mmap.mmap(file.fileno(), 0))
print("ready", flush=True)
signal.pause()
"""


def test_a_signal_while_a_child_is_started_is_neither_lost_nor_the_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python would ignore an exception that a signal handler raises during a fork."""

    def stop(_number: int, _frame: object) -> None:
        raise Interrupted("stop")

    # The signal arrives inside of fork, the most difficult moment.
    os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGTERM) if sent else None)
    sent = [True]
    before = signal.signal(signal.SIGTERM, stop)
    children = Children(allowed_cpus())
    try:
        with pytest.raises(Interrupted), children:
            children.start("sleeper", ["/bin/sleep", "1000"], tmp_path / "log")
    finally:
        sent.clear()
        signal.signal(signal.SIGTERM, before)
    (pid,) = children.every_pid()
    assert not alive(pid)


def test_only_our_own_shared_memory_is_removed(tmp_path: Path) -> None:
    names = {who: Path(f"/dev/shm/fastrtps_takt_test_{os.getpid()}_{who}") for who in ("ours", "shared", "theirs")}
    lock = Path(f"{names['ours']}_el")
    foreign = Path(f"/dev/shm/takt_test_{os.getpid()}")
    every = [*names.values(), lock, foreign]
    try:
        for path in every:
            path.write_bytes(bytes(4096))
        shared = SharedMemory()
        with (
            names["shared"].open("r+b") as held,
            mmap.mmap(held.fileno(), 0),
            Children(allowed_cpus(), before_end=shared.note) as children,
        ):
            mapped = [str(names["ours"]), str(names["shared"]), str(foreign)]
            child = children.start("mapper", [sys.executable, "-c", MAPPER, *mapped], tmp_path / "log")
            child.wait_for("ready", PATIENCE_S)
            children.end()
            assert shared.clean() == [str(names["ours"])]
        assert [path for path in every if path.exists()] == [names["shared"], names["theirs"], foreign]
    finally:
        for path in every:
            path.unlink(missing_ok=True)


def test_other_real_time_threads_are_seen(tmp_path: Path) -> None:
    cpu = allowed_cpus()[-1]
    with Children(allowed_cpus()) as children:
        burn = "import time\nprint('ready', flush=True)\nwhile time.thread_time() < 1000: time.sleep(0.001)"
        child = children.start("burn", [sys.executable, "-c", burn], tmp_path / "log")
        child.wait_for("ready", PATIENCE_S)
        assert child.pid not in {thread.tid for thread in realtime_threads([cpu])}
        try:
            os.sched_setscheduler(child.pid, os.SCHED_FIFO, os.sched_param(7))
        except PermissionError:
            return  # without real-time rights there are no such threads
        (thread,) = (each for each in realtime_threads([cpu]) if each.tid == child.pid)
        assert (thread.policy, thread.priority) == ("FIFO", 7)
        intruders, none = Intruders([cpu], list), Intruders([cpu], children.every_pid)

        def seen() -> bool:
            intruders.take_sample()
            none.take_sample()
            return any(found.pid == child.pid for found in intruders.cpu_time_by_thread())

        wait_until(seen, "it uses the CPU")
    # The CPU time of a thread that has ended is still known.
    assert seen()
    assert all(found.pid != child.pid for found in none.cpu_time_by_thread())


def test_domains_do_not_collide() -> None:
    with private_domain() as one, private_domain() as two:
        assert one != two
        assert {one, two} <= set(range(1, 102))


def test_domains_do_not_collide_with_those_of_ros_2s_own_tests() -> None:
    with private_domain() as ours, pytest.raises(RuntimeError), domain_id(lambda: ours):
        pass


def test_the_command_leaves_the_measured_cpus_and_returns() -> None:
    before = os.sched_getaffinity(0)
    with keep_off([max(before)]):
        assert os.sched_getaffinity(0) == (before - {max(before)} or before)
    assert os.sched_getaffinity(0) == before


def ended(program: str, place: Path, inside: tuple[str, ...] = ()) -> str:
    """Return the error message on a shell program that has failed."""
    with Children(allowed_cpus(), prefix=inside) as children:
        child = children.start("program", ["sh", "-c", program], place / "log")
        child.wait(PATIENCE_S)
        with pytest.raises(RunError) as caught:
            child.check()
    return str(caught.value)


def test_a_limit_of_threads_is_named(tmp_path: Path) -> None:
    unnamed = "program failed: it was ended by SIGABRT"
    assert ended("kill -ABRT $$", tmp_path) == unnamed
    thrown = 'echo "  what():  {}" >&2; kill -ABRT $$'
    assert ended(thrown.format("Invalid argument"), tmp_path) == f"{unnamed} (Invalid argument)"
    said = ended(thrown.format(os.strerror(errno.EAGAIN)), tmp_path)
    assert said == f"{unnamed} (Resource temporarily unavailable): there is a limit of threads, see takt doctor"


def test_a_limit_of_memory_is_named(tmp_path: Path) -> None:
    assert ended("kill -KILL $$", tmp_path) == "program failed: it was ended by SIGKILL"
    group = Path("/sys/fs/cgroup/memory") / f"takt-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / "memory.limit_in_bytes").write_text(f"{16 * 1024 * 1024}")
    except OSError as error:
        pytest.skip(f"control groups of the first version are not for us here: {error}")
    try:
        enter = ("sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh")
        # Uses more memory than the group's limit.
        said = ended("head -c 64m /dev/zero | sort > /dev/null & wait $!; kill -KILL $$", tmp_path, enter)
        assert "it was ended by SIGKILL because the kernel ran out of memory" in said
    finally:
        wait_until(lambda: not (group / "cgroup.procs").read_text(), "the group is empty")
        group.rmdir()


def several(count: int, place: Path) -> int:
    with Children(allowed_cpus()) as children:
        started = [children.start(f"program {n}", ["echo", "ready"], place / f"log-{n}") for n in range(count)]
        for child in started:
            child.wait_for("ready", PATIENCE_S)
    return len(started)


def files(soft: int, hard: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_as_many_files_are_allowed_as_programs_need(tmp_path: Path) -> None:
    assert in_separate_process(lambda: files(72, 200), lambda: several(20, tmp_path)) == 20

    def refused() -> str:
        with pytest.raises(HostError) as caught:
            several(20, tmp_path)
        return str(caught.value)

    assert "9 programs at once need 73 open files, but only 72 are allowed" in in_separate_process(
        lambda: files(72, 72), refused
    )


def test_more_programs_than_select_can_bear_are_listened_to(tmp_path: Path) -> None:
    def crowded() -> int:
        for _ in range(1024):
            os.open("/dev/null", os.O_RDONLY)
        return several(1, tmp_path)

    assert in_separate_process(lambda: files(2048, 2048), crowded) == 1


def test_each_kind_of_deferred_signal_is_delivered_afterwards() -> None:
    """Each kind of deferred signal is handled once, even if the handler of the first one raises."""
    ends = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    came: list[int] = []

    def raising(number: int, _frame: object) -> None:
        came.append(number)
        raise Interrupted("once")

    before = {number: signal.getsignal(number) for number in ends}
    try:
        for handler in (lambda number, _: came.append(number), raising):
            came.clear()
            for number in ends:
                signal.signal(number, handler)
            with suppress(Interrupted), uninterrupted():
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
                    signal.raise_signal(number)
                assert came == []
            assert came == [signal.SIGTERM, signal.SIGINT]
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)


def test_a_second_signal_within_half_a_second_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("takt_cli.host.interrupt.time.monotonic", lambda: now[0])
    interrupt = InterruptHandler("the worker ended it")
    with pytest.raises(Interrupted, match="the worker ended it"):
        interrupt(signal.SIGTERM, None)
    now[0] += 0.4
    interrupt(signal.SIGINT, None)
    now[0] += 0.2
    with pytest.raises(Interrupted):
        interrupt(signal.SIGINT, None)
