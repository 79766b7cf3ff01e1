"""Each rule of check_layers must catch what it forbids, and let pass what is allowed."""

import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).with_name("check_layers")

FORBIDDEN = [
    ("takt_core/src/model/a.cpp", '#include "takt_core/os/clock.hpp"', "of takt_core/os"),
    ("takt_core/include/takt_core/os/a.hpp", "#include <takt_core/trace/ring.hpp>", "of takt_core/trace"),
    ("takt_core/src/trace/a.cpp", '#include "takt_core/executor/processor.hpp"', "of takt_core/executor"),
    ("takt_core/src/executor/a.cpp", '#include "takt/node.hpp"', "of takt"),
    ("takt_core/src/executor/a.cpp", "#include <rcl/rcl.h>", "only front ends include headers of ROS 2"),
    (
        "takt_core/src/executor/a_test.cpp",
        "#include <std_msgs/msg/string.hpp>",
        "only front ends include headers of ROS 2",
    ),
    ("takt_core/src/stray.cpp", "", "lies in no layer"),
    ("takt/src/a.cpp", '#include "takt_lab/spec.hpp"', "of takt_lab"),
    ("takt/src/a.cpp", "#include <pthread.h>", "only takt_core/os may"),
    ("takt/src/a.cpp", "int x = sched_getcpu();", "must not use sched_getcpu"),
    ("takt_core/src/executor/a.cpp", "void f() { ::pthread_self(); }", "must not use pthread_self"),
    ("takt_core/src/executor/a.cpp", "auto x = syscall(SYS_futex);", "must not use syscall"),
    ("takt_core/src/trace/a.cpp", "f(CLOCK_THREAD_CPUTIME_ID);", "must not use CLOCK_THREAD_CPUTIME_ID"),
    ("takt_lab/src/programs/a.cpp", "void f() { mlockall(3); }", "must not use mlockall"),
    ("takt_lab/src/lib/a.cpp", "#include <rcl/rcl.h>", "only front ends include headers of ROS 2"),
    ("takt_lab/src/lib/a.cpp", "#include <std_msgs/msg/string.hpp>", "only front ends include headers of ROS 2"),
    ("takt_core/src/model/a.cpp", "#include <mutex>", "no thread, clock"),
    ("takt_core/src/model/a_test.cpp", "auto t = std::chrono::steady_clock::now();", "virtual time"),
]

ALLOWED = [
    ("takt_core/src/model/a.cpp", '#include "takt_core/model/task.hpp"\n#include <vector>'),
    ("takt_core/src/os/a.cpp", "#include <pthread.h>\nvoid f() { pthread_self(); syscall(SYS_futex); }"),
    ("takt_core/src/trace/a.cpp", '#include "takt_core/os/clock.hpp"'),
    ("takt_rclcpp/examples/a.hpp", "clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);"),
    ("takt_core/src/executor/a.cpp", '#include "takt_core/model/task.hpp"\n// sched_setscheduler() is called in os'),
    ("takt_core/src/executor/a_test.cpp", "#include <sched.h>\nint x = sched_getscheduler(0);"),
    ("takt_core/src/executor/testing/a.cpp", "#include <sys/syscall.h>\nint x = syscall(SYS_capget);"),
    ("takt_core/src/executor/a.cpp", 'auto s = "sched_setscheduler()"; auto y = plan.sched_find();'),
    ("takt/src/a.cpp", '#include <rcl/rcl.h>\n#include <std_msgs/msg/string.hpp>\n#include "takt_core/os/clock.hpp"'),
    ("takt_lab/src/lib/a.cpp", "#include <takt_msgs/msg/payload.hpp>\n#include <takt/node.hpp>"),
]


COMMAND = "takt_cli/takt_cli"
FORBIDDEN += [
    (f"{COMMAND}/spec/a.py", "from takt_cli.analysis.grid import Fate", "spec must not import analysis"),
    (f"{COMMAND}/analysis/a.py", "def f():\n    from takt_cli.run import load", "analysis must not import run"),
    (f"{COMMAND}/extra/a.py", "", "lies in no part of the command"),
    (f"{COMMAND}/spec/a.py", "from takt_cli import signals, analysis", "spec must not import analysis"),
    (f"{COMMAND}/results/a.py", 'import_module("takt_cli.measurements")', "results must not import measurements"),
    (f"{COMMAND}/results/a.py", 'NAMES = ("takt_cli.results", "takt_cli.cli.main")', "results must not import cli"),
    (f"{COMMAND}/results/a.py", 'import_module(f"takt_cli.paper.{name}")', "results must not import paper"),
    (f"{COMMAND}/results/a.py", "from takt_cli import reading", "results must not import reading"),
]
ALLOWED += [
    (f"{COMMAND}/paper/a.py", "from takt_cli.report.html import template\nfrom takt_cli.paper.paper import Paper"),
    (f"{COMMAND}/__init__.py", ""),
    (f"{COMMAND}/cli/a.py", 'import_module("takt_cli.export.perfetto"); import_module(f"takt_cli.export.{name}")'),
    (f"{COMMAND}/results/a.py", 'raise KeyError("takt_cli.cli is not here")'),
    (f"{COMMAND}/results/__init__.py", "from takt_cli import reading"),
]


def check(root: Path, name: str, text: str) -> subprocess.CompletedProcess[str]:
    file = root / "src" / name
    file.parent.mkdir(parents=True)
    file.write_text(text + "\n")
    return subprocess.run([sys.executable, CHECK, root], capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize(("name", "text", "says"), FORBIDDEN)
def test_finds_what_is_forbidden(tmp_path: Path, name: str, text: str, says: str) -> None:
    result = check(tmp_path, name, text)
    assert result.returncode == 1
    assert f"src/{name}:" in result.stdout
    assert says in result.stdout


@pytest.mark.parametrize(("name", "text"), ALLOWED)
def test_lets_pass_what_is_allowed(tmp_path: Path, name: str, text: str) -> None:
    result = check(tmp_path, name, text)
    assert result.stdout == "layers: 1 files, 0 violations\n"
    assert result.returncode == 0


def test_private_headers_belong_to_their_layer(tmp_path: Path) -> None:
    private = tmp_path / "src/takt_core/src/executor/queue.hpp"
    private.parent.mkdir(parents=True)
    private.write_text("#pragma once\n")
    result = check(
        tmp_path, "takt_core/src/model/a.cpp", '#include "../executor/queue.hpp"\n#include "executor/queue.hpp"'
    )
    assert result.stdout.count("must not include") == 2


def test_an_empty_tree_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    result = subprocess.run([sys.executable, CHECK, tmp_path], capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 2
