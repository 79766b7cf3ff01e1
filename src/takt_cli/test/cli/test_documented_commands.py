# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests that every command of the tutorials, run in order in a fresh folder, prints the output shown there.

For commands that cannot be run here, their programs, files and options are checked.
"""

from __future__ import annotations

import contextlib
import functools
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from real_programs import realtime
from repository import ROOT
from tutorials import INTERRUPT, Command, File, difference, normalised, steps

from takt_cli.cli.main import cli
from takt_cli.host.domain import private_domain

TUTORIALS = sorted((ROOT / "docs").glob("tutorial*.md"))
GIVE_UP_S = 1800.0
"""The time after which a command is ended because it hangs."""


# ---- a terminal

SCRIPT = """
trap : INT
[ ! -e "$TUTORIAL_STATE" ] || . "$TUTORIAL_STATE"
cd "$2" || exit
eval "$1"
status=$?
export -p >"$TUTORIAL_STATE"
pwd >"$TUTORIAL_PLACE"
exit $status
"""

ROS2 = """#!/usr/bin/env bash
# The commands of ros2 that the tutorials use, for the ROS 2 of Python wheels, which has no command ros2.
set -euo pipefail
installed() {
  local prefix IFS=:
  for prefix in $AMENT_PREFIX_PATH; do
    if [ -e "$prefix/$1" ]; then
      echo "$prefix/$1"
      return
    fi
  done
  echo "ros2: no prefix has $1" >&2
  return 1
}
case "${1-} ${2-}" in
  "pkg prefix") installed "share/${*: -1}" ;;
  "run "*)
    program=$(installed "lib/$2/$3")
    shift 3
    exec "$program" "$@"
    ;;
  *) echo "ros2: $* is not there" >&2; exit 2 ;;
esac
"""

COMPILER = """#!/bin/sh
# The optimisation that the tutorials ask for would take a third of their time here.
exec "$@" -O0 --param=ggc-min-heapsize=1000000
"""


class Shell:
    """Runs commands one after another as a terminal does: each in the folder and environment of those before."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._place = folder / "place"
        self._begin = folder / "tutorial"
        self._begin.mkdir()
        self._environment = environment | {
            "TUTORIAL_STATE": str(folder / "state"),
            "TUTORIAL_PLACE": str(self._place),
            # colcon's warnings that the wheels have no local_setup files may appear within a line of its output.
            "COLCON_LOG_LEVEL": "error",
        }

    @property
    def folder(self) -> Path:
        """The folder in which the next command is run."""
        return Path(self._place.read_text("utf-8").rstrip("\n")) if self._place.exists() else self._begin

    def write(self, file: File) -> None:
        path = self.folder / file.path
        assert path.parent.is_dir(), f"{file.path}: the tutorial has not made this folder"
        path.write_text(file.text, "utf-8")

    def run(self, command: Command, meanwhile: Callable[[], None]) -> str | None:
        """Run a command. Return the failure in words: expected output that was not printed, or an unexpected status;
        None if all is as expected. At a `^C` in the expected output, when all output before it was printed, `meanwhile`
        is called, and then Ctrl-C is sent."""
        expected = list(command.expected)
        shown: list[str] = []
        arguments = ["bash", "-c", SCRIPT, "bash", command.line, str(self.folder)]
        with subprocess.Popen(
            arguments,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        ) as process:
            lines: queue.Queue[str | None] = queue.Queue()
            reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
            reader.start()
            watchdog = threading.Timer(GIVE_UP_S, _end, (process,))
            watchdog.start()
            try:
                if INTERRUPT in expected:
                    before, expected = _split(expected)
                    while (wrong := _difference(before, shown, ended=False)) is not None:
                        if (line := lines.get()) is None:
                            return _failure(command, f"it ended without: {wrong}", shown)
                        shown.append(line)
                    meanwhile()
                    os.killpg(process.pid, signal.SIGINT)
                    shown = []
                while (line := lines.get()) is not None:
                    shown.append(line)
                status = process.wait()
            finally:
                watchdog.cancel()
                _end(process)
                reader.join()
        if status not in command.statuses:
            return _failure(command, f"status {status}", shown)
        wrong = _difference(expected, shown)
        return None if wrong is None else _failure(command, f"it did not print: {wrong}", shown)


