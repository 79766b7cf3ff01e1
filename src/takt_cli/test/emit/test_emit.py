# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of generated packages: they say what the spec says, names are valid, and a failure leaves no incomplete
package."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import ROOT
from spec_samples import EVERY, GOOD

from takt_cli.cli.main import cli
from takt_cli.emit.literals import duration, size
from takt_cli.emit.names import KEYWORDS, class_name, file_stem, package_stem
from takt_cli.emit.packages import emit_packages, package_names
from takt_cli.emit.view import node_views
from takt_cli.errors import HostError, ResultError, SpecError, TaktError
from takt_cli.run.settings import node_priorities
from takt_cli.spec.load import parse_spec
from takt_cli.spec.schema import load_schema

TEMPLATES = ROOT / "src" / "takt_cli" / "takt_cli" / "emit" / "templates"


def emit(text: str, folder: Path) -> list[Path]:
    return emit_packages(parse_spec(text.encode(), "app.yaml"), text.encode(), folder)


def flat(text: str) -> str:
    """Return the text without line breaks, so that different line breaks compare equal."""
    return re.sub(r"(?<=[({]) | (?=[)}])", "", " ".join(text.split()))


def contains(file: Path, text: str) -> bool:
    return flat(text) in flat(file.read_text("utf-8"))


@pytest.fixture(scope="module")
def emitted_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("every")
    emit(EVERY, folder)
    return folder


def test_an_application_is_three_packages(tmp_path: Path) -> None:
    packages = emit(GOOD, tmp_path)
    assert [path.name for path in packages] == ["three_takt", "three_baseline0", "three_baseline1"]
    listing = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    common = [".clang-format", "CMakeLists.txt", "README.md", "package.xml", "spec.yaml"]
    sources = ["nodes/lidar", "nodes/planner", "support/input", "support/work"]
    assert listing == {
        f"three_{form}/{name}"
        for form, stems, others in (
            ("takt", [*sources, "support/report"], ["src/main.cpp"]),
            ("baseline0", [*sources, "support/fifo", "support/task"], ["src/main.cpp"]),
            (
                "baseline1",
                [*sources, "support/fifo", "support/task"],
                ["src/programs/lidar.cpp", "src/programs/planner.cpp", "launch/all.launch.py", "launch/fastdds.xml"],
            ),
        )
        for name in [*common, *others, *(f"src/{stem}.{end}" for stem in stems for end in ("hpp", "cpp"))]
    }
    for package in packages:
        assert (package / "spec.yaml").read_text("utf-8") == GOOD
        manifest = ElementTree.parse(package / "package.xml").getroot()
        assert manifest.findtext("name") == package.name
        listed = set(re.findall(r"src/[a-z/]+\.cpp", (package / "CMakeLists.txt").read_text("utf-8")))
        built = {p.relative_to(package).as_posix() for p in package.rglob("*.cpp") if p.parent.name != "programs"}
        assert listed == built
        for file in package.rglob("*.[ch]pp"):
            assert re.search(r"^// Made by takt \S+ from spec.yaml \(SHA-256 [0-9a-f]{12}\)\.$", file.read_text(), re.M)


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("main.cpp", '.policy = "fp", .cpus = cpus'),
        ("main.cpp", "if (arguments.size() < 2) return {0, 1};"),
        ("main.cpp", "executor.add_node(node1); executor.add_node(planner); executor.add_node(test);"),
        ("nodes/node1.cpp", 'Node1::Node1() : Node("Node1", {.processor = 1}) {'),
        ("nodes/node1.cpp", "takt::QoS qos = takt::QoS(2).best_effort();"),
        ("nodes/node1.cpp", "constexpr nanoseconds delete_wcet = 500us;"),
        ("nodes/node1.cpp", "constexpr std::size_t map_tiles_size = 1024 * 1024;"),
        (
            "nodes/node1.cpp",
            '"grab", 10ms, {.priority = 90, .publishes = "scan", .extra_releases = true, .wcet = grab_',
        ),
        ("nodes/node1.cpp", '.priority = 20, .phase = 1500us, .publishes = {"map/tiles", "/plan"}, .wcet = delete_'),
        ("nodes/node1.cpp", "[this] { on_delete(); });"),
        ("nodes/planner.cpp", "create_callback_group(takt::CallbackGroupType::reentrant)"),
        ("nodes/planner.cpp", ".priority = 80, .deadline = 40ms, .phase = 1500us, .reads = "),
        ("nodes/planner.cpp", "{{plan_scan_subscription_, {.max_age = 15ms, .on_stale = takt::OnStale::report}},"),
        ("nodes/planner.cpp", "{outside_gps_subscription_, {.max_age = 30ms, .on_stale = takt::OnStale::report}}}"),
        ("nodes/planner.cpp", ".queue = 2, .group = group, .processor = 1, .wcet = plan_wcet}"),
        (
            "nodes/planner.cpp",
            "{{now_scan_subscription_}, {plan_subscription_, {.max_age = 1s, .on_stale = takt::OnStale::skip}}},",
        ),
        ("nodes/test_node.cpp", "create_callback_group(takt::CallbackGroupType::mutually_exclusive)"),
        (
            "nodes/test_node.cpp",
            ".priority = 1, .deadline = 90ms, .reads = {{map_tiles_subscription_}}, .budget = 2ms,",
        ),
        (
            "nodes/test_node.cpp",
            ".budget = 2ms, .on_budget = takt::OnBudget::background, .group = group, .wcet = timer",
        ),
    ],
)
def test_every_key_of_a_spec_appears_as_a_call_of_takt(emitted_packages: Path, file: str, line: str) -> None:
    assert contains(emitted_packages / "every_key_all_more_takt" / "src" / file, line)


