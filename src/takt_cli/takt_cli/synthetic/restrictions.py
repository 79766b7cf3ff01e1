# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The restrictions of section 5.2 of the thesis, checked on a finished application.

Parameters are checked before anything is drawn; this is the check of the result itself. The first restriction is
read as "at least one node", as in table 5.1. The third and the fourth (no more publishers, or subscribers, than nodes)
concern the shares, and hold because publishers and subscribers are chosen among existing callbacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from takt_cli.errors import TaktError
from takt_cli.spec.application import Application
from takt_cli.spec.units import format_duration


def check_restrictions(application: Application, nodes: int) -> None:
    """Raise a TaktError for the first restriction that is violated."""
    for fault in faults(application, nodes):
        raise TaktError(f"{application.name}: {fault}; the generator has violated its own rule, which is a bug of takt")


def faults(application: Application, nodes: int) -> Iterator[str]:
    """Yield the violated restrictions, in their order."""
    if not 1 <= len(application.nodes) == nodes:
        yield f"{len(application.nodes)} nodes, of {nodes}"
    tasks = application.tasks
    utilisation = sum((Fraction(task.callback.wcet, task.callback.period) for task in tasks), Fraction(0))
    if utilisation > 1:
        yield f"the utilisation is {float(utilisation):.6g}, above 1"
    for task in tasks:
        callback = task.callback
        if set(callback.publishes) & set(callback.reads):
            yield f"{task.id} publishes and reads the same topic"
        if callback.deadline > callback.period:
            yield f"{task.id}: the deadline {format_duration(callback.deadline)} is above the period"
        if callback.wcet > callback.period:
            yield f"{task.id}: the WCET {format_duration(callback.wcet)} is above the period"
