# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Messages that a callback of takt logs appear on the console and on /rosout."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from conftest import Peer, Program
from rcl_interfaces.msg import Log
from rclpy.qos import DurabilityPolicy, QoSProfile

TALKER = str(Path(os.environ["TAKT_EXAMPLES"]) / "talker")


def test_messages_reach_rosout(peer: Peer, start: Callable[..., Program]) -> None:
    heard: list[Log] = []
    qos = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    peer.node.create_subscription(Log, "/rosout", heard.append, qos)
    program = start(TALKER)
    peer.spin_until(lambda: any("saying 'hello 2'" in log.msg for log in heard), "the second message")
    log = next(log for log in heard if "saying 'hello 2'" in log.msg)
    assert log.name == "talker"
    assert log.level == Log.INFO
    assert log.file.endswith("talker.cpp")
    assert log.function == "talk"
    assert log.line > 0
    program.wait_for("[INFO]")


def test_levels_come_from_the_command_line(start: Callable[..., Program]) -> None:
    quiet = start(TALKER, "--ros-args", "--log-level", "talker:=warn")
    chatty = start(TALKER, "--ros-args", "-r", "__node:=other")
    chatty.wait_for("saying 'hello 2'")
    assert not quiet.printed("saying")
