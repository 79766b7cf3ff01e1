# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Response times under fixed priorities: preemptive, not preemptive, and with groups.

All three are one thing, preemption thresholds: before its start a job gives way to all that are as
urgent, after it only to those whose level is above its ceiling.

Sources: M. Joseph, P. Pandya, "Finding response times in a real-time system", The Computer Journal 29,
1986; Lehoczky 1990 (see busy_period.py) for several jobs in a busy period, so deadlines may be beyond
periods; L. George, N. Rivierre, M. Spuri, "Preemptive and non-preemptive real-time uniprocessor
scheduling", INRIA RR-2966, 1996, and R. Davis, A. Burns, R. Bril, J. Lukkien, "Controller Area Network
(CAN) schedulability analysis: refuted, revisited and revised", Real-Time Systems 35, 2007, for jobs that
are not preempted, whose successors suffer for it; Y. Wang, M. Saksena, "Scheduling fixed-priority tasks
with preemption threshold", RTCSA 1999, with U. Keskin, R. Bril, J. Lukkien, "Exact response-time analysis
for fixed-priority preemption-threshold scheduling", ETFA 2010, for what is between.

Assumes: jobs at least a period apart (phases make it better, never worse), at most the WCET each, on one
processor, that no job waits for anything but the processor. Equally urgent tasks are taken to precede
each other: a bound, where the model breaks the tie.
"""

from __future__ import annotations

from fractions import Fraction

from takt_cli.schedulability.blocking import of_urgency
from takt_cli.schedulability.busy_period import MOST_JOBS, fixed_point, jobs_within
from takt_cli.schedulability.task import Bound, Task, TaskSet, TooLongError
from takt_cli.spec.units import format_share


def response(tasks: TaskSet, index: int, stop_above: int | None = None) -> Bound:
    """The worst response time of the task at `index`. With `stop_above` it may be any value above that
    where it is above that."""
    task = tasks.tasks[index]
    before = [t for i, t in enumerate(tasks.tasks) if i != index and t.urgency >= task.urgency]
    before += tasks.above
    blocking = of_urgency(tasks, task)
    used = sum((t.utilisation for t in before), task.utilisation)
    if used > 1:
        return Bound(
            None,
            blocking=blocking.length,
            blocker=blocking.by,
            why=f"it and what is as urgent ask for {format_share(used)} of the processor",
        )
    try:
        worst = _worst(task, before, blocking.length, used, stop_above)
    except TooLongError:
        return Bound(None, why="the longest busy period has too many jobs to look at")
    return Bound(worst, _reached(task, before, blocking.length), blocking.length, blocking.by)


def _worst(task: Task, before: list[Task], blocking: int, used: Fraction, stop_above: int | None) -> int:
    there = [*before, task]
    # Where all of the processor is used, a busy period may not end, but repeats itself.
    end = TaskSet(tuple(there)).hyperperiod // task.period if used == 1 else None
    after = [t for t in before if t.may_preempt(task)]
    worst, start = 0, 0
    for job in jobs_within(task, there, blocking):
        if job == end:
            break
        if job == MOST_JOBS:
            raise TooLongError
        given = blocking + job * task.wcet
        released = job * task.period - task.jitter
        limit = None if stop_above is None else stop_above + released
        start = _start(before, given, max(start, given), limit)
        if limit is not None and start > limit:
            return start - released
        worst = max(worst, _finish(after, start, start + task.wcet) - released)
        if stop_above is not None and worst > stop_above:
            break
    return worst


def _start(before: list[Task], given: int, least: int, limit: int | None) -> int:
    """When everything is done that came up to then, and what was `given`."""
    return fixed_point(lambda t: given + sum(((t + h.jitter) // h.period + 1) * h.wcet for h in before), least, limit)


def _finish(after: list[Task], start: int, alone: int) -> int:
    """When a job ends that would end at `alone`, if what comes after its start may preempt it."""
    # What came up to the start is done.
    done = alone - sum(((start + h.jitter) // h.period + 1) * h.wcet for h in after)
    return fixed_point(lambda t: done + sum(-(-(t + h.jitter) // h.period) * h.wcet for h in after), alone)


def _reached(task: Task, before: list[Task], blocking: int) -> bool:
    """Whether the bound is what a start of all at once shows, and that is what these tasks do."""
    there = [task, *before]
    return (
        blocking == 0
        and all(t.urgency > task.urgency for t in before)
        and not any(t.jitter or t.section for t in there)
        and len({t.phase for t in there}) == 1
    )