def test_no_key_is_forgotten() -> None:
    """Every key of the schema is in EVERY, except for `overload`, which is refused. A new key also belongs in the table
    above."""
    schema = load_schema()
    places = [schema, schema["properties"]["qos"], schema["properties"]["topics"]["items"], *schema["$defs"].values()]
    places += [schema["properties"]["nodes"]["items"]]
    keys = {key for place in places for key in place.get("properties", {})}
    assert keys >= {"processor", "on_budget", "group", "external", "depth"}
    assert {key for key in keys if not re.search(rf"\b{key}:", EVERY)} == {"overload"}


def test_what_a_spec_leaves_out_the_source_leaves_out(tmp_path: Path) -> None:
    text = "nodes: [{name: a, callbacks: [{name: b, period: 10ms, wcet: 1ms}]}]"
    package = emit(text, tmp_path)[0]
    assert contains(package / "src/nodes/a.cpp", 'create_timer("b", 10ms, {.wcet = b_wcet}, [this] { b(); });')
    assert contains(package / "src/main.cpp", '({.policy = "rm", .cpus = cpus});')


@pytest.mark.parametrize(
    ("form", "file", "line"),
    [
        ("baseline0", "main.cpp", "options = rclcpp::NodeOptions().use_intra_process_comms(true);"),
        (
            "baseline0",
            "main.cpp",
            "make_shared<Node1>(options); const auto planner = std::make_shared<Planner>(options)",
        ),
        ("baseline0", "main.cpp", "rclcpp::executors::SingleThreadedExecutor executor; executor.add_node(node1); exec"),
        ("baseline0", "main.cpp", "executor.add_node(node1); executor.add_node(planner); executor.add_node(test); "),
        ("baseline0", "main.cpp", "every_key_all_more_baseline0::use_fifo(46); rclcpp::init(argc, argv);"),
        ("baseline0", "nodes/node1.cpp", "auto message = std::make_unique<Payload>();"),
        ("baseline0", "nodes/node1.cpp", "scan_publisher_->publish(std::move(message));"),
        ("baseline1", "nodes/node1.cpp", "scan_publisher_->publish(scan_message_);"),
        (
            "baseline1",
            "nodes/node1.cpp",
            'Node("Node1", options), grab_task_("Node1/grab", {.period = 10ms}), delete_task_(',
        ),
        ("baseline1", "nodes/planner.cpp", "{.period = 20ms, .phase = 1500us, .deadline = 40ms}"),
        ("baseline1", "programs/planner.cpp", "sleep_for(std::chrono::milliseconds(1300)); const nanoseconds begin"),
        ("baseline1", "nodes/planner.cpp", "create_callback_group(rclcpp::CallbackGroupType::Reentrant)"),
        ("baseline1", "nodes/planner.cpp", "[this](const rclcpp::TimerInfo & timer) { plan(timer); }, group, false);"),
        ("baseline1", "nodes/planner.cpp", "rclcpp::QoS qos = rclcpp::QoS(2).best_effort();"),
    ],
)
def test_the_baselines_use_calls_of_rclcpp(emitted_packages: Path, form: str, file: str, line: str) -> None:
    assert contains(emitted_packages / f"every_key_all_more_{form}" / "src" / file, line)


