# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of reading specs, and of the one-line errors for those that are invalid."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from msgspec import UNSET
from spec_samples import GOOD

from takt_cli.errors import SpecError
from takt_cli.results.json_file import plain
from takt_cli.spec.application import POLICIES, Application, Overload, Qos
from takt_cli.spec.load import parse_spec, read_spec
from takt_cli.spec.schema import load_schema
from takt_cli.spec.units import (
    format_duration,
    format_factor,
    format_share,
    format_size,
    parse_duration,
    parse_size,
    parse_sizes,
)


def line_of(text: str, policy: str | None = None) -> str:
    with pytest.raises(SpecError) as caught:
        parse_spec(text.encode(), "app.yaml", policy)
    line = str(caught.value)
    assert "\n" not in line
    return line


def read_back(application: Application) -> Application:
    return msgspec.convert(json.loads(json.dumps(plain(application))), Application)


def test_a_good_spec_is_resolved() -> None:
    app = parse_spec(GOOD.encode(), "app.yaml")
    assert [t.id for t in app.tasks] == ["lidar/grab", "planner/plan"]
    plan = app.tasks[1].callback
    assert (plan.period, plan.phase, plan.deadline) == (20_000_000, 1_500_000, 40_000_000)
    assert (plan.wcet, plan.queue, plan.reads, plan.priority) == (375_000, 2, (0, 1), 80)
    assert app.tasks[0].callback.deadline == 10_000_000
    assert app.topics[0].size == 4096
    assert app.topics[1].external
    assert (app.qos, app.policy) == (Qos("best_effort", 2), "fp")
    assert app.hyperperiod == 20_000_000
    assert app.utilisation == pytest.approx(0.11875)
    assert read_back(app) == app


def test_processors_are_the_nodes_unless_a_callback_has_its_own() -> None:
    text = GOOD.replace("name: planner", "name: planner\n    processor: 1")
    application = parse_spec(text.encode(), "app.yaml")
    assert [task.callback.processor for task in application.tasks] == [UNSET, 1]
    assert application.processors == 2
    assert read_back(application) == application
    own = text.replace("priority: 80", "priority: 80\n        processor: 3")
    assert parse_spec(own.encode(), "app.yaml").processors == 4
    assert parse_spec(GOOD.encode(), "app.yaml").processors == 1


def test_an_overload_is_resolved() -> None:
    text = GOOD + "overload: {from: 1s, to: 2.5s, factor: 4}\n"
    application = parse_spec(text.encode(), "app.yaml")
    assert application.overload == Overload(10**9, 2_500_000_000, 4.0)
    assert application.peak_utilisation == pytest.approx(0.475)
    assert read_back(application) == application
    plain = parse_spec(GOOD.encode(), "app.yaml")
    assert plain.overload is None
    assert plain.peak_utilisation == plain.utilisation
    less = parse_spec(text.replace("factor: 4", "factor: 0.5").encode(), "app.yaml")
    assert less.peak_utilisation == less.utilisation
    bad = {
        "to: 2.5s": ("to: 1s", "ends before it begins"),
        "to: 2.5s, ": ("", "'to' is missing"),
        "factor: 4": ("factor: -1", "-1 is outside 0 to 1000; give a number within"),
        "factor: 4}": ("factor: .nan}", "is not a number"),
        "from: 1s": ("form: 1s", "did you mean 'from'?"),
    }
    for old, (new, expected) in bad.items():
        assert expected in line_of(text.replace(old, new))


def test_callbacks_that_exclude_each_other_are_on_one_processor() -> None:
    text = """\
nodes:
  - name: n
    processor: 1
    callbacks:
      - {name: a, period: 10ms, wcet: 1ms}
      - {name: b, period: 10ms, wcet: 1ms, processor: 0}
"""
    with pytest.raises(SpecError) as caught:
        parse_spec(text.encode(), "app.yaml")
    assert "app.yaml:6" in str(caught.value)
    assert "'b' is on processor 0 and 'a' on 1, but callbacks of the node exclude each other" in str(caught.value)
    parse_spec(text.replace("processor: 1", "group: reentrant").encode(), "app.yaml")


def test_the_policy_can_be_given_from_outside() -> None:
    app = parse_spec(GOOD.encode(), "app.yaml", "np-edf")
    assert app.policy == "np-edf"
    assert plain(app)["policy"] == "np-edf"


def test_the_schema_is_a_schema_and_knows_the_policies() -> None:
    schema = load_schema()
    Draft202012Validator.check_schema(schema)
    assert tuple(schema["properties"]["policy"]["enum"]) == POLICIES
    strategy = load_schema("strategy")
    Draft202012Validator.check_schema(strategy)
    assert tuple(strategy["$defs"]["scenario"]["properties"]["policy"]["enum"]) == POLICIES


