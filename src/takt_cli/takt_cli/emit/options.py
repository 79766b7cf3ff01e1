# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The options of takt's timers as C++ designated initialisers, in the order of takt::TimerOptions."""

from __future__ import annotations

from collections.abc import Sequence

from takt_cli.emit.literals import string
from takt_cli.emit.view import InputView, NodeView, TaskView


def timer_options(task: TaskView, node: NodeView) -> str:
    """Return the initialisers that belong between the braces, except options at their defaults."""
    options = {
        "priority": task.priority,
        "deadline": task.deadline,
        "phase": task.phase,
        "reads": _braced([_read(each) for each in task.inputs]),
        "publishes": _topics([each.topic for each in task.outputs]),
        "extra_releases": "true" if task.extra_releases else None,
        "queue": task.queue or None,
        "budget": task.budget,
        "on_budget": "takt::OnBudget::background" if task.on_budget == "background" else None,
        "group": "group" if node.reentrant or node.background else None,
        "processor": task.processor,
        "wcet": task.wcet,
    }
    return ", ".join(f".{name} = {value}" for name, value in options.items() if value is not None)


def _read(input_: InputView) -> str:
    options = {
        "max_age": input_.max_age,
        "on_stale": None if input_.on_stale is None else f"takt::OnStale::{input_.on_stale}",
    }
    option_texts = ", ".join(f".{name} = {value}" for name, value in options.items() if value is not None)
    return f"{{{input_.subscription}, {{{option_texts}}}}}" if option_texts else f"{{{input_.subscription}}}"


def _braced(values: Sequence[str]) -> str | None:
    return f"{{{', '.join(values)}}}" if values else None


def _topics(names: Sequence[str]) -> str | None:
    return string(names[0]) if len(names) == 1 else _braced([string(name) for name in names])
