# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The tree of `takt inspect`: nodes and tasks of a running executor, its processors, levels and threads."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from takt_cli.live.state import Executor, Processor, Task, Thread
from takt_cli.spec.units import format_duration


def executor_tree(executor: Executor) -> Tree:
    """Return the tree of an executor."""
    tree = Tree(Text(_title(executor)))
    for line in executor.refused:
        tree.add(Text(f"not granted: {line}", "yellow"))
    for line in executor.notes:
        tree.add(Text(line))
    if executor.scenarios:
        others = ", ".join(each for each in executor.scenarios if each != executor.scenario)
        tree.add(Text(f"scenario {executor.scenario}" + (f"; others: {others}" if others else "")))
    if waits := lock_waits(executor):
        tree.add(Text(waits))
    nodes = tree.add("nodes")
    for node in executor.nodes:
        _add_groups(nodes.add(Text(node)), executor, [task for task in executor.tasks if task.node == node])
    for number, processor in enumerate(executor.processors):
        branch = tree.add(Text(_processor(number, processor)))
        _add_levels(branch, executor, number)
    threads = tree.add("threads")
    foreign_threads = [thread for thread in executor.threads if _foreign(thread)]
    for thread in executor.threads:
        if not _foreign(thread):
            threads.add(Text(thread_line(thread) + longest_run(thread, executor.watched_ns)))
    if error := executor.watch_error:
        threads.add(Text(f"not watched: {error}", "yellow"))
    if foreign_threads:
        threads.add(Text(f"{count_with_noun(len(foreign_threads), 'thread')} of the program's own", "dim"))
    return tree


def count_with_noun(number: int, noun: str) -> str:
    """Return the number with the noun in singular or plural: `3 threads`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _foreign(thread: Thread) -> bool:
    return thread.role == "unknown" and thread.priority == 0


def _add_groups(branch: Tree, executor: Executor, tasks: list[Task]) -> None:
    internal_tasks = []
    for group in sorted({task.group for task in tasks}):
        members = [task for task in tasks if task.group == group]
        busy = [task for task in members if task.has_work]
        if not busy:
            # Only tasks that takt created itself, such as parameter services: their group is not shown.
            internal_tasks += members
            continue
        inner = branch.add(Text(f"group {group}, {'mutually exclusive' if members[0].exclusive else 'reentrant'}"))
        for task in busy:
            inner.add(Text(_task(executor, task)))
        _add_idle(inner, [task for task in members if not task.has_work])
    _add_idle(branch, internal_tasks)


def _add_idle(branch: Tree, tasks: list[Task]) -> None:
    """List tasks without timing that have never been released, such as a node's parameter services."""
    if tasks:
        names = ", ".join(task.id.rpartition("/")[2] for task in tasks)
        branch.add(Text(f"never released so far: {names}", "dim"))


def thread_line(thread: Thread) -> str:
    """Describe a thread in one line: role, priority, and CPU."""
    place = f"CPU {thread.cpu}" if thread.cpu >= 0 else f"any CPU, last {thread.last_cpu}"
    requested_text = f", asked for {priority(thread.asked)}" if 0 <= thread.asked != thread.priority else ""
    return f"{thread.name}: {thread.role}, {priority(thread.priority, thread.policy)}{requested_text}, {place}"


def longest_run(thread: Thread, watched_ns: int) -> str:
    """Describe the longest uninterrupted time that a watched thread had a CPU; empty if the thread was not watched."""
    if thread.longest_run_ns < 0:
        return ""
    seconds = f"{watched_ns / 1e9:.3g} s"
    if thread.longest_run_ns == 0:
        text = f", did not run in {seconds}"
    else:
        text = f", at most {format_duration(thread.longest_run_ns)} on a CPU without interruption in {seconds}"
    return text + (f" ({count_with_noun(thread.lost_runs, 'record')} lost)" if thread.lost_runs else "")


def priority(number: int, policy: str = "FIFO") -> str:
    """Format an OS priority: `FIFO 49`, or `ordinary` for 0."""
    return f"{policy if policy in ('FIFO', 'RR') else 'FIFO'} {number}" if number > 0 else "ordinary"


def _title(executor: Executor) -> str:
    policy = executor.policy_in_use
    if policy != executor.policy:
        policy += f" (asked for {executor.policy})"
    return f"{executor.name}: {executor.program}, process {executor.pid} on {executor.host}, policy {policy}"


def _task(executor: Executor, task: Task) -> str:
    parts = [task.kind]
    if task.period_ns > 0:
        parts.append(f"{'every' if task.kind == 'timer' else 'at most every'} {format_duration(task.period_ns)}")
    if task.deadline_ns >= 0:
        parts.append(f"deadline {format_duration(task.deadline_ns)}")
    parts.append(f"priority {task.priority}")
    if task.reads:
        parts.append(f"reads {', '.join(task.reads)}")
    parts.append(f"level {task.level} on CPU {executor.processors[task.processor].cpu}")
    if task.suspended:
        parts.append("suspended")
    if late := task.misses:
        parts.append(f"{late} of {task.released} missed")
    return f"{task.id}: " + ", ".join(parts)


def _processor(number: int, processor: Processor) -> str:
    text = (
        f"processor {number}: CPU {processor.cpu}, {count_with_noun(processor.levels, 'level')}, "
        f"longest middleware section {format_duration(processor.longest_section_ns)}"
    )
    if overlong_count := processor.overlong_sections:
        text += f" ({overlong_count} above {format_duration(processor.max_section_ns)})"
    if deferred := processor.deferred:
        text += f", {count_with_noun(deferred, 'start')} put off"
    if waits := processor.entity_waits:
        longest_wait = format_duration(processor.longest_wait_ns)
        text += f", {count_with_noun(waits, 'wait')} for an entity in use, the longest {longest_wait}"
    return text


def lock_waits(executor: Executor) -> str:
    """Describe the waits for mutexes in the executor's process; empty if there were none or they are not counted."""
    waits = executor.lock_waits
    if waits <= 0:
        return ""
    place_text = f" in {executor.longest_lock_wait_in}" if executor.longest_lock_wait_in else ""
    if executor.longest_lock_held_by:
        place_text += f" (held by {executor.longest_lock_held_by})"
    longest_wait = format_duration(executor.longest_lock_wait_ns)
    return f"{count_with_noun(waits, 'wait')} for a mutex of the process, the longest {longest_wait}{place_text}"


def _add_levels(branch: Tree, executor: Executor, number: int) -> None:
    tasks = [task for task in executor.tasks if task.processor == number]
    for level in sorted({task.level for task in tasks}, reverse=True):
        tasks_of_level = [task for task in tasks if task.level == level]
        names = [task.id for task in tasks_of_level if task.has_work]
        if idle := len(tasks_of_level) - len(names):
            names.append(f"{count_with_noun(idle, 'task')} never released so far")
        branch.add(Text(f"level {level}: {', '.join(names)}"))
