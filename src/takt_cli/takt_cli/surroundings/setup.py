# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Sets up the surroundings of an experiment, verifies and watches them, records what they were, and removes them."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from takt_cli.host.cpus import allowed_cpus
from takt_cli.host.processes import Children
from takt_cli.results.achieved import Achieved, AchievedLimits
from takt_cli.results.conditions import RATES, Conditions, Limits, Link
from takt_cli.surroundings.cpu_group import CpuGroup
from takt_cli.surroundings.isolation import leave_groups_prefix
from takt_cli.surroundings.leftovers import Record
from takt_cli.surroundings.link import SIDES, Wire
from takt_cli.surroundings.settling import SAMPLE_INTERVAL
from takt_cli.surroundings.stress import Stress
from takt_cli.surroundings.traffic import PORTS, PROCESSES, Flows

_number = itertools.count()
_CHECK_INTERVAL = 0.5


class RunningSurroundings:
    """Surroundings that have been set up and are running."""

    def __init__(
        self,
        limits: AchievedLimits | None = None,
        wire: Wire | None = None,
        traffic: Flows | None = None,
        load: Stress | None = None,
        group: CpuGroup | None = None,
    ) -> None:
        self._wire, self._traffic, self._load, self._group = wire, traffic, load, group
        self._parts = [each for each in (wire, traffic, load) if each is not None]
        self._ended = False
        self._next_check = 0.0
        self._limits = limits

    def check(self) -> None:
        """Raise a RunError if part of the surroundings has died. Checks at most twice a second, however often it is
        called."""
        if time.monotonic() >= self._next_check and not self._ended:
            self._check()

    def inside(self, side: str) -> list[str]:
        """Return the prefix of a command that is to run on one side of the link, `client` or `server`; empty without a
        link."""
        return self._wire.inside(_side(side)) if self._wire is not None else []

    def address(self, side: str) -> str:
        """Return the IP address of one side, `client` or `server`."""
        return self._wire.address(_side(side)) if self._wire is not None else "127.0.0.1"

    def hold(self) -> None:
        """Stop the load until `release`, because programs that start beside it take long to load and discover peers."""
        if self._load is not None and not self._ended:
            self._load.hold()

    def release(self) -> None:
        """Let a load that `hold` has stopped continue."""
        if self._load is not None and not self._ended:
            self._load.release()

    def steady(self, sample_interval: float = SAMPLE_INTERVAL) -> float:
        """Wait until the load's activity is stationary, for half a minute at most, and return after how many seconds
        that was: 0 without a load. If it did not settle, return half of the time waited; `achieved` says so then."""
        if self._load is None or self._ended:
            return 0.0
        result = self._load.steady(sample_interval)
        return result.seconds if result.has_settled else result.seconds / 2

    def end(self) -> None:
        """Check once more, then end load and traffic. The link remains until the context of `running_surroundings` is
        left."""
        if self._ended:
            return
        self._check()
        self._take_samples()
        self._ended = True
        for each in (self._traffic, self._load):
            if each is not None:
                each.end()

    def achieved(self) -> Achieved:
        """Return what was asked for and what was achieved until now or the end, including the tools' own figures."""
        if not self._ended:
            self._take_samples()
        return Achieved(
            self._load.achieved() if self._load is not None else None,
            self._traffic.achieved() if self._traffic is not None else None,
            self._wire.achieved() if self._wire is not None else None,
            self._limits,
        )

    def _check(self) -> None:
        for each in self._parts:
            each.check()
        # Checking forty workers takes some milliseconds of CPU time.
        self._next_check = time.monotonic() + _CHECK_INTERVAL

    def _take_samples(self) -> None:
        for each in self._parts:
            each.take_sample()
        if self._group is not None and self._limits is not None:
            self._limits = self._group.achieved(self._limits.asked)


@contextmanager
def running_surroundings(
    conditions: Conditions, work: Path, cpus: Iterable[int] | None = None
) -> Iterator[RunningSurroundings]:
    """Set up the surroundings, verify that they run, and remove all of them when the context is left, whatever happens.
    Leftovers of processes that were killed are removed first. `work` is a folder for logs and scratch files. Load and
    traffic run on `cpus`, by default on all allowed CPUs. `achieved` may also be called afterwards. Raises a
    TaktError."""
    if not conditions.any():
        yield RunningSurroundings()
        return
    prefix = leave_groups_prefix() if conditions.load or conditions.traffic else []
    places = list(cpus if cpus is not None else allowed_cpus())
    with closing(Record()) as record, Children(places, prefix=prefix) as children:
        limits = conditions.limits
        place = record.scratch(work)
        group = _group(conditions, len(places), record)
        group_prefix = group.inside() if group is not None else []
        traffic_on_link = conditions.traffic is not None and conditions.traffic.link == "same"
        wire, traffic, load = None, None, None
        if conditions.link is not None:
            wire = Wire(conditions.link, record, limits.mbit if traffic_on_link else None, PORTS)
        if conditions.traffic is not None:
            other = wire if traffic_on_link else Wire(_own_link(conditions), record, limits.mbit, PORTS)
            traffic = Flows(conditions.traffic, other, place, children, record, group_prefix)
        if conditions.load is not None:
            load = Stress(conditions.load, len(places), place, children, record, group_prefix)
        for each in (traffic, load):
            if each is not None:
                each.settle()
        asked_limits = AchievedLimits(limits) if limits != Limits() else None
        surroundings = RunningSurroundings(asked_limits, wire, traffic, load, group)
        yield surroundings
        surroundings.end()


def _side(side: str) -> str:
    if side not in SIDES:
        raise ValueError(f"a link has a client and a server, no {side}")
    return side


def _own_link(conditions: Conditions) -> Link:
    """Return a separate link for traffic: as fast as the measured one, else the slowest rate that is sufficient."""
    assert conditions.traffic is not None
    rate = (
        conditions.link.mbit
        if conditions.link
        else next((r for r in RATES if r > conditions.traffic.mbit_each_way), 1000)
    )
    return Link(rate)


def _group(conditions: Conditions, cpus: int, record: Record) -> CpuGroup | None:
    share = conditions.limits.cpu_share
    if share is None:
        return None
    group = CpuGroup(f"takt-{os.getpid()}-{next(_number)}")
    workers = conditions.load.total(cpus).workers if conditions.load else 0
    group.make(share * (os.cpu_count() or 1), workers + (PROCESSES if conditions.traffic else 0), record.note)
    return group
