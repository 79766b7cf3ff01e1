# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the runtime. Their programs measure several variants in rounds and are started several times; for
thread wake-ups, cyclictest is measured beside them."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from takt_cli.errors import HostError, RunError
from takt_cli.host.versions import commit, versions
from takt_cli.results.json_file import plain
from takt_cli.results.sample_files import SAMPLES, Rows, read_rows, write_rows
from takt_cli.run.progress import Progress
from takt_cli.run.record import read_json
from takt_cli.run.session import Session, measurement_session

SCHEMA_VERSION = 1
_GRACE = 60.0
_MS = 10**6
# The priority of takt's timer thread, and the period of the urgent job of `preemption`.
_TIMER_PRIORITY, _INTERVAL_US = 49, 2000
# Histograms end here, in ns; longer wake-ups are counted with their maximum.
_LONGEST = _MS


@dataclass(frozen=True)
class Kind:
    """A benchmark. `turn` is the time of each variant per round, in ns; `turns` is the number of turns per round."""

    name: str
    description: str
    x: str
    rounds: int
    turn: int
    turns: int
    ratios: tuple[tuple[str, str], ...]
    growth: tuple[str, ...] = ()
    limits: tuple[tuple[str, str, float], ...] = ()
    differences: tuple[tuple[str, str, float], ...] = ()
    """Differences of the medians within a round, each with its limit in ns."""
    cyclictest: bool = False
    turn_is_given: bool = True
    """True if a turn has a given length; otherwise it takes as long as what is measured, and `turn` is an estimate."""


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "dispatch",
            "the cost of handing a job to its worker and back, by number of tasks",
            "tasks",
            12,
            400 * _MS,
            20,
            (
                ("executor", "wake-up"),
                ("together", "heap"),
                ("spread", "heap"),
                ("executor", "executor"),
                ("together", "together"),
                ("spread", "spread"),
                ("heap", "heap"),
            ),
            growth=("together", "spread", "heap", "executor", "wake-up"),
        ),
        Kind(
            "preemption",
            "the time from a release to the job's first instruction while a less urgent job has the CPU",
            "",
            15,
            1000 * _MS,
            2,
            (("takt", "wake-up"),),
            limits=(("takt", "wake-up", 1.5),),
            cyclictest=True,
        ),
        Kind(
            "exchange",
            "round trips between two nodes of one process, by message size",
            "bytes",
            24,
            4 * _MS,
            34,
            (("loaned", "loaned"), ("copied", "copied"), ("loaned", "copied"), ("loaned", "wake-up")),
            growth=("loaned",),
        ),
        Kind(
            "crossing",
            "round trips between two nodes on one CPU and on two, and the sender's time for publishing",
            "",
            15,
            200 * _MS,
            4,
            (
                ("round trip, one CPU", "wake-up, one CPU"),
                ("round trip, two CPUs", "wake-up, two CPUs"),
                ("round trip, two CPUs", "round trip, one CPU"),
                ("publish, two CPUs", "publish, one CPU"),
            ),
        ),
        Kind(
            "switch",
            "the time from a request for another scenario to its effect, and to the first job that it lets start",
            "",
            12,
            500 * _MS,
            4,
            (
                ("thread, start", "thread, wake-up"),
                ("callback, start", "callback, wake-up"),
                ("thread, effect", "thread, wake-up"),
                ("callback, effect", "callback, wake-up"),
            ),
        ),
        Kind(
            "section",
            "the cost for a job of entering and leaving a middleware section",
            "",
            12,
            500 * _MS,
            1,
            (
                ("section", "two clock reads"),
                ("section", "lock"),
                ("nested section", "two clock reads"),
                ("outside of jobs", "two clock reads"),
            ),
        ),
        Kind(
            "trace",
            "the cost of a trace for the threads that release and run a job, and for the thread that writes it",
            "tasks",
            60,
            150 * _MS,
            4,
            (("traced", "not traced"),),
            differences=(("traced", "not traced", 100.0),),
        ),
        Kind(
            "nodes",
            "the time that nodes take to join and to leave a spinning executor, by number of nodes",
            "nodes",
            12,
            3000 * _MS,
            3,
            (
                ("takt adds", "takt adds"),
                ("takt removes", "takt removes"),
                ("takt adds at once", "takt adds"),
                ("takt removes at once", "takt removes"),
                ("rcl makes", "rcl makes"),
                ("rcl destroys", "rcl destroys"),
                ("takt adds", "rcl makes"),
                ("takt removes", "rcl destroys"),
            ),
            growth=(
                "takt adds",
                "takt adds at once",
                "takt removes",
                "takt removes at once",
                "rcl makes",
                "rcl destroys",
            ),
            turn_is_given=False,
        ),
    )
}


