# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The application of the experiment on overload: calm, overloaded for a while, and calm again."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from takt_cli.spec.load import Spec, parse_spec
from takt_cli.spec.units import format_duration

_FILE = "overload.yaml"


@dataclass(frozen=True)
class Overloaded:
    """Times in nanoseconds. `calm` is how long it is calm before and after, from the warm-up's end on."""

    utilisation: float
    warmup: int
    calm: int
    length: int
    policy: str

    @property
    def begin(self) -> int:
        return self.warmup + self.calm

    @property
    def end(self) -> int:
        return self.begin + self.length

    @property
    def duration(self) -> int:
        """After the warm-up."""
        return 2 * self.calm + self.length


def calm_spec(policy: str) -> Spec:
    """The application as it is without an overload."""
    text = files("takt_cli").joinpath(f"applications/{_FILE}").read_bytes()
    return Spec(_FILE, text, parse_spec(text, _FILE, policy))


def overloaded_spec(overloaded: Overloaded) -> Spec:
    """The same with its overload: by how much its jobs take longer than they should."""
    calm = calm_spec(overloaded.policy)
    factor = overloaded.utilisation / calm.application.utilisation
    begin, end = format_duration(overloaded.begin), format_duration(overloaded.end)
    text = calm.text + f"overload: {{from: {begin}, to: {end}, factor: {factor:.12g}}}\n".encode()
    return Spec(_FILE, text, parse_spec(text, _FILE, overloaded.policy))
