# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Waits of jobs for entities of the middleware that another job or thread was using."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from takt_cli.results.trace_file import NO_TASK, Kind, Trace
from takt_cli.traces.jobs import events_with_their_jobs


@dataclass(frozen=True)
class Wait:
    """A wait for an entity: a publisher, subscription, service or client."""

    begin: int
    end: int
    name: str
    """The entity's topic or service."""
    user: int
    """The task whose job was using the entity; NO_TASK for a thread that ran no job."""


class Waits:
    """The waits of a trace, by job."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._waits_by_job: dict[tuple[int, int], list[Wait]] = {}
        for event, start in zip(*events_with_their_jobs(trace, Kind.wait), strict=True):
            name = trace.entities.get(int(event["index"]), "")
            wait = Wait(int(event["value"]), int(event["at"]), name, int(event["task"]))
            self._waits_by_job.setdefault((int(start["task"]), int(start["index"])), []).append(wait)
        for waits_of_job in self._waits_by_job.values():
            waits_of_job.sort(key=lambda wait: wait.begin)

    def items(self) -> Iterator[tuple[tuple[int, int], Wait]]:
        """Yield each wait with its job, as (task, index)."""
        for job, waits_of_job in self._waits_by_job.items():
            for wait in waits_of_job:
                yield job, wait

    def user(self, wait: Wait) -> str:
        """Return in words who was using the entity."""
        return "a thread outside of callbacks" if wait.user == NO_TASK else self._trace.task_name(wait.user)

    def split(
        self, task: int, index: int, from_instant: int, to_instant: int
    ) -> Iterator[tuple[int, int, Wait | None]]:
        """Yield the interval in pieces: from, to, and the wait that covers the piece, or None."""
        for wait in self._waits_by_job.get((task, index), ()):
            begin, end = max(wait.begin, from_instant), min(wait.end, to_instant)
            if begin >= end:
                continue
            if from_instant < begin:
                yield from_instant, begin, None
            yield begin, end, wait
            from_instant = end
        if from_instant < to_instant:
            yield from_instant, to_instant, None
