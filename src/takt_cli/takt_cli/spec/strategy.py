# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Applies the scenarios of a strategy file to an application, which gives one application for each scenario.

The runtime reads such files itself, by all of their rules. Here only timing is read, and for timers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from msgspec.structs import replace

from takt_cli.errors import SpecError
from takt_cli.spec.application import POLICIES, Application, Callback, Node, Task
from takt_cli.spec.checks import Checks
from takt_cli.spec.document import Document, Path, parse

_TIMES = ("period", "phase", "deadline", "budget")
# What callbacks read and publish is defined by the spec.
_SPEC_SAYS = ("subscribes", "publishes", "optional")
_KEYS = (*_TIMES, "priority", "max_age", "on_stale", "extra_releases", "suspended", *_SPEC_SAYS)


@dataclass(frozen=True)
class Scenario:
    name: str
    application: Application
    suspended: frozenset[int]
    """Indices of the tasks that are not released in this scenario."""


def read_scenarios(path: FilePath, application: Application) -> list[Scenario]:
    """Read a strategy file, and return its scenarios in order. Raises a SpecError."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise SpecError(path, None, "", f"cannot be read: {error.strerror}") from None
    return parse_scenarios(text, str(path), application)


def parse_scenarios(text: bytes, file: str, application: Application) -> list[Scenario]:
    reader = _Reader(parse(text, file), application)
    scenarios = reader.mapping(("scenarios",), reader.mapping((), reader.document.data).get("scenarios"))
    if not scenarios:
        reader.checks.fail(("scenarios",), "there is no scenario; give at least one")
    return [reader.scenario(name, raw) for name, raw in scenarios.items()]


class _Reader:
    def __init__(self, document: Document, application: Application) -> None:
        self.document = document
        self.checks = Checks(document)
        self._application = application

    def mapping(self, path: Path, value: Any) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.checks.fail(path, "must be a mapping of names to values")
        return value

    def scenario(self, name: str, raw: Any) -> Scenario:
        scenario_path: Path = ("scenarios", name)
        content = self.mapping(scenario_path, raw)
        for key in content:
            if key not in {"policy", "tasks"}:
                self.checks.fail((*scenario_path, key), "unknown key; known here: policy, tasks")
        policy = content.get("policy", self._application.policy)
        if policy not in POLICIES:
            self.checks.fail(
                (*scenario_path, "policy"), f"there is no policy {policy!r}; there are {', '.join(POLICIES)}"
            )
        changed: dict[int, Callback] = {}
        suspended = set()
        for id_, timing in self.mapping((*scenario_path, "tasks"), content.get("tasks")).items():
            task_path = (*scenario_path, "tasks", id_)
            task = self._task(id_, task_path)
            if task.index in changed:
                self.checks.fail(task_path, f"{task.id} already has an entry; remove one")
            values = self.mapping(task_path, timing)
            changed[task.index] = self._timed(task.callback, values, task_path)
            if values.get("suspended") is True:
                suspended.add(task.index)
                changed[task.index] = replace(changed[task.index], reads=(), max_ages=(), publishes=())
        return Scenario(name, self._with(changed).under(policy), frozenset(suspended))

    def _task(self, id_: str, path: Path) -> Task:
        tasks = self._application.tasks
        matching_tasks = [task for task in tasks if id_ in {task.id, task.callback.name}]
        if len(matching_tasks) != 1:
            problem = "could be" if matching_tasks else "there is no such task; there are"
            self.checks.fail(path, f"{problem} {', '.join(task.id for task in matching_tasks or tasks)}")
        return matching_tasks[0]

    def _timed(self, callback: Callback, values: dict[str, Any], path: Path) -> Callback:
        for key in values:
            if key not in _KEYS:
                self.checks.fail((*path, key), f"callbacks in specs have no such key; known here: {', '.join(_KEYS)}")
        times: dict[str, Any] = {key: self._time(values[key], (*path, key), key) for key in _TIMES if key in values}
        follows = callback.deadline == callback.period
        changed = replace(callback, **times)
        if "deadline" not in times and follows:
            changed = replace(changed, deadline=changed.period)
        if "priority" in values:
            changed = replace(changed, priority=self._priority(values["priority"], (*path, "priority")))
        if "on_stale" in values:
            if values["on_stale"] not in {"report", "skip"}:
                self.checks.fail((*path, "on_stale"), "must be skip or report")
            changed = replace(changed, on_stale=values["on_stale"])
        if "extra_releases" in values:
            if not isinstance(values["extra_releases"], bool):
                self.checks.fail((*path, "extra_releases"), "must be true or false")
            changed = replace(changed, extra_releases=values["extra_releases"])
        if changed.period == 0:
            self.checks.fail((*path, "period"), "must be above 0")
        if changed.deadline > changed.period and changed.queue == 0:
            self.checks.fail(path, "the deadline is above the period, so jobs overlap; that needs 'overrun: queue(n)'")
        return self._aged(changed, self.mapping((*path, "max_age"), values.get("max_age")), (*path, "max_age"))

    def _time(self, text: Any, path: Path, key: str) -> int:
        if text == "none" and key == "budget":
            return 0
        if text == "none" and key == "deadline":
            self.checks.fail(path, "a task without a deadline cannot be late; give one to have it checked")
        value = self.checks.duration(str(text), path)
        if value == 0 and key != "phase":
            self.checks.fail(path, "must be above 0")
        return value

    def _priority(self, value: Any, path: Path) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 98:
            self.checks.fail(path, "must be a priority from 1 to 98")
        return value

    def _aged(self, callback: Callback, ages: dict[str, Any], path: Path) -> Callback:
        bounds = dict(callback.bounds)
        numbers = {topic.name: i for i, topic in enumerate(self._application.topics)}
        for name, text in ages.items():
            if numbers.get(name) not in callback.reads:
                self.checks.fail((*path, name), f"{name!r} is not among the topics that the callback reads")
            bounds[numbers[name]] = 0 if text == "none" else self.checks.duration(str(text), (*path, name))
        if not any(bounds.values()):
            return replace(callback, max_ages=())
        return replace(callback, max_ages=tuple(bounds.get(topic, 0) for topic in callback.reads))

    def _with(self, changed: dict[int, Callback]) -> Application:
        tasks = iter(self._application.tasks)

        def node_with(node: Node) -> Node:
            tasks_of_node = [next(tasks) for _ in node.callbacks]
            return replace(node, callbacks=tuple(changed.get(task.index, task.callback) for task in tasks_of_node))

        return replace(self._application, nodes=tuple(node_with(node) for node in self._application.nodes))
