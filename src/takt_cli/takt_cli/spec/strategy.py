# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Applies the scenarios of a strategy file to an application, which gives one application for each scenario.

The runtime reads such files itself, by all of their rules. Here only timing is read, and for timers only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from msgspec.structs import replace

from takt_cli.spec.application import Application, Callback, Task
from takt_cli.spec.checks import Checks
from takt_cli.spec.document import Document, Path, parse, read_file
from takt_cli.spec.schema import validate_part


@dataclass(frozen=True)
class Scenario:
    name: str
    application: Application
    suspended: frozenset[int]
    """Indices of the tasks that are not released in this scenario."""


def read_scenarios(path: FilePath, application: Application) -> list[Scenario]:
    """Read a strategy file, and return its scenarios in order. Raises a SpecError."""
    return parse_scenarios(read_file(path, "a strategy file (YAML)"), str(path), application)


def parse_scenarios(text: bytes, file: str, application: Application) -> list[Scenario]:
    document = parse(text, file)
    validate_part(document, (), document.data, "strategy")
    data: Any = document.data
    if not data.get("scenarios"):
        document.fail(("scenarios",), "there is no scenario; give at least one")
    reader = _Reader(document, application)
    return [reader.scenario(name, raw or {}) for name, raw in data["scenarios"].items()]


class _Reader:
    """Applies scenarios, after the schema has accepted them, to an application."""

    def __init__(self, document: Document, application: Application) -> None:
        self._checks = Checks(document)
        self._application = application

    def scenario(self, name: str, raw: Mapping[str, Any]) -> Scenario:
        changed: dict[int, Callback] = {}
        suspended = set()
        for id_, timing in (raw.get("tasks") or {}).items():
            path: Path = ("scenarios", name, "tasks", id_)
            task = self._task(id_, path)
            if task.index in changed:
                self._checks.fail(path, f"{task.id} already has an entry; remove one")
            values = timing or {}
            changed[task.index] = self._timed(task.callback, values, path)
            if values.get("suspended") is True:
                suspended.add(task.index)
                changed[task.index] = replace(changed[task.index], reads=(), max_ages=(), publishes=())
        application = self._application.under(raw.get("policy", self._application.policy)).with_callbacks(changed)
        return Scenario(name, application, frozenset(suspended))

    def _task(self, id_: str, path: Path) -> Task:
        tasks = self._application.tasks
        matching_tasks = [task for task in tasks if id_ in {task.id, task.callback.name}]
        if len(matching_tasks) != 1:
            problem = "could be" if matching_tasks else "there is no such task; there are"
            self._checks.fail(path, f"{problem} {', '.join(task.id for task in matching_tasks or tasks)}")
        return matching_tasks[0]

    def _timed(self, callback: Callback, values: Mapping[str, Any], path: Path) -> Callback:
        changes = {key: values[key] for key in ("priority", "on_stale", "extra_releases") if key in values}
        for key in ("period", "phase", "deadline", "budget"):
            if key in values:
                changes[key] = self._time(values[key], (*path, key), key)
        if callback.deadline == callback.period:
            changes = {"deadline": changes.get("period", callback.period)} | changes
        changed = replace(callback, **changes)
        if changed.deadline > changed.period and changed.queue == 0:
            self._checks.fail(path, "the deadline is above the period, so jobs overlap; that needs 'overrun: queue(n)'")
        return self._aged(changed, values.get("max_age") or {}, (*path, "max_age"))

    def _time(self, text: str, path: Path, key: str) -> int:
        if text == "none" and key == "deadline":
            self._checks.fail(path, "a task without a deadline cannot be late; give one to have it checked")
        value = 0 if text == "none" else self._checks.duration(text, path)
        if value == 0 and text != "none" and key != "phase":
            self._checks.fail(path, "must be above 0")
        return value

    def _aged(self, callback: Callback, ages: Mapping[str, str], path: Path) -> Callback:
        bounds = dict(callback.bounds)
        numbers = {topic.name: i for i, topic in enumerate(self._application.topics)}
        for name, text in ages.items():
            if numbers.get(name) not in callback.reads:
                self._checks.fail((*path, name), f"{name!r} is not among the topics that the callback reads")
            bounds[numbers[name]] = 0 if text == "none" else self._checks.duration(text, (*path, name))
        return replace(callback, max_ages=tuple(bounds.get(topic, 0) for topic in callback.reads))
