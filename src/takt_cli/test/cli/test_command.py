# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the command with stand-ins for the C++ programs: the processes it starts, its files, output and messages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result
from run_results import change_result
from spec_samples import GOOD

from takt_cli.cli.main import cli
from takt_cli.cli.verbs import VERBS
from takt_cli.errors import RunTimeout
from takt_cli.host.cpus import allowed_cpus
from takt_cli.results.folder import default_folder
from takt_cli.results.json_file import plain
from takt_cli.results.run import RUN_FORMAT
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.run.experiment import run_experiment
from takt_cli.run.limits import Limits
from takt_cli.run.settings import node_priorities
from takt_cli.spec.load import parse_spec


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def error_of(result: Result, status: int) -> str:
    """Return the single line of a failed command on standard error, and assert that it printed nothing else."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("takt: ")
    return lines[0]


def started(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def verbs(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(command, click.Group):
        return [path]
    context = click.Context(command)
    inner = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [path] + [found for name, each in inner if each for found in verbs(each, (*path, name))]


def test_verbs_are_called_as_the_list_says() -> None:
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in VERBS}
    assert {name: command.name for name, command in commands.items() if command} == {name: name for name in VERBS}


def test_inspect_and_top_import_no_numeric_libraries() -> None:
    code = "import sys; from takt_cli.cli import main, top, inspect; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"takt_cli.cli.top", "rich"} <= set(loaded)
    assert not {"matplotlib", "numpy", "scipy", "takt_cli.cli.run"} & set(loaded)


@pytest.mark.parametrize("path", verbs(cli))
def test_every_verb_has_help_with_an_example(path: tuple[str, ...]) -> None:
    result = takt(*path, "--help")
    assert result.exit_code == 0
    assert re.search(r"Examples?:\n  +takt ", result.stdout)


# ---- run ----------------------------------------------------------------------------------------------------

FILES = {"spec.yaml", "resolved.json", "result.json", "summary.json", "fastdds.xml", "programs"}
FILES |= {f"{name}.npy" for name in ("jobs", "reads", "publishes", "stalls", "replay")}


@pytest.mark.parametrize("executor", ["takt", "baseline0", "baseline1"])
def test_run_leaves_a_whole_result(executor: str, spec: Path) -> None:
    result = takt("run", str(spec), "--executor", executor, "--duration", "1", "--out", "out", "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    summary = json.loads(result.stdout)
    totals = summary["totals"]
    assert (totals["jobs"], totals["deadline_misses"], totals["stale"]) == (150, 0, 0)
    ratios = {"jobs": 150, "per_job": 9.0, "executor": 4.0, "middleware": 3.0, "other": 2.0}
    sure = {"p50_95": [2.5, 2.5], "p90_95": [2.5, 2.5], "p99_95": TOO_SHORT}
    assert totals["dispatch_us"] == ratios | {"n": 150, "p50": 2.5, "p90": 2.5, "p99": 2.5, "max": 2.5} | sure
    assert totals["preemptions"] == {"total": 0, "jobs": 0, "max": 0}
    assert sum(totals["cpu_by_class_s"].values()) == pytest.approx(totals["cpu_s"])
    assert [node["executions"] for node in summary["nodes"]] == [100, 50]
    assert summary["measuring"]["ns_per_call"]["p50"] == 120
    sure = {"p50_95": [0.12, 0.12], "p90_95": [0.12, 0.12], "p99_95": TOO_SHORT}
    assert totals["decision_us"] == {"n": 150, "p50": 0.12, "p90": 0.12, "p99": 0.12, "max": 0.12} | sure
    assert summary["verdict"]["outcome"] == "pass"
    assert summary["folder"] == "out"
    assert {p.name for p in Path("out").iterdir()} == FILES
    envelope = RUN_FORMAT.read(Path("out"))
    assert envelope.origin.middleware is not None
    assert envelope.origin.middleware.shared_memory_segment >= 4 * 2**20
    assert len(envelope.record.processes) == (2 if executor == "baseline1" else 1)
    assert len(list(Path("out/programs").iterdir())) == len(envelope.record.processes) + 1
    assert summary["host"] == plain(envelope.origin.host)
    assert summary["host"]["kernel"]
    assert Path("out/spec.yaml").read_text("utf-8") == GOOD


def test_run_starts_its_processes_as_agreed(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    for name in ("ROS_LOG_DIR", "RMW_IMPLEMENTATION"):
        monkeypatch.delenv(name, raising=False)
    assert takt("run", str(spec), "--executor", "baseline1", "--duration", "0.5", "--warmup", "100ms").exit_code == 0
    probe, *rest = started(Path("log"))
    runners = [entry for entry in rest if entry["name"] == "runner"]
    assert probe["name"] == "probe"
    cpu = str(allowed_cpus()[-1])
    assert {entry["args"]["--cpu"] for entry in (probe, *runners)} == {cpu}
    assert sorted((e["args"]["--node"], e["args"]["--os-priority"]) for e in runners) == [("0", "46"), ("1", "45")]
    for entry in runners:
        args, env = entry["args"], entry["env"]
        assert (args["--executor"], args["--processes"], args["--policy"]) == ("stock", "2", "fp")
        assert (args["--duration-ns"], args["--warmup-ns"]) == ("500000000", "100000000")
        assert Path(env["ROS_LOG_DIR"]) == Path(args["--out"])  # not in a home that may be read-only
        assert env["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "SYSTEM_DEFAULT"  # the profile confines it to this host
        assert 1 <= int(env["ROS_DOMAIN_ID"]) <= 101
        assert env["FASTRTPS_DEFAULT_PROFILES_FILE"] == env["FASTDDS_DEFAULT_PROFILES_FILE"]
        assert entry["affinity"] == allowed_cpus()
    assert len({e["args"]["--barrier"] for e in runners}) == 1
    assert not Path(runners[0]["args"]["--barrier"]).exists()
    folders = list(Path("results").iterdir())
    assert [re.sub(r"[\d-]{17}", "", f.name) for f in folders] == ["-run-three-baseline1"]


def test_run_takes_several_cpus(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    cpus = allowed_cpus()[:2]
    if len(cpus) < 2:
        pytest.skip("this process may use one CPU")
    both = ",".join(map(str, cpus))
    run = ("run", str(spec), "--duration", "1", "--cpu", both)
    result = takt(*run, "--executor", "takt", "--out", "out", "--json")
    assert result.exit_code == 0, result.stderr
    *probes, runner, simulate = started(Path("log"))
    assert [(probe["name"], probe["args"]["--cpu"]) for probe in probes] == [("probe", str(cpu)) for cpu in cpus]
    assert (runner["args"]["--cpu"], simulate["args"]["--cpu"]) == (both, both)
    assert (simulate["args"]["--processors"], simulate["args"]["--placement"]) == ("2", "0,1")
    summary = json.loads(result.stdout)
    assert [(p["cpu"], p["tasks"], p["jobs"]) for p in summary["processors"]] == [
        (cpus[0], ["lidar/grab"], 100),
        (cpus[1], ["planner/plan"], 50),
    ]
    assert [task["cpu"] for task in summary["tasks"]] == cpus
    shown = takt(*run, "--executor", "takt")
    assert "longest wait" in " ".join(shown.stdout.split())
    for wrong in ("0,0", "0,", "x", "0;1"):
        assert "--cpu" in error_of(takt("run", str(spec), "--executor", "takt", "--cpu", wrong), 2)


def test_a_baseline_on_several_cpus_is_on_any_of_them(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_LOG", "log")
    cpus = allowed_cpus()[:2]
    if len(cpus) < 2:
        pytest.skip("this process may use one CPU")
    both = ",".join(map(str, cpus))
    result = takt("run", str(spec), "--duration", "1", "--cpu", both, "--executor", "baseline1", "--json")
    assert result.exit_code == 0, result.stderr
    *probes, first, second, simulate = started(Path("log"))
    assert [probe["args"]["--cpu"] for probe in probes] == list(map(str, cpus))
    assert [each["args"]["--cpu"] for each in (first, second, simulate)] == [both, both, both]
    # The replay partitions the tasks over two processors, as takt would.
    assert (simulate["args"]["--processors"], "--placement" in simulate["args"]) == ("2", False)
    summary = json.loads(result.stdout)
    (place,) = summary["processors"]
    assert (place["cpu"], place["cpus"], place["tasks"]) == (None, cpus, ["lidar/grab", "planner/plan"])
    assert [task["cpu"] for task in summary["tasks"]] == [None, None]


def test_a_spec_that_names_processors_needs_as_many(spec: Path) -> None:
    spec.write_text(GOOD.replace("group: reentrant", "group: reentrant\n    processor: 1"), "utf-8")
    assert "places callbacks on processor 1" in error_of(takt("run", str(spec), "--executor", "takt"), 2)
    assert takt("run", str(spec), "--executor", "baseline0", "--duration", "1").exit_code == 0
    three = spec.with_name("three.yaml")
    three.write_text(spec.read_text("utf-8").replace("processor: 1", "processor: 2"), "utf-8")
    if len(allowed_cpus()) > 1:
        both = ",".join(map(str, allowed_cpus()[:2]))
        assert "give 3 CPUs" in error_of(takt("run", str(three), "--executor", "baseline0", "--cpu", both), 2)
    assert "places callbacks on 2" in error_of(takt("simulate", str(spec), "--processors", "1"), 2)
    summary = json.loads(takt("simulate", str(spec), "--json").stdout)
    assert [task["processor"] for task in summary["tasks"]] == [0, 1]
    assert [p["processor"] for p in summary["processors"]] == [0, 1]
    assert "processor 1: utilisation" in takt("simulate", str(spec)).stdout


def test_run_shows_what_was_not_granted(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_REFUSED", "FIFO 46 for takt.w1: not permitted; raise RLIMIT_RTPRIO")
    result = takt("run", str(spec), "--executor", "takt", "--duration", "1")
    assert "not granted: FIFO 46 for takt.w1" in result.stdout
    assert "pass: the executor caused no miss" in result.stdout
    assert "priorities: executor 46, middleware 48; all on CPU" in result.stdout


def test_json_says_what_was_not_granted(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = "FIFO 46 for takt.w1: not permitted; raise RLIMIT_RTPRIO"
    monkeypatch.setenv("STAND_IN_REFUSED", refusal)
    result = takt("run", str(spec), "--executor", "takt", "--duration", "1", "--json")
    summary = json.loads(result.stdout)
    assert (summary["policy"], summary["policy_in_use"], summary["refused"]) == ("fp", "fp", [refusal])
    assert result.stderr == f"takt: takt ran without some of the rights it asked for. Not granted: {refusal}\n"
    result = takt("demo", "--quick", "--json")
    for figures in json.loads(result.stdout)["executors"].values():
        assert (figures["policy_in_use"], figures["refused"]) == ("rm", [refusal])
    assert len(result.stderr.splitlines()) == 1


def test_a_heading_tells_whose_policy_it_is(spec: Path) -> None:
    arguments = ("run", str(spec), "--duration", "1", "--policy", "edf", "--executor")
    assert "three under baseline0 (replayed as edf), 1 s" in takt(*arguments, "baseline0").stdout
    assert "three under takt (edf), 1 s" in takt(*arguments, "takt").stdout


def test_a_utilisation_above_one_is_reported(spec: Path) -> None:
    spec.write_text(GOOD.replace("wcet: 1ms", "wcet: 9.9ms"), "utf-8")
    warning = "takt: utilisation 1.009: more than one CPU has; jobs will be late or skipped\n"
    assert takt("simulate", str(spec)).stderr == warning
    assert takt("run", str(spec), "--executor", "takt", "--duration", "1", "--json").stderr == warning


@pytest.mark.parametrize("path", [(), ("measure",)])
def test_no_command_shows_the_help_as_it_is(path: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "takt_cli", *path]
    bare = subprocess.run(command, capture_output=True, text=True, check=False)
    asked = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    assert bare.stdout + bare.stderr == asked.stdout


def test_a_standard_output_that_is_full_is_reported() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "takt_cli", "--help"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("takt: standard output: No space left on device; send it elsewhere")


def test_run_finds_stale_executions(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_STALE", "1")
    result = takt("run", str(spec), "--executor", "takt", "--duration", "1", "--json")
    summary = json.loads(result.stdout)
    assert summary["totals"]["stale"] == 50
    assert summary["verdict"] == {"outcome": "fail", "why": ["50 of 50 reading jobs ran on old data"]}


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("fail", "runner takt failed: runner: --cpu: CPU 77 does not exist"),
        ("mute", "runner takt failed: it ended with status 3 and reported nothing"),
        ("crash", "runner takt failed: it was ended by SIGSEGV"),
    ],
)
def test_a_failing_program_is_reported_and_leaves_nothing(
    mode: str, expected: str, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_RUNNER", mode)
    line = error_of(takt("run", str(spec), "--executor", "takt", "--out", "deep/er/out"), 1)
    assert expected in line
    assert {p.name for p in Path().iterdir()} == {"app.yaml"}


def test_a_failing_stall_probe_is_reported(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_PROBE", "fail")
    assert "probe failed: probe: --cpu" in error_of(takt("run", str(spec), "--executor", "takt"), 1)
    assert {p.name for p in Path().iterdir()} == {"app.yaml"}


def test_bad_command_lines_give_one_line(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ("run", str(spec), "--executor", "takt")
    assert "no such file" in error_of(takt("run", "missing.yaml", "--executor", "takt"), 2)
    assert "has no CPU 4711; give one of" in error_of(takt(*run, "--cpu", "4711"), 1)
    assert "'baseline2' is not one of" in error_of(takt("run", str(spec), "--executor", "baseline2"), 2)
    assert "--executor" in error_of(takt("run", str(spec)), 2)
    assert "is not above 0" in error_of(takt(*run, "--duration", "0"), 2)
    assert "is negative" in error_of(takt(*run, "--duration", "-3"), 2)
    assert "is not a duration" in error_of(takt(*run, "--duration", "long"), 2)
    assert "--polcy" in error_of(takt(*run, "--polcy", "rm"), 2)
    assert "No such command" in error_of(takt("rum"), 2)
    assert not Path("results").exists()
    monkeypatch.setenv("TAKT_PREFIX", "/nowhere")
    assert "'probe' of takt_lab is not installed" in error_of(takt(*run), 1)
    assert not Path("results").exists()


def test_a_bad_spec_gives_its_line(stand_ins: Path) -> None:
    (stand_ins / "bad.yaml").write_text(GOOD.replace("dead", "ded"), "utf-8")
    line = error_of(takt("simulate", "bad.yaml"), 2)
    assert line == "takt: bad.yaml:17: nodes[1].callbacks[0].dedline: unknown key; did you mean 'deadline'?"


def test_impossible_result_folders_are_refused(spec: Path) -> None:
    run = ("run", str(spec), "--executor", "takt", "--out")
    Path("full").mkdir()
    Path("full/x").touch()
    Path("file").touch()
    assert "full: already exists and is not empty; name another" in error_of(takt(*run, "full"), 1)
    assert "file: is a file; name a folder" in error_of(takt(*run, "file"), 1)
    assert "file/x: cannot be written: Not a directory" in error_of(takt(*run, "file/x"), 1)
    assert "/proc/x: cannot be written" in error_of(takt(*run, "/proc/x"), 1)
    assert {p.name for p in Path().iterdir()} == {"app.yaml", "full", "file"}
    Path("empty").mkdir()
    assert takt(*run, "empty", "--duration", "1").exit_code == 0


def test_any_name_makes_a_folder() -> None:
    assert default_folder("run", "../a b/\n\u00e9").name.endswith("-run-..-a-b-")
    assert default_folder("run", "x" * 300).parent == Path("results")


def test_runs_of_one_second_lie_beside_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    places = []
    for _ in range(50):
        places.append(default_folder("run", "x"))
        places[-1].mkdir(parents=True)
    assert len(set(places)) == 50


def test_priorities_follow_the_policy() -> None:
    text = GOOD.replace("policy: fp", "policy: rm")
    assert node_priorities(parse_spec(text.encode(), "a")) == [46, 45]
    assert node_priorities(parse_spec(text.replace("10ms", "20ms").encode(), "a")) == [46, 46]
    assert node_priorities(parse_spec(GOOD.replace("priority: 90", "priority: 70").encode(), "a")) == [45, 46]
    assert node_priorities(parse_spec(text.encode(), "a", "fifo")) == [46, 46]
    many = "nodes:\n" + "".join(
        f"  - {{name: n{i}, callbacks: [{{name: c, period: {i + 1}ms, wcet: 1us}}]}}\n" for i in range(90)
    )
    ranked = node_priorities(parse_spec(many.encode(), "a"))
    assert ranked == sorted(ranked, reverse=True)
    assert (ranked[0], ranked[-1]) == (46, 2)


# ---- simulate -----------------------------------------------------------------------------------------------


def test_simulate_keeps_samples_and_a_timeline(spec: Path) -> None:
    result = takt("simulate", str(spec), "--policy", "edf", "--out", "sim", "--json")
    summary = json.loads(result.stdout)
    assert (summary["policy"], summary["jobs"], summary["deadline_misses"]) == ("edf", 7, 0)
    assert summary["hyperperiod_ms"] == 20
    assert {p.name for p in Path("sim").iterdir()} == {
        "jobs.npy", "resolved.json", "slices.npy", "spec.yaml", "summary.json", "timeline.svg"
    }  # fmt: skip
    assert Path("sim/timeline.svg").read_text("utf-8").startswith("<svg")


def test_simulate_replays_a_run(spec: Path) -> None:
    assert takt("run", str(spec), "--executor", "takt", "--duration", "1", "--out", "run").exit_code == 0
    jobs = np.load("run/jobs.npy")
    late = (jobs["task"] == 0) & (jobs["index"] == 120)
    jobs["finish"][late] = jobs["release"][late] + 11_000_000
    np.save("run/jobs.npy", jobs)
    summary = json.loads(takt("simulate", str(spec), "--replay", "run", "--json").stdout)
    assert summary["deadline_misses"] == 0
    assert summary["replay_of"]["deadline_misses"] == 1
    assert summary["replay_of"]["unforced_misses"] == 1
    own = {"deadline_misses": 1, "host_misses": 0, "unforced_misses": 1, "unforced_skipped": 0}
    assert summary["tasks"][0]["run"].items() >= own.items()
    words = " ".join(takt("simulate", str(spec), "--replay", "run").stdout.split())
    assert "1 are on time in the replay (unforced)" in words


def test_simulate_refuses_what_does_not_fit(spec: Path) -> None:
    assert takt("run", str(spec), "--executor", "takt", "--duration", "1", "--out", "run").exit_code == 0
    Path("other.yaml").write_text(GOOD.replace("375us", "376us"), "utf-8")
    assert "is not the spec of the run in run" in error_of(takt("simulate", "other.yaml", "--replay", "run"), 2)
    assert "holds no result" in error_of(takt("simulate", str(spec), "--replay", "nothing"), 1)
    assert "--duration" in error_of(takt("simulate", str(spec), "--replay", "run", "--duration", "1"), 2)
    for wrong, status, words in (
        (str(spec), 1, "name the folder of a result"),
        ("", 2, "the folder of a finished run"),
    ):
        assert error_of(takt("simulate", str(spec), "--replay", wrong), status).endswith(words)
    Path("run/jobs.npy").write_bytes(b"\x93NUMPY garbage")
    assert "not a readable .npy file" in error_of(takt("simulate", str(spec), "--replay", "run"), 1)
    change_result(Path("run"), lambda result: result.update(schema_version=1))
    assert "this takt reads version" in error_of(takt("simulate", str(spec), "--replay", "run"), 1)


# ---- demo ---------------------------------------------------------------------------------------------------


def test_demo_compares_three_executors(stand_ins: Path) -> None:
    result = takt("demo", "--quick", "--out", "demo", "--json")
    assert result.exit_code == 0, result.stderr
    demo = json.loads(result.stdout)
    assert demo["rmw"] == "rmw_fastrtps_cpp"
    assert set(demo["executors"]) == {"takt", "baseline0", "baseline1"}
    for figures in demo["executors"].values():
        assert figures["jobs"] == 7200
        for name in ("deadline_misses", "unforced_misses", "host_misses", "skipped", "stale"):
            assert figures[name] == 0
        assert {"n", "p50", "p99", "max"} <= set(figures["data_age_ms"])
        for name in ("release_jitter_us", "dispatch_us", "decision_us"):
            assert {"n", "p50", "p99", "max"} <= set(figures[name])
        assert figures["cpu_s"] > 0
    assert "takt met every one of 7\u202f200 deadlines" in demo["verdict"]
    page = Path("demo/page.html").read_text("utf-8")
    # Nothing is loaded: not from the network, not from files beside it.
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", page)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    assert "<script" not in page
    assert page.count("<svg") == 7
    assert len(list(Path("demo").glob("*.svg"))) == 8
    assert "data_10" in page


def test_demo_tries_a_hanging_run_once_more(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = [RunTimeout("runner baseline1.002 did not end in time")]

    def run(*arguments: Any) -> None:
        if arguments[0].executor == "baseline1" and hangs:
            raise hangs.pop()
        run_experiment(*arguments)

    monkeypatch.setattr("takt_cli.run.run_and_replay.run_experiment", run)
    demo = json.loads(takt("demo", "--quick", "--out", "demo", "--json").stdout)
    assert demo["retried"] == ["run a second time: runner baseline1.002 did not end in time"]
    assert "run a second time" in Path("demo/page.html").read_text("utf-8")
    hangs += [RunTimeout("again"), RunTimeout("first")]
    assert "again" in error_of(takt("demo", "--quick", "--out", "demo2"), 1)
    assert not Path("demo2").exists()


def test_a_run_that_hangs_is_ended(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_RUNNER", "hang")
    monkeypatch.setattr("takt_cli.run.experiment.limits_of_runners", lambda _: Limits(matching=0.5, rest=1.0))
    line = error_of(takt("run", str(spec), "--executor", "takt", "--duration", "0.5", "--warmup", "0"), 1)
    assert re.search(r"runner takt did not end within \d+ s and was ended", line)
    assert {p.name for p in Path().iterdir()} == {"app.yaml"}


def test_demo_leaves_nothing_if_one_executor_fails(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_RUNNER", "fail")
    error_of(takt("demo", "--quick", "--out", "demo"), 1)
    assert not list(Path().iterdir())