def test_the_processes_of_baseline1_have_the_priorities_of_a_run(emitted_packages: Path) -> None:
    package = emitted_packages / "every_key_all_more_baseline1"
    launch = (package / "launch" / "all.launch.py").read_text("utf-8")
    programs = next(
        ast.literal_eval(statement.value)
        for statement in ast.parse(launch).body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "PROGRAMS"
    )
    assert programs == ["node1", "planner", "test_node"]
    assert "<segment_size>67108864</segment_size>" in (package / "launch" / "fastdds.xml").read_text("utf-8")
    found = [
        int(re.findall(r"priority = (\d+);", (package / f"src/programs/{program}.cpp").read_text())[0])
        for program in programs
    ]
    assert found == node_priorities(parse_spec(EVERY.encode(), "app.yaml")) == [46, 45, 44]
    assert set(re.findall(r"^  (\w+)$", (package / "CMakeLists.txt").read_text(), re.M)) == set(programs)


def test_readmes_say_what_a_baseline_does_not_do(emitted_packages: Path) -> None:
    text = (emitted_packages / "every_key_all_more_baseline0" / "README.md").read_text("utf-8")
    assert all(
        word in text for word in ("`max_age`", "Budgets", "queue(n)", "Processors", "`outside/gps` is published")
    )
    takt = (emitted_packages / "every_key_all_more_takt" / "README.md").read_text("utf-8")
    assert "on the CPUs 0 to 1 if no others are named" in takt


def test_the_layout_is_the_projects(emitted_packages: Path) -> None:
    assert (TEMPLATES / "clang-format").read_bytes() == (ROOT / ".clang-format").read_bytes()
    sources = sorted(emitted_packages.rglob("*.[ch]pp"))
    assert all(len(line) <= 100 for file in sources for line in file.read_text("utf-8").splitlines())
    assert not [file for file in sources if "\n\n\n" in file.read_text("utf-8") or "{{ " in file.read_text("utf-8")]


@pytest.mark.parametrize("as_json", [True, False])
def test_what_is_generated_is_emitted_on_request(as_json: bool, tmp_path: Path) -> None:
    wanted = {"nodes": 3, "utilisation": 0.5, "periods": [10, 20], "pubsub": [0.3, 0.6], "message_size": "512KiB"}
    (tmp_path / "some.json").write_text(json.dumps({"parameters": wanted}), "utf-8")
    arguments = ["generate", str(tmp_path / "some.json"), "--repeat", "2", "--emit", "package"]
    out = tmp_path / "out"
    result = CliRunner().invoke(cli, [*arguments, "--out", str(out), *["--json"] * as_json])
    assert result.exit_code == 0, result.output
    packages = [f"some_{number}_{form}" for number in (1, 2) for form in ("takt", "baseline0", "baseline1")]
    assert sorted(path.name for path in (out / "packages").iterdir()) == sorted(packages)
    assert (out / "packages/some_2_takt/spec.yaml").read_bytes() == (out / "some-2.yaml").read_bytes()
    assert contains(out / "packages/some_1_takt/src/nodes/node3.cpp", 'timer_ = create_timer("timer", ')
    if as_json:
        emitted = [package for each in json.loads(result.stdout)["applications"] for package in each["packages"]]
        assert emitted == [f"packages/{package}" for package in packages]
    else:
        assert f"6 ROS 2 packages: {out}/packages" in result.stdout.replace("\n", "")


def test_what_a_package_cannot_do_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        emit(GOOD + "overload: {to: 1s, factor: 2}\n", tmp_path / "out")
    assert str(caught.value).startswith("three: overload: packages do not support an overload; ")
    assert not (tmp_path / "out").exists()


