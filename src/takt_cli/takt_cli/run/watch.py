# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Watches the runners of a run until they have ended."""

from __future__ import annotations

import time
from collections.abc import Sequence

from takt_cli.errors import RunTimeout
from takt_cli.host.patience import Patience
from takt_cli.host.processes import Child
from takt_cli.run.hang_detection import HangDetector
from takt_cli.run.limits import Limits
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session

# How long a run is assumed to be starting, in s, unless it reports the beginning of its grid earlier.
_STARTING = 3.0
# How long, in s, a process may make no progress in its end once its files are complete. Fast DDS may wait for ever for
# a lock in shared memory, if it was starved before; that does not affect what was measured.
_ENDING = 10.0
# How much CPU time, in s, the runners may use in their ends, besides some times what they used to start: to destroy
# nodes takes two to three times as long as to create them. Fast DDS may wait in a loop for a callback of its own that
# never gets the lock which this loop takes.
_ENDING_CPU = 20.0
_ENDING_TO_STARTING = 5.0
# What a runner reports if it ended because another one had (takt_lab/lib/barrier.cpp), and how long, in s, to wait for
# the end of that one, which gives the cause.
_AFTER_ANOTHER = "has left the barrier"
_CAUSE = 5.0


def watch_runners(
    session: Session,
    runners: Sequence[Child],
    probes: Sequence[Child],
    length: float,
    limits: Limits,
    progress: Progress,
) -> list[str]:
    """Wait until all runners have ended without an error, in a run of `length` seconds. Starting and ending may take
    as long as there is progress, since that depends on the application's size. Return the names of those that had to be
    killed although their files are complete. Raises a RunTimeout if files are not written in time, a RunError if a
    runner fails, with the message of the first one."""
    begin = time.monotonic()
    patience = Patience()
    waited = went_on = patience.waited()
    effort = HangDetector(runners, waited)
    started: float | None = None
    starting_cpu = 0.0
    written = False
    last_check = 0.0
    while any(runner.running() for runner in runners):
        now = time.monotonic()
        waited = patience.waited()
        if not written and now > begin + length and all(runner.has_printed("files") for runner in runners):
            written, went_on, effort = True, waited, HangDetector(runners, waited)
        if started is None and (started := _start_of_grid(runners)) is not None:
            went_on, starting_cpu = waited, effort.used()
        # Between start and end the duration is known, and callbacks in an endless loop use the CPU, too.
        may_go_on = started is None or (written and effort.used() < _ENDING_CPU + _ENDING_TO_STARTING * starting_cpu)
        if may_go_on and effort.makes_progress(waited):
            went_on = waited
        if written and waited > went_on + _ENDING:
            break
        if not written and waited > went_on + length + limits.total:
            late = next(runner for runner in runners if runner.running())
            timeout_text = f"{late.name} did not end within {now - begin:.0f} s and was ended"
            raise RunTimeout(f"{timeout_text}; {late.reported()}")
        _check(runners)
        for probe in probes:
            probe.check()
        session.intruders.take_sample_if_due()
        progress.at(now - (started or begin))
        # Reading a process's memory map delays it, so this is not done once the grid has begun.
        if started is None and last_check + 0.5 < now < begin + _STARTING:
            last_check = now
            session.shared.note(session.children.pids())
        time.sleep(0.05)
    unended = [runner for runner in runners if runner.running()]
    for runner in unended:
        runner.kill()
    _check([runner for runner in runners if runner not in unended])
    return [runner.name for runner in unended]


def _check(runners: Sequence[Child]) -> None:
    """Raise a RunError if a runner has failed, with the message of the one that failed first."""
    if not any(runner.failed() for runner in runners):
        return
    patience = Patience()
    while True:
        failed = [runner for runner in runners if runner.failed()]
        for runner in failed:
            if _AFTER_ANOTHER not in runner.last_error_line():
                runner.check()
        if patience.waited() > _CAUSE or not any(runner.running() for runner in runners):
            failed[0].check()
        time.sleep(0.02)


def _start_of_grid(runners: Sequence[Child]) -> float | None:
    """Return t0 in seconds of CLOCK_MONOTONIC, or None if a runner has not reported it yet."""
    starts = []
    for runner in runners:
        lines = (line.partition(" ") for line in runner.output().splitlines())
        start = next((value for word, _, value in lines if word == "t0" and value.strip().isdigit()), None)
        if start is None:
            return None
        starts.append(int(start) / 1e9)
    return max(starts)
