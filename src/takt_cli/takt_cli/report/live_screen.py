# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The screen of `takt top`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from takt_cli.live.state import Executor, misses
from takt_cli.report.live_tree import priority

Task = dict[str, Any]

_LAST = float("inf")
_MILLISECOND = 1e6

# What tasks are sorted by, the key that asks for it, and which come first.
ORDERS: dict[str, tuple[str, Callable[[Task], Any]]] = {
    "margin": ("m", lambda task: _LAST if task["margin_ns"] is None else task["margin_ns"]),
    "response": ("r", lambda task: -_figures(task)["worst_ns"]),
    "misses": ("x", lambda task: -misses(task)),
    "name": ("n", lambda task: task["id"]),
}


def ordered(tasks: Sequence[Task], order: str) -> list[Task]:
    """Tasks that are equal go by their names."""
    return sorted(tasks, key=lambda task: (ORDERS[order][1](task), task["id"]))


def screen(executor: Executor, order: str, foot: Text, place: str = "") -> RenderableType:
    """One executor. `place`: which of several it is."""
    return Group(_head(executor, place), _tasks(executor, order), _threads(executor), foot)


def _figures(task: Task) -> dict[str, int]:
    """Of the last period, of all before it if there was no job."""
    figures: dict[str, int] = task["recent"] if task["recent"]["jobs"] else task["responses"]
    return figures


def _has_work(task: Task) -> bool:
    """Not so a node's own services that nobody has called."""
    return bool(task["period_ns"] > 0 or task["deadline_ns"] >= 0 or task["released"] > 0)


def _head(executor: Executor, place: str) -> Text:
    policy = executor["policy_in_use"]
    parts = [executor.name, f"{executor['program']} ({executor['pid']})", f"policy {policy}"]
    if executor["scenario"]:
        parts.append(f"scenario {executor['scenario']}")
    if place:
        parts.append(place)
    head = Text("  ".join(parts), style="bold")
    if executor["refused"]:
        head.append(f"\nnot granted: {executor['refused'][0]}", style="yellow")
    return head


def _ms(length: int | None) -> str:
    return "-" if length is None else f"{length / _MILLISECOND:.3f}"


def _tasks(executor: Executor, order: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("task", no_wrap=True)
    for name in ("margin", "p50", "p99", "worst", "deadline", "period"):
        table.add_column(f"{name} ms", justify="right", style="bold" if name == order else "")
    for name in ("jobs", "late", "skipped", "overruns", "level", "CPU"):
        table.add_column(name, justify="right")
    for task in ordered([each for each in executor["tasks"] if _has_work(each)], order):
        figures = _figures(task)
        seen = figures["jobs"] > 0
        table.add_row(
            task["id"] + (" (suspended)" if task["suspended"] else ""),
            _ms(task["margin_ns"]),
            *(_ms(figures[each] if seen else None) for each in ("p50_ns", "p99_ns", "worst_ns")),
            _ms(task["deadline_ns"] if task["deadline_ns"] >= 0 else None),
            _ms(task["period_ns"] or None),
            *(str(task[each]) for each in ("finished", "missed", "skipped", "overruns", "level")),
            str(executor["processors"][task["processor"]]["cpu"]),
            style=_style(task),
        )
    return table


def _style(task: Task) -> str:
    if task["margin_ns"] is not None and task["margin_ns"] < 0:
        return "red"
    if task["margin_ns"] is not None and task["margin_ns"] * 10 < task["deadline_ns"]:
        return "yellow"
    return "dim" if task["suspended"] else ""


def _threads(executor: Executor) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("thread", "role"):
        table.add_column(name, no_wrap=True)
    for name in ("priority", "asked", "CPU", "last CPU", "CPU time s"):
        table.add_column(name, justify="right")
    # By the plan; what it does not name last.
    for thread in sorted(executor["threads"], key=lambda each: (-each["priority"], each["name"], each["tid"])):
        if thread["role"] == "unknown" and thread["priority"] == 0:
            continue
        refused = 0 <= thread["asked"] != thread["priority"]
        table.add_row(
            thread["name"],
            thread["role"],
            priority(thread["priority"], thread["policy"]),
            priority(thread["asked"]) if thread["asked"] >= 0 else "-",
            str(thread["cpu"]) if thread["cpu"] >= 0 else "any",
            str(thread["last_cpu"]),
            f"{thread['cpu_time_ns'] / 1e9:.2f}",
            style="yellow" if refused else "",
        )
    return table
