# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measures empty timers under several executors, and their floors, in interleaved turns."""

from __future__ import annotations

from pathlib import Path

from takt_cli.errors import UsageError
from takt_cli.results.folder import now
from takt_cli.results.json_file import read_json
from takt_cli.results.timers import (
    FLOOR_LOOP,
    FLOOR_RCLCPP,
    FLOOR_WAKEUP,
    TIMERS_FORMAT,
    WARMUP,
    TimersProcess,
    TimersRecord,
    TimersSettings,
    Variant,
)
from takt_cli.run.origin import origin_of
from takt_cli.run.progress import Progress
from takt_cli.run.session import Session, end_probe, measurement_session
from takt_cli.spec.application import POLICIES
from takt_cli.spec.executors import RCLCPP, TAKT_RCLCPP, schedules

_NOT_PREEMPTIVE = ("fifo", "ros")
_GRACE = 20.0


def parse_variant(text: str, policy: str | None) -> Variant:
    """Parse an executor such as `takt`, `takt:np-rm`, `baseline0` or `takt-rclcpp`. `policy` applies if the text names
    none. Raises a UsageError."""
    name, _, own_policy = text.partition(":")
    if name in RCLCPP and not own_policy:
        return Variant(name, name, "ros", FLOOR_RCLCPP)
    if name == "baseline0" and not own_policy:
        return Variant("baseline0", "stock", "ros", FLOOR_LOOP)
    if name == "baseline1":
        raise UsageError("--executor baseline1: has one process per node, which is not comparable here; use baseline0")
    if not schedules(name):
        known_executors = ", ".join(("takt", "takt:POLICY", "baseline0", "takt-rclcpp", "takt-rclcpp:POLICY", *RCLCPP))
        raise UsageError(f"--executor {text}: is not known; give some of {known_executors}")
    chosen = own_policy or policy or "rm"
    if chosen not in POLICIES:
        raise UsageError(f"--executor {text}: there is no policy {chosen!r}; give one of {', '.join(POLICIES)}")
    single = chosen.startswith("np-") or chosen in _NOT_PREEMPTIVE
    floor = FLOOR_RCLCPP if name == TAKT_RCLCPP else FLOOR_LOOP if single else FLOOR_WAKEUP
    return Variant(name if chosen == "rm" else f"{name}:{chosen}", name, chosen, floor)


def run_timers(settings: TimersSettings, folder: Path, command: list[str], progress: Progress) -> None:
    """Run the measurement. It leaves in `folder` its result and, for each round, samples, facts and stalls of every
    variant."""
    began, variants = now(), settings.everything
    processes: dict[str, list[TimersProcess]] = {each.name: [] for each in variants}
    with measurement_session((settings.cpu,), folder / "fastdds.xml", ("probe", "timers"), purpose="timers") as session:
        for number in range(settings.rounds):
            # Each round begins with another variant, so that none is always the first after a pause.
            turn = number % len(variants)
            for each in variants[turn:] + variants[:turn]:
                process = _measure_variant(session, settings, each, folder / f"round-{number + 1}", progress)
                processes[each.name].append(process)
        TIMERS_FORMAT.write(folder, origin_of(session, command, began), settings, TimersRecord(processes))


def _measure_variant(
    session: Session, settings: TimersSettings, variant: Variant, folder: Path, progress: Progress
) -> TimersProcess:
    """Measure one variant in one round, with a probe that watches the host."""
    folder.mkdir(exist_ok=True)
    length = (WARMUP + settings.duration) / 1e9
    probe = session.start_probe(settings.cpu, folder / f"{variant.tag}.stalls.npy")
    arguments = ["--executor", variant.executor, "--policy", variant.policy]
    arguments += ["--callbacks", str(settings.callbacks), "--nodes", str(settings.nodes)]
    arguments += ["--period-ns", str(settings.period), "--phases", settings.phases]
    arguments += ["--duration-ns", str(settings.duration), "--warmup-ns", str(WARMUP), "--cpu", str(settings.cpu)]
    releases = settings.callbacks * ((settings.duration + WARMUP) // settings.period + 2)
    arguments += ["--rows", str(releases)]
    progress.begin(f"{variant.name}, {folder.name.replace('-', ' ')}", length)
    child = session.start("timers", [*arguments, "--out", str(folder), "--tag", variant.tag], f"timers {variant.name}")
    session.watch(child, [probe], length, _GRACE, progress)
    end_probe(probe)
    progress.end()
    return read_json(folder / f"{variant.tag}.json", TimersProcess)
