# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The settings of a run: an application, an executor, a duration, and the CPUs."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.errors import UsageError
from takt_cli.results.conditions import Load
from takt_cli.results.run import RunRequest
from takt_cli.spec.application import Application
from takt_cli.spec.executors import RCLCPP, schedules
from takt_cli.spec.load import Spec

# The range of priorities of takt's workers (takt_core/executor/priority_plan.hpp). The baselines get the same one, so
# that no executor is at a disadvantage against the rest of the system.
_HIGHEST, _LOWEST = 46, 2


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run. Times in nanoseconds. The policy is that of the application. takt partitions tasks over
    `cpus`; other executors run jobs on whichever CPU is free. `gauges` is the interval at which each process's memory,
    files and threads are sampled, 0 for never. `trace` records takt's decisions and, with `kernel`, the kernel's
    context switches, too."""

    spec: Spec
    executor: str
    duration: int
    warmup: int
    cpus: tuple[int, ...]
    load: Load | None = None
    gauges: int = 0
    trace: bool = False
    kernel: bool = True

    def check(self) -> None:
        """Raise a UsageError if the CPUs or a trace do not suit the executor or the spec."""
        if self.trace and not schedules(self.executor):
            raise UsageError(
                f"--trace: {self.executor} makes no decisions that could be traced; leave it out, or use takt"
            )
        needed_cpus = self.application.processors
        # With one CPU a baseline has no choice, so its run is replayed on one processor.
        if (schedules(self.executor) or len(self.cpus) > 1) and needed_cpus > len(self.cpus):
            raise UsageError(
                f"{self.spec.file}: places callbacks on processor {needed_cpus - 1}; give {needed_cpus} CPUs, "
                "such as --cpu 0,1"
            )

    @property
    def request(self) -> RunRequest:
        """What is written into the result; the spec lies beside it."""
        own = {name: getattr(self, name) for name in RunRequest.__struct_fields__ if name != "policy"}
        return RunRequest(**own, policy=self.application.policy)

    @property
    def application(self) -> Application:
        return self.spec.application


@dataclass(frozen=True)
class Launch:
    """A runner process: its tag, and its arguments in addition to the common ones."""

    tag: str
    arguments: tuple[str, ...]


def launches(settings: RunSettings) -> list[Launch]:
    """Return the processes that an executor consists of."""
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
    """Return the FIFO priority of each node's process, in the order of the policy; equal ranks share a priority."""
    ranks = [_rank(application, n) for n in range(len(application.nodes))]
    order = sorted(set(ranks))
    places = _HIGHEST - _LOWEST + 1
    # If there are more ranks than priorities, neighbouring ranks share one, as in takt.
    scale = min(1.0, places / len(order))
    return [_HIGHEST - int(order.index(rank) * scale) for rank in ranks]


def _rank(application: Application, node: int) -> int:
    """Return a node's rank; smaller is more urgent. Its most urgent callback decides."""
    callbacks = application.nodes[node].callbacks
    match application.policy.removeprefix("np-"):
        case "fp":
            return min(-callback.priority for callback in callbacks)
        case "rm":
            return min(callback.period for callback in callbacks)
        case "dm" | "edf":
            return min(callback.deadline for callback in callbacks)
    return 0
