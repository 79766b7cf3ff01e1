# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The state of a running executor, as it reported it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

NEVER = 2**63 - 1


class Request(NamedTuple):
    """The result of a request for a scenario.

    `effect_ns` is the time from the request until it took effect; -1 if that has not happened or is not known.
    """

    success: bool
    message: str
    effect_ns: int


@dataclass(frozen=True)
class Executor:
    """The state of an executor as plain data, with the field names of takt_msgs/srv/Inspect."""

    name: str
    data: dict[str, Any]

    @classmethod
    def from_message(cls, name: str, message: Any) -> Executor:
        """Make the state from a response message of takt_msgs/srv/Inspect, and add the margin of each task."""
        data = _plain(message)
        for task in data["tasks"]:
            task["margin_ns"] = margin(task)
        return cls(name, data)

    def to_json(self) -> dict[str, Any]:
        """Return the state with the executor's name."""
        return {"name": self.name} | self.data

    def __getitem__(self, field: str) -> Any:
        return self.data[field]


def margin(task: dict[str, Any]) -> int | None:
    """Return the smallest time in ns between the finish of a job and its deadline in the last period.

    Without a job in the last period it is the smallest ever. None without a deadline or without any job.
    """
    if task["deadline_ns"] < 0:
        return None
    if task["recent"]["jobs"] > 0:
        return int(task["deadline_ns"] - task["recent"]["worst_ns"])
    return None if task["least_margin_ns"] == NEVER else int(task["least_margin_ns"])


def misses(task: dict[str, Any]) -> int:
    """Return the number of late and skipped jobs."""
    return int(task["missed"] + task["skipped"])


def has_work(task: dict[str, Any]) -> bool:
    """Return whether the task has timing or has ever been released, unlike a node's unused parameter services."""
    return bool(task["period_ns"] > 0 or task["deadline_ns"] >= 0 or task["released"] > 0)


def _plain(value: Any) -> Any:
    if hasattr(value, "get_fields_and_field_types"):
        return {field: _plain(getattr(value, field)) for field in value.get_fields_and_field_types()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
