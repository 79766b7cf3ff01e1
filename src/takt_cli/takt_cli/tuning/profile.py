# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Profiles: what is asked of a host, read from a built-in or a user's file."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from takt_cli.errors import UsageError
from takt_cli.spec.document import parse
from takt_cli.spec.schema import validate_part


@dataclass(frozen=True)
class Profile:
    """The settings that a profile asks for; those that it does not name are left alone. `cpus` are the CPUs of
    real-time work."""

    name: str
    description: str
    cpus: tuple[int, ...]
    priorities: dict[str, int]
    governor: str | None = None
    idle_latency_us: int | None = None
    rt_runtime_us: int | None = None
    interrupts_away: bool = False
    isolation: dict[str, int] | None = None
    cpu_share: float | None = None
    interfaces: tuple[str, ...] | None = None
    critical_first: bool = False
    rate_mbit: int | None = None


def profile_names() -> list[str]:
    """Return the names of the built-in profiles."""
    folder = files("takt_cli").joinpath("tuning/profiles")
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def read_profile(name: str, cpus: tuple[int, ...]) -> Profile:
    """Read a built-in profile by its name, or a file. `cpus` applies if the profile names none. Raises a UsageError if
    there is no such profile, a SpecError if it is not valid."""
    if name in profile_names():
        text = files("takt_cli").joinpath(f"tuning/profiles/{name}.yaml").read_bytes()
        return parse_profile(text, f"{name}.yaml", name, cpus)
    path = Path(name)
    if path.suffix not in {".yaml", ".yml"}:
        close_matches = difflib.get_close_matches(name, profile_names(), n=1)
        hint = (
            f"did you mean {close_matches[0]!r}?"
            if close_matches
            else f"give {', '.join(profile_names())} or a YAML file"
        )
        raise UsageError(f"--profile {name}: unknown profile; {hint}")
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"--profile {name}: {error.strerror or error}") from None
    return parse_profile(text, name, path.stem, cpus)


def parse_profile(text: bytes, file: str, name: str, cpus: tuple[int, ...]) -> Profile:
    """Parse a profile; a SpecError gives the line of the fault. `file` is the name used in messages."""
    document = parse(text, file)
    validate_part(document, (), document.data, "tuning")
    data: Any = document.data
    cpu, traffic, limits = data.get("cpu", {}), data.get("traffic", {}), data.get("limits", {})
    return Profile(
        name,
        data["description"],
        tuple(data.get("cpus", cpus)),
        data.get("priorities", {}),
        cpu.get("governor"),
        cpu.get("idle_latency_us"),
        data.get("throttling", {}).get("runtime_us"),
        cpu.get("interrupts") == "away",
        data.get("isolation"),
        limits.get("cpu_share"),
        tuple(traffic["interfaces"]) if "interfaces" in traffic else None,
        traffic.get("critical_first", False),
        limits.get("mbit"),
    )
