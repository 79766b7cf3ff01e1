# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks of the runtime; for thread wake-ups, cyclictest is measured beside them."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import msgspec

from takt_cli.errors import HostError, RunError
from takt_cli.results.benchmark import BenchmarkProcess, BenchmarkRecord, BenchmarkSettings, pass_folder
from takt_cli.results.folder import now
from takt_cli.results.json_file import read_json
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, measurement_session

_GRACE = 60.0
# The priority of takt's timer thread, and the period of the urgent job of `preemption`.
_TIMER_PRIORITY, _INTERVAL_US = 49, 2000
# Histograms end here, in ns; longer wake-ups are counted with their maximum.
_LONGEST = 10**6


class _Wakeups(msgspec.Struct, frozen=True):
    """What cyclictest reports about a thread: how many wake-ups there were of each latency, in ns."""

    cycles: int
    max: int
    histogram: dict[int, int]


class _Cyclictest(msgspec.Struct, frozen=True):
    thread: dict[int, _Wakeups]


def run_benchmark(settings: BenchmarkSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run a benchmark, which leaves its result in `folder`. Raises a TaktError."""
    began, kind = now(), settings.kind
    cyclictest = _find_cyclictest() if kind.cyclictest else None
    processes: list[BenchmarkProcess] = []
    wakeups: Counter[int] = Counter()
    with measurement_session((settings.cpu,), folder / "fastdds.xml", (kind.name,), purpose=kind.name) as session:
        for number, rounds in enumerate(settings.rounds_of_passes):
            out = pass_folder(folder, number)
            length = settings.seconds_of(rounds)
            progress.begin(kind.name, length)
            child = session.start(kind.name, _arguments(settings, rounds, out))
            session.watch(child, [], length, _GRACE + length, progress)
            progress.end()
            processes.append(read_json(out / f"{kind.name}.json", BenchmarkProcess))
            if cyclictest is not None:
                wakeups.update(_cyclictest(session, settings, cyclictest, progress))
        record = BenchmarkRecord(processes, dict(wakeups) if cyclictest else None)
        kind.format.write(folder, origin_of(session, command, began), settings, record)
    if dropped := sum(process.dropped for process in processes):
        raise RunError(f"{kind.name} had no space for {dropped} samples; give shorter turns or fewer rounds")


def _find_cyclictest() -> str:
    program = shutil.which("cyclictest")
    if program is None:
        raise HostError("cyclictest is not installed; `make setup` installs it (package rt-tests)")
    return program


def _arguments(settings: BenchmarkSettings, rounds: int, out: Path) -> list[str]:
    return ["--cpu", str(settings.cpu), "--turn-ns", str(settings.turn), "--rounds", str(rounds), "--out", str(out)]


def _cyclictest(session: Session, settings: BenchmarkSettings, program: str, progress: Progress) -> Counter[int]:
    """Run cyclictest at the priority of takt's timer thread, with the same less urgent thread beside it, and return
    the number of its wake-ups by latency."""
    length = settings.cyclictest_seconds
    progress.begin("cyclictest", length)
    spinning = ["--spin-alone-ns", str(round((length + 0.5) * 1e9))]
    spinner = session.start(settings.kind.name, [*_arguments(settings, 1, session.work), *spinning], "spinner")
    spinner.wait_for("t0", 15)
    result = session.work / "cyclictest.json"
    loops = max(round(length * 1e6 / _INTERVAL_US), 1)
    arguments = ["--mlockall", "--priority", str(_TIMER_PRIORITY), "--affinity", str(settings.cpu), "--threads", "1"]
    arguments += ["--interval", str(_INTERVAL_US), "--loops", str(loops), "--quiet", "--nsecs"]
    arguments += ["--histogram", str(_LONGEST), f"--json={result}"]
    # By default cyclictest would print it on standard output.
    arguments += [f"--histfile={session.work / 'cyclictest.histogram'}"]
    child = session.children.start("cyclictest", [program, *arguments], session.work / "cyclictest.log")
    session.watch(child, [spinner], length, _GRACE, progress)
    session.watch(spinner, [], length, _GRACE, progress)
    progress.end()
    thread = read_json(result, _Cyclictest).thread[0]
    wakeups = Counter(thread.histogram)
    if (longer_count := thread.cycles - wakeups.total()) > 0:
        wakeups[thread.max] += longer_count
    return wakeups
