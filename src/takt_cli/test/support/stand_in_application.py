# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The application as the stand-ins for programs read it: without msgspec, which takes long to load."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


class Callback:
    def __init__(self, described: dict[str, Any]) -> None:
        self.period: int = described["period_ns"]
        self.phase: int = described["phase_ns"]
        self.deadline: int = described["deadline_ns"]
        self.wcet: int = described["wcet_ns"]
        self.priority: int = described["priority"]
        self.reads: list[int] = described["reads"]
        self.publishes: list[int] = described["publishes"]


class Task:
    def __init__(self, index: int, node: int, id_: str, callback: Callback) -> None:
        self.index, self.node, self.id, self.callback = index, node, id_, callback


class Application:
    def __init__(self, described: dict[str, Any]) -> None:
        self.tasks: list[Task] = []
        for number, node in enumerate(described["nodes"]):
            for callback in node["callbacks"]:
                id_ = f"{node['name']}/{callback['name']}"
                self.tasks.append(Task(len(self.tasks), number, id_, Callback(callback)))


def read_application(path: Path) -> Application:
    """Read what the command has written for the programs."""
    return Application(json.loads(path.read_bytes()))
