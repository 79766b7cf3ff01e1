# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Deadline misses, by what became of the job and by cause: those that a stall of the host overlaps, and those that the
model would have avoided."""

from __future__ import annotations

import msgspec
import numpy as np

from takt_cli.analysis.grid import ANY_CPU, Fate, Outcomes
from takt_cli.analysis.job_keys import found_among, job_keys
from takt_cli.results.sample_files import EXTRA, SKIPPED, Ints, Mask, Rows


class MissCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The number of releases on the grid, and of those whose deadline was missed, by what became of the job."""

    jobs: int
    deadline_misses: int
    miss_ratio: float | None
    late: int
    skipped: int
    unfinished: int


class JudgedCounts(MissCounts, frozen=True, kw_only=True):
    """The misses of a run by their cause: those that a stall of the host overlaps; the late and the skipped jobs that
    the policy would have run on time (unforced); and those that it could not avoid either, None without a replay."""

    host_misses: int
    host_skipped: int
    unforced_misses: int
    unforced_skipped: int
    forced_misses: int | None

    @property
    def unforced(self) -> int:
        """The number of unforced misses, of late and skipped jobs."""
        return self.unforced_misses + self.unforced_skipped


def miss_counts(out: Outcomes) -> MissCounts:
    """Return the counts of these releases."""
    missed = int(out.missed.sum())
    late, skipped, unfinished = (int((out.fate == fate).sum()) for fate in (Fate.late, Fate.skipped, Fate.unfinished))
    return MissCounts(
        jobs=len(out),
        deadline_misses=missed,
        miss_ratio=missed / len(out) if len(out) else None,
        late=late,
        skipped=skipped,
        unfinished=unfinished,
    )


def overlaps(begin: Ints, end: Ints, stalls: Rows) -> Mask:
    """Return which of the intervals [begin, end] are overlapped by a stall."""
    if len(stalls) == 0:
        return np.zeros(len(begin), np.bool_)
    ordered = stalls[np.argsort(stalls["from"], kind="stable")]
    # Of all stalls that begin before an interval ends, the latest end decides whether one reaches into it.
    latest_end = np.maximum.accumulate(ordered["to"])
    stall_count = np.searchsorted(ordered["from"], end, side="left")
    result: Mask = (stall_count > 0) & (latest_end[np.maximum(stall_count - 1, 0)] > begin)
    return result


def host_misses(out: Outcomes, stalls: Rows) -> Mask:
    """Return which jobs missed their deadline with a stall of their CPU between release and finish (or the deadline, if
    they did not finish). If a job could run on any CPU, a stall of any CPU counts."""
    end = np.where(out.finish >= 0, out.finish, out.deadline)
    stalled = np.zeros(len(out), np.bool_)
    for cpu in np.unique(out.task_cpu):
        is_on_cpu = out.task_cpu == cpu
        stalls_of_cpu = stalls if cpu == ANY_CPU else stalls[stalls["cpu"] == cpu]
        stalled[is_on_cpu] = overlaps(out.release[is_on_cpu], end[is_on_cpu], stalls_of_cpu)
    return out.missed & stalled


def on_time_in_replay(out: Outcomes, replay: Rows) -> Mask:
    """Return which jobs the model finishes by their deadline, given the same releases and execution times."""
    rows = replay[((replay["flags"] & (SKIPPED | EXTRA)) == 0) & (replay["finish"] >= 0)]
    place, is_replayed = found_among(job_keys(out.task, out.index), job_keys(rows["task"], rows["index"]))
    chosen, met = place[is_replayed], np.zeros(len(out), np.bool_)
    met[is_replayed] = rows["finish"][chosen] - rows["release"][chosen] <= (out.deadline - out.release)[is_replayed]
    return met


def unforced_misses(out: Outcomes, replay: Rows, host: Mask) -> Mask:
    """Return which jobs were late in the run, or unfinished past their deadline, but on time in the model; host misses
    excluded."""
    late: Mask = np.isin(out.fate, (Fate.late, Fate.unfinished))
    return late & ~host & on_time_in_replay(out, replay)


def unforced_skips(out: Outcomes, replay: Rows, host: Mask) -> Mask:
    """Return which releases were skipped in the run but on time in the model; host misses excluded."""
    skipped: Mask = np.isin(out.fate, (Fate.skipped,))
    return skipped & ~host & on_time_in_replay(out, replay)
