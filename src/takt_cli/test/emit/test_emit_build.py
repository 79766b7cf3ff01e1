# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests that the package for takt can be built against the installed packages, as a user would do it, and run. Those
for rclcpp are built as far as rclcpp is installed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from repository import ROOT
from spec_samples import EVERY

from takt_cli.emit.packages import emit_packages
from takt_cli.errors import HostError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.domain import private_domain
from takt_cli.host.programs import find_program
from takt_cli.spec.load import parse_spec

DECLARATIONS = Path(__file__).parent / "rclcpp_declarations"
APPLICATION = parse_spec(EVERY.encode(), "every.yaml")
# GCC collects its garbage later, as for this repository's packages (cmake/presets.json), and takes a tenth less time.
FLAGS = "-Werror --param=ggc-min-heapsize=400000"
pytestmark = pytest.mark.programs


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    try:
        find_program("runner")
    except HostError as error:
        if os.environ.get("TAKT_REQUIRE_PROGRAMS"):
            raise
        pytest.skip(str(error))
    return emit_packages(APPLICATION, EVERY.encode(), tmp_path_factory.mktemp("packages"))


def configure(package: Path, *options: str) -> Path:
    """Configure the package with CMake, and return its build folder."""
    build = package.parent / "build" / package.name
    run_command("cmake", "-G", "Ninja", "-S", package, "-B", build, f"-DPython3_EXECUTABLE={sys.executable}", *options)
    return build


def run_command(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def program(packages: list[Path]) -> Path:
    """Build the program once for the whole module."""
    package = packages[0]
    build = configure(package, f"-DCMAKE_CXX_FLAGS=-O1 {FLAGS}")
    run_command("cmake", "--build", build, "-j", "2")
    run_command("cmake", "--install", build, "--prefix", build / "install")
    return build / "install" / "lib" / package.name / package.name


def test_the_baselines_compile(packages: list[Path]) -> None:
    """They are built against rclcpp or, where it is not installed, compiled against declarations of it, without
    linking."""
    installed = any(Path(prefix, "share/rclcpp").is_dir() for prefix in os.environ["AMENT_PREFIX_PATH"].split(":"))
    # A unity build: the headers of rclcpp are parsed, and templates are instantiated, once for all nodes.
    united = ["-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"]
    options = united if installed else [f"-Drclcpp_DIR={DECLARATIONS}"]
    for package in packages[1:]:
        build = configure(package, f"-DCMAKE_CXX_FLAGS=-O0 {FLAGS}", *options)
        programs = [p.stem for p in package.glob("src/programs/*.cpp")]
        objects = [f"CMakeFiles/{p}.dir/src/programs/{p}.cpp.o" for p in programs]
        objects = objects or [f"CMakeFiles/{package.name}.dir/src/main.cpp.o"]
        run_command("ninja", "-C", build, "-j", "2", *(["all"] if installed else ["nodes", *objects]))


@dataclass(frozen=True)
class RunOutput:
    """The output of a run."""

    seconds: float
    policy: str
    jobs: dict[str, tuple[int, int, int]]
    """The numbers of released, late and skipped jobs, by callback."""
    used: list[tuple[str, int]]
    extras: dict[str, str]


def parse_output(text: str) -> RunOutput:
    head = re.search(r"^every_key_all_more_takt: ([\d.]+) s under (.+)$", text, re.M)
    assert head, text
    jobs = re.findall(r"^(\S+): (\d+) jobs, (\d+) late, (\d+) skipped(.*)$", text, re.M)
    return RunOutput(
        float(head[1]),
        head[2],
        {task: (int(a), int(b), int(c)) for task, a, b, c, _ in jobs},
        [(topic, int(n)) for topic, n in re.findall(r"^  (\S+): used (\d+) times", text, re.M)],
        {task: rest for task, _, _, _, rest in jobs},
    )


def run_for(seconds: int, command: list[str]) -> RunOutput:
    """Start the program, let it run, and end it by SIGINT, as Ctrl-C does."""
    with private_domain() as domain:
        environment = {**os.environ, "ROS_DOMAIN_ID": str(domain), "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "every_key_all_more_takt: runs until Ctrl-C\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(seconds)
            process.send_signal(signal.SIGINT)
            text = process.stdout.read()
    assert process.returncode == 0
    return parse_output(text)


def run(program: Path, *before: str) -> RunOutput:
    """Return the output of a run that kept the grid and in which messages arrived. It takes a second, or longer if the
    host is busy."""
    cpus = allowed_cpus()
    if len(cpus) < 2:
        pytest.skip("the spec places callbacks on two processors")
    command = [*before, str(program), *map(str, (cpus[0], cpus[-1]))]
    for seconds in (1, 3, 9):
        result = run_for(seconds, command)
        if not (wrong := what_is_wrong(result)):
            return result
    pytest.fail(f"{wrong}: {result}")


def what_is_wrong(result: RunOutput) -> list[str]:
    wrong = []
    for task in APPLICATION.tasks:
        due = (result.seconds * 1e9 - task.callback.phase) / task.callback.period
        if not 0.7 * due - 1 <= result.jobs[task.id][0] <= due + 2:
            wrong.append(f"{task.id} is not on the grid")
    used = dict(result.used)
    # Nobody publishes outside/gps.
    return wrong + [f"no {topic} was used" for topic in ("scan", "/plan", "map/tiles") if not used.get(topic)]


def check(result: RunOutput) -> None:
    assert list(result.jobs) == [task.id for task in APPLICATION.tasks]
    assert "outside/gps" not in dict(result.used)
    assert "on data that was too old" in result.extras["planner/plan"]  # no message of outside/gps arrives
    assert "too old" not in result.extras["Node1/grab"]


def test_it_runs_and_tells(program: Path) -> None:
    result = run(program)
    check(result)
    assert result.policy in ("fp", "np-fp instead of fp, for lack of real-time rights")


def test_without_rights_the_program_names_the_policy_in_use(program: Path) -> None:
    result = run(program, str(ROOT / "setup" / "without_rights.sh"))
    check(result)
    assert result.policy == "np-fp instead of fp, for lack of real-time rights"


def test_an_invalid_argument_of_the_program_gives_one_line(program: Path) -> None:
    failed = subprocess.run([program, "one"], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert failed.stderr == "every_key_all_more_takt: 'one' is not a CPU; give CPU numbers\n"
