# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the record of surroundings: it is read as it was written, and damaged content is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from takt_cli.errors import ResultError
from takt_cli.report.conditions import condition_lines, conditions_phrase
from takt_cli.results.achieved import (
    Achieved,
    AchievedFlow,
    AchievedLimits,
    AchievedLink,
    AchievedLoad,
    AchievedTraffic,
    Carried,
    OwnFigures,
    Rates,
    Settling,
)
from takt_cli.results.conditions import Limits, Link, Load, Traffic
from takt_cli.results.json_file import read_json, write_json

EVERYTHING = Achieved(
    load=AchievedLoad(
        asked=Load({"cpu": 2, "vm": 1}, paper="gutierrez"),
        by="stress-ng, version 1",
        counts_as_processes=3.0,
        settling=Settling(4.25, has_settled=False),
        seconds=10.0,
        cpus_used={"cpu": 1.5},
        pressure={"cpu": {"some": 0.5}},
        own_figures={"cpu": OwnFigures(bogo_ops=7.0)},
    ),
    traffic=AchievedTraffic(
        Traffic(40), "iperf 3", "a link", {"client_to_server": AchievedFlow(10.0, 38.5, Rates(40, 30, 9, 100, 1))}
    ),
    link=AchievedLink(Link(100), {"client_to_server": Carried(5, 4, 3)}),
    limits=AchievedLimits(Limits(0.25, 40), 0.5, 10, 4, 2.5),
)


def test_surroundings_are_read_as_they_were_written(tmp_path: Path) -> None:
    for achieved in (EVERYTHING, Achieved()):
        write_json(tmp_path / "achieved.json", achieved)
        assert read_json(tmp_path / "achieved.json", Achieved) == achieved
    assert EVERYTHING.asked()["limits"] == Limits(0.25, 40)
    assert Achieved().asked() == dict.fromkeys(("load", "traffic", "link", "limits"))


def test_a_load_that_cannot_be_is_refused(tmp_path: Path) -> None:
    write_json(tmp_path / "achieved.json", {"load": {"asked": {"kinds": {"gpu": 1}}, "by": "x"}})
    with pytest.raises(ResultError, match="a load has workers of cpu, vm, io, hdd"):
        read_json(tmp_path / "achieved.json", Achieved)


def test_every_condition_has_a_line() -> None:
    assert condition_lines(EVERYTHING) == [
        "load: 2 cpu, 1 vm workers of stress-ng, version 1 (the workers of both machines of the paper on one host); "
        "CPUs used: cpu 1.5; had not settled after 4.25 s",
        "traffic: 40 Mbit/s each way over a link by iperf 3; achieved: client to server 38.5 Mbit/s",
        "link: 100 Mbit/s between two network namespaces of one host, which share its CPUs",
        "limits on all other processes: 25 % of all CPUs' time (granted: 0.5 CPUs), 40 Mbit/s",
    ]
    assert condition_lines(None) == condition_lines(Achieved()) == ["no load and no traffic were generated"]
    assert (conditions_phrase(EVERYTHING), conditions_phrase(None)) == ("under load and traffic", "idle")
