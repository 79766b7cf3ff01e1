# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of an RMW that is chosen but that rcl cannot load: what is reported, and what is done about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from repository import ROOT
from run_results import read_json, run_envelope
from run_summaries import run_summary
from stand_ins import choose_no_middleware
from tuning_tree import write

from takt_cli.analysis.result_set import SetRun
from takt_cli.cli.main import cli
from takt_cli.doctor.finding import ExaminedHost, Severity
from takt_cli.doctor.middleware import middleware
from takt_cli.errors import HostError
from takt_cli.host import rmw_choice
from takt_cli.host.domain import private_domain
from takt_cli.host.middleware import SMALLEST_SEGMENT, Middleware, write_profile
from takt_cli.host.programs import find_program
from takt_cli.host.rmw import TESTED, installed_rmws
from takt_cli.host.rmw_choice import LOADER, preloaded_libraries, rmw_refusal, usable_environment
from takt_cli.host.system import System
from takt_cli.live.session import ros_session
from takt_cli.report.formatting import describe_middleware
from takt_cli.results.origin import MiddlewareFacts

BOUND = (
    "[ERROR] [1.5] [rcl]: Expected RMW implementation identifier of '{}' but instead found 'rmw_fastrtps_cpp', "
    "exiting with 102., at /src/rcl/rmw_implementation_identifier_check.c:154\n"
)
NOT_LOADED = (
    "[ERROR] [1.5] [rcl]: Error getting RMW implementation identifier / RMW implementation not installed (expected "
    "identifier of '{}'), with error message 'failed to load shared library 'lib{}.so' due to dlopen error: lib{}.so: "
    "cannot open shared object file: No such file or directory, at shared_library.c:99', exiting with 1.\n"
)

CYCLONE = "rmw_cyclonedds_cpp"
OTHER = {"RMW_IMPLEMENTATION": CYCLONE}


class Rcl:
    """A stand-in for the process that loads an rcl, bound to Fast DDS; through the loader it can also load `others`."""

    def __init__(self, *others: str) -> None:
        self.others = ("rmw_fastrtps_cpp", *others)
        self.asked = 0

    def __call__(self, *_: Any, env: Mapping[str, str], **__: Any) -> subprocess.CompletedProcess[str]:
        self.asked += 1
        rmw = env["RMW_IMPLEMENTATION"]
        loads = LOADER in preloaded_libraries(env)
        if rmw in (self.others if loads else self.others[:1]):
            return subprocess.CompletedProcess([], 0, "", "")
        said = NOT_LOADED.format(rmw, rmw, rmw) if loads else BOUND.format(rmw)
        return subprocess.CompletedProcess([], 1 if loads else 102, "", said)


@pytest.fixture(autouse=True)
def _nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    choose_no_middleware(monkeypatch)
    rmw_choice._refusal.cache_clear()
    yield
    rmw_choice._refusal.cache_clear()


def bound(patch: pytest.MonkeyPatch, *others: str) -> Rcl:
    rcl = Rcl(*others)
    patch.setattr("takt_cli.host.rmw_choice.subprocess.run", rcl)
    return rcl


def with_loader(prefix: Path) -> dict[str, str]:
    (prefix / "lib").mkdir(parents=True)
    (prefix / "lib" / LOADER).touch()
    return {"AMENT_PREFIX_PATH": f"/nowhere:{prefix}"}


def test_without_a_chosen_rmw_rcl_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rcl = bound(monkeypatch)
    assert usable_environment({"HOME": "/root"}) == {"HOME": "/root"}
    assert rmw_refusal({"RMW_IMPLEMENTATION": ""}) is None
    assert rcl.asked == 0


def test_an_rmw_that_rcl_accepts_leaves_the_environment_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    rcl = bound(monkeypatch)
    ours = {"RMW_IMPLEMENTATION": "rmw_fastrtps_cpp", "OTHER": "1"}
    assert usable_environment(ours) == ours
    assert usable_environment(ours | {"OTHER": "2"})["OTHER"] == "2"
    assert rcl.asked == 1  # variables that do not matter cause no second check


