# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Values as a person writes them in C++."""

from __future__ import annotations

from takt_cli.spec.application import Application

_DURATIONS = (("min", 60 * 10**9), ("s", 10**9), ("ms", 10**6), ("us", 10**3), ("ns", 1))


def duration(nanoseconds: int) -> str:
    """With the largest unit that leaves a whole number: 1500us."""
    unit, length = next((u, n) for u, n in _DURATIONS if nanoseconds % n == 0 and (nanoseconds or n == 10**6))
    return f"{nanoseconds // length}{unit}"


def size(count: int) -> str:
    """Bytes: 2 * 1024 * 1024, or 1000."""
    kibi = 0
    while count >= 1024 and count % 1024 == 0:
        count //= 1024
        kibi += 1
    factors = [str(count)] if count != 1 or kibi == 0 else []
    return " * ".join(factors + ["1024"] * kibi)


def quality(front_end: str, application: Application) -> str:
    """Of a front end with rclcpp's QoS: takt or rclcpp."""
    return f"{front_end}::QoS({application.depth}).{application.reliability}()"


def string(text: str) -> str:
    """A literal of printable text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
