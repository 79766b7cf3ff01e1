# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Background load as in published measurements: four kinds of workers, run by `stress-ng` or `stress`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.conditions import KINDS, Load

# What one worker of `stress` allocates (vm) or writes (hdd), in bytes; less if the host does not have enough.
_VM_BYTES, _HDD_BYTES = 256 << 20, 1 << 30
# The share of free memory or disk space that all workers together may use.
_SHARE = 0.25


# The options with which stress-ng does the same as stress: square roots, touching and freeing memory, writing and
# unlinking files.
_AS_STRESS = {
    "cpu": "--cpu-method sqrt",
    "vm": "--vm-method write64",
    "io": "",
    "hdd": "--hdd-opts wr-seq --hdd-write-size 1M",
}


@dataclass(frozen=True)
class FreeResources:
    """Free memory and disk space of the host, in bytes."""

    memory: int
    disk: int


def load_command(load: Load, scratch: Path, free_resources: FreeResources) -> list[str]:
    """Return the command that starts the load. Files are written in `scratch`, which must be the working directory of
    `stress`."""
    in_all = load.tool == "stress-ng"
    bounds = {
        kind: _bounds(load, kind, free, shared_by_all=in_all)
        for kind, free in (("vm", free_resources.memory), ("hdd", free_resources.disk))
    }
    workers = " ".join(f"--{kind} {n}" for kind, n in load.kinds.items())
    if not in_all:
        return ["stress", *workers.split(), *bounds["vm"], *bounds["hdd"]]
    kind_options = [word for kind in load.kinds for word in (*bounds.get(kind, []), *_AS_STRESS[kind].split())]
    # A worker killed for lack of memory must not be replaced, so that its death is noticed.
    common_options = ["--oomable", "--timeout", "0", "--temp-path", str(scratch), "--metrics", "--yaml"]
    return ["stress-ng", *workers.split(), *kind_options, *common_options, str(scratch / "metrics.yaml")]


def _bounds(load: Load, kind: str, free_bytes: int, shared_by_all: bool = False) -> list[str]:
    """Return the option for the bytes used: `stress` takes the number per worker, stress-ng the total."""
    if kind not in load.kinds:
        return []
    n = load.kinds[kind]
    each = max(1 << 20, min(_VM_BYTES if kind == "vm" else _HDD_BYTES, int(free_bytes * _SHARE / n)))
    return [f"--{kind}-bytes", str(each * n if shared_by_all else each)]


def _paper(name: str, workers: int, made_for: int | None) -> Load:
    return Load(dict.fromkeys(KINDS, workers), paper=name, made_for=made_for)


# Gutierrez et al. used a PC with 6 cores and a board with 2; a single host in place of both gets the workers of both.
# The ICRA paper does not describe its machine.
PRESETS = {
    load.name: load
    for load in (
        _paper("gutierrez", 10, None),
        _paper("gutierrez-pc", 8, 6),
        _paper("gutierrez-board", 2, 2),
        _paper("icra", 10, None),
    )
}
LABELS = {"gutierrez": "the workers of both machines of the paper on one host"}


def parse_load(text: str) -> Load:
    """Return the load of a paper by its name; or one such as `cpu=8,vm=2`; or one such as `cpu,vm`, which has one
    worker of each kind on each CPU. Raises a ValueError for anything else."""
    if text in PRESETS:
        return PRESETS[text]
    parts = [re.fullmatch(r" *(\w+)(?:=([1-9][0-9]{0,3}))? *", part, re.ASCII) for part in text.split(",")]
    kinds = {part[1]: int(part[2] or 1) for part in parts if part is not None}
    numbers = {part is not None and part[2] is not None for part in parts}
    if None in parts or len(kinds) < len(parts) or not set(kinds) <= set(KINDS) or len(numbers) > 1:
        presets = ", ".join(PRESETS)
        raise ValueError(
            f"{text!r} is no load; give {presets}, workers by kind such as cpu=8,vm=2,io=2,hdd=1, or kinds alone, such "
            "as cpu,vm, for one worker of each on every CPU"
        )
    return Load(kinds, on_each_cpu=numbers == {False})


def describe_load(load: AchievedLoad | None) -> str:
    """Describe what a load was, and what it achieved: `cpu 10, vm 10: 1.90 CPUs used`, or, if it was on each CPU,
    `cpu: CPU 0 98 %, CPU 1 25 %`."""
    if load is None:
        return "none"
    if load.asked.on_each_cpu:
        shares = (f"CPU {cpu} {100 * share:.0f} %" for cpu, share in load.share_of_cpu.items())
        return f"{', '.join(load.asked.kinds)}: {', '.join(shares)}"
    workers = ", ".join(f"{kind} {n}" for kind, n in load.asked.kinds.items())
    return f"{workers}: {sum(load.cpus_used.values()):.2f} CPUs used" if load.cpus_used else workers
