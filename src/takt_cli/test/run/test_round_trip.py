# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of round trips with stand-ins for the programs: the processes that are started, and the figures."""

from __future__ import annotations

import io
import json
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from msgspec import structs
from rich.console import Console

from takt_cli.analysis.round_trip import RoundTripSummary, read_round_trip, round_trip_summary
from takt_cli.analysis.trips import Count
from takt_cli.cli.main import cli
from takt_cli.errors import ResultError, UsageError
from takt_cli.host.cpus import allowed_cpus
from takt_cli.report.kinds.round_trip import round_trip_report
from takt_cli.results.achieved import Achieved
from takt_cli.results.communication import ROUND_TRIP_FORMAT, TRANSPORTS, RoundTripSettings
from takt_cli.results.conditions import Conditions, Load
from takt_cli.results.json_file import plain
from takt_cli.results.origin import RealtimeThread
from takt_cli.results.result_file import replace_origin
from takt_cli.run import interleaved
from takt_cli.run.progress import Progress
from takt_cli.run.round_trip import run_round_trip
from takt_cli.run.sides import parse_peer_placement
from takt_cli.run.transports import make_variants, transports_by_name
from takt_cli.spec.real_time import PARTS, Plan, RealTime, parse_plan, parse_real_times
from takt_cli.surroundings.settling import SAMPLE_INTERVAL
from takt_cli.surroundings.setup import RunningSurroundings

NAMES = tuple(name for name in TRANSPORTS if name != "control")
SECOND = 10**9


def settings(names: str = "takt,fastdds", rt: str = "all", **more: Any) -> RoundTripSettings:
    place = more.setdefault("server", parse_peer_placement("process"))
    chosen = transports_by_name([names], place.one_process, NAMES)
    given = make_variants(chosen, ["rmw_fastrtps_cpp"], parse_real_times(rt))
    return RoundTripSettings(variants=given, duration=SECOND, cpus=(allowed_cpus()[-1],), **more)


def measure(made: RoundTripSettings, name: str = "result") -> RoundTripSummary:
    folder = Path(name)
    folder.mkdir()
    with Progress(made.parts, 0) as progress:
        run_round_trip(made, folder, ["takt"], progress)
    return round_trip_summary(read_round_trip(folder))


def started(log: Path, program: str) -> list[dict[str, Any]]:
    return [each for each in map(json.loads, log.read_text("utf-8").splitlines()) if each["name"] == program]