@dataclass(frozen=True)
class BenchmarkSettings:
    """The settings of a benchmark. `rounds` are divided among `passes`, each of which is a process of its own."""

    kind: Kind
    cpu: int
    rounds: int
    turn: int
    passes: int

    @property
    def parts(self) -> list[int]:
        """The number of rounds of each pass."""
        pass_count = min(self.passes, self.rounds)
        return [self.rounds // pass_count + (n < self.rounds % pass_count) for n in range(pass_count)]

    def seconds(self, rounds: int) -> float:
        """Return the approximate duration of a pass with so many rounds, without cyclictest."""
        return 1.0 + rounds * self.kind.turns * (self.turn / 1e9 + 0.06)

    @property
    def cyclictest_seconds(self) -> float:
        """The duration of cyclictest in each pass: as long as takt and its floor are measured together."""
        return max(2 * self.turn / 1e9 * self.rounds / len(self.parts), 0.1) if self.kind.cyclictest else 0.0

    @property
    def length(self) -> float:
        return sum(self.seconds(rounds) + self.cyclictest_seconds for rounds in self.parts)


def run_benchmark(settings: BenchmarkSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run a benchmark, which leaves run.json and samples.npy in `folder`. Raises a TaktError."""
    kind = settings.kind
    cyclictest = _find_cyclictest() if kind.cyclictest else None
    samples: list[Rows] = []
    processes: list[dict[str, Any]] = []
    histogram: dict[str, int] | None = None
    with measurement_session((settings.cpu,), folder / "fastdds.xml", (kind.name,), purpose=kind.name) as session:
        rounds_done = 0
        for number, rounds in enumerate(settings.parts):
            out = session.work / f"pass-{number}"
            _one_pass(session, settings, rounds, out, progress)
            rows = np.array(read_rows(out / f"{kind.name}.samples.npy", SAMPLES))
            rows["round"] += rounds_done
            rounds_done += rounds
            samples.append(rows)
            processes.append(read_json(out / f"{kind.name}.json"))
            if cyclictest is not None:
                histogram = _merge_histograms(histogram, _cyclictest(session, settings, cyclictest, out, progress))
        record = _record(settings, processes, histogram, {"command": command, "host": plain(session.host())})
    write_rows(folder / "samples.npy", np.concatenate(samples))
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def _one_pass(session: Session, settings: BenchmarkSettings, rounds: int, out: Path, progress: Progress) -> None:
    length = settings.seconds(rounds)
    progress.begin(settings.kind.name, length)
    arguments = ["--cpu", str(settings.cpu), "--rounds", str(rounds), "--turn-ns", str(settings.turn)]
    child = session.start(settings.kind.name, [*arguments, "--out", str(out)])
    session.watch(child, [], length, _GRACE + length, progress)
    progress.end()


def _find_cyclictest() -> str:
    program = shutil.which("cyclictest")
    if program is None:
        raise HostError("cyclictest is not installed; `make setup` installs it (package rt-tests)")
    return program


def _cyclictest(
    session: Session, settings: BenchmarkSettings, program: str, out: Path, progress: Progress
) -> dict[str, int]:
    """Run cyclictest at the priority of takt's timer thread, with the same less urgent thread beside it, and return
    its histogram by ns."""
    length = settings.cyclictest_seconds
    progress.begin("cyclictest", length)
    spinning = str(round((length + 0.5) * 1e9))
    spinner_arguments = [*_settings_to_json(settings), "--rounds", "1", "--out", str(out), "--spin-alone-ns", spinning]
    spinner = session.start(settings.kind.name, spinner_arguments, "spinner")
    spinner.wait_for("t0", 15)
    result = out / "cyclictest.json"
    loops = max(round(length * 1e6 / _INTERVAL_US), 1)
    arguments = ["--mlockall", "--priority", str(_TIMER_PRIORITY), "--affinity", str(settings.cpu), "--threads", "1"]
    arguments += ["--interval", str(_INTERVAL_US), "--loops", str(loops), "--quiet", "--nsecs"]
    arguments += ["--histogram", str(_LONGEST), f"--json={result}"]
    # By default cyclictest would print it on standard output.
    arguments += [f"--histfile={out / 'cyclictest.histogram'}"]
    child = session.children.start("cyclictest", [program, *arguments], session.work / "cyclictest.log")
    session.watch(child, [spinner], length, _GRACE, progress)
    session.watch(spinner, [], length, _GRACE, progress)
    progress.end()
    thread = read_json(result)["thread"]["0"]
    histogram = {str(value): int(count) for value, count in thread["histogram"].items()}
    longer_count = int(thread["cycles"]) - sum(histogram.values())
    return _merge_histograms(histogram, {str(thread["max"]): longer_count}) if longer_count > 0 else histogram


def _settings_to_json(settings: BenchmarkSettings) -> list[str]:
    return ["--cpu", str(settings.cpu), "--turn-ns", str(settings.turn)]


def _merge_histograms(first: dict[str, int] | None, other: dict[str, int]) -> dict[str, int]:
    total = dict(first or {})
    for value, count in other.items():
        total[value] = total.get(value, 0) + count
    return total


def _record(
    settings: BenchmarkSettings,
    processes: list[dict[str, Any]],
    histogram: dict[str, int] | None,
    context: dict[str, Any],
) -> dict[str, Any]:
    kind, first = settings.kind, processes[0]
    dropped = sum(int(process["dropped"]) for process in processes)
    if dropped:
        raise RunError(f"{kind.name} had no space for {dropped} samples; give shorter turns or fewer rounds")
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": kind.name,
        "command": context["command"],
        "variants": first["variants"],
        "x": kind.x,
        "rounds": settings.rounds,
        "turn_ns": settings.turn if settings.kind.turn_is_given else None,
        "ratios": [{"of": of, "to": to} for of, to in kind.ratios],
        "growth": list(kind.growth),
        "limits": [{"of": of, "to": to, "below": below} for of, to, below in kind.limits],
        "differences": [{"of": of, "to": to, "below_ns": below} for of, to, below in kind.differences],
        "cyclictest": histogram,
        "preempts": all(bool(process["grants"]["realtime"]) for process in processes),
        "refused": sorted({line for process in processes for line in process["grants"]["refused"]}),
        "versions": versions(),
        "commit": commit(),
        "host": context["host"],
        "processes": processes,
    }
