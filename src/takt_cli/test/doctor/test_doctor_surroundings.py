# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of what ROS 2 depends on at a host, in the doctor and before the command starts programs: space in /dev/shm,
the loopback interface, the keys of ROS security."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from doctor_records import examine_record, this_hosts_record, write_common_files
from separate_process import enter_own_network, in_separate_process, own_shared_memory, run_takt
from tuning_tree import write

from takt_cli.doctor.finding import Finding, Severity
from takt_cli.doctor.middleware import DEMO_PROCESSES, DEMO_SEGMENT, shared_memory_room
from takt_cli.doctor.surroundings import loopback
from takt_cli.errors import HostError
from takt_cli.host.middleware import SMALLEST_SEGMENT
from takt_cli.host.segments import free_space, require_space, space_of_segments

FAST = "rmw_fastrtps_cpp"


# ---- room for shared memory ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("mebibytes", "severity"), [(64, Severity.warning), (384, Severity.fit)])
def test_room_for_shared_memory(mebibytes: int, severity: Severity) -> None:
    row = in_separate_process(own_shared_memory(mebibytes), lambda: shared_memory_room(this_hosts_record()))
    assert row.severity is severity
    assert row.found.startswith(f"{mebibytes} MiB of /dev/shm")
    assert ("docker run --shm-size=384m" in row.mend) == (severity is Severity.warning)


def test_too_little_shared_memory_is_refused_with_the_remedy(tmp_path: Path) -> None:
    space = free_space(tmp_path)
    assert space is not None
    assert space.free is not None
    count = space.free // space_of_segments(SMALLEST_SEGMENT, 1)
    require_space(SMALLEST_SEGMENT, count, [FAST], tmp_path)
    with pytest.raises(HostError, match=rf"{count + 1} processes with 4 MiB .*docker run --shm-size="):
        require_space(SMALLEST_SEGMENT, count + 1, [FAST], tmp_path)
    # Other middlewares need no room in shared memory, nor does a measurement without processes on this host.
    require_space(SMALLEST_SEGMENT, count + 1, ["rmw_cyclonedds_cpp"], tmp_path)
    require_space(SMALLEST_SEGMENT, 0, [FAST], tmp_path)
    with pytest.raises(HostError, match="does not exist"):
        require_space(SMALLEST_SEGMENT, 1, [FAST], tmp_path / "none")


_TAKES = """
import sys
from pathlib import Path
from takt_cli.host.middleware import SMALLEST_SEGMENT, write_profile
from takt_cli.host.segments import free_space, space_of_segments
import os, rclpy
profile = Path(sys.argv[1])
write_profile(profile, SMALLEST_SEGMENT, 1)
os.environ |= {"FASTRTPS_DEFAULT_PROFILES_FILE": str(profile), "FASTDDS_DEFAULT_PROFILES_FILE": str(profile)}
before = free_space().free
rclpy.init(args=[])
node = rclpy.create_node("x")
print(before - free_space().free, space_of_segments(SMALLEST_SEGMENT, 1), flush=True)
os._exit(0)
"""