BAD = [
    (
        "deadline: 40ms",
        "dedline: 40ms",
        "app.yaml:17: nodes[1].callbacks[0].dedline: unknown key; did you mean 'deadline'?",
    ),
    ("name: three", "nam: three", "app.yaml:1: nam: unknown key; did you mean 'name'?"),
    (
        "wcet: 375us",
        "wcett: 375us",
        "app.yaml:20: nodes[1].callbacks[0].wcett: unknown key; did you mean 'wcet'?",
    ),
    ("period: 20ms", "period: -20ms", "app.yaml:15: nodes[1].callbacks[0].period: '-20ms' is negative; give a number"),
    (
        "period: 20ms",
        "period: 20",
        "app.yaml:15: nodes[1].callbacks[0].period: '20' has no unit; give a number with a unit",
    ),
    ("period: 20ms", "period: soon", "'soon' is not a duration; give a number with a unit"),
    ("period: 20ms", "period: 1us", "app.yaml:15: nodes[1].callbacks[0].period: 1us is shorter than 10us"),
    ("period: 20ms", "period: 2000min", "is longer than an hour"),
    ("period: 20ms", "period: 0.0000001ms", "is not a whole number of nanoseconds"),
    (
        "period: 20ms",
        "period: [20ms]",
        "app.yaml:15: nodes[1].callbacks[0].period: a list is not a duration; give a number",
    ),
    ("period: 10ms, ", "", "app.yaml:10: nodes[0].callbacks[0]: 'period' is missing; add it, such as 'period: 10ms'"),
    ("wcet: 1ms, ", "", "app.yaml:10: nodes[0].callbacks[0]: 'wcet' is missing; add it, such as 'wcet: 1ms'"),
    ("        overrun: queue(2)\n", "", "app.yaml:17: nodes[1].callbacks[0].deadline: 40ms is above the period 20ms"),
    ("deadline: 40ms", "deadline: 0ms", "a deadline of 0 is always missed"),
    ("queue(2)", "queue(0)", "'queue(0)' is not known; give skip, or queue(n)"),
    ("priority: 90", "priority: 99", "app.yaml:10: nodes[0].callbacks[0].priority: 99 is outside 1 to 98"),
    ("priority: 90", "priority: 0", "priority: 0 is outside 1 to 98"),
    ("priority: 90", "priority: high", "'high' is not an integer; give an integer"),
    ("priority: 90, ", "", "'priority' is missing, which the policy fp needs"),
    (
        "publishes: [scan]",
        "publishes: []",
        "app.yaml:5: topics[0].name: no callback publishes 'scan'; add it to one's",
    ),
    ("reads: [scan,", "reads: [scam,", "there is no topic 'scam'; did you mean 'scan'?"),
    ("reads: [scan,", "reads: [scan, scan,", "the topic 'scan' is listed twice"),
    ("outside/gps]", "outside/gps]\n        publishes: [scan]", "planner/plan also reads 'scan'"),
    ("name: planner", "name: lidar", "app.yaml:11: nodes[1].name: 'lidar' is already the name of a node (line 8)"),
    ("name: outside/gps", "name: scan", "app.yaml:6: topics[1].name: 'scan' is already the name of a topic (line 5)"),
    ("name: outside/gps", "name: 'scan it'", "topics[1].name: 'scan it' is not a name"),
    ("name: outside/gps", 'name: "scan\\n"', "is not a name"),
    (
        "outside/gps]",
        "outside/gps]\n        max_age: {scam: 40ms}",
        "app.yaml:22: nodes[1].callbacks[0].max_age.scam: 'scam' is not among the topics that the callback reads",
    ),
    ("outside/gps]", "outside/gps]\n        max_age: {scan: 100us}", "100us is not above takt's margin of 100us"),
    ("outside/gps]", "outside/gps]\n        max_age: {scan: soon}", "max_age.scan: 'soon' is not a duration"),
    ("outside/gps]", "outside/gps]\n        max_age: 40ms", "max_age: '40ms' is not keys and values"),
    (
        "outside/gps]",
        "outside/gps]\n        max_age: {outside/gps: 40ms}",
        "'outside/gps' is external, so nothing can refresh it; add 'on_stale: skip' or 'report'",
    ),
    ("outside/gps]", "outside/gps]\n        on_stale: skp", "on_stale: 'skp' is not known; did you mean 'skip'?"),
    ("publishes: [scan]", "publishes: [scan], extra_releases: 3", "extra_releases: 3 is not true or false"),
    ("publishes: [scan]", "publishes: [scan], budget: 0ms", "budget: a budget of 0 is always exhausted"),
    ("publishes: [scan]", "publishes: [scan], budget: little", "budget: 'little' is not a duration"),
    ("publishes: [scan]", "publishes: [scan], on_budget: report", "there is no 'budget' that could be exhausted"),
    (
        "publishes: [scan]",
        "publishes: [scan], budget: 1ms, on_budget: backgrund",
        "'backgrund' is not known; did you mean 'background'?",
    ),
    (
        "size: 4KiB",
        "size: 4kB",
        "app.yaml:5: topics[0].size: '4kB' is not a size; give a number with a unit, such as 256B",
    ),
    ("size: 4KiB", "size: 4GiB", "is outside 1B to 64MiB"),
    ("external: true", "external: perhaps", "'perhaps' is not true or false"),
    ("policy: fp", "policy: edff", "app.yaml:2: policy: 'edff' is not known; did you mean 'edf'?"),
    ("depth: 2", "depth: 0", "qos.depth: 0 is outside 1 to 1000"),
    ("group: reentrant", "group: [", "app.yaml:14: not YAML:"),
    ("group: reentrant", "name: again", "app.yaml:12: nodes[1].name: the key occurs twice (first in line 11)"),
    ("name: three", "name: !!python/object:os.system three", "the tag"),
    ("name: three", "name: &a [*a]", "app.yaml:1: name[0]: the alias contains itself"),
    ("name: three", "? [a, b]\n: three", "app.yaml:1: a key must be a plain word"),
    ("name: three", "schema_version: 2", "2 is not 1; this takt reads version 1"),
]