def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line.rstrip("\n"))
    lines.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _split(expected: list[str]) -> tuple[list[str], list[str]]:
    at = expected.index(INTERRUPT)
    return expected[:at], expected[at + 1 :]


has_rights = functools.cache(realtime)


def _difference(expected: list[str], shown: list[str], ended: bool = True) -> str | None:
    """Return the difference, as `difference` does. Without real-time rights takt runs the non-preemptive form of each
    policy, and says so; that does not count."""
    if not has_rights():
        expected, shown = ([line.replace("np-", "") for line in lines] for lines in (expected, shown))
    return difference(expected, shown, ended) if expected else None


def _failure(command: Command, wrong: str, shown: list[str]) -> str:
    return "\n".join([f"{command.where}: $ {command.line}", wrong, "it printed:", *shown])


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    programs = tmp_path / "programs"
    programs.mkdir()
    # These stand-ins are used if no other program of the name is installed.
    takt = f'#!/bin/sh\nexec "{sys.executable}" -m takt_cli "$@"\n'
    for name, text in {"ros2": ROS2, "takt": takt, "compile": COMPILER}.items():
        (programs / name).write_text(text, "utf-8")
        (programs / name).chmod(0o755)
    others = (
        "COLUMNS",
        "LINES",
        "CMAKE_GENERATOR",
        "MAKEFLAGS",
        "MFLAGS",
        "MAKELEVEL",
        "RCUTILS_CONSOLE_OUTPUT_FORMAT",
    )
    kept = {name: value for name, value in os.environ.items() if name not in others}
    with private_domain() as domain:
        yield Shell(
            tmp_path,
            kept
            | {
                "PATH": f"{kept['PATH']}:{programs}",
                "ROS_DOMAIN_ID": str(domain),
                "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
                "TAKT_INSTALL": str(prefix_with("lib/takt") or ""),
                "CMAKE_CXX_COMPILER_LAUNCHER": str(programs / "compile"),
            },
        )


def prefix_with(path: str) -> Path | None:
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    return next((Path(prefix) for prefix in prefixes if prefix and Path(prefix, path).exists()), None)


def has_rclcpp() -> bool:
    installed = all(prefix_with(f"share/{package}") for package in ("rclcpp", "rclcpp_components"))
    installed = installed and prefix_with("lib/takt_rclcpp/takt_component_container") is not None
    if not installed and os.environ.get("TAKT_REQUIRE_RCLCPP"):
        pytest.fail("takt_rclcpp is built, but rclcpp is not in AMENT_PREFIX_PATH: set OVERLAY")
    return installed


# ---- the tutorials


def carry_out(command: Command, shell: Shell) -> bool:
    """Run a command, or check what it names. Returns whether it was run."""
    if command.parsed or (command.needs == "rclcpp" and not has_rclcpp()):
        for each in (command, *command.meanwhile):
            assert (wrong := wrong_in(each.line, shell.folder)) is None, f"{each.where}: $ {each.line}: {wrong}"
        return False

    def meanwhile() -> None:
        for each in command.meanwhile:
            carry_out(each, shell)

    if (failure := shell.run(command, meanwhile)) is not None:
        pytest.fail(failure, pytrace=False)
    return True


@pytest.mark.programs
@pytest.mark.usefixtures("real_programs")
@pytest.mark.parametrize("tutorial", TUTORIALS, ids=[path.stem for path in TUTORIALS])
def test_every_command_of_a_tutorial_does_what_it_says(tutorial: Path, shell: Shell) -> None:
    were_run = 0
    for step in steps(tutorial):
        if isinstance(step, File):
            shell.write(step)
        else:
            were_run += carry_out(step, shell)
    assert were_run >= 2


