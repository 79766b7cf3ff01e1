# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of setup/middleware.sh: RMW selects the middleware of started programs, or one line says why it cannot."""

import os
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parent
CYCLONE, FAST = "rmw_cyclonedds_cpp", "rmw_fastrtps_cpp"


def run(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command, env={"PATH": os.environ["PATH"]} | environment, capture_output=True, encoding="utf-8", check=False
    )


def library(prefix: Path, name: str, needs: str = "") -> Path:
    (prefix / "lib").mkdir(exist_ok=True)
    made = prefix / "lib" / f"lib{name}.so"
    build = f"-shared -o {made} -Wl,-soname,{made.name} -Wl,--no-as-needed -x c++ /dev/null -x none"
    needed = [f"{prefix}/lib/lib{needs}.so"] if needs else []
    subprocess.run(["c++", *build.split(), *needed], check=True)
    return made


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    """Return a prefix of ROS 2 with two middlewares."""
    index = tmp_path / "share/ament_index/resource_index/rmw_typesupport"
    index.mkdir(parents=True)
    for name in (CYCLONE, FAST, "rmw_implementation"):
        (index / name).touch()
    return tmp_path


def started(prefix: Path, rmw: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Start a program through middleware.sh; it prints the variables that select the middleware."""
    show = f'source "{SETUP}/middleware.sh"; "${{over_middleware[@]}}" sh -c \'echo "$RMW_IMPLEMENTATION $LD_PRELOAD"\''
    return run("bash", "-euo", "pipefail", "-c", show, AMENT_PREFIX_PATH=f"/nowhere:{prefix}", RMW=rmw, **environment)


def test_the_middleware_that_ros_2_is_linked_to_needs_no_preloading(prefix: Path) -> None:
    library(prefix, FAST)
    library(prefix, "rcl", needs=FAST)
    assert started(prefix, FAST).stdout == f"{FAST} \n"


def test_another_middleware_is_selected_by_preloading_a_library(prefix: Path) -> None:
    library(prefix, FAST)
    library(prefix, "rcl", needs=FAST)
    chooser = library(prefix, "rmw_implementation")
    assert started(prefix, CYCLONE).stdout == f"{CYCLONE} {chooser}\n"
    # Other preloaded libraries are kept.
    also = library(prefix, "also")
    assert started(prefix, CYCLONE, LD_PRELOAD=str(also)).stdout == f"{CYCLONE} {chooser}:{also}\n"


def test_a_ros_2_that_loads_the_middleware_itself_needs_only_the_variable(prefix: Path) -> None:
    library(prefix, "rmw_implementation")
    library(prefix, "rcl", needs="rmw_implementation")
    assert started(prefix, CYCLONE).stdout == f"{CYCLONE} \n"


def test_without_rmw_nothing_is_set(prefix: Path) -> None:
    assert started(prefix, "").stdout == " \n"


def test_a_middleware_that_cannot_be_selected_gives_one_line(prefix: Path) -> None:
    library(prefix, FAST)
    library(prefix, "rcl", needs=FAST)
    done = started(prefix, CYCLONE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"takt: {CYCLONE} (from RMW) cannot be chosen: librcl is linked to {FAST}, ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["rmw_nonsense_cpp", "rmw_implementation", "rmw_fastrtps"])
def test_a_middleware_that_is_not_installed_gives_one_line(name: str, prefix: Path) -> None:
    done = started(prefix, name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"takt: {name} (from RMW) is not installed, there is: {CYCLONE}, {FAST}; ")
    assert done.stderr.count("\n") == 1


def test_without_ros_2_the_error_is_the_same_line(tmp_path: Path) -> None:
    done = started(tmp_path, CYCLONE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"takt: {CYCLONE} (from RMW) is not installed, there is: none; ")
    assert done.stderr.count("\n") == 1


def test_the_tests_do_not_start_with_a_middleware_that_is_not_installed() -> None:
    for script in ("test_all.sh", "test.sh"):
        done = run(str(SETUP / script), "takt", RMW="rmw_nonsense_cpp")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("takt: rmw_nonsense_cpp (from RMW) is not installed")
        assert done.stderr.count("\n") == 1


def test_address_sanitizer_accepts_a_library_preloaded_before_its_own() -> None:
    show = f'source "{SETUP}/sanitizers/options.sh"; echo "$ASAN_OPTIONS"'
    common = {"TAKT_ROOT": "/nowhere", "DISTRO": "jazzy", "PRESET": "asan"}
    strict = run("bash", "-euc", show, **common).stdout
    assert "verify_asan_link_order" not in strict
    lenient = run("bash", "-euc", show, preloaded_middleware="/lib/librmw_implementation.so", **common).stdout
    assert lenient == strict.rstrip("\n") + ":verify_asan_link_order=0\n"
