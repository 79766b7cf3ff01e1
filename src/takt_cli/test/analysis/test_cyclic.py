# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of request and response cycles: delays above the smallest one, and whether they accumulate."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from communication_samples import become_virtual
from rich.console import Console

from takt_cli.analysis.cyclic import DELAYS, CyclicSummary, cyclic_summary, join_time_stamps, read_cyclic
from takt_cli.cli.main import cli
from takt_cli.errors import UsageError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.report.kinds.cyclic import cyclic_report
from takt_cli.report.kinds.trips import cyclic_charts
from takt_cli.results.achieved import Achieved, AchievedLoad, Settling
from takt_cli.results.communication import TRANSPORTS, CyclicSettings
from takt_cli.results.conditions import Load
from takt_cli.results.result_file import replace_origin
from takt_cli.results.sample_files import CYCLES, RESPONSES
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.run.cyclic import run_cyclic
from takt_cli.run.progress import Progress
from takt_cli.run.transports import make_variants
from takt_cli.spec.real_time import parse_real_times

SECOND = 10**9


def settings(*names: str, **more: Any) -> CyclicSettings:
    given = make_variants([TRANSPORTS[name] for name in names], ["rmw_fastrtps_cpp"], parse_real_times("all"))
    return CyclicSettings(variants=given, duration=more.pop("duration", 2 * SECOND), cpus=(allowed_cpus()[-1],), **more)


def measure(made: CyclicSettings) -> CyclicSummary:
    folder = Path("result")
    folder.mkdir()
    with Progress(made.parts, 0) as progress:
        run_cyclic(made, folder, ["takt"], progress)
    return cyclic_summary(read_cyclic(folder))


def test_delays_are_aligned_by_the_smallest(stand_ins: Path) -> None:
    summary = measure(settings("takt", "baseline0", "baseline1", "control", rounds=2))
    assert [name.partition(" ")[0] for name in summary.variants] == ["takt", "baseline0", "baseline1", "control"]
    figures = summary.variants["takt (rmw_fastrtps_cpp), rt"]
    cycle = figures.delays["cycle"]
    assert cycle.least_us == 3
    assert (cycle.aligned_us.min, cycle.aligned_us.max, cycle.aligned_us.n) == (0, 0.4, 4000)
    assert set(figures.delays) == set(DELAYS)
    # Nothing failed, but two seconds are too short for a slope.
    assert figures.verdict.outcome == TOO_SHORT
    assert cycle.within_bound == TOO_SHORT
    assert cycle.why is not None
    assert cycle.why in figures.verdict.why[1]
    # Under baseline1, the timestamps of the responder come from another process.
    apart = summary.variants["baseline1 (rmw_fastrtps_cpp), rt"].delays
    assert apart["request"].aligned_us.n == apart["response"].aligned_us.n == 4000
    delays = read_cyclic(Path("result")).delays("takt (rmw_fastrtps_cpp), rt", "request")
    assert [float(each.aligned.min()) for each in delays] == [0, 0]