@pytest.mark.parametrize(("old", "new", "expected"), BAD)
def test_a_bad_spec_gives_one_clear_line(old: str, new: str, expected: str) -> None:
    assert old in GOOD
    assert expected in line_of(GOOD.replace(old, new, 1))


def test_ages_are_resolved() -> None:
    text = GOOD.replace("publishes: [scan]", "publishes: [scan], extra_releases: true")
    text = text.replace("/gps]", "/gps]\n        max_age: {scan: 40ms, outside/gps: 1s}\n        on_stale: skip")
    app = parse_spec(text.encode(), "app.yaml")
    plan = app.tasks[1].callback
    assert (plan.max_ages, plan.on_stale, plan.bounds) == ((40_000_000, 10**9), "skip", {0: 40_000_000, 1: 10**9})
    assert app.tasks[0].callback.extra_releases
    assert app.bounds_age
    assert read_back(app) == app
    assert not parse_spec(GOOD.encode(), "app.yaml").bounds_age


def test_budgets_are_resolved() -> None:
    budget = "publishes: [scan], budget: 1.5ms, on_budget: background"
    app = parse_spec(GOOD.replace("publishes: [scan]", budget).encode(), "app.yaml")
    grab, plan = (task.callback for task in app.tasks)
    assert (grab.budget, grab.on_budget, plan.budget, plan.on_budget) == (1_500_000, "background", 0, "report")
    assert app.has_budgets
    assert read_back(app) == app


def test_the_background_needs_a_node_of_its_own() -> None:
    more = "\n      - {name: other, period: 10ms, wcet: 1us, priority: 3}"
    text = GOOD.replace("publishes: [scan]}", "publishes: [scan], budget: 1ms, on_budget: background}" + more)
    assert "lidar" in text
    assert "nodes[0].callbacks[0].on_budget: a job in the background would block the other" in line_of(text)
    parse_spec(text.replace("name: lidar", "name: lidar\n    group: reentrant").encode(), "app.yaml")


def test_a_circle_of_ages_is_refused() -> None:
    back = "reads: [back], max_age: {back: 30ms}, publishes: [scan]"
    text = GOOD.replace("publishes: [scan]", back).replace("topics:\n", "topics:\n  - {name: back, size: 8B}\n")
    ahead = "/gps]\n        max_age: {scan: 40ms}\n        publishes: [back]"
    assert "to refresh its data, lidar/grab would have to run before itself" in line_of(text.replace("/gps]", ahead))
    assert parse_spec(text.replace("/gps]", ahead.replace("max_age: {scan: 40ms}", "")).encode(), "a").bounds_age


def test_two_producers_of_a_topic_are_refused() -> None:
    text = GOOD.replace("reads: [scan, outside/gps]", "publishes: [scan]")
    assert "lidar/grab already publishes 'scan'; give each callback its own topic" in line_of(text)


def test_a_cycle_of_aliases_is_found() -> None:
    assert "app.yaml:2: nodes[0].callbacks: the alias contains itself" in line_of(
        "nodes:\n  - &n {name: a, callbacks: *n}\n"
    )


