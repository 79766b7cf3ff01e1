# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests without a home folder, or with one that cannot be written to: the command and the programs that it starts still
work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from takt_cli.cli.main import cli
from takt_cli.errors import HostError
from takt_cli.guest.kernel import cache
from takt_cli.host.ros_logs import log_folder


def run(spec: Path) -> Result:
    result = CliRunner().invoke(cli, ["run", str(spec), "--executor", "baseline1", "--duration", "0.5", "--json"])
    assert result.exit_code == 0, result.stderr
    return result


def started() -> list[tuple[str, str]]:
    """Return the folder of logs and the folder of results that each runner was given."""
    lines = [json.loads(line) for line in Path("log").read_text("utf-8").splitlines()]
    return [(each["env"]["ROS_LOG_DIR"], each["args"]["--out"]) for each in lines if each["name"] == "runner"]


def test_a_log_folder_that_cannot_be_written_to_is_reported_once(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    monkeypatch.setenv("ROS_LOG_DIR", "/proc/none/logs")
    why = "cannot be written: No such file or directory; the logs of programs are not kept"
    assert run(spec).stderr == f"takt: ROS_LOG_DIR=/proc/none/logs {why}\n"
    places = started()
    assert len(places) == 2
    assert all(logs == out for logs, out in places)


def test_a_log_folder_that_can_be_written_to_is_used_as_set(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    monkeypatch.setenv("ROS_LOG_DIR", str(spec.parent / "deep" / "logs"))
    assert run(spec).stderr == ""
    assert {logs for logs, _ in started()} == {str(spec.parent / "deep" / "logs")}
    # Like ROS, takt treats an empty variable as not set.
    monkeypatch.setenv("ROS_LOG_DIR", "")
    assert log_folder(Path("own")) == "own"


def test_plots_are_made_without_warnings_about_a_read_only_home(stand_ins: Path) -> None:
    left_out = ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "ROS_LOG_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    environment["HOME"] = "/proc/none"
    command = [sys.executable, "-m", "takt_cli", "demo", "--quick", "--out", "demo"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_inspect_needs_no_home_folder() -> None:
    pytest.importorskip("rclpy")
    pytest.importorskip("takt_msgs.srv")
    environment = dict(os.environ) | {"HOME": "/proc/none"}
    for name in ("ROS_LOG_DIR", "ROS_HOME"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "takt_cli", "inspect", "--wait", "0.1", "nobody"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("takt: no running executor /nobody was found within 0.1 s")


def test_without_a_home_the_error_for_kernels_names_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_uid: int) -> None:
        raise KeyError

    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", nobody)
    with pytest.raises(HostError, match="set XDG_CACHE_HOME"):
        cache()