def test_the_loader_is_put_before_an_rcl_of_one_rmw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bound(monkeypatch, "rmw_cyclonedds_cpp")
    environment = OTHER | with_loader(tmp_path / "prefix") | {"LD_PRELOAD": "/lib/mine.so"}
    made = usable_environment(environment)
    assert made == environment | {"LD_PRELOAD": f"{tmp_path}/prefix/lib/{LOADER}:/lib/mine.so"}
    assert preloaded_libraries(made) == [LOADER, "mine.so"]
    # An environment that preloads the loader already stays as it is.
    assert usable_environment(made) == made
    refused = rmw_refusal(environment)
    assert refused is not None
    assert str(refused) == (
        "RMW_IMPLEMENTATION=rmw_cyclonedds_cpp: this rcl is bound to rmw_fastrtps_cpp; preload "
        f"librmw_implementation.so: export LD_PRELOAD={tmp_path}/prefix/lib/{LOADER}, or unset RMW_IMPLEMENTATION"
    )


def test_without_a_loader_the_error_says_where_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    bound(monkeypatch)
    with pytest.raises(HostError) as error:
        usable_environment(OTHER | {"AMENT_PREFIX_PATH": "/nowhere"})
    assert str(error.value) == (
        "RMW_IMPLEMENTATION=rmw_cyclonedds_cpp: this rcl is bound to rmw_fastrtps_cpp; use a ROS 2 with "
        "rmw_implementation (no prefix in AMENT_PREFIX_PATH has it), or unset RMW_IMPLEMENTATION"
    )


def test_an_rmw_that_the_loader_does_not_find_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bound(monkeypatch)
    with pytest.raises(HostError) as error:
        usable_environment({"RMW_IMPLEMENTATION": "rmw_no_cpp"} | with_loader(tmp_path))
    assert str(error.value) == (
        "RMW_IMPLEMENTATION=rmw_no_cpp: rcl cannot load it (librmw_no_cpp.so: cannot open shared object file: No such "
        "file or directory); install it, or unset RMW_IMPLEMENTATION"
    )


def test_the_installed_rcl_refuses_an_rmw_that_does_not_exist() -> None:
    refused = rmw_refusal(dict(os.environ) | {"RMW_IMPLEMENTATION": "rmw_nonsense_cpp"})
    if refused is None:
        pytest.skip("there is no rcl")
    assert refused.bound or "rmw_nonsense_cpp" in refused.message
    assert "\n" not in str(refused)


