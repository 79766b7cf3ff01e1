# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Background load as in published measurements: four kinds of workers, run by `stress-ng` or `stress`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

KINDS = ("cpu", "vm", "io", "hdd")
TOOLS = ("stress-ng", "stress")
# What one worker of `stress` allocates (vm) or writes (hdd), in bytes; less if the host does not have enough.
_VM_BYTES, _HDD_BYTES = 256 << 20, 1 << 30
# The share of free memory or disk space that all workers together may use.
_SHARE = 0.25


@dataclass(frozen=True)
class Load:
    """Numbers of workers by kind. `name` says where the load comes from; `made_for` is the number of CPUs of the
    machine that it was designed for, None if unknown."""

    kinds: Mapping[str, int]
    tool: str = "stress-ng"
    name: str = "own"
    made_for: int | None = None
    scaled_to: int | None = None

    def __post_init__(self) -> None:
        if not self.kinds or not set(self.kinds) <= set(KINDS) or min(self.kinds.values()) < 1:
            raise ValueError(f"a load has workers of {', '.join(KINDS)}, at least one of each kind that it has")
        if self.tool not in TOOLS:
            raise ValueError(f"a load is made by {' or '.join(TOOLS)}")

    def scaled(self, cpus: int) -> Load:
        """Return this load scaled to a number of CPUs: with as many workers per CPU as on the machine it was designed
        for or, if that is unknown, one of each kind per CPU."""
        per_cpu = {kind: n / self.made_for if self.made_for else 1.0 for kind, n in self.kinds.items()}
        return replace(self, kinds={kind: max(1, round(n * cpus)) for kind, n in per_cpu.items()}, scaled_to=cpus)

    def with_tool(self, tool: str) -> Load:
        """Return this load as run by another tool."""
        return replace(self, tool=tool)

    def requested(self) -> dict[str, Any]:
        """Return what was asked for, for the record."""
        return {"name": self.name, "workers": dict(self.kinds), "tool": self.tool, "scaled_to_cpus": self.scaled_to}

    def command(self, scratch: Path, free_resources: FreeResources) -> list[str]:
        """Return the command that starts the load. Files are written in `scratch`, which must be the working directory
        of `stress`."""
        if self.tool == "stress":
            return [
                "stress",
                *self._workers(),
                *self._bounds("vm", free_resources.memory),
                *self._bounds("hdd", free_resources.disk),
            ]
        # stress-ng does the same as stress: square roots, touching and freeing memory, writing and unlinking files.
        kinds = {
            "cpu": ["--cpu-method", "sqrt"],
            "vm": [*self._bounds("vm", free_resources.memory, shared_by_all=True), "--vm-method", "write64"],
            "io": [],
            "hdd": [
                *self._bounds("hdd", free_resources.disk, shared_by_all=True),
                "--hdd-opts",
                "wr-seq",
                "--hdd-write-size",
                "1M",
            ],
        }
        kind_options = [option for kind in self.kinds for option in kinds[kind]]
        # A worker killed for lack of memory must not be replaced, so that its death is noticed.
        common_options = ["--oomable", "--timeout", "0", "--temp-path", str(scratch)]
        return [
            "stress-ng",
            *self._workers(),
            *kind_options,
            *common_options,
            "--metrics",
            "--yaml",
            str(scratch / "metrics.yaml"),
        ]

    def _workers(self) -> list[str]:
        return [word for kind, n in self.kinds.items() for word in (f"--{kind}", str(n))]

    def _bounds(self, kind: str, free_bytes: int, shared_by_all: bool = False) -> list[str]:
        """Return the option for the bytes used: `stress` takes the number per worker, stress-ng the total."""
        if kind not in self.kinds:
            return []
        n = self.kinds[kind]
        each = max(1 << 20, min(_VM_BYTES if kind == "vm" else _HDD_BYTES, int(free_bytes * _SHARE / n)))
        return [f"--{kind}-bytes", str(each * n if shared_by_all else each)]


@dataclass(frozen=True)
class FreeResources:
    """Free memory and disk space of the host, in bytes."""

    memory: int
    disk: int


def _paper(name: str, workers: int, made_for: int | None) -> Load:
    return Load(dict.fromkeys(KINDS, workers), name=name, made_for=made_for)


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
    """Return the load of a paper by its name, or one such as `cpu=8,vm=2`. Raises a ValueError for anything else."""
    if text in PRESETS:
        return PRESETS[text]
    kinds: dict[str, int] = {}
    for part in text.split(","):
        match = re.fullmatch(r" *(\w+)=([1-9][0-9]{0,3}) *", part, re.ASCII)
        if match is None or match[1] not in KINDS or match[1] in kinds:
            presets = ", ".join(PRESETS)
            raise ValueError(f"{text!r} is no load; give {presets}, or workers by kind such as cpu=8,vm=2,io=2,hdd=1")
        kinds[match[1]] = int(match[2])
    return Load(kinds)
