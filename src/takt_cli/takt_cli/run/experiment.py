# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""One application under one executor: processes started, watched and ended, samples collected."""

from __future__ import annotations

import json
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from takt_cli.errors import RunError, RunTimeout
from takt_cli.host.cpus import allowed_cpus, aside
from takt_cli.host.domain import private_domain
from takt_cli.host.facts import host_facts
from takt_cli.host.middleware import Middleware, segment_size, write_profile
from takt_cli.host.programs import find_program
from takt_cli.host.realtime import intruders, realtime_threads
from takt_cli.run.processes import Child, Children, uninterrupted
from takt_cli.run.progress import Progress
from takt_cli.run.record import collect
from takt_cli.run.settings import RunSettings, launches
from takt_cli.run.shared_memory import SharedMemory

# Starting, matching and writing results, in s: generous, for it only ends what hangs.
_GRACE, _GRACE_PER_PROCESS = 20.0, 1.0
# For so long, in s, a run is taken to be starting if it does not say when its grid begins.
_STARTING = 3.0
# How long the probe would run if nobody ended it, beyond the run itself, in ns.
_PROBE_SPARE = 3_600 * 10**9


def run_experiment(settings: RunSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Runs and leaves spec.yaml, resolved.json, run.json and the raw samples in `folder`.

    Raises a TaktError; then every process has ended and nothing of theirs is left in shared memory.
    `folder` is the caller's to remove.
    """
    programs = {name: str(find_program(name)) for name in ("probe", "runner")}
    facts = host_facts(settings.cpu)
    others = realtime_threads(settings.cpu)
    (folder / "spec.yaml").write_bytes(settings.spec.text)
    (folder / "resolved.json").write_text(json.dumps(settings.application.to_json(), indent=1) + "\n", "utf-8")
    shared = SharedMemory()
    cpus = allowed_cpus()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="takt-run-") as scratch,
            private_domain() as domain,
            aside(settings.cpu),
            Children(cpus, before_end=shared.note) as children,
        ):
            work = Path(scratch)
            middleware = Middleware(domain, folder / "fastdds.xml", segment_size(settings.application), work)
            write_profile(middleware.profile, middleware.segment_size)
            _Run(settings, folder, work, middleware, children, shared, programs).carry_out(progress)
            facts["other_realtime"] = intruders(others, realtime_threads(settings.cpu))
            collect(settings, work, folder, middleware, {"command": command, "host": facts})
    finally:
        with uninterrupted():
            shared.clean()


@dataclass
class _Run:
    settings: RunSettings
    folder: Path
    work: Path
    middleware: Middleware
    children: Children
    shared: SharedMemory
    programs: dict[str, str]

    def carry_out(self, progress: Progress) -> None:
        probe = self._start_probe()
        runners = self._start_runners()
        self._watch(runners, probe, progress)
        probe.signal(signal.SIGTERM)
        if not probe.wait(10):
            raise RunError("probe did not end when asked to")
        probe.check()

    def _start_probe(self) -> Child:
        longest = self.settings.warmup + self.settings.duration + _PROBE_SPARE
        arguments = ["--cpu", str(self.settings.cpu), "--duration-ns", str(longest)]
        arguments += ["--threshold-ns", str(self.settings.stall_threshold), "--out", str(self.work / "stalls.npy")]
        probe = self.children.start("probe", [self.programs["probe"], *arguments], self.work / "probe.log")
        probe.wait_for("ready", 15)
        return probe

    def _start_runners(self) -> list[Child]:
        settings, every = self.settings, launches(self.settings)
        shared = ["--spec", str(self.folder / "resolved.json"), "--policy", settings.application.policy]
        shared += ["--cpu", str(settings.cpu), "--duration-ns", str(settings.duration)]
        shared += ["--warmup-ns", str(settings.warmup), "--out", str(self.work)]
        if len(every) > 1:
            barrier = self.work / "barrier"
            barrier.touch()
            shared += ["--barrier", str(barrier), "--processes", str(len(every))]
        env = self.middleware.environment()
        return [
            self.children.start(
                f"runner {launch.tag}",
                [self.programs["runner"], *shared, *launch.arguments, "--tag", launch.tag],
                self.work / f"{launch.tag}.log",
                env,
            )
            for launch in every
        ]

    def _watch(self, runners: list[Child], probe: Child, progress: Progress) -> None:
        """Until all runners have ended well."""
        length = (self.settings.warmup + self.settings.duration) / 1e9
        begun = time.monotonic()
        deadline = begun + length + _GRACE + _GRACE_PER_PROCESS * len(runners)
        started: float | None = None
        looked = 0.0
        progress.begin(self.settings.executor, length)
        while any(runner.running() for runner in runners):
            now = time.monotonic()
            if now > deadline:
                late = next(runner for runner in runners if runner.running())
                over = f"{late.name} did not end within {deadline - begun:.0f} s and was ended"
                raise RunTimeout(f"{over}; {late.last_words() or 'it said nothing'}")
            for child in (*runners, probe):
                child.check()
            started = started or _start_of_grid(runners[0])
            progress.at(now - (started or begun))
            # Reading the maps of a process holds it up: not once the grid has begun.
            if started is None and looked + 0.5 < now < begun + _STARTING:
                looked = now
                self.shared.note(self.children.pids())
            time.sleep(0.05)
        for runner in runners:
            runner.check()
        if not probe.running():
            raise RunError(f"probe ended before the run did; {probe.last_words() or 'it said nothing'}")
        progress.end()


def _start_of_grid(runner: Child) -> float | None:
    """t0 in seconds of CLOCK_MONOTONIC, once the runner has said it."""
    for line in runner.output().splitlines():
        word, _, value = line.partition(" ")
        if word == "t0" and value.strip().isdigit():
            return int(value) / 1e9
    return None
