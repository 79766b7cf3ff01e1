# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Applications and their jobs, made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from takt_cli.analysis.grid import Window
from takt_cli.results.sample_files import JOBS, Rows
from takt_cli.spec.application import Application, Callback, Node, Qos, Topic

MS = 1_000_000
T0 = 5_000 * MS
# The index of the first extra job of a task, which is released off its grid.
FIRST_EXTRA = 1 << 63


def callback(name: str = "c", period: int = 10 * MS, **more: Any) -> Callback:
    given_ = {"phase": 0, "deadline": period, "priority": 1, "wcet": MS} | more
    return Callback(name=name, period=period, **given_)


def app(*callbacks: Callback, topics: tuple[Topic, ...] = ()) -> Application:
    nodes = tuple(Node(f"n{i}", "exclusive", (c,)) for i, c in enumerate(callbacks))
    return Application("a", "rm", Qos("reliable", 1), topics, nodes)


def jobs(*rows: tuple[int, int, int, float, float]) -> Rows:
    """Return jobs from rows of (task, index, flags, start, finish), with start and finish in ms after T0 and -1 for
    none. The period is 10 ms."""

    def at(ms: float) -> int:
        return T0 + int(ms * MS) if ms >= 0 else -1

    def cpu(start: float, finish: float) -> int:
        return int((finish - start) * MS) if finish >= 0 else -1

    table = [(t, f, k, T0 + k * 10 * MS, at(s), at(e), cpu(s, e), -1, -1) for t, k, f, s, e in rows]
    return np.array(table, JOBS)


def window(begin: float, end: float) -> Window:
    return Window(T0, T0 + int(begin * MS), T0 + int(end * MS))
