# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt inspect` and `takt top` with a real executor; `takt top` runs in a pseudo-terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType
from rich.text import Text
from waiting import PATIENCE_S

from takt_cli.host.domain import private_domain
from takt_cli.live.keys import keys_in
from takt_cli.live.state import Executor, Processor, ResponseTimes, Task
from takt_cli.report.live_screen import Screen, divide_lines, sort_tasks
from takt_cli.report.live_tree import executor_tree
from takt_cli.report.tables.fitted import fitting
from takt_cli.report.tables.rows import Row

pytestmark = pytest.mark.exchange


def task(name: str, **fields: Any) -> Task:
    usual: dict[str, Any] = {"id": name, "deadline_ns": 10_000_000, "period_ns": 10_000_000}
    return Task(**usual | fields)


def response_times(worst: int) -> ResponseTimes:
    return ResponseTimes(1, worst, worst, worst, worst)


def test_the_margin_is_that_of_the_slowest_recent_job() -> None:
    assert task("a").margin_ns is None
    assert task("a", least_margin_ns=-5).margin_ns == -5
    assert task("a", least_margin_ns=-5, recent=response_times(4_000_000)).margin_ns == 6_000_000
    assert task("a", deadline_ns=-1, recent=response_times(4_000_000)).margin_ns is None


def test_tasks_come_in_the_order_that_was_asked_for() -> None:
    tasks = [
        task("b", recent=response_times(9_000_000), missed=1),
        task("c", recent=response_times(1_000_000), skipped=7),
        task("a", deadline_ns=-1, recent=response_times(20_000_000)),
        task("d"),
    ]
    names = {order: "".join(each.id for each in sort_tasks(tasks, order)) for order in ("margin", "response", "name")}
    assert names == {"margin": "bcad", "response": "abcd", "name": "abcd"}
    assert "".join(each.id for each in sort_tasks(tasks, "misses")) == "cbad"


# ---- with a program of takt


def program(package: str, name: str, required: str) -> Path:
    """Return the path of a program. If it is not built, skip the test, or fail it if the variable `required` is set."""
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    found = [path for prefix in prefixes if (path := Path(prefix) / "lib" / package / name).is_file()]
    if not found:
        reason = f"the program {name} of {package} is not built"
        if os.environ.get(required):
            pytest.fail(reason)
        pytest.skip(reason)
    return found[0]


def rover() -> Path:
    return program("takt", "rover", "TAKT_REQUIRE_PROGRAMS")


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with private_domain() as domain:
        # The size comes from the terminal, not from these variables.
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        yield kept | {
            "ROS_DOMAIN_ID": str(domain),
            "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
            "TERM": "xterm-256color",
        }


