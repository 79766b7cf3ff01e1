# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What is asked of the host: a profile, from a file of ours or of the user's."""

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
    """What a profile does not name stays as it is. `cpus` are those that real-time work runs on."""

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
    """Ours."""
    folder = files("takt_cli").joinpath("tuning/profiles")
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def read_profile(name: str, cpus: tuple[int, ...]) -> Profile:
    """One of ours by its name, or a file; `cpus` where it names none. UsageError, SpecError."""
    if name in profile_names():
        text = files("takt_cli").joinpath(f"tuning/profiles/{name}.yaml").read_bytes()
        return parse_profile(text, f"{name}.yaml", name, cpus)
    path = Path(name)
    if path.suffix not in {".yaml", ".yml"}:
        close = difflib.get_close_matches(name, profile_names(), n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"give {', '.join(profile_names())} or a YAML file"
        raise UsageError(f"--profile {name}: is not known; {hint}")
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"--profile {name}: {error.strerror or error}") from None
    return parse_profile(text, name, path.stem, cpus)


def parse_profile(text: bytes, file: str, name: str, cpus: tuple[int, ...]) -> Profile:
    """SpecError with the line of the fault."""
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
