# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Patience is measured in looks, not by the clock alone."""

from __future__ import annotations

import pytest

from takt_cli.host.patience import Patience


class _Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("takt_cli.host.patience.time.monotonic", lambda: self.now)


def test_short_intervals_count_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock(monkeypatch)
    patience = Patience()
    for _ in range(40):
        clock.now += 0.05
        patience.waited()
    assert patience.waited() == pytest.approx(2.0)


def test_of_an_interval_in_which_the_host_stalled_only_a_part_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = _Clock(monkeypatch)
    patience = Patience()
    clock.now += 3600.0
    assert patience.waited() == pytest.approx(0.2)
    clock.now += 0.05
    assert patience.waited() == pytest.approx(0.25)
