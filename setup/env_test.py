# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of setup/env.sh: the paths of a sourced ROS 2 are removed."""

import os
import subprocess
from pathlib import Path

ENV = Path(__file__).parent / "env.sh"


def test_nothing_of_a_sourced_ros_2_stays_in_the_paths() -> None:
    sourced = {
        "AMENT_PREFIX_PATH": "/ws/install:/opt/ros/jazzy",
        "PATH": f"/ws/install/bin:/opt/ros/jazzy/bin:/opt/ros/jazzyish/bin:{os.defpath}",
        "LD_LIBRARY_PATH": "/opt/ros/jazzy/opt/vendor/lib:/opt/ros/jazzy/lib:/home/me/lib",
    }
    show = f'source "{ENV}"; source "{ENV}"; echo "$PATH"; echo "$LD_LIBRARY_PATH"'
    done = subprocess.run(["bash", "-euc", show], env=sourced, capture_output=True, encoding="utf-8", check=True)
    path, libraries = (line.split(":") for line in done.stdout.splitlines())
    assert path[1:] == ["/opt/ros/jazzyish/bin", *os.defpath.split(":")]
    assert libraries[-1] == "/home/me/lib"
    assert not any(each.startswith(("/ws", "/opt")) for each in libraries)
