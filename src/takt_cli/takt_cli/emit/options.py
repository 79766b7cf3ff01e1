# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The options of takt's timers as C++ designated initialisers, in the order of takt::TimerOptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from takt_cli.emit.literals import duration, string
from takt_cli.emit.view import InputView, NodeView, TaskView
from takt_cli.spec.application import LOWEST_PRIORITY, Application, Callback


def timer_options(application: Application, task: TaskView, node: NodeView) -> str:
    """Return the initialisers that belong between the braces, except options at their defaults."""
    callback = task.callback
    by_priority = application.policy in {"fp", "np-fp"} or callback.priority != LOWEST_PRIORITY
    has_processor = node.processor is None and callback.processor is not UNSET
    return _initialisers(
        {
            "priority": callback.priority if by_priority else None,
            "deadline": duration(callback.deadline) if callback.deadline != callback.period else None,
            "phase": duration(callback.phase) if callback.phase else None,
            "reads": _braced([_read(each, callback) for each in task.inputs]),
            "publishes": _topics([each.topic for each in task.outputs]),
            "extra_releases": "true" if callback.extra_releases else None,
            "queue": callback.queue or None,
            "budget": duration(callback.budget) if callback.budget else None,
            "on_budget": "takt::OnBudget::background" if callback.on_budget == "background" else None,
            "group": "group" if node.reentrant or node.background else None,
            "processor": callback.processor if has_processor else None,
            "wcet": task.wcet,
        }
    )


def _read(input_: InputView, callback: Callback) -> str:
    if input_.max_age is None:
        return f"{{{input_.subscription}}}"
    on_stale = None if callback.on_stale is None else f"takt::OnStale::{callback.on_stale}"
    options = _initialisers({"max_age": duration(input_.max_age), "on_stale": on_stale})
    return f"{{{input_.subscription}, {{{options}}}}}"


def _initialisers(options: Mapping[str, object]) -> str:
    return ", ".join(f".{name} = {value}" for name, value in options.items() if value is not None)


def _braced(values: Sequence[str]) -> str | None:
    return f"{{{', '.join(values)}}}" if values else None


def _topics(names: Sequence[str]) -> str | None:
    return string(names[0]) if len(names) == 1 else _braced([string(name) for name in names])
