# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np

from takt_cli.analysis.stalls.stalls_by_switches import stolen_pieces
from takt_cli.results.program import SwitchedThread
from takt_cli.results.sample_files import CPU_TURNS

US = 1000
THREADS = [SwitchedThread(tid=1, name="lab.probe", own=False), SwitchedThread(tid=2, name="urgent", own=True)]


def test_what_the_host_took_from_turns_of_the_probe_is_summed_within_an_interval() -> None:
    """The probe takes 10 us, but 110 us at 1 ms and 60 us at 2 ms; at 3 ms it takes 50 us, which may be usual."""
    lengths = {1000: 110, 2000: 60, 3000: 50} | dict.fromkeys(range(4000, 9000, 1000), 10)
    turns = [row for at, long in lengths.items() for row in ((at * US, 1, 0), ((at + long) * US, 2, 0))]
    found = stolen_pieces(np.array(turns, CPU_TURNS), THREADS)
    begin, end = np.array([0, 0, 1500, 3000]) * US, np.array([1050, 2500, 2500, 9000]) * US
    assert found.within(begin, end).tolist() == [0, 150 * US, 50 * US, 0]


def test_without_recorded_turns_the_host_took_nothing() -> None:
    for turns in (np.empty(0, CPU_TURNS), np.array([(0, 2, 0), (5, 0, 0)], CPU_TURNS)):
        assert stolen_pieces(turns, THREADS).within(np.array([0]), np.array([10])).tolist() == [0]
