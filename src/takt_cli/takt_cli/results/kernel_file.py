# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The kernel's context switches: which thread each CPU was given to, and when."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from takt_cli.results.sample_files import Rows, row_type

KERNEL_FILE = "kernel.npy"
"""The name of the file in the folder of a run."""

# `at`: CLOCK_MONOTONIC, ns; `tid` 0 is the idle thread; `priority` as the kernel counts: below 100 is real-time;
# `left`: the state of the thread that left the CPU, by the kernel's letters (R: runnable, S: sleeping).
SWITCHES = row_type("at cpu:i4 tid:i4 priority:i4 comm:S20 left:S4")

_SWITCH = re.compile(
    r"\[(?P<cpu>\d+)\]\s+\S+\s+(?P<seconds>\d+)\.(?P<fraction>\d+): sched_switch: .* "
    r"prev_state=(?P<left>\S+) ==> next_comm=(?P<comm>.*) next_pid=(?P<tid>\d+) next_prio=(?P<priority>\d+)"
)
_LOST = re.compile(r"\[LOST (\d+) EVENTS\]")


def parse_switches(lines: Iterable[str]) -> tuple[Rows, int]:
    """Parse the text of tracefs. Return the context switches, and how many events were lost for lack of buffer
    space."""
    rows: list[tuple[Any, ...]] = []
    lost_events = 0
    for line in lines:
        if (match := _SWITCH.search(line)) is not None:
            fraction = match["fraction"]
            instant = int(match["seconds"]) * 10**9 + int(fraction.ljust(9, "0")[:9])
            thread = (int(match["tid"]), int(match["priority"]), match["comm"].encode(), match["left"].encode())
            rows.append((instant, int(match["cpu"]), *thread))
        elif (lost_match := _LOST.search(line)) is not None:
            lost_events += int(lost_match[1])
    switches = np.array(rows, SWITCHES)
    return switches[np.argsort(switches["at"], kind="stable")], lost_events