def test_variants_take_turns_and_are_compared_with_raw_fast_dds(
    stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    summary = measure(settings("takt,baseline,fastdds,udp", rounds=6))
    figures = {name.partition(" ")[0]: each for name, each in summary.variants.items()}
    assert list(summary.variants) == [
        "takt (rmw_fastrtps_cpp), rt", "baseline1 (rmw_fastrtps_cpp), rt", "fastdds (raw), rt", "udp (raw), rt"
    ]  # fmt: skip
    assert plain(figures["takt"].ratio) == {
        "to": "fastdds (raw), rt", "median": pytest.approx(110.3 / 100.3), "low": pytest.approx(110.3 / 100.3),
        "high": pytest.approx(110.3 / 100.3), "rounds": 6, "over": "rounds", "too_short": False,
    }  # fmt: skip
    assert figures["fastdds"].ratio is None
    assert figures["takt"].sent == 600
    assert figures["takt"].round_trip_us.p50 == pytest.approx(110.3)
    assert figures["takt"].from_intended_us.min == pytest.approx(115)
    assert figures["takt"].verdict.outcome == "pass"
    assert figures["udp"].raw is True
    # Each client starts after its server, and every variant is the first one in one round.
    programs = started(Path("log"), "round_trip")
    sides = [(each["args"]["--transport"], each["args"]["--side"]) for each in programs]
    assert sides[:2] == [("takt", "server"), ("takt", "client")]
    assert sides[8][0] == "stock"
    assert len(started(Path("log"), "probe")) == 24
    one, other = programs[0]["args"], programs[1]["args"]
    assert (one["--here"], one["--there"]) == (other["--there"], other["--here"])


@pytest.mark.parametrize(("settles", "warmup"), [(2.3, 3), (0.2, 1)])
def test_the_warm_up_lasts_until_the_load_has_settled(
    settles: float, warmup: int, stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Loaded(RunningSurroundings):
        def steady(self, again: float = SAMPLE_INTERVAL) -> float:
            return settles

    monkeypatch.setattr(interleaved, "running_surroundings", lambda *_: nullcontext(Loaded()))
    monkeypatch.setenv("STAND_IN_LOG", "log")
    measure(settings("takt", conditions=Conditions(Load({"cpu": 1}))))
    assert {each["args"]["--warmup-ns"] for each in started(Path("log"), "round_trip")} == {str(warmup * SECOND)}
    envelope = ROUND_TRIP_FORMAT.read(Path("result"))
    # Results are compared by the requested warm-up, not by the actual one.
    assert (envelope.settings.warmup, envelope.record.warmed_up) == (SECOND, warmup * SECOND)


def test_each_real_time_setting_is_passed_to_the_program(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    summary = measure(settings("takt", rt="each", server=parse_peer_placement("same-node")))
    labels = [figures.real_time.label for figures in summary.variants.values()]
    assert labels == ["no rt", *PARTS, "rt"]
    options = [each["args"] for each in started(Path("log"), "round_trip")]
    cpu = str(allowed_cpus()[-1])
    with_options = ["--plan" in o and "--cpu" in o and "--history" in o and "--allocator" in o for o in options]
    assert with_options == [False] * 7 + [True]
    assert [each.get("--cpu") for each in options] == [None, None, None, cpu, None, None, None, cpu]
    # If the threads of a variant may use any CPU, all CPUs are observed.
    host = ROUND_TRIP_FORMAT.read(Path("result")).origin.host
    assert host is not None
    assert sorted(host.used_cpus) == allowed_cpus()


def test_a_history_that_cannot_be_allocated_is_reported(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The stand-ins use no middleware, so whether this ROS has both does not matter.
    monkeypatch.setattr("takt_cli.host.middleware.usable_environment", dict)
    rmws = ("rmw_fastrtps_cpp", "rmw_cyclonedds_cpp")
    chosen = transports_by_name(["takt,cyclonedds,udp"], False, NAMES)
    (some,), (none,) = parse_real_times("all"), parse_real_times("none")
    summary = measure(
        RoundTripSettings(
            variants=make_variants(chosen, rmws, [some, none]),
            duration=SECOND,
            cpus=(0,),
            server=parse_peer_placement("process"),
        )
    )
    lacking = {name: each.refused for name, each in summary.variants.items() if each.refused}
    assert lacking == {
        f"{name}, rt": [f"{below} cannot preallocate its history"]
        for name, below in (("takt (rmw_cyclonedds_cpp)", rmws[1]), ("cyclonedds (raw)", "cyclonedds"))
    }
    applied = {name: each.real_time.lacking for name, each in summary.variants.items()}
    assert {name: lines for name, lines in applied.items() if lines} == lacking
    shown = io.StringIO()
    Console(file=shown, width=300).print(*round_trip_report(summary), sep="\n")
    assert "not granted: takt (rmw_cyclonedds_cpp), rt: rmw_cyclonedds_cpp cannot preallocate" in shown.getvalue()


@pytest.mark.parametrize("limit", [212992, 1 << 20])
def test_a_socket_buffer_that_holds_no_message_is_reported(
    limit: int, stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("takt_cli.host.middleware.usable_environment", dict)
    monkeypatch.setattr("takt_cli.host.middleware.socket_receive_buffer_limit", lambda: limit)
    chosen = transports_by_name(["takt,cyclonedds"], False, NAMES)
    rmws = ("rmw_fastrtps_cpp", "rmw_cyclonedds_cpp")
    summary = measure(
        RoundTripSettings(
            variants=make_variants(chosen, rmws, parse_real_times("none")),
            duration=SECOND,
            cpus=(0,),
            server=parse_peer_placement("process"),
            payload=1 << 20,
        )
    )
    told = {name: each.refused for name, each in summary.variants.items() if each.refused}
    line = "socket receive buffers of 32MiB (the host allows 208KiB; `sysctl net.core.rmem_max=33554432`)"
    assert told == (
        {} if limit == 1 << 20 else {"takt (rmw_cyclonedds_cpp), no rt": [line], "cyclonedds (raw), no rt": [line]}
    )


def test_priorities_that_no_profile_sets_are_reported() -> None:
    chosen = transports_by_name(["takt,fastdds,cyclonedds,udp"], False, NAMES)
    rmws = ("rmw_fastrtps_cpp", "rmw_cyclonedds_cpp")
    lacking = {
        each.name: each.lacking
        for each in make_variants(chosen, rmws, parse_real_times("plan", priority_method="profile"))
        if each.lacking
    }
    assert lacking == {
        f"{name}, plan": [f"{below} reads no priorities from the profile: its threads are set by name"]
        for name, below in (("takt (rmw_cyclonedds_cpp)", rmws[1]), ("cyclonedds (raw)", "cyclonedds"))
    }
    assert not any(each.lacking for each in make_variants(chosen, rmws, parse_real_times("plan")))


def test_a_plan_is_recorded_as_the_threads_get_it() -> None:
    (given,), (inherited,) = parse_real_times("plan"), parse_real_times("plan", priority_method="inherit")
    assert plain(given.applied([]).plan) == {
        "priorities": {"timer": 49, "middleware": 48, "workers": 46},
        "by": "names",
    }
    # All threads inherit the priority of the main thread, except for the timer thread, which must be above it.
    assert plain(inherited.applied([]).plan) == {
        "priorities": {"timer": 47, "middleware": 46, "workers": 46}, "by": "inherit, then names",
    }  # fmt: skip
    assert [rt.applied([]).plan for rt in parse_real_times("lock") + parse_real_times("none")] == [None, None]


def test_losses_fail_and_a_damaged_result_is_reported(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOST", "2")
    summary = measure(settings("takt", server=parse_peer_placement("same-process")))
    (figures,) = summary.variants.values()
    assert figures.lost == Count(n=2, host=0, other=2, explained=0)
    assert figures.round_trip_us.infinite == 2
    assert figures.verdict.outcome == "fail"
    path = Path("result/result.json")
    content = json.loads(path.read_text("utf-8"))
    content["record"]["processes"] = {}
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(ResultError, match="damaged"):
        read_round_trip(Path("result"))
    del content["record"]["processes"]
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(ResultError, match="is not what takt writes"):
        read_round_trip(Path("result"))


def test_real_time_threads_of_other_programs_leave_the_verdict_open(stand_ins: Path) -> None:
    measure(settings("takt", server=parse_peer_placement("same-process")))
    host = ROUND_TRIP_FORMAT.read(Path("result")).origin.host
    assert host is not None
    other = RealtimeThread(pid=1, name="jackd", policy="FIFO", priority=70, cpu_ms=500.0)
    replace_origin(Path("result"), host=structs.replace(host, other_realtime=[other]))
    (figures,) = round_trip_summary(read_round_trip(Path("result"))).variants.values()
    assert figures.verdict.outcome == "inconclusive"
    assert "jackd (FIFO 70)" in figures.verdict.why[0]


def test_a_server_that_fails_fails_the_measurement(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_ROUND_TRIP", "fail")
    with pytest.raises(Exception, match=r"round_trip server of takt .*failed: round_trip: --cpu"):
        measure(settings("takt"))


def test_meaningless_options_of_round_trips_are_refused() -> None:
    with pytest.raises(UsageError, match="no setting 'fast'"):
        parse_real_times("lock,fast")
    with pytest.raises(UsageError, match="is of two processes"):
        transports_by_name(["baseline1"], True, NAMES)
    with pytest.raises(UsageError, match="not known"):
        transports_by_name(["carrier-pigeon"], True, NAMES)
    with pytest.raises(UsageError, match="'timer=99' is not a priority"):
        parse_plan("timer=99")
    with pytest.raises(UsageError, match="neither same-node"):
        parse_peer_placement("no such host")


def test_a_plan_reaches_the_middleware_in_one_of_three_ways() -> None:
    assert parse_plan("timer=80,workers=77") == Plan(80, 48, 77)
    plan = frozenset({"plan"})
    assert RealTime(plan).options(0, 1) == ["--plan", "timer=49,middleware=48,workers=46"]
    assert RealTime(plan, priority_method="inherit").options(0, 1) == ["--inherit", "46"]
    assert RealTime(plan, priority_method="profile").profile_priority == 48
    assert RealTime().profile_priority is None


def command(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["measure", *arguments])


def test_a_transport_that_is_not_installed_is_reported(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LACKS", "cyclonedds")
    result = command("round-trip", "--duration", "1", "--rounds", "1", "--rmw", "all", "--out", "all", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert "cyclonedds: Cyclone DDS was not found" in summary["absent"]
    # Each transport may occur several times, once for each installed RMW.
    transports_told = list(dict.fromkeys(each["transport"] for each in summary["variants"].values()))
    assert transports_told == ["takt", "baseline1", "fastdds", "udp"]
    assert {path.name for path in Path("all").iterdir()} >= {"result.json", "summary.json", "over-time.svg", "tail.svg"}
    assert ROUND_TRIP_FORMAT.read(Path("all")).origin.conditions == Achieved()
    asked = command("round-trip", "--transport", "cyclonedds", "--out", "one")
    assert asked.exit_code == 1
    assert "--transport cyclonedds: Cyclone DDS was not found" in asked.stderr
    assert not Path("one").exists()


def test_topics_beside_the_measurement_need_ros_nodes(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    refused = command("round-trip", "--beside", "2", "--transport", "takt", "udp", "--out", "no")
    assert (refused.exit_code, "udp has no ROS node" in refused.stderr) == (2, True)
    result = command("round-trip", "--beside", "2", "--duration", "1", "--rounds", "1", "--out", "d", "--json")
    assert result.exit_code == 0, result.stderr
    assert {each["raw"] for each in json.loads(result.stdout)["variants"].values()} == {False}
    sides = [(given["--side"], given.get("--beside")) for each in started(Path("log"), "round_trip")
             if "--side" in (given := each["args"])]  # fmt: skip
    assert sides == [("server", "2"), ("client", None)] * 2
    # The record says when it was measured.
    began = ROUND_TRIP_FORMAT.read(Path("d")).origin.began
    assert datetime.fromisoformat(began).tzinfo is not None


@pytest.mark.parametrize("line", ["SCHED_FIFO refused: ask your administrator", "policy fp runs as np-fp: alone"])
def test_a_table_lists_granted_and_refused_settings(
    line: str, stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_REFUSED", line)
    arguments = ("--transport", "takt", "fastdds", "--rt", "all", "--rt", "none", "--duration", "1", "--rounds", "1")
    result = command("round-trip", *arguments)
    assert result.exit_code == 0, result.stderr
    # In the table, and as the name of a verdict.
    assert result.stdout.count("no rt") == 4
    # The variants without real-time settings did not request it.
    message = f"not granted: takt (rmw_fastrtps_cpp), rt; fastdds (raw), rt: {line}"
    assert message in " ".join(result.stdout.split())
    assert "no load and no traffic" in result.stdout
    assert "1.10 (" in result.stdout


def test_options_that_contradict_each_other_are_refused(stand_ins: Path) -> None:
    for arguments, message in (
        (("--link", "100", "--server", "process"), "is not on the way"),
        (("--server", "link"), "give --link 100"),
        (("--rt", "all", "--no-rt"), "give one of them, not both"),
        (("--rt", "all", "--rt", "all"), "the same settings twice"),
        (("--cpu", "0,1,2"), "one for each"),
        (("--rmw", "rmw_of_mine"), "is not installed"),
    ):
        result = command("round-trip", "--duration", "1", *arguments)
        assert result.exit_code in (1, 2), arguments
        assert message in result.stderr


def test_a_profile_has_what_the_settings_ask_of_the_middleware(
    stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    chosen = make_variants(
        [TRANSPORTS["takt"]], ["rmw_fastrtps_cpp"], [RealTime(priority_method="profile"), RealTime(frozenset())]
    )
    same = parse_peer_placement("same-process")
    measure(RoundTripSettings(variants=chosen, duration=SECOND, cpus=(allowed_cpus()[-1],), server=same))
    asked, plain = (each["env"]["FASTDDS_DEFAULT_PROFILES_FILE"] for each in started(Path("log"), "round_trip"))
    text = Path("result", Path(asked).name).read_text("utf-8")
    assert text.count("<priority>48</priority>") == 3
    assert 'data_reader profile_name="/pong"' in text
    assert Path(plain).name == "fastdds.xml"
    assert 'profile_name="/p' not in Path("result/fastdds.xml").read_text("utf-8")
    for path in Path("result").glob("*.xml"):
        ElementTree.parse(path)


def test_a_server_started_by_the_user_serves_one_variant(stand_ins: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="serves a single variant"):
        measure(settings("takt,udp", server=parse_peer_placement("127.0.0.1")))
    summary = measure(settings("udp", server=parse_peer_placement("127.0.0.1")), "other")
    assert summary.server == "by hand 127.0.0.1"
    line = capfd.readouterr().err
    assert "on 127.0.0.1: takt measure serve" in line
    assert "--transport udp --payload 500 --period 10000000ns" in line
