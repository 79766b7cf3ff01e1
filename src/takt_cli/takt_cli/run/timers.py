# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Measures empty timers under several executors, and their floors, in interleaved turns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from takt_cli.errors import UsageError
from takt_cli.host.middleware import Middleware
from takt_cli.host.versions import commit, versions
from takt_cli.run.progress import Progress
from takt_cli.run.record import read_json
from takt_cli.run.session import Session, end_probe, measurement_session
from takt_cli.spec.application import POLICIES
from takt_cli.spec.executors import RCLCPP, TAKT_RCLCPP, schedules

SCHEMA_VERSION = 1
FLOOR_LOOP, FLOOR_WAKEUP, FLOOR_RCLCPP = "floor-loop", "floor-wakeup", "floor-rclcpp"
_NOT_PREEMPTIVE = ("fifo", "ros")
_GRACE = 20.0
_WARMUP = 10**9


@dataclass(frozen=True)
class Variant:
    """A variant to measure: its name in results, the program's arguments, and the floor that it is compared with."""

    name: str
    executor: str
    policy: str
    floor: str

    @property
    def tag(self) -> str:
        return self.name.replace(":", "-")


@dataclass(frozen=True)
class TimersSettings:
    """The settings of the measurement. Times in nanoseconds; `duration` is that of a variant in a round."""

    callbacks: int
    nodes: int
    period: int
    phases: str
    duration: int
    rounds: int
    cpu: int
    variants: tuple[Variant, ...]

    @property
    def seconds(self) -> float:
        """The duration of the whole measurement in s, including warm-ups."""
        return self.rounds * len(self.everything) * (_WARMUP + self.duration) / 1e9

    @property
    def everything(self) -> tuple[Variant, ...]:
        """The variants and their floors; the floor for rclcpp nodes only if a variant needs it."""
        floors = [
            Variant(FLOOR_LOOP, FLOOR_LOOP, "np-rm", FLOOR_LOOP),
            Variant(FLOOR_WAKEUP, FLOOR_WAKEUP, "rm", FLOOR_WAKEUP),
        ]
        if any(each.floor == FLOOR_RCLCPP for each in self.variants):
            floors.append(Variant(FLOOR_RCLCPP, FLOOR_RCLCPP, "ros", FLOOR_RCLCPP))
        return (*self.variants, *floors)


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
    """Run the measurement. It leaves in `folder` run.json and, for each round, samples, facts and stalls of every
    variant."""
    with measurement_session((settings.cpu,), folder / "fastdds.xml", ("probe", "timers"), purpose="timers") as session:
        variants = settings.everything
        for number in range(settings.rounds):
            # Each round begins with another variant, so that none is always the first after a pause.
            turn = number % len(variants)
            for each in variants[turn:] + variants[:turn]:
                _measure_variant(session, settings, each, folder / f"round-{number + 1}", progress)
        _record(settings, folder, session.middleware, {"command": command, "host": session.host()})


def _measure_variant(
    session: Session, settings: TimersSettings, variant: Variant, folder: Path, progress: Progress
) -> None:
    """Measure one variant in one round, with a probe that watches the host."""
    folder.mkdir(exist_ok=True)
    length = (_WARMUP + settings.duration) / 1e9
    probe = session.start_probe(settings.cpu, folder / f"{variant.tag}.stalls.npy")
    arguments = ["--executor", variant.executor, "--policy", variant.policy]
    arguments += ["--callbacks", str(settings.callbacks), "--nodes", str(settings.nodes)]
    arguments += ["--period-ns", str(settings.period), "--phases", settings.phases]
    arguments += ["--duration-ns", str(settings.duration), "--warmup-ns", str(_WARMUP), "--cpu", str(settings.cpu)]
    releases = settings.callbacks * ((settings.duration + _WARMUP) // settings.period + 2)
    arguments += ["--rows", str(releases)]
    progress.begin(f"{variant.name}, {folder.name.replace('-', ' ')}", length)
    child = session.start("timers", [*arguments, "--out", str(folder), "--tag", variant.tag], f"timers {variant.name}")
    session.watch(child, [probe], length, _GRACE, progress)
    end_probe(probe)
    progress.end()


def _record(settings: TimersSettings, folder: Path, middleware: Middleware, context: dict[str, Any]) -> None:
    record = {
        "schema_version": SCHEMA_VERSION,
        "kind": "timers",
        "command": context["command"],
        "callbacks": settings.callbacks,
        "nodes": settings.nodes,
        "period_ns": settings.period,
        "phases": settings.phases,
        "duration_ns": settings.duration,
        "rounds": settings.rounds,
        "variants": [
            {"name": v.name, "tag": v.tag, "executor": v.executor, "policy": v.policy, "floor": v.floor}
            for v in settings.everything
        ],
        "versions": versions(),
        "commit": commit(),
        "host": context["host"],
        "middleware": middleware.to_json(),
        "processes": {
            v.name: [read_json(folder / f"round-{n + 1}" / f"{v.tag}.json") for n in range(settings.rounds)]
            for v in settings.everything
        },
    }
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