def test_an_existing_package_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "three_baseline1").mkdir()
    with pytest.raises(ResultError, match="three_baseline1: already exists; remove it"):
        emit(GOOD, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["three_baseline1"]


def test_without_clang_format_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(HostError, match="install it"):
        emit(GOOD, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TaktError, match="cannot be written"):
        emit(GOOD, tmp_path / "file")


def test_values_are_written_as_a_person_would() -> None:
    assert [duration(n) for n in (0, 1, 1_500_000, 20_000_000, 10**9, 90 * 10**9, 120 * 10**9)] == (
        ["0ms", "1ns", "1500us", "20ms", "1s", "90s", "2min"]
    )
    assert [size(n) for n in (1, 1000, 1024, 1536, 512 * 1024, 2 * 1024**2)] == (
        ["1", "1000", "1024", "1536", "512 * 1024", "2 * 1024 * 1024"]
    )


def test_names_are_derived_from_the_spec() -> None:
    assert [class_name(n) for n in ("Node1", "laser_scan", "x", "_7", "__")] == ["Node1", "LaserScan", "X", "N7", "N"]
    assert [file_stem(n) for n in ("Node1", "LaserScan", "IMU", "_a__b")] == ["node1", "laser_scan", "imu", "a_b"]
    assert [package_stem(n) for n in ("demo", "My App", "2 cores", "Ünï", "%", "a__b_")] == (
        ["demo", "my_app", "n2_cores", "n", "n", "a_b"]
    )


@pytest.mark.parametrize(
    "name", ["timer", "job", "group", "begin", "message", "fill", "Payload", "Node", "X", "switch"]
)
def test_a_callback_keeps_off_what_its_class_uses(name: str) -> None:
    spec = f"nodes: [{{name: x, callbacks: [{{name: {name}, period: 10ms, wcet: 1ms}}]}}]"
    task = node_views(parse_spec(spec.encode(), "app.yaml"))[0].tasks[0]
    assert (task.callback.name, task.method) == (name, f"on_{name}")


NAMES = st.one_of(
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True),
    st.sampled_from(
        [*sorted(KEYWORDS), "Node", "node", "test", "main", "fill", "now", "executor", "a_b", "a__b", "aB"]
    ),
)
TOPICS = st.builds(
    lambda slash, parts: slash + "/".join(parts), st.sampled_from(["", "/"]), st.lists(NAMES, min_size=1, max_size=2)
)


@settings(max_examples=50, deadline=None)  # a busy host is no fault
@given(
    st.text(max_size=30),
    st.lists(
        st.tuples(NAMES, st.lists(NAMES, min_size=1, max_size=3, unique=True)),
        min_size=1,
        max_size=4,
        unique_by=lambda n: n[0],
    ),
    st.lists(TOPICS, min_size=2, max_size=4, unique=True),
)
def test_names_never_clash(name: str, nodes: list[tuple[str, list[str]]], topics: list[str]) -> None:
    callbacks = [{"name": c, "period": "10ms", "wcet": "1ms", "reads": topics[:-1]} for _, cs in nodes for c in cs]
    callbacks[0] |= {"reads": topics[:1], "publishes": topics[1:]}
    left = iter(callbacks)
    data = {
        "topics": [{"name": topic, "size": "1B", "external": True} for topic in topics],
        "nodes": [{"name": n, "callbacks": [next(left) for _ in cs]} for n, cs in nodes],
    }
    application = parse_spec(repr(data).replace("True", "true").encode(), "app.yaml")
    views = node_views(application)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", each) for each in package_names(application))
    assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", f"{package_stem(name)}_takt")
    for scope in ([v.type for v in views], [v.stem.lower() for v in views], [v.variable for v in views]):
        assert len(set(scope)) == len(scope)
        assert not KEYWORDS & set(scope)
    for view in views:
        scope = [view.type]
        scope += [n for t in view.tasks for n in (t.method, t.timer, t.member, t.wcet)]
        scope += [n for i in view.inputs for n in (i.member, i.subscription)]
        scope += [n for o in view.outputs for n in (o.publisher, o.sequence, o.kept, o.size)]
        scope += [o.message for o in view.outputs if o.message != "message"]
        assert len(set(scope)) == len(scope)
        assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", n) and "__" not in n and n not in KEYWORDS for n in scope)


def test_what_needs_no_rclcpp_compiles_in_the_baselines(emitted_packages: Path) -> None:
    """The files for input and work are the same as in the package for takt, which another test builds."""
    takt, *others = (
        emitted_packages / name / "src/support" for name in sorted(p.name for p in emitted_packages.iterdir())[::-1]
    )
    for other in others:
        for file in ("input.hpp", "input.cpp", "work.hpp", "work.cpp"):
            expected = (takt / file).read_text().replace(takt.parents[1].name, other.parents[1].name)
            assert (other / file).read_text() == expected
        checked = subprocess.run(
            [
                "c++",
                "-std=c++20",
                "-fsyntax-only",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-I",
                other.parent,
                other / "fifo.cpp",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stderr
