# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The screen of `takt top`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from takt_cli.live.state import Executor, ResponseTimes, Task
from takt_cli.report.live_tree import count_with_noun, lock_waits, priority
from takt_cli.report.tables.fitted import fitted_table
from takt_cli.report.tables.rows import Row
from takt_cli.spec.units import format_duration

_LAST = float("inf")
_MILLISECOND = 1e6

# The sort orders of tasks by name: the key to press, and the sort key of a task (smallest first).
ORDERS: dict[str, tuple[str, Callable[[Task], Any]]] = {
    "margin": ("m", lambda task: _LAST if task.margin_ns is None else task.margin_ns),
    "response": ("r", lambda task: -_response_times(task).worst_ns),
    "misses": ("x", lambda task: -task.misses),
    "name": ("n", lambda task: task.id),
}
_COUNTS = {"jobs": "finished", "late": "missed", "skipped": "skipped", "overruns": "overruns", "level": "level"}
_EMPHASIS = {"margin": "margin", "response": "worst", "misses": "late", "name": "task"}

# The columns in the order in which they are left out on a narrow terminal.
_LEAVE = ("level", "period", "overruns", "p50", "jobs", "CPU", "skipped", "p99", "deadline", "late", "worst", "margin")
_LEAVE_OF_THREADS = ("CPU time s", "role", "asked for", "last CPU", "CPU", "priority")


def sort_tasks(tasks: Sequence[Task], order: str) -> list[Task]:
    """Return the tasks in the given order; tasks that compare equal are sorted by id."""
    return sorted(tasks, key=lambda task: (ORDERS[order][1](task), task.id))


class Screen:
    """The screen of one executor, which fits the width of the terminal and, if `height` is given, its height."""

    def __init__(
        self,
        executor: Executor,
        order: str,
        foot: Text,
        *,
        position: str = "",
        first: int = 0,
        threads: bool = True,
        height: int | None = None,
    ) -> None:
        """Prepare the screen. `foot` is the last line. `position` says which of several executors this is. `first` is
        the index of the task to begin with if not all fit. `height` is in lines; None for as many as needed."""
        self.first = first
        self._height = height
        self._executor = executor
        self._order = order
        self._foot = foot
        self._position = position
        tasks = sort_tasks([task for task in executor.tasks if task.has_work], order)
        self._tasks = [_task_row(executor, task) for task in tasks]
        self._threads = _thread_rows(executor) if threads else []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        head, foot = _head(self._executor, self._position), self._foot
        tasks, threads = len(self._tasks), len(self._threads)
        if self._height is not None:
            loose = options.update(height=None)
            taken_lines = sum(len(console.render_lines(text, loose)) for text in (head, foot))
            tasks, threads = divide_lines(self._height - taken_lines, tasks, threads)
        # Only here is it known how many tasks fit, and thus where the last page begins.
        self.first = max(0, min(self.first, len(self._tasks) - tasks))
        end_index = self.first + tasks
        yield head
        if tasks:
            period = format_duration(self._executor.period_ns)
            part = "" if tasks == len(self._tasks) else f": {self.first + 1} to {end_index} of {len(self._tasks)}"
            yield _caption(f"tasks by {self._order}{part}; times in ms, over the last {period}")
            shown_rows = slice(self.first, end_index)
            yield fitted_table(self._tasks, _LEAVE, ("task",), shown_rows, options.max_width, _EMPHASIS[self._order])
        if threads:
            part = "" if threads == len(self._threads) else f": 1 to {threads} of {len(self._threads)}"
            yield _caption(f"threads by priority{part}")
            yield fitted_table(self._threads, _LEAVE_OF_THREADS, ("thread", "role"), slice(threads), options.max_width)
        yield foot