def test_a_bomb_of_aliases_is_defused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    assert "including repetitions by aliases" in line_of("\n".join(lines))


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "---\n", "5", "[]", "null", "a: b\n---\nc: d\n", "\x00", "%", "- - -", "{" * 5000]
)
def test_what_is_no_spec_at_all(text: str) -> None:
    assert line_of(text).startswith("app.yaml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no such file"):
        read_spec(tmp_path / "missing.yaml")
    with pytest.raises(SpecError, match="cannot be read: Is a directory"):
        read_spec(tmp_path)
    latin = tmp_path / "latin.yaml"
    latin.write_bytes(b"name: x\nnodes: \xe9\n")
    with pytest.raises(SpecError, match=r"latin.yaml:2: not UTF-8 text"):
        read_spec(latin)


def check_text(data: bytes) -> None:
    try:
        app = parse_spec(data, "f.yaml")
    except SpecError as error:
        line = str(error)
    else:
        assert read_back(app) == app
        return
    assert line.startswith("f.yaml")
    assert line.isprintable()


@given(st.binary(max_size=400))
@example(b"\xff\xfe")
@example(b"a: \x85")
@settings(deadline=None, max_examples=300)
def test_any_bytes_give_a_line_or_a_spec(data: bytes) -> None:
    check_text(data)


@given(st.text(max_size=300))
@settings(deadline=None, max_examples=300)
def test_any_text_gives_a_line_or_a_spec(data: str) -> None:
    check_text(data.encode("utf-8", "surrogatepass"))


@given(st.data())
@settings(deadline=None, max_examples=400)
def test_a_mangled_spec_gives_a_line_or_a_spec(data: st.DataObject) -> None:
    """Pieces of a valid spec are cut, doubled and replaced, so that faults lie deep inside it."""
    text = GOOD
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 12)))
        piece = data.draw(
            st.sampled_from(
                [
                    "",
                    "-",
                    "{",
                    "[",
                    "]",
                    ": ",
                    "&a ",
                    "*a",
                    "!!int ",
                    "'",
                    "\n",
                    "null",
                    "1e9",
                    ".inf",
                    "? ",
                    "|",
                    "<<: ",
                    "0x1F",
                    "99999999999999999999",
                    "%",
                    "\t",
                    "2001-01-01",
                ]
            )
            | st.text(max_size=4)
        )
        text = text[:start] + piece + text[end:]
    check_text(text.encode("utf-8", "surrogatepass"))


leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["10ms", "1KiB", "scan"])
)
keys = st.sampled_from(
    ["name", "nodes", "callbacks", "period", "wcet", "topics", "size", "reads", "publishes", "qos", "x"]
)


@given(
    st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=20
    )
)
@settings(deadline=None, max_examples=300)
def test_any_structure_gives_a_line_or_a_spec(data: object) -> None:
    check_text(json.dumps(data).encode())


@given(st.integers(0, 10**15))
def test_durations_and_sizes_survive_formatting_and_parsing(value: int) -> None:
    assert parse_duration(format_duration(value)) == value
    assert parse_size(format_size(value)) == value


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("256", (256,)),
        ("4KiB, 256,4KiB", (4096, 256)),
        ("256,1KiB,...,64KiB", (256, 1024, 4096, 16384, 65536)),
        ("1,3,...,20,1KiB", (1, 3, 9, 20, 1024)),
    ],
)
def test_sizes_are_listed_or_continued_by_a_factor(text: str, sizes: tuple[int, ...]) -> None:
    assert parse_sizes(text) == sizes


@pytest.mark.parametrize(
    "text", ["", "256,", "1KiB,...,4KiB", "4KiB,1KiB,...,1MiB", "1KiB,2KiB,...", "0,1,...,8", "1kB"]
)
def test_wrong_sizes_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="size"):
        parse_sizes(text)


@pytest.mark.parametrize(
    ("text", "value"), [("10ms", 10**7), ("375us", 375_000), ("1.5s", 15 * 10**8), ("1 min", 6 * 10**10)]
)
def test_a_duration_has_a_number_and_a_unit(text: str, value: int) -> None:
    assert parse_duration(text) == value


def test_shares_and_factors_are_not_rounded_across_one() -> None:
    assert [format_share(share) for share in (0.25, 1, Fraction(1_000_001, 1_000_000), 1.6)] == [
        "0.25",
        "1",
        "a little more than 1",
        "1.6",
    ]
    factors = (Fraction(332, 10_000), Fraction(9999, 10_000), Fraction(1), Fraction(12_479, 10_000), Fraction(1000))
    assert [format_factor(factor) for factor in factors] == ["0.0332", "0.9999", "1", "1.247", "1000"]
