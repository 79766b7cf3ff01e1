# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The option `--kernel`: measure on one of Debian's kernels, in a virtual machine (the guest)."""

from __future__ import annotations

from collections.abc import Sequence

import click

from takt_cli.errors import UsageError
from takt_cli.guest.kernel import KERNELS
from takt_cli.host.cpus import allowed_cpus, choose_cpus
from takt_cli.host.facts import runs_preempt_rt
from takt_cli.run.in_guest import GUEST, THIS_KERNEL, OnKernel


def on_kernel(name: str | None) -> OnKernel:
    """Return where to measure: on this host, or in a guest with the named kernel.

    `rt` on a host that runs PREEMPT_RT itself means this host.
    """
    if name is None or (name == "rt" and runs_preempt_rt()):
        return THIS_KERNEL
    return OnKernel(GUEST[name])


# Its value is an OnKernel.
kernel_option = click.option(
    "--kernel",
    type=click.Choice(KERNELS),
    callback=lambda _context, _option, name: on_kernel(name),
    help="Measure on Debian's PREEMPT_RT kernel (rt) or its ordinary one (vanilla), in a virtual machine (QEMU) whose "
    "clock counts instructions: this shows what happens there, not how long it takes on real hardware. rt on a host "
    "that runs PREEMPT_RT measures on the host [default: on this host].",
)


def cpus_on(kernel: OnKernel, requested: Sequence[int] | None) -> tuple[int, ...]:
    """Return the CPUs to measure on, as `choose_cpus` does; a guest has CPU 0 only.

    Raises a UsageError if other CPUs are asked for in a guest, a HostError if the host lacks one of them.
    """
    if kernel.guest is None:
        return choose_cpus(requested)
    if requested and set(requested) != {0}:
        raise UsageError(f"--cpu {','.join(map(str, requested))}: a guest of --kernel has CPU 0 only; leave --cpu out")
    return (0,)


def cpu_on(kernel: OnKernel, requested: int | None) -> int:
    """Return the CPU for a measurement that runs on one CPU, as `cpus_on` does for several."""
    return cpus_on(kernel, None if requested is None else [requested])[0]


def cpu_count(kernel: OnKernel) -> int:
    """Return the number of CPUs that may be used: those of this process, or 1 in a guest."""
    return len(allowed_cpus()) if kernel.guest is None else 1
