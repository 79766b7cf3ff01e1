# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Sets of CPUs in the kernel's notations: lists such as `0-2,5`, and hexadecimal masks."""

from __future__ import annotations

from collections.abc import Iterable


def parse_cpus(text: str) -> list[int]:
    """Return the CPUs in a list as the kernel writes it (`0-2,5`), ascending; anything else gives an empty list."""
    cpus: set[int] = set()
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if first.isdigit() and (not last or last.isdigit()):
            cpus |= set(range(int(first), int(last or first) + 1))
    return sorted(cpus)


def format_cpus(cpus: Iterable[int]) -> str:
    """Return CPUs as a list in the kernel's notation: `0-2,5`."""
    runs: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if runs and runs[-1][-1] == cpu - 1:
            runs[-1].append(cpu)
        else:
            runs.append([cpu])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def parse_mask(text: str) -> list[int]:
    """Return the CPUs in a mask of any width, ascending. Raises a ValueError for anything else."""
    bits = int(text.replace(",", ""), 16)
    return [cpu for cpu in range(bits.bit_length()) if bits >> cpu & 1]


def format_mask(cpus: Iterable[int]) -> str:
    """Return CPUs as a mask in the kernel's notation: hexadecimal words of 32 bits, the highest first."""
    digits = f"{sum(1 << cpu for cpu in set(cpus)):x}"
    first = len(digits) % 8 or 8
    return ",".join([digits[:first], *(digits[i : i + 8] for i in range(first, len(digits), 8))])