def test_commands_that_are_not_run_name_what_exists(tmp_path: Path) -> None:
    """Commands that are not run name programs, files and options that exist. Files of the tutorial's own folder are not
    checked."""
    assert [path.name for path in TUTORIALS] == ["tutorial-measuring.md", "tutorial-rclcpp.md", "tutorial.md"]
    for tutorial in TUTORIALS:
        for command in (step for step in steps(tutorial) if isinstance(step, Command) and step.parsed):
            assert wrong_in(command.line, tmp_path) is None, command


# ---- commands that are not run

# Programs of a ROS 2 installation, and words of the shell.
ELSEWHERE = {"alias", "cd", "colcon", "git", "prlimit", "rosdep", "sed"}


def wrong_in(line: str, folder: Path) -> str | None:
    """Return the name of a program, file or option in a command that does not exist, in words, as far as that can be
    told; None if all exist."""
    words = shlex.split(line)
    while words[0] == "sudo" or re.match(r"\w+=", words[0]):
        words = words[1:]
    program, arguments = Path(words[0]).name, words[1:]
    if program in CHECKS:
        return CHECKS[program](arguments, folder)
    exists = program in ELSEWHERE or shutil.which(program) is not None
    return None if exists else f"there is no program {program!r}"


def _wrong_option(arguments: list[str], _: Path) -> str | None:
    command: click.Command = cli
    while isinstance(command, click.Group):
        name = arguments[0] if arguments else ""
        inner = command.get_command(click.Context(command), name)
        if inner is None:
            return f"there is no command {name!r}"
        command, arguments = inner, arguments[1:]
    try:
        command.make_context(command.name, list(arguments))
    except click.ClickException as error:
        return error.format_message()
    return None


def _wrong_target(arguments: list[str], _: Path) -> str | None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    wanted = arguments[2:] if arguments[:1] == ["-C"] else arguments
    return next((f"there is no target {each!r}" for each in wanted if each not in targets), None)


def _wrong_script(arguments: list[str], _: Path) -> str | None:
    made_by_colcon = arguments[0].startswith("install/")
    return None if made_by_colcon or (ROOT / arguments[0]).is_file() else f"there is no {arguments[0]}"


def _wrong_in_ros2(arguments: list[str], folder: Path) -> str | None:
    if arguments[:2] == ["service", "call"]:
        package, kind, name = arguments[3].split("/")
        exists = (ROOT / "src" / package / kind / f"{name}.srv").is_file()
        return None if exists else f"there is no service {arguments[3]}"
    if arguments[0] not in {"run", "launch"}:
        return None if arguments[0] in {"param", "pkg"} else f"ros2 {arguments[0]} is not known to this test"
    package, name = arguments[1:3]
    sources = [path for base in (ROOT, folder) for path in (base / "src" / package).rglob("*")]
    exists = any(name in (path.name, path.stem) for path in sources)
    return None if exists else f"package {package} has no {name}"


CHECKS: dict[str, Callable[[list[str], Path], str | None]] = {
    "takt": _wrong_option,
    "make": _wrong_target,
    "source": _wrong_script,
    "ros2": _wrong_in_ros2,
}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("takt run app.yaml --executor takt --durration 2", "--durration"),
        ("takt run app.yaml --executor tact", "tact"),
        ("sudo takt tune aply", "aply"),
        ("takt measure timers --callbacks many --period 10ms", "many"),
        ("make set-up", "set-up"),
        ("source setup/environment.sh", "environment.sh"),
        ("ros2 launch takt_rclcpp none.launch.xml", "none.launch.xml"),
        ("ros2 run takt_rclcpp prioritize", "prioritize"),
        ("ros2 service call /planner/set_scenario takt_msgs/srv/SetScene '{}'", "SetScene"),
        ("no_such_program --help", "no_such_program"),
    ],
)
def test_a_command_that_names_something_that_does_not_exist_is_found(line: str, what: str, tmp_path: Path) -> None:
    wrong = wrong_in(line, tmp_path)
    assert wrong is not None
    assert what in wrong