@pytest.mark.exchange
def test_a_process_takes_as_much_shared_memory_as_estimated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rclpy")
    monkeypatch.delenv("RMW_IMPLEMENTATION", raising=False)
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    for name, value in {"ROS_DOMAIN_ID": "99", "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}.items():
        monkeypatch.setenv(name, value)
    measure = [sys.executable, "-c", _TAKES, str(tmp_path / "profile.xml")]
    text = in_separate_process(
        own_shared_memory(64), lambda: subprocess.run(measure, capture_output=True, text=True, check=True).stdout
    )
    took, thought = map(int, text.split())
    # All processes together have one more file, of 52 KiB.
    assert SMALLEST_SEGMENT < took <= thought + 64 * 1024


def test_a_run_without_room_is_refused_before_it_starts(spec: Path) -> None:
    run = ("run", str(spec), "--executor", "baseline1", "--duration", "1", "--out", "result")
    done = in_separate_process(own_shared_memory(4), lambda: run_takt(*run))
    assert done.status == 1
    assert done.stderr.startswith("takt: /dev/shm has 4 MiB left, but 2 processes with 4 MiB")
    assert "docker run --shm-size=" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not Path("result").exists()


def test_a_demo_is_refused_before_its_first_part(stand_ins: Path) -> None:
    done = in_separate_process(own_shared_memory(64), lambda: run_takt("demo", "--quick"))
    assert done.status == 1
    # The doctor requires the same size.
    assert f"{DEMO_PROCESSES} processes with {DEMO_SEGMENT // 2**20} MiB" in done.stderr


# ---- the loopback interface ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("flags", "severity"), [("0x8", Severity.unfit), ("0x9", Severity.fit)])
def test_loopback_of_a_record(flags: str, severity: Severity, tmp_path: Path) -> None:
    write_common_files(tmp_path, 99, "unlimited")
    write(tmp_path / "sys/class/net/lo/flags", f"{flags}\n")
    assert examine_record(tmp_path, 0)["loopback"].severity is severity


def test_the_remedy_brings_loopback_up_in_a_new_network_namespace() -> None:
    def before_and_after() -> tuple[Finding | None, Finding | None]:
        before = loopback(this_hosts_record())
        assert before is not None
        subprocess.run(before.mend.split(), check=True)
        return before, loopback(this_hosts_record())

    before, after = in_separate_process(enter_own_network, before_and_after)
    assert (before.severity, after.severity) == (Severity.unfit, Severity.fit)


def test_a_run_of_several_processes_without_loopback_is_refused(spec: Path) -> None:
    done = in_separate_process(
        enter_own_network, lambda: run_takt("run", str(spec), "--executor", "baseline1", "--duration", "1")
    )
    assert done.status == 1
    assert done.stderr.endswith("ip link set lo up\n")
    # A run of a single process does not need the loopback interface.
    assert (
        in_separate_process(
            enter_own_network, lambda: run_takt("run", str(spec), "--executor", "takt", "--duration", "1")
        ).status
        == 0
    )


@pytest.mark.exchange
def test_inspect_names_the_missing_loopback_as_the_cause() -> None:
    pytest.importorskip("takt_msgs")
    done = in_separate_process(enter_own_network, lambda: run_takt("inspect", "--wait", "0.1"))
    assert done.status == 1
    assert done.stderr.endswith("the loopback interface is down; ip link set lo up\n")


# ---- ROS security -------------------------------------------------------------------------------------------

ON, ENFORCED = {"ROS_SECURITY_ENABLE": "true"}, {"ROS_SECURITY_ENABLE": "true", "ROS_SECURITY_STRATEGY": "Enforce"}
KEYS = ("identity_ca.cert.pem", "cert.pem", "key.p11", "permissions_ca.cert.pem", "governance.p7s", "permissions.p7s")


def keystore(root: Path, enclave: str) -> dict[str, str]:
    """Make a keystore with the keys of an enclave, and return the environment that names it."""
    for key in KEYS:
        write(root / "keys/enclaves" / enclave / key, "a key")
    return {"ROS_SECURITY_KEYSTORE": "/keys"}


def security(root: Path, environment: dict[str, str]) -> Finding:
    write_common_files(root, 99, "unlimited")
    return examine_record(root, 0, environment)["ROS security"]


def test_security_that_is_not_asked_for_or_has_its_keys(tmp_path: Path) -> None:
    assert security(tmp_path, {}).severity is Severity.fit
    assert security(tmp_path, {"ROS_SECURITY_ENABLE": "false"}).severity is Severity.fit
    assert security(tmp_path, ENFORCED | keystore(tmp_path, "arm/left")).severity is Severity.unfit
    override = {"ROS_SECURITY_ENCLAVE_OVERRIDE": "/arm/left"}
    assert security(tmp_path, ENFORCED | override | keystore(tmp_path, "arm/left")).severity is Severity.fit
    assert security(tmp_path, ENFORCED | keystore(tmp_path, "")).severity is Severity.fit


@pytest.mark.parametrize("strategy", ["Enforce", "Permissive", None])
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "ROS_SECURITY_KEYSTORE is not set"),
        ({"ROS_SECURITY_KEYSTORE": "/nowhere"}, "/nowhere is not a folder"),
        (
            {"ROS_SECURITY_KEYSTORE": "/keys", "ROS_SECURITY_ENCLAVE_OVERRIDE": "/other"},
            "the keystore /keys has no enclave /other",
        ),
        ({"ROS_SECURITY_KEYSTORE": "/keys"}, "the enclave / of the keystore /keys has no cert.pem"),
    ],
)
def test_security_without_keys(strategy: str | None, more: dict[str, str], words: str, tmp_path: Path) -> None:
    keystore(tmp_path, "")
    (tmp_path / "keys/enclaves/cert.pem").unlink()
    asked = ON if strategy is None else ON | {"ROS_SECURITY_STRATEGY": strategy}
    row = security(tmp_path, asked | more)
    assert row.severity is (Severity.unfit if strategy == "Enforce" else Severity.warning)
    assert words in row.found
    assert "unset ROS_SECURITY_ENABLE" in row.mend


def test_values_that_ros_security_does_not_accept_are_warned_about(tmp_path: Path) -> None:
    for environment, mend in (
        ({"ROS_SECURITY_ENABLE": "True"}, "export ROS_SECURITY_ENABLE=true"),
        (ON | {"ROS_SECURITY_STRATEGY": "enforce"} | keystore(tmp_path, ""), "export ROS_SECURITY_STRATEGY=Enforce"),
    ):
        row = security(tmp_path, environment)
        assert row.severity is Severity.warning
        assert row.mend == mend


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("ROS_SECURITY_KEYSTORE", "ROS_SECURITY_ENCLAVE_OVERRIDE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ENFORCED.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.mark.parametrize("strategy", ["Enforce", "Permissive"])
def test_missing_keys_are_reported_before_programs_are_started(
    strategy: str, spec: Path, no_keys: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    no_keys.setenv("ROS_SECURITY_STRATEGY", strategy)
    done = run_takt("run", str(spec), "--executor", "takt", "--duration", "1", "--out", "result")
    assert done.stderr.startswith("takt: ROS security: ROS_SECURITY_KEYSTORE is not set")
    assert done.stderr.count("ROS security") == 1
    assert (done.status, Path("result").exists()) == ((1, False) if strategy == "Enforce" else (0, True))


def test_inspect_reports_missing_keys(no_keys: pytest.MonkeyPatch) -> None:
    done = run_takt("inspect", "--wait", "0.1")
    assert done.status == 1
    assert done.stderr.startswith("takt: ROS security: ROS_SECURITY_KEYSTORE is not set: no program would start;")