def divide_lines(lines: int, tasks: int, threads: int) -> tuple[int, int]:
    """Return how many tasks and how many threads are shown in `lines` lines, one line each. Each table has two more
    lines for caption and header. If not all fit, the threads get at most a third of the lines."""
    heads = 2
    if tasks + heads + (threads + heads if threads else 0) <= lines:
        return tasks, threads
    threads = max(0, min(threads, max(lines // 3, lines - heads - tasks) - heads))
    lines_left = lines - (threads + heads if threads else 0)
    return max(0, min(tasks, lines_left - heads)), threads


def _caption(text: str) -> Text:
    return Text(text, style="dim", no_wrap=True, overflow="ellipsis")


def _response_times(task: Task) -> ResponseTimes:
    """Return a task's response times of the last period, or of all earlier ones if it had no job in that period."""
    return task.recent if task.recent.jobs else task.responses


def _head(executor: Executor, position: str) -> Text:
    parts = [executor.name, f"{executor.program} ({executor.pid})", f"policy {executor.policy_in_use}"]
    if executor.scenario:
        parts.append(f"scenario {executor.scenario}")
    if position:
        parts.append(position)
    head = Text("  ".join(parts), style="bold")
    if executor.refused:
        # Only what was refused; `takt inspect` also shows the reason and the remedy.
        refusals = "; ".join(line.split(": ")[0] for line in executor.refused)
        head.append(f"\n{refusals} (takt inspect shows why)", style="not bold yellow")
    if waits := _waits(executor):
        head.append(f"\n{waits}", style="not bold")
    return head


def _waits(executor: Executor) -> str:
    """Describe the delays of jobs by middleware sections, entities in use and mutexes; empty if there were none."""
    processors = executor.processors
    deferred, overlong, waits = (
        sum(getattr(each, name) for each in processors) for name in ("deferred", "overlong_sections", "entity_waits")
    )
    parts = []
    if deferred:
        parts.append(f"{count_with_noun(deferred, 'start')} put off by middleware sections")
    if deferred or overlong:
        text = f"longest section {format_duration(max(each.longest_section_ns for each in processors))}"
        bound = format_duration(max(each.max_section_ns for each in processors))
        parts.append(text + (f" ({overlong} above {bound})" if overlong else ""))
    if waits:
        longest_wait = format_duration(max(each.longest_wait_ns for each in processors))
        parts.append(f"{count_with_noun(waits, 'wait')} for an entity in use, the longest {longest_wait}")
    if locks := lock_waits(executor):
        parts.append(locks)
    return ", ".join(parts)


def _ms(length: int | None) -> str:
    return "-" if length is None else f"{length / _MILLISECOND:.3f}"


def _task_row(executor: Executor, task: Task) -> Row:
    response_times = _response_times(task)
    has_jobs = response_times.jobs > 0
    return Row(
        {
            "task": task.id + (" (suspended)" if task.suspended else ""),
            "margin": _ms(task.margin_ns),
            **{
                each: _ms(getattr(response_times, f"{each}_ns") if has_jobs else None)
                for each in ("p50", "p99", "worst")
            },
            "deadline": _ms(task.deadline_ns if task.deadline_ns >= 0 else None),
            "period": _ms(task.period_ns or None),
            **{title: str(getattr(task, name)) for title, name in _COUNTS.items()},
            "CPU": str(executor.processors[task.processor].cpu),
        },
        _style(task),
    )


def _style(task: Task) -> str:
    if task.margin_ns is not None and task.margin_ns < 0:
        return "red"
    if task.margin_ns is not None and task.margin_ns * 10 < task.deadline_ns:
        return "yellow"
    return "dim" if task.suspended else ""


def _thread_rows(executor: Executor) -> list[Row]:
    """Return the rows of threads by priority, without ordinary threads of unknown role."""
    rows = []
    for thread in sorted(executor.threads, key=lambda each: (-each.priority, each.name, each.tid)):
        if thread.role == "unknown" and thread.priority == 0:
            continue
        cells = {
            "thread": thread.name,
            "role": thread.role,
            "priority": priority(thread.priority, thread.policy),
            "asked for": priority(thread.asked) if thread.asked >= 0 else "-",
            "CPU": str(thread.cpu) if thread.cpu >= 0 else "any",
            "last CPU": str(thread.last_cpu),
            "CPU time s": f"{thread.cpu_time_ns / 1e9:.2f}",
        }
        rows.append(Row(cells, "yellow" if 0 <= thread.asked != thread.priority else ""))
    return rows
