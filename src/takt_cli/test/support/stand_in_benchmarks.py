# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What the stand-ins for the benchmarks report."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Variants with what they cost at x, in ns; the rounds differ by little.
BENCHMARKS: dict[str, list[tuple[str, tuple[int, ...], Callable[[int], float]]]] = {
    "dispatch": [
        ("together", (10, 100, 1000), lambda x: 20 * x**0.25),
        ("spread", (10, 100), lambda x: 30),
        ("heap", (10, 100, 1000), lambda x: 10),
        ("executor", (10,), lambda x: 500),
        ("wake-up", (10,), lambda x: 400),
    ],
    "preemption": [("takt", (0,), lambda x: 3600), ("wake-up", (0,), lambda x: 3000)],
    "exchange": [
        ("loaned", (16, 1024, 65536), lambda x: 900),
        ("copied", (16, 1024, 65536), lambda x: 900 + x),
        ("wake-up", (0,), lambda x: 1800),
    ],
    "crossing": [
        ("round trip, one CPU", (0,), lambda x: 900),
        ("round trip, two CPUs", (0,), lambda x: 9000),
        ("publish, one CPU", (0,), lambda x: 400),
        ("publish, two CPUs", (0,), lambda x: 2000),
        ("wake-up, one CPU", (0,), lambda x: 1800),
        ("wake-up, two CPUs", (0,), lambda x: 8000),
    ],
    "switch": [
        ("thread, effect", (0,), lambda x: 900),
        ("thread, start", (0,), lambda x: 2000),
        ("callback, effect", (0,), lambda x: 900),
        ("callback, start", (0,), lambda x: 2000),
        ("thread, wake-up", (0,), lambda x: 1000),
        ("callback, wake-up", (0,), lambda x: 1000),
    ],
    "section": [
        ("section", (0,), lambda x: 50),
        ("nested section", (0,), lambda x: 4),
        ("outside of jobs", (0,), lambda x: 4),
        ("two clock reads", (0,), lambda x: 40),
        ("lock", (0,), lambda x: 10),
    ],
    "trace": [
        ("traced", (10, 100), lambda x: 540),
        ("not traced", (10, 100), lambda x: 500),
        ("drain", (10, 100), lambda x: 20),
    ],
    "nodes": [
        ("rcl makes", (10, 100, 1000), lambda x: 2000 * x),
        ("takt adds", (10, 100, 1000), lambda x: 100 * x),
        ("takt removes", (10, 100, 1000), lambda x: 100 * x),
        ("takt adds at once", (10, 100, 1000), lambda x: 20 * x),
        ("takt removes at once", (10, 100, 1000), lambda x: 20 * x),
        ("rcl destroys", (10, 100, 1000), lambda x: 1000 * x),
    ],
}
