# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of setup/build.sh: what is asked for must be there before anything is configured."""

import os
import subprocess
from pathlib import Path

import pytest

BUILD = Path(__file__).parent / "build.sh"


def test_an_overlay_that_is_not_there_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    done = subprocess.run(
        [BUILD, "takt_core"], env={**os.environ, "OVERLAY": str(missing)}, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 2
    assert done.stderr == f"build: there is no folder {missing} (from OVERLAY)\n"
    assert done.stdout == ""


@pytest.mark.parametrize(("gigabytes", "jobs"), [(1, 1), (4, 1), (1000, len(os.sched_getaffinity(0)))])
def test_no_more_compilers_run_than_memory_allows(gigabytes: int, jobs: int, tmp_path: Path) -> None:
    memory = tmp_path / "meminfo"
    memory.write_text(f"MemTotal: 1 kB\nMemAvailable: {gigabytes * 1_000_000} kB\n")
    ninja = tmp_path / "ninja"
    ninja.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\n')
    ninja.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key != "JOBS"}
    environment.pop("_TAKT_PATH", None)  # where setup/env.sh has kept the path
    environment |= {"MEMINFO": str(memory), "PATH": f"{tmp_path}:{os.environ['PATH']}", "TARGETS": "build.ninja"}
    subprocess.run([BUILD, "takt_msgs"], env=environment, check=True)
    arguments = (tmp_path / "arguments").read_text().split()
    assert arguments[arguments.index("-j") + 1] == str(jobs)