@pytest.fixture
def running_program(environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    program = subprocess.Popen([rover()], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield program
    finally:
        program.send_signal(signal.SIGINT)
        try:
            assert program.wait(PATIENCE_S) == 0
        finally:
            program.kill()


def takt(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "takt_cli", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


@pytest.mark.rights
@pytest.mark.programs
def test_inspect_shows_a_running_executor(
    environment: dict[str, str], running_program: subprocess.Popen[bytes]
) -> None:
    answer = takt(environment, "inspect", "--wait", "30", "--json")
    assert answer.returncode == 0, answer.stderr
    (executor,) = json.loads(answer.stdout)["executors"]
    assert executor["name"] == f"/takt_{running_program.pid}"
    assert executor["program"] == "rover"
    assert executor["nodes"] == ["/sonar", "/pilot"]
    assert executor["lock_waits"] == -1
    tasks = {each["id"]: each for each in executor["tasks"]}
    assert tasks["pilot/control"]["reads"] == ["/range"]
    assert tasks["pilot/plan"]["exclusive"] is False
    answer = takt(environment, "inspect", f"takt_{running_program.pid}", "--wait", "30")
    assert answer.returncode == 0, answer.stderr
    assert f"/takt_{running_program.pid}: rover, process {running_program.pid}" in answer.stdout
    # A node, its groups, their tasks.
    lines = [re.sub(r"^[│├└─ ]+", "", line) for line in answer.stdout.splitlines()]
    node = lines[lines.index("/pilot") :]
    assert re.fullmatch(r"group \d+, mutually exclusive", node[1])
    assert node[2].startswith("pilot/control: timer, every 10ms, deadline 10ms, priority 90, reads /range, level ")
    assert node[3].startswith("never released so far: describe_parameters, ")
    assert any(re.fullmatch(r"group \d+, reentrant", line) for line in node)
    assert any(re.fullmatch(r"level \d+: pilot/control(, .*)?", line) for line in lines)
    assert "scenario drive; others: dock" in answer.stdout
    # Threads that are more urgent than all callbacks were observed for a second, unless the kernel refuses that.
    workers = [each["priority"] for each in executor["threads"] if each["role"] == "worker"]
    above = [each for each in executor["threads"] if each["role"] != "worker" and each["priority"] > max(workers)]
    assert executor["watched_ns"] >= 1e9
    assert [each["name"] for each in above if each["longest_run_ns"] < 0] == [] or executor["watch_error"]
    if above and not executor["watch_error"]:
        assert re.search(
            r"FIFO \d+, CPU \d+, (at most .* on a CPU without interruption|did not run) in 1(\.\d+)? s", answer.stdout
        )


@pytest.mark.programs
def test_a_container_of_rclcpp_components_is_found_as_well(environment: dict[str, str]) -> None:
    container = program("takt_rclcpp", "takt_component_container", "TAKT_REQUIRE_RCLCPP")
    running = subprocess.Popen([container], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        answer = takt(environment, "inspect", "--wait", "60", "--json")
        assert answer.returncode == 0, answer.stderr
        (executor,) = json.loads(answer.stdout)["executors"]
        assert (executor["name"], executor["program"]) == (f"/takt_{running.pid}", "takt_component_container")
        assert "worker" in [each["role"] for each in executor["threads"]]
        # The program is linked to libtakt_inheritance.so, which counts waits for locks.
        assert executor["lock_waits"] >= 0
        answer = takt(environment, "top", "--once", "--wait", "60")
        assert answer.returncode == 0, answer.stderr
        assert f"takt_component_container ({running.pid})" in answer.stdout.splitlines()[0]
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE_S) == 0
    finally:
        running.kill()


@pytest.mark.programs
def test_an_executor_that_does_not_exist_is_reported_in_one_line(
    environment: dict[str, str], running_program: subprocess.Popen[bytes]
) -> None:
    answer = takt(environment, "inspect", "takt_1", "--wait", "3")
    assert answer.returncode == 1
    assert answer.stderr.startswith("takt: no running executor /takt_1 was found within 3 s: there")
    assert answer.stderr.count("\n") == 1
    answer = takt(environment, "top")
    assert answer.returncode == 2
    assert "--once or --json" in answer.stderr


def test_top_fails_if_no_executor_runs(environment: dict[str, str]) -> None:
    answer = takt(environment, "top", "--once", "--wait", "0.5")
    assert answer.returncode == 1
    assert answer.stderr.startswith("takt: no running executor was found within 0.5 s")


@pytest.mark.rights
@pytest.mark.programs
def test_top_prints_once(environment: dict[str, str], running_program: subprocess.Popen[bytes]) -> None:
    answer = takt(environment, "top", "--once", "--wait", "30", "--sort", "name")
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.splitlines()
    assert f"rover ({running_program.pid})" in lines[0]
    rows = [line.split()[0] for line in lines if re.match(r"(pilot|sonar)/", line)]
    assert rows == ["pilot/control", "pilot/plan", "sonar/sense"]
    assert any(line.startswith("takt.diag") and "background" in line for line in lines)


@pytest.mark.programs
@pytest.mark.parametrize("verb", [["top", "--once"], ["inspect"]])
def test_what_is_shown_is_kept_as_a_picture(
    verb: list[str], environment: dict[str, str], running_program: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    picture = tmp_path / "new" / "picture.svg"
    answer = takt(environment, *verb, "--wait", "30", "--out", str(picture))
    assert answer.returncode == 0, answer.stderr
    root = ElementTree.parse(picture).getroot()
    written = "".join(root.itertext()).replace("\xa0", " ")
    assert f"rover ({running_program.pid})" in written or f"process {running_program.pid}" in written
    assert "pilot/control" in written
    # The picture refers to no other files.
    assert "url(http" not in picture.read_text("utf-8")
    refused = takt(environment, *verb, "--wait", "30", "--out", "/proc/picture.svg")
    assert refused.returncode == 1
    assert refused.stderr.startswith("takt: /proc/picture.svg: cannot be written")


@pytest.mark.programs
def test_a_picture_is_of_one_moment(environment: dict[str, str]) -> None:
    answer = takt(environment, "top", "--out", "top.svg")
    assert answer.returncode == 2
    assert "give --once, too" in answer.stderr


class Terminal:
    """The command in a pseudo-terminal of its own."""

    def __init__(self, environment: dict[str, str], *arguments: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        command = [sys.executable, "-m", "takt_cli", *arguments]
        # SIGHUP may be ignored where the tests are run, for instance under nohup; the command gets the default.
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # noqa: PLW1509 - no threads yet
        )
        self.before = termios.tcgetattr(slave)
        self._slave = slave
        self._end = os.pidfd_open(self.process.pid)
        self._seen = ""

    def wait_for(self, fits: Callable[[str], bool], what: str) -> None:
        """Read until `fits` is true for one complete picture, from which colours and other escape sequences are
        removed."""
        while self._has_output():
            self._seen += os.read(self._master, 65536).decode("utf-8", "replace")
            # Each picture begins at the top of the screen.
            pictures = self._seen.split("\x1b[H")
            for picture in pictures[1:-1]:
                if fits(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", picture)):
                    self._seen = "\x1b[H" + pictures[-1]
                    return
            self._seen = "\x1b[H".join(pictures[-2:])
        pytest.fail(f"not seen: {what}; last: {self._seen[-3000:]}")

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def settings(self) -> list[Any]:
        return termios.tcgetattr(self._slave)

    def end(self) -> int:
        while self._has_output():
            os.read(self._master, 65536)
        return self.process.wait(PATIENCE_S)

    def _has_output(self) -> bool:
        """Wait until the process writes or ends. Return whether there is something to read."""
        ready, _, _ = select.select([self._master, self._end], [], [], PATIENCE_S)
        return self._master in ready

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._end)
        os.close(self._slave)
        os.close(self._master)


@pytest.mark.programs
def test_top_in_a_terminal(environment: dict[str, str], running_program: subprocess.Popen[bytes]) -> None:
    with closing(Terminal(environment, "top", "--wait", "30", "--every", "0.2")) as terminal:
        margins = ["pilot/control", "sonar/sense", "pilot/plan"]
        rows = re.compile(r"^(?:pilot|sonar)/\w+", re.MULTILINE)
        terminal.wait_for(lambda picture: rows.findall(picture) == margins, "tasks by margin")
        terminal.press("n")
        terminal.wait_for(lambda picture: rows.findall(picture) == sorted(margins), "tasks by name")
        terminal.wait_for(lambda picture: "scenario drive" in picture, "the scenario")
        terminal.press("s")
        terminal.wait_for(lambda picture: "request scenario: 1 drive  2 dock" in picture, "the choice")
        terminal.press("2")
        terminal.wait_for(lambda picture: "scenario dock" in picture.splitlines()[0], "the other scenario")
        terminal.wait_for(lambda picture: "pilot/plan (suspended)" in picture, "what it suspends")
        terminal.press("s9")
        terminal.wait_for(lambda picture: "no scenario has the number '9'" in picture, "a wrong choice")
        assert terminal.settings() != terminal.before
        terminal.press("q")
        assert terminal.end() == 0
        # The terminal is as it was.
        assert terminal.settings() == terminal.before


@pytest.mark.programs
def test_ctrl_c_ends_top_and_leaves_the_terminal_as_it_was(
    environment: dict[str, str], running_program: subprocess.Popen[bytes]
) -> None:
    with closing(Terminal(environment, "top", "--wait", "30")) as terminal:
        terminal.wait_for(lambda picture: "pilot/control" in picture, "tasks")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 0
        assert terminal.settings() == terminal.before


@pytest.mark.programs
def test_top_waits_for_executors_and_outlives_them(environment: dict[str, str]) -> None:
    with closing(Terminal(environment, "top", "--every", "0.2")) as terminal:
        terminal.wait_for(lambda picture: "looking for executors in ROS domain " in picture, "nobody there")
        program = subprocess.Popen([rover()], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            terminal.wait_for(lambda picture: f"rover ({program.pid})" in picture, "the executor")
        finally:
            program.send_signal(signal.SIGINT)
            program.wait(PATIENCE_S)
        gone = f"/takt_{program.pid} has gone"
        terminal.wait_for(lambda picture: gone in picture and "pilot/control" in picture, "what it said last")
        # The end of the terminal ends it, too.
        terminal.process.send_signal(signal.SIGHUP)
        assert terminal.end() == 0
        assert terminal.settings() == terminal.before


@pytest.mark.programs
def test_top_shows_whole_figures_in_a_small_terminal(
    environment: dict[str, str], running_program: subprocess.Popen[bytes]
) -> None:
    with closing(Terminal(environment, "top", "--sort", "name")) as terminal:
        terminal.wait_for(lambda picture: "takt.watchdog" in picture and "overruns" in picture, "all of it")
        # The smallest usable height depends on how many lines about refused settings are above the tasks.
        for height in range(24, 2, -1):
            terminal.resize(44, height)
            seen: list[str] = []

            def fits(picture: str, height: int = height, seen: list[str] = seen) -> bool:
                lines = picture.rstrip().splitlines()
                seen[:] = [picture]
                return len(lines) <= height and "q quit" in lines[-1]

            terminal.wait_for(fits, f"{height} lines")
            if "tasks by name: 1 to 2 of 3" in seen[0]:
                break
        terminal.press("\x1b[B")
        terminal.wait_for(lambda picture: "2 to 3 of 3" in picture and "sonar/sense" in picture, "the end")
        terminal.press("q")
        assert terminal.end() == 0


def test_keys_without_a_character_have_names() -> None:
    assert keys_in("a\x1b[A\x1bOBq") == ["a", "up", "down", "q"]
    assert keys_in("\x1b[5~\x1b[6~\x1b[H") == ["page up", "page down", "home"]
    assert keys_in("s\x1b") == ["s", "escape"]
    # Other sequences are ignored, including the letters at their ends.
    assert keys_in("\x1b[1;5m\x1b[15~x") == ["x"]


def test_room_goes_to_tasks_first() -> None:
    assert divide_lines(24, 3, 17) == (3, 17)
    assert divide_lines(22, 3, 17) == (3, 15)
    assert divide_lines(24, 40, 17) == (14, 6)
    assert divide_lines(24, 40, 0) == (22, 0)
    assert divide_lines(100, 40, 17) == (40, 17)
    assert divide_lines(5, 3, 17) == (3, 0)
    assert divide_lines(3, 3, 17) == (1, 0)
    assert divide_lines(1, 3, 17) == (0, 0)


@given(st.integers(0, 60), st.integers(0, 50), st.integers(0, 50))
def test_what_is_shown_has_room(room: int, tasks: int, threads: int) -> None:
    shown_tasks, shown_threads = divide_lines(room, tasks, threads)
    assert 0 <= shown_tasks <= tasks
    assert 0 <= shown_threads <= threads
    assert sum(number + 2 for number in (shown_tasks, shown_threads) if number) <= room


def test_columns_are_left_out_whole() -> None:
    titles = ("name", "a", "b", "long title")
    cells = (("x" * 6, "1.000", "2", "3"), ("y", "10.000", "2", "3"))
    rows = [Row(dict(zip(titles, each, strict=True))) for each in cells]
    leave = ("long title", "a", "b")
    assert fitting(rows, leave, 100) == {"name": 6, "a": 6, "b": 1, "long title": 10}
    assert fitting(rows, leave, 29) == {"name": 6, "a": 6, "b": 1, "long title": 10}
    assert fitting(rows, leave, 28) == {"name": 6, "a": 6, "b": 1}
    assert fitting(rows, leave, 16) == {"name": 6, "b": 1}
    assert fitting(rows, leave, 2) == {"name": 6}


def executor_of(**fields: Any) -> Executor:
    usual: dict[str, Any] = {"name": "/takt_7", "program": "rover", "pid": 7, "policy": "fp", "policy_in_use": "fp"}
    return Executor(**usual | fields)


def processor(**fields: int) -> Processor:
    return Processor(**{"max_section_ns": 200_000} | fields)


def printed(shown: RenderableType) -> str:
    console = Console(width=250)
    with console.capture() as capture:
        console.print(shown)
    return capture.get()


def test_top_shows_refused_settings() -> None:
    refused = ["SCHED_FIFO refused: no right", "policy fp runs as np-fp: alone"]
    executor = executor_of(policy_in_use="np-fp", refused=refused)
    assert (
        "policy np-fp  executor 1 of 2\nSCHED_FIFO refused; policy fp runs as np-fp (takt inspect shows why)"
        in printed(Screen(executor, "margin", Text("foot"), position="executor 1 of 2"))
    )


def test_delays_by_the_middleware_are_shown_where_they_occurred() -> None:
    # A middleware section that has delayed no job is not shown.
    quiet = executor_of(processors=[processor(longest_section_ns=50_000)])
    assert printed(Screen(quiet, "margin", Text("foot"))) == "/takt_7  rover (7)  policy fp\nfoot\n"
    assert "mutex" not in printed(executor_tree(quiet))
    processors = [
        processor(deferred=3, longest_section_ns=5_000_000, overlong_sections=2),
        processor(deferred=1, longest_section_ns=90_000, entity_waits=1, longest_wait_ns=300_000),
    ]
    locks: dict[str, Any] = {
        "lock_waits": 7,
        "longest_lock_wait_ns": 2_000_000,
        "longest_lock_wait_in": "write() in libx.so",
        "longest_lock_held_by": "copy() in liby.so",
    }
    busy = executor_of(processors=processors, **locks)
    mutexes = "7 waits for a mutex of the process, the longest 2ms in write() in libx.so (held by copy() in liby.so)"
    assert printed(Screen(busy, "margin", Text("foot"))).splitlines()[1] == (
        "4 starts put off by middleware sections, longest section 5ms (2 above 200us), "
        f"1 wait for an entity in use, the longest 300us, {mutexes}"
    )
    tree = printed(executor_tree(busy))
    assert mutexes in tree
    assert "longest middleware section 5ms (2 above 200us), 3 starts put off" in tree
