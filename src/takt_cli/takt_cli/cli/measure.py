# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure KIND`: the group of all measurements."""

from __future__ import annotations

import click

from takt_cli.cli.bounds import bounds
from takt_cli.cli.data_age import data_age
from takt_cli.cli.measure_all import measure_all
from takt_cli.cli.measurement import measurement_command
from takt_cli.cli.overload import overload
from takt_cli.cli.serve import serve
from takt_cli.measurements.registry import all_measurements


@click.group()
def measure() -> None:
    """Measure one property of executor, middleware or host, beside a reference that is measured in the same run.

    For engineers and researchers who need a figure with its uncertainty. The reference is a floor, a minimal program
    that does the same without an executor, so that no executor can be cheaper; or a control, the same measurement with
    system calls alone, which shows what the host itself causes. What is compared, such as executors, are the variants.
    A measurement has several rounds, and in each round every variant has one turn, so that slow changes of the host
    affect all of them alike.

    \b
    Examples:
      takt measure timers --callbacks 50 --period 10ms --duration 10
      takt measure round-trip --transport takt fastdds
    """


for each in all_measurements().values():
    if not each.alone:
        measure.add_command(measurement_command(each))
for command in (bounds, data_age, measure_all, overload, serve):
    measure.add_command(command)
