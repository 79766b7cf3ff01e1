# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What to run: an application, an executor, for how long, where."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.errors import UsageError
from takt_cli.spec.application import Application
from takt_cli.spec.executors import RCLCPP, schedules
from takt_cli.spec.load import Spec

# The band of takt's workers in its priority plan (takt_core/executor/priority_plan.hpp): the
# baselines get the same, so that no executor is worse off against the rest of the system.
_HIGHEST, _LOWEST = 46, 2


@dataclass(frozen=True)
class RunSettings:
    """Times in nanoseconds. The policy is the application's. `load`: a kind of takt_cli.run.load.
    takt partitions the tasks over the CPUs, the jobs of others go to whichever is free.
    `gauges`: how often to look what each process has of memory, files and threads; 0: never.
    `trace`: whether takt writes down each of its decisions, and `kernel`: the kernel its switches then."""

    spec: Spec
    executor: str
    duration: int
    warmup: int
    cpus: tuple[int, ...]
    load: str | None = None
    gauges: int = 0
    trace: bool = False
    kernel: bool = True

    def check(self) -> None:
        """UsageError where the CPUs or a trace do not fit to the executor or the spec."""
        if self.trace and not schedules(self.executor):
            raise UsageError(
                f"--trace: {self.executor} decides nothing that could be traced; leave it out, or use takt"
            )
        needed = self.application.processors
        # On one CPU a baseline has no choice, and its run is replayed on one.
        if (schedules(self.executor) or len(self.cpus) > 1) and needed > len(self.cpus):
            raise UsageError(
                f"{self.spec.file}: places callbacks on processor {needed - 1}; give {needed} CPUs, as --cpu 0,1"
            )

    @property
    def application(self) -> Application:
        return self.spec.application


@dataclass(frozen=True)
class Launch:
    """One runner process: its tag, and its arguments beyond those all share."""

    tag: str
    arguments: tuple[str, ...]


def launches(settings: RunSettings) -> list[Launch]:
    """The processes that make up an executor."""
    name = settings.executor
    if schedules(name):
        return [Launch(name, ("--executor", name))]
    if name == "baseline0" or name in RCLCPP:
        executor = "stock" if name == "baseline0" else name
        return [Launch(name, ("--executor", executor, "--os-priority", str(_HIGHEST)))]
    priorities = node_priorities(settings.application)
    return [
        Launch(f"baseline1.{n:03}", ("--executor", "stock", "--node", str(n), "--os-priority", str(priority)))
        for n, priority in enumerate(priorities)
    ]


def node_priorities(application: Application) -> list[int]:
    """The FIFO priority of each node's process: the order of the policy, equal where it sees no difference."""
    ranks = [_rank(application, n) for n in range(len(application.nodes))]
    order = sorted(set(ranks))
    places = _HIGHEST - _LOWEST + 1
    # Where ranks outnumber the priorities of the band, neighbours merge, as in takt.
    scale = min(1.0, places / len(order))
    return [_HIGHEST - int(order.index(rank) * scale) for rank in ranks]


def _rank(application: Application, node: int) -> int:
    """Smaller is more urgent; the most urgent callback stands for its node."""
    callbacks = application.nodes[node].callbacks
    match application.policy.removeprefix("np-"):
        case "fp":
            return min(-callback.priority for callback in callbacks)
        case "rm":
            return min(callback.period for callback in callbacks)
        case "dm" | "edf":
            return min(callback.deadline for callback in callbacks)
    return 0