# ---- the command --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "app.yaml", "--executor", "takt"),
        ("demo", "--quick"),
        ("measure", "timers", "--callbacks", "2", "--period", "10ms", "--duration", "1"),
        ("soak", "--duration", "5"),
        ("measure", "exchange"),
        ("measure", "round-trip", "--transport", "fastdds"),
    ],
)
def test_no_program_is_started_if_rcl_cannot_load_the_rmw(
    arguments: tuple[str, ...], spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert spec.exists()
    monkeypatch.setattr("takt_cli.host.rmw_choice.subprocess.run", _but_for_rcl(Rcl()))
    monkeypatch.setattr("takt_cli.host.rmw.installed_rmws", lambda: ("rmw_fastrtps_cpp", "rmw_cyclonedds_cpp"))
    for name, value in (OTHER | {"AMENT_PREFIX_PATH": "/nowhere", "STAND_IN_LOG": "log"}).items():
        monkeypatch.setenv(name, value)
    result = CliRunner().invoke(cli, [*arguments, "--out", "out"])
    assert result.exit_code == 1
    assert result.stderr.startswith("takt: RMW_IMPLEMENTATION=rmw_cyclonedds_cpp: this rcl is bound to rmw_fastrtps")
    assert len(result.stderr.splitlines()) == 1
    # At most the listing of transports was run, which has no further arguments.
    log = Path("log")
    assert not any(json.loads(line)["args"] for line in (log.read_text("utf-8").splitlines() if log.exists() else []))
    assert not Path("out").exists()


def test_what_is_started_has_the_loader_and_the_result_says_so(
    spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("takt_cli.host.rmw_choice.subprocess.run", _but_for_rcl(Rcl("rmw_cyclonedds_cpp")))
    for name, value in (OTHER | with_loader(tmp_path / "ros") | {"STAND_IN_LOG": "log"}).items():
        monkeypatch.setenv(name, value)
    short = ["--duration", "0.5", "--warmup", "0", "--out", "out"]
    result = CliRunner().invoke(cli, ["run", str(spec), "--executor", "takt", *short])
    assert result.exit_code == 0, result.stderr
    started = [json.loads(line) for line in Path("log").read_text("utf-8").splitlines()]
    preload = {each["env"].get("LD_PRELOAD") for each in started if each["name"] == "runner"}
    assert preload == {f"{tmp_path}/ros/lib/{LOADER}"}
    assert read_json(Path("out"))["origin"]["middleware"]["preloaded"] == [LOADER]


def _but_for_rcl(rcl: Rcl) -> Any:
    run = subprocess.run

    def either(command: list[str], *arguments: Any, **keywords: Any) -> Any:
        return rcl(**keywords) if "librcl.so" in command else run(command, *arguments, **keywords)

    return either


def test_the_live_view_says_why_it_cannot_join_ros(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RMW_IMPLEMENTATION", "rmw_cyclonedds_cpp")
    bound(monkeypatch)
    with pytest.raises(HostError, match="this rcl is bound to rmw_fastrtps_cpp"), ros_session():
        pass


# ---- the doctor ---------------------------------------------------------------------------------------------


def test_the_doctor_says_what_lets_programs_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bound(monkeypatch, "rmw_cyclonedds_cpp")
    environment = OTHER | with_loader(tmp_path)
    found = middleware(ExaminedHost(System(), (0,), environment))[0]
    assert found.severity is Severity.unfit
    assert found.found == "rmw_cyclonedds_cpp, but this rcl is bound to rmw_fastrtps_cpp"
    assert "takt's own measurements, which preload it" in found.costs
    assert found.mend == f"export LD_PRELOAD={tmp_path}/lib/{LOADER}, or unset RMW_IMPLEMENTATION"
    helped = middleware(ExaminedHost(System(), (0,), usable_environment(environment)))[0]
    assert helped.severity is Severity.fit


def test_the_doctor_names_a_middleware_that_was_not_tested(tmp_path: Path) -> None:
    found = middleware(ExaminedHost(System(tmp_path), (0,), {"RMW_IMPLEMENTATION": "rmw_zenoh_cpp"}))[0]
    assert found.severity is Severity.note
    assert "never tried over rmw_zenoh_cpp" in found.found
    for name in TESTED:
        assert (
            middleware(ExaminedHost(System(tmp_path), (0,), {"RMW_IMPLEMENTATION": name}))[0].severity is Severity.fit
        )


@pytest.mark.parametrize(
    ("rmw", "whose"), [("rmw_fastrtps_cpp", "from other hosts"), (CYCLONE, "from other processes")]
)
def test_the_doctor_says_whose_messages_small_sockets_drop(rmw: str, whose: str, tmp_path: Path) -> None:
    write(tmp_path / "proc/sys/net/core/rmem_max", "212992\n")
    found = middleware(ExaminedHost(System(tmp_path), (0,), {"RMW_IMPLEMENTATION": rmw}))[-1]
    assert found.subject == "socket buffers"
    assert whose in found.costs


def test_python_and_cpp_list_the_same_tested_middlewares() -> None:
    header = ROOT / "src/takt_core/include/takt_core/tasks/middlewares.hpp"
    if not header.exists():
        pytest.skip("the sources of takt_core are elsewhere")
    line = header.read_text("utf-8").partition("tried_middlewares = {")[2].partition("}")[0]
    assert tuple(line.split('"')[1::2]) == TESTED


# ---- the middleware's settings ------------------------------------------------------------------------------


@pytest.mark.parametrize(("processes", "participants"), [(1, 5), (50, 54), (1000, 250)])
def test_cyclone_dds_has_as_much_room_as_fast_dds(
    processes: int, participants: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both middlewares are configured for the same number of participants on one host, and for buffers of the same
    size."""
    monkeypatch.delenv("RMW_IMPLEMENTATION", raising=False)
    monkeypatch.setenv("CYCLONEDDS_URI", "file:///mine.xml")
    profile, size = tmp_path / "fastdds.xml", 2 * SMALLEST_SEGMENT
    settings = Middleware(7, profile, size, tmp_path, processes)
    write_profile(profile, size, processes)
    assert f"<maxInitialPeersRange>{participants}</maxInitialPeersRange>" in profile.read_text("utf-8")
    configuration = ElementTree.fromstring(settings.environment()["CYCLONEDDS_URI"])
    assert configuration.findtext("Domain/Discovery/MaxAutoParticipantIndex") == str(participants)
    buffer = configuration.find("Domain/Internal/SocketReceiveBufferSize")
    assert buffer is not None
    assert buffer.attrib == {"max": f"{size}B"}
    facts = settings.facts()
    assert (facts.participants, facts.socket_receive_buffer) == (participants, size)
    assert facts.socket_receive_buffer_limit == int(Path("/proc/sys/net/core/rmem_max").read_text("ascii"))
    assert facts.cyclonedds_uri == settings.environment()["CYCLONEDDS_URI"]


def test_the_settings_of_a_middleware_are_described_in_words() -> None:
    facts = MiddlewareFacts(
        domain=0, discovery="", shared_memory_segment=1, publication_mode="SYNCHRONOUS", asynchronous_sender="",
        profile="", participants=1, socket_receive_buffer=2, socket_receive_buffer_limit=None, cyclonedds_uri="",
        preloaded=[],
    )  # fmt: skip

    def described(rmw: str, *preloaded: str) -> str:
        envelope = run_envelope({"rmw": rmw})
        origin = replace(envelope.origin, middleware=replace(facts, preloaded=list(preloaded)))
        return describe_middleware(SetRun(Path("x"), replace(envelope, origin=origin), "app", "takt", 1, run_summary()))

    text = described("rmw_fastrtps_cpp")
    assert text == "rmw_fastrtps_cpp; shared-memory segment 1 bytes for each participant; synchronous publication"
    text = described("rmw_cyclonedds_cpp", LOADER)
    assert text == f"rmw_cyclonedds_cpp; socket receive buffers of up to 2 bytes; preloaded: {LOADER}"


# ---- the real programs --------------------------------------------------------------------------------------


@pytest.mark.programs
def test_many_processes_find_each_other_over_each_rmw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are more processes than the middlewares allow by default, and messages larger than their default
    buffers."""
    try:
        find_program("runner")
    except HostError as error:
        pytest.skip(str(error))
    pairs = 6
    lines = ["name: many", "policy: rm", "qos: {reliability: best_effort, depth: 2}", "topics:"]
    lines += [f"  - {{name: t{n}, size: {'4MiB' if n == 0 else '1KiB'}}}" for n in range(pairs)]
    lines.append("nodes:")
    for n in range(pairs):
        for kind, does in (("p", "publishes"), ("s", "reads")):
            lines += [f"  - name: {kind}{n}", "    callbacks:"]
            lines.append(f"      - {{name: go, period: 200ms, wcet: 100us, {does}: [t{n}]}}")
    monkeypatch.chdir(tmp_path)
    Path("many.yaml").write_text("\n".join(lines), "utf-8")
    for rmw in installed_rmws():
        monkeypatch.setenv("RMW_IMPLEMENTATION", rmw)
        short = ["--duration", "1", "--warmup", "0.4", "--out", rmw, "--json"]
        result = CliRunner().invoke(cli, ["run", "many.yaml", "--executor", "baseline1", *short])
        assert result.exit_code == 0, result.stderr
        assert json.loads(result.stdout)["rmw"] == rmw
        processes = read_json(Path(rmw))["record"]["processes"]
        messages = [each for process in processes for each in process["messages"]]
        came = {each["topic"]: each["count"] for each in messages if each["role"] == "subscription"}
        assert len(came) == pairs
        assert all(came.values()), came


_SEGMENTS = """
import re, rclpy
rclpy.init()
node = rclpy.create_node("one")
maps = open("/proc/self/maps").read()
print(len(set(re.findall("/dev/shm/(?:fastrtps|fastdds)_[0-9a-f]{16}", maps))))
"""


@pytest.mark.programs
def test_fast_dds_has_the_transports_of_the_profile_and_no_others(tmp_path: Path) -> None:
    """rmw_fastrtps adds a second pair of transports to those of a profile if it is to confine discovery to the host;
    then everything that goes by UDP is sent twice, and the profile's number of participants is not the only one."""
    pytest.importorskip("rclpy")
    with private_domain() as domain:
        settings = Middleware(domain, tmp_path / "fastdds.xml", SMALLEST_SEGMENT, tmp_path, rmw="rmw_fastrtps_cpp")
        write_profile(settings.profile, SMALLEST_SEGMENT, 1)
        command = [sys.executable, "-c", _SEGMENTS]
        done = subprocess.run(command, env=settings.environment(), capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "1", done.stderr
