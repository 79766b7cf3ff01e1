# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Which job waited for what of the middleware, because another one used it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from takt_cli.analysis.trace_file import NO_TASK, Kind, Trace
from takt_cli.analysis.trace_jobs import job_of_ring


@dataclass(frozen=True)
class Wait:
    """For an entity: a publisher, subscription, service or client."""

    begin: int
    end: int
    name: str
    """Its topic or service."""
    user: int
    """The task whose job used it; NO_TASK: a thread that ran no job."""


class Waits:
    """Those of a trace, by job."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._of: dict[tuple[int, int], list[Wait]] = {}
        for event, start in zip(*job_of_ring(trace, Kind.wait), strict=True):
            name = trace.entities.get(int(event["index"]), "")
            wait = Wait(int(event["value"]), int(event["at"]), name, int(event["task"]))
            self._of.setdefault((int(start["task"]), int(start["index"])), []).append(wait)
        for mine in self._of.values():
            mine.sort(key=lambda wait: wait.begin)

    def items(self) -> Iterator[tuple[tuple[int, int], Wait]]:
        """Each with its job: task and index."""
        for job, mine in self._of.items():
            for wait in mine:
                yield job, wait

    def user(self, wait: Wait) -> str:
        """Who used it, in words."""
        return "a thread outside of callbacks" if wait.user == NO_TASK else self._trace.task_name(wait.user)

    def split(self, task: int, index: int, left: int, right: int) -> Iterator[tuple[int, int, Wait | None]]:
        """The stretch in pieces, in each of which the job waited all the time or did not."""
        for wait in self._of.get((task, index), ()):
            begin, end = max(wait.begin, left), min(wait.end, right)
            if begin >= end:
                continue
            if left < begin:
                yield left, begin, None
            yield begin, end, wait
            left = end
        if left < right:
            yield left, right, None