def test_the_history_holds_all_messages_within_the_time_out(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    summary = measure(settings("control"))
    assert summary.qos.depth == 501
    started = [json.loads(line) for line in Path("log").read_text("utf-8").splitlines()]
    assert [each["args"]["--depth"] for each in started if each["name"] == "cyclic"] == ["501"]
    # The depth is the number of messages that can be in transit within the time-out; large messages have less, to
    # limit the memory.
    assert settings("control", period=10**7).depth == 51
    assert [settings("control", payload=size).depth for size in (0, 2**16, 2**21)] == [501, 16, 1]
    assert settings("control", depth=3).depth == 3


def test_a_guest_gets_no_verdict(stand_ins: Path) -> None:
    measure(settings("takt", "control", duration=30 * SECOND))
    become_virtual(Path("result"))
    (path,) = Path("result").rglob("control*.cycles.npy")
    np.save(path, np.load(path)[:0])
    summary = cyclic_summary(read_cyclic(Path("result")))
    taken, none = summary.variants.values()
    assert none.sent == 0
    for figures in (taken, none):
        assert figures.verdict.outcome == "inconclusive"
        assert "its time is virtual" in " ".join(figures.verdict.why)
        assert {each.within_bound for each in figures.delays.values()} == {None}
    assert taken.delays["cycle"].slope.slope is not None
    shown = io.StringIO()
    Console(file=shown, width=200).print(cyclic_report(summary)[0])
    assert "inside" not in shown.getvalue().replace("inside the process", "")
    assert "(virtual time)" in cyclic_charts(read_cyclic(Path("result")), summary)["cycle-over-time"].title


@pytest.mark.parametrize(("drift", "outcome"), [(0, "inside"), (50_000, TOO_SHORT), (10_000_000, "outside")])
def test_accumulation_is_reported(drift: int, outcome: str, stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_DRIFT", str(drift))
    (figures,) = measure(settings("takt", duration=30 * SECOND)).variants.values()
    assert figures.delays["cycle"].slope.slope == pytest.approx(drift / 1000, abs=0.2)
    assert figures.delays["cycle"].within_bound == outcome
    assert figures.delays["response on grid"].within_bound == outcome
    assert figures.verdict.outcome == {"inside": "pass", TOO_SHORT: "inconclusive"}.get(outcome, "fail")
    if outcome == TOO_SHORT:
        # The drift is less than a period, and there is no control.
        assert "no control beside it" in (figures.delays["cycle"].why or "")
        assert "measure longer" not in figures.verdict.why[1]


def test_growth_that_the_control_shows_is_caused_by_the_host(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_DRIFT", "50000")
    taken, control = measure(settings("takt", "control", duration=30 * SECOND)).variants.values()
    cycle = taken.delays["cycle"]
    assert cycle.slope.slope == pytest.approx(50, abs=0.2)
    assert cycle.within_bound == "inside"
    assert cycle.against_control is not None
    assert cycle.against_control.slope == pytest.approx(0, abs=0.1)
    assert "against the control in the same run" in (cycle.why or "")
    # The control itself has no control to be compared with.
    assert control.delays["cycle"].within_bound == TOO_SHORT
    assert control.verdict.outcome == "inconclusive"
    # Now the control keeps the grid.
    (path,) = Path("result").rglob("control*.cycles.npy")
    rows = np.load(path)
    drifted = np.arange(len(rows)) * 50_000 * (rows["ideal"][1] - rows["ideal"][0]) // (60 * 10**9)
    rows["start"] -= drifted
    np.save(path, rows)
    taken, control = cyclic_summary(read_cyclic(Path("result"))).variants.values()
    assert control.delays["cycle"].within_bound == "inside"
    assert taken.delays["cycle"].within_bound == "outside"
    assert taken.verdict.outcome == "fail"
    load = AchievedLoad(asked=Load({"cpu": 1}), by="stress-ng", settling=Settling(30.0, has_settled=False))
    replace_origin(Path("result"), conditions=Achieved(load=load))
    taken, _ = cyclic_summary(read_cyclic(Path("result"))).variants.values()
    assert taken.delays["cycle"].within_bound == TOO_SHORT
    assert taken.delays["cycle"].why == "the background load had not settled"


def test_responses_are_joined_by_cycle() -> None:
    cycles = np.array([(n, n * 10, n * 10 + 1, n * 10 + 2, 0, 0, n * 10 + 9) for n in range(1, 5)], CYCLES)
    responses = np.array([(4, 44, 45), (2, 24, 25), (9, 94, 95)], RESPONSES)
    joined = join_time_stamps(cycles, responses)
    assert joined["request_received"].tolist() == [0, 24, 0, 44]
    assert joined["response_sent"].tolist() == [0, 25, 0, 45]
    assert join_time_stamps(cycles, responses[:0])["response_sent"].tolist() == [0, 0, 0, 0]


def test_a_link_needs_two_processes_and_a_bandwidth(stand_ins: Path) -> None:
    with pytest.raises(UsageError, match="give baseline1"):
        measure(settings("baseline0", through="link"))
    Path("result").rmdir()
    with pytest.raises(UsageError, match="give --link 100"):
        measure(settings("baseline1", through="link"))


def test_the_verb_makes_plots_and_prints_figures(stand_ins: Path) -> None:
    result = CliRunner().invoke(cli, ["measure", "cyclic", "--duration", "2", "--rounds", "1", "--out", "c"])
    assert result.exit_code == 0, result.stderr
    for name in ("takt", "rmw_fastrtps_cpp", "control", "raw", "request on grid"):
        assert name in result.stdout
    assert {f"{which}-over-time.svg" for which in ("cycle", "request", "response")} <= {
        p.name for p in Path("c").iterdir()
    }
    for arguments, message in (
        (("--through", "link"), "go together"),
        (("--link", "100", "--executor", "baseline0"), "is not available with --through link"),
        (("--executor", "orocos"), "give some of takt"),
    ):
        wrong = CliRunner().invoke(cli, ["measure", "cyclic", *arguments])
        assert wrong.exit_code == 2
        assert message in wrong.stderr


def test_an_executor_that_is_missing_is_named_by_its_own_option(
    stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_LACKS", "cyclonedds")
    result = CliRunner().invoke(cli, ["measure", "cyclic", "--executor", "cyclonedds", "--out", "c"])
    assert result.exit_code == 1
    assert result.stderr == "takt: --executor cyclonedds: Cyclone DDS was not found\n"
    assert not Path("c").exists()
