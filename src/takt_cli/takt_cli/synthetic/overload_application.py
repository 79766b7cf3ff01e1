# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The application of the overload experiment: normal load, an overload for a while, and normal load again."""

from __future__ import annotations

from dataclasses import dataclass

from takt_cli.spec.load import Spec, built_in_spec, parse_spec
from takt_cli.spec.units import format_duration

_FILE = "overload.yaml"


@dataclass(frozen=True)
class OverloadCourse:
    """The course of the experiment; times in nanoseconds. `calm` is the time of normal load after the warm-up, and
    again after the overload of `length`; `utilisation` is that during the overload."""

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
        """The duration after the warm-up."""
        return 2 * self.calm + self.length


def normal_load_spec(policy: str) -> Spec:
    """Return the application without an overload."""
    return built_in_spec(_FILE, policy)


def overload_spec(course: OverloadCourse) -> Spec:
    """Return the application with its overload, whose factor follows from the utilisation asked for."""
    calm = normal_load_spec(course.policy)
    factor = course.utilisation / calm.application.utilisation
    begin, end = format_duration(course.begin), format_duration(course.end)
    text = calm.text + f"overload: {{from: {begin}, to: {end}, factor: {factor:.12g}}}\n".encode()
    return Spec(_FILE, text, parse_spec(text, _FILE, course.policy))
