# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""C++ literals as a person would write them."""

from __future__ import annotations

from takt_cli.spec.application import Application

_DURATIONS = (("min", 60 * 10**9), ("s", 10**9), ("ms", 10**6), ("us", 10**3), ("ns", 1))


def duration(nanoseconds: int) -> str:
    """Return a chrono literal with the largest unit that leaves a whole number: `1500us`."""
    unit, length = next((u, n) for u, n in _DURATIONS if nanoseconds % n == 0 and (nanoseconds or n == 10**6))
    return f"{nanoseconds // length}{unit}"


def size(count: int) -> str:
    """Return a number of bytes as a C++ expression: `2 * 1024 * 1024`, `1000`."""
    kibi = 0
    while count >= 1024 and count % 1024 == 0:
        count //= 1024
        kibi += 1
    factors = [str(count)] if count != 1 or kibi == 0 else []
    return " * ".join(factors + ["1024"] * kibi)


def quality(front_end: str, application: Application) -> str:
    """Return the application's QoS as C++. `front_end` is the namespace: takt or rclcpp."""
    return f"{front_end}::QoS({application.qos.depth}).{application.qos.reliability}()"


def string(text: str) -> str:
    """Return a C++ string literal of printable text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