# ---- the comparison

SHOWN = [
    "takt: a warning",
    "planner under takt (fp), 2 s   ",
    "┏━━━━━━━━━━━┳━━━━━━┳━━━━━━━━━━━━━━━┓",
    "│ planner/plan │ 1\u202f200 │ 0.558 · \u2013 · -1.12 ms │",
    "pass: the executor caused no miss and no stale execution",
    "",
    "result: results/takt",
]


@pytest.mark.parametrize(
    "expected",
    [
        ["planner under takt (fp), 10 s", "...", "result: results/takt"],
        ["...", "│ planner/plan  │ 97 │ 0.6 · 3 · ∞ ms │", "...", "result: ..."],
        ["┏━━┳━━┳━━┓", "│ planner/plan │ ... ms │", "inconclusive: the host stalled", "result: results/takt"],
        ["planner ... 2 s", "..."],
    ],
)
def test_values_that_vary_between_runs_are_no_difference(expected: list[str]) -> None:
    assert difference(expected, SHOWN) is None


@pytest.mark.parametrize(
    "expected",
    [
        ["planner under baseline0 (fp), 2 s", "..."],
        ["planner under takt (fp), 2 s", "│ planner/plan │ ...", "..."],  # a line between them
        ["...", "result: results/takt", "...", "planner under takt (fp), 2 s", "..."],  # another order
        ["planner under takt (fp), 2 s"],  # more after it
        ["...", "│ planner/plan │ 0 │ ... us │", "..."],
        ["...", "result: results/takt", "page: results/takt/report.html"],
    ],
)
def test_missing_output_is_a_difference(expected: list[str]) -> None:
    assert difference(expected, SHOWN) is not None


def test_a_command_that_goes_on_may_print_more() -> None:
    assert difference(["planner under takt (fp), 2 s"], SHOWN, ended=False) is None
    assert difference(["result: results/takt"], SHOWN[:-1], ended=False) == "result: results/takt"


def test_numbers_are_alike_whatever_their_form() -> None:
    assert normalised("p99 -4.26 ms, 15\u202f000 jobs, takt_4711, \u2013") == "p0 0 ms, 0 jobs, takt_0, 0"
    assert normalised("w1..w5 42..46") == "w0..w0 0..0"


def test_the_marks_in_a_tutorial_are_read(tmp_path: Path) -> None:
    text = """
**`a/b.txt`**
```cpp
one
```

<!-- needs: rclcpp -->
<!-- status: 0, 3 -->
```console
$ first
...
$ second
begins
```

Then:

<!-- meanwhile -->
```console
$ third
```

```console
^C
ends
```

<!-- parsed: needs root -->
```console
$ sudo fourth
```
"""
    path = tmp_path / "tutorial.md"
    path.write_text(text, "utf-8")
    file, first, second, fourth = steps(path)
    assert file == File("a/b.txt", "one\n")
    assert isinstance(first, Command)
    assert isinstance(second, Command)
    assert isinstance(fourth, Command)
    assert (first.line, first.statuses, first.needs, first.expected) == ("first", (0,), "rclcpp", ["..."])
    assert (second.statuses, second.expected) == ((0, 3), ["begins", "^C", "ends"])
    assert [each.line for each in second.meanwhile] == ["third"]
    assert (fourth.line, fourth.parsed, second.parsed) == ("sudo fourth", True, False)


@pytest.mark.parametrize(
    "text",
    ["<!-- parsed: why -->\n\ntext\n\n```console\n$ a\n```\n", "```console\nno command\n```\n", "```console\n$ a\n"],
)
def test_markup_that_makes_no_sense_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tutorial.md"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"tutorial\.md:\d"):
        steps(path)
