# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`--kernel`: a measurement on one of Debian's kernels, in a guest."""

from __future__ import annotations

from collections.abc import Sequence

import click

from takt_cli.errors import UsageError
from takt_cli.guest.kernel import KERNELS
from takt_cli.host.cpus import allowed_cpus, choose_cpus
from takt_cli.host.preempt_rt import runs_preempt_rt
from takt_cli.run.in_guest import GUEST, OnKernel

kernel_option = click.option(
    "--kernel",
    type=click.Choice(KERNELS),
    help="On Debian's PREEMPT_RT or ordinary kernel, in a guest in virtual time [default: on this host as it is].",
)


def on_kernel(name: str | None) -> OnKernel:
    """Where to measure. A host that runs PREEMPT_RT itself is what `rt` asks for."""
    if name is None or (name == "rt" and runs_preempt_rt()):
        return OnKernel()
    return OnKernel(GUEST[name])


def cpus_on(place: OnKernel, asked: Sequence[int] | None) -> tuple[int, ...]:
    """As `choose_cpus`; a guest has CPU 0 alone."""
    if place.guest is None:
        return choose_cpus(asked)
    if asked and set(asked) != {0}:
        raise UsageError(f"--cpu {','.join(map(str, asked))}: a guest of --kernel has one CPU; leave --cpu out")
    return (0,)


def cpu_on(place: OnKernel, asked: int | None) -> int:
    """The same for what runs on one CPU."""
    return cpus_on(place, None if asked is None else [asked])[0]


def cpu_count(place: OnKernel) -> int:
    """How many CPUs there are to be used."""
    return len(allowed_cpus()) if place.guest is None else 1
