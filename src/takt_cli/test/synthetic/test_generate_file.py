# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of parameter files: every spelling of the thesis is read, and each error is one line."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from repository import ROOT
from yaml import CSafeLoader, load

from takt_cli.errors import SpecError
from takt_cli.spec.schema import load_schema
from takt_cli.synthetic.collection import collect, generate_all
from takt_cli.synthetic.parameter_file import ParameterFile, parse_parameters
from takt_cli.synthetic.parameters import Automotive, Chains, LogUniform, MultiRate
from takt_cli.synthetic.values import NAMES

MS = 1_000_000
EXAMPLES = ROOT / "examples/parameters"

# The listings of the thesis as they are printed: a colon and a comma are missing.
LISTING_5_3 = """{
"parameters": {
"nodes": 3,
"utilization": 0.7,
"periods": [10, 20],
"pubsub" [0.5, 0.5],
"deadlines":"period",
"deadlines wcet": [1.0, 2.0],
"priorities":"rate-monotonic",
"message-size":"512kB",
}
}
"""
LISTING_5_4 = """{
"parameters": {

"force all combinations": ["nodes", "utilization"]
"nodes": [3, 5, 10, 50],
"utilization": [0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
"periods": [[5, 10], [10, 20], [10, 20, 50], [10, 20, 50, 100]],
"pubsub": [[0.1, 0.1], [0.2, 0.8], [0.6, 0.4]],
"deadlines": ["period", "wcet"],
"deadlines wcet": [[1.1], [1.0, 2.0], [1.1, 1.5]],
"priorities": ["rate-monotonic", "rand"],
"message-size": ["512kB", "2Mb"]

}
}
"""
MENDED_5_3 = LISTING_5_3.replace('"pubsub" [', '"pubsub": [').replace('"512kB",\n', '"512kB"\n')
MENDED_5_4 = LISTING_5_4.replace('"utilization"]\n', '"utilization"],\n')


def read(text: str, file: str = "p.json") -> ParameterFile:
    return parse_parameters(text.encode(), file)


def yaml(lines: str) -> ParameterFile:
    """Read these lines as a parameter file in YAML, to which required parameters are added if they are missing."""
    needed = {"nodes": "nodes: 4", "utilisation": "utilisation: 0.5", "periods": "periods: [10]"}
    given_ = [line.split(":")[0] for line in lines.splitlines()]
    rest = [line for name, line in needed.items() if name not in given_ and name.replace("s", "z", 1) not in given_]
    return read("parameters:\n" + "".join(f"  {line}\n" for line in [*lines.splitlines(), *rest]), "p.yaml")


def line_of(text: str, file: str = "p.json") -> str:
    with pytest.raises(SpecError) as caught:
        read(text, file)
    line = str(caught.value)
    assert "\n" not in line
    return line


def error_of(lines: str) -> str:
    with pytest.raises(SpecError) as caught:
        yaml(lines)
    return str(caught.value)


def test_listing_5_3_is_one_application() -> None:
    found = read(MENDED_5_3)
    values = {name: values[0] for name, values in found.alternatives.items()}
    assert all(len(values) == 1 for values in found.alternatives.values())
    assert (values["nodes"], values["utilisation"], values["periods"]) == (3, 0.7, (10 * MS, 20 * MS))
    assert (values["pubsub"], values["deadlines"], values["deadlines_wcet"]) == ((0.5, 0.5), "period", (1.0, 2.0))
    assert (values["priorities"], values["message_size"]) == ("rate-monotonic", 512 * 1024)
    assert collect(found, 1, 1).all == 1


def test_listing_5_4_is_a_range() -> None:
    found = read(MENDED_5_4)
    assert found.forced == ("nodes", "utilisation")
    assert found.alternatives["periods"][3] == (10 * MS, 20 * MS, 50 * MS, 100 * MS)
    assert found.alternatives["deadlines_wcet"] == ((1.1, 1.1), (1.0, 2.0), (1.1, 1.5))
    assert found.alternatives["priorities"] == ("rate-monotonic", "random")
    assert found.alternatives["message_size"] == (512 * 1024, 2 * 1024**2)
    assert collect(found, 1, 1).all == 24


def test_yaml_says_the_same_as_json() -> None:
    as_yaml = """\
parameters:
  force_all_combinations: [nodes, utilisation]
  nodes: [3, 5, 10, 50]
  utilisation: [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
  periods: [[5ms, 10ms], [10, 20], [10, 20, 0.05s], [10, 20, 50, 100]]
  pubsub: [[0.1, 0.1], [0.2, 0.8], [0.6, 0.4]]
  deadlines: [period, wcet]
  deadlines_wcet: [[1.1], [1.0, 2.0], [1.1, 1.5]]
  priorities: [rate_monotonic, random]
  message_size: [512KiB, 2MiB]
"""
    assert read(as_yaml, "p.yaml").alternatives == read(MENDED_5_4).alternatives


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LISTING_5_3, "p.json:6: not JSON: a colon is missing after '\"pubsub\"'; add it"),
        (
            LISTING_5_4,
            'p.json:4: not JSON: a comma is missing after \'...mbinations": ["nodes", "utilization"]\'; add it',
        ),
        (
            LISTING_5_3.replace('"pubsub" [', '"pubsub": ['),
            'p.json:10: not JSON: there is a comma after the last entry, \'"message-size":"512kB",\'; remove it',
        ),
        (MENDED_5_3[:-4], 'p.json:10: not JSON: the file ends after \'"message-size":"512kB"\'; a bracket is missing'),
        (MENDED_5_3 + "}", "p.json:13: not JSON: there is more after the end, '}'; remove it"),
        (
            MENDED_5_3.replace('"nodes"', "nodes"),
            "p.json:3: not JSON: a key in straight double quotes is expected, not",
        ),
        (
            MENDED_5_3.replace('"periods"', "\u201dperiods\u201d"),
            "p.json:5: not JSON: a key in straight double quotes is",
        ),
        (MENDED_5_3.replace("0.7", "0,7"), "p.json:4: not JSON: a key in straight double quotes is expected, not '7,'"),
        (MENDED_5_3.replace("0.7", "NaN"), "p.json: not JSON: NaN is not a number; give a number"),
        ("", "p.json:1: the file is empty; parameters need at least nodes"),
        ("[1]", "p.json:1: is not keys and values"),
        ('{"message-size": "2Mb"}', "p.json:1: message-size: is a parameter; put it under 'parameters'"),
        ('{"node": 3}', "p.json:1: node: unknown parameter"),
        ("{}", "p.json:1: 'parameters' is missing; put nodes"),
        (
            '{"parameters": {"nodes": 3, "message size": "1b",\n"message-size": "2b"}}',
            "p.json:2: parameters.message-size: is the same parameter as 'message size'; remove one",
        ),
    ],
)
def test_a_broken_file_is_reported_with_its_line(text: str, expected: str) -> None:
    assert line_of(text).startswith(expected)


def test_tabs_are_no_fault_of_json() -> None:
    assert read(MENDED_5_3.replace("\n", "\n\t\t")).alternatives == read(MENDED_5_3).alternatives


@pytest.mark.parametrize("word", ["16b", "16B", "16 b"])
def test_small_sizes_are_bytes(word: str) -> None:
    assert yaml(f"message_size: {word}").alternatives["message_size"] == (16,)


@pytest.mark.parametrize(
    ("word", "size"),
    [("512b", 512), ("256Kb", 2**18), ("256kB", 2**18), ("256KB", 2**18), ("256KiB", 2**18), ("8Mb", 2**23)],
)
def test_sizes_in_all_spellings(word: str, size: int) -> None:
    assert yaml(f"message size: {word}").alternatives["message_size"] == (size,)


@pytest.mark.parametrize("none", ["'-'", "none", "null", "~"])
def test_every_spelling_of_none_is_read_as_none(none: str) -> None:
    found = yaml(f"message-size: {none}\ndeadlines_wcet: {none}\npubsub: {none}\nchains: {none}")
    assert found.alternatives["message_size"] == (None,)
    assert found.alternatives["deadlines_wcet"] == (None,)
    assert found.alternatives["pubsub"] == ((0.0, 0.0),)
    assert found.alternatives["chains"] == (None,)


@pytest.mark.parametrize("name", ["deadlines wcet", "deadlines_wcet", "deadlines-wcet", "Deadlines WCET"])
def test_names_in_all_spellings(name: str) -> None:
    found = yaml(f"{name}: 1.5\nForce-All Combinations: [{name}, Utilization]\nutilization: 0.4")
    assert found.alternatives["deadlines_wcet"] == ((1.5, 1.5),)
    assert found.forced == ("utilisation", "deadlines_wcet")


def test_one_value_is_distinguished_from_alternatives() -> None:
    def values(line: str) -> tuple[Any, ...]:
        return yaml(line).alternatives[line.partition(":")[0]]

    assert values("periods: [5, 10]") == ((5 * MS, 10 * MS),)
    assert values("periods: [[5, 10], [20]]") == ((5 * MS, 10 * MS), (20 * MS,))
    assert values("periods: [[5], automotive, {log_uniform: {min: 5, max: 50ms}}]") == (
        (5 * MS,),
        Automotive(),
        LogUniform(5 * MS, 50 * MS, MS),
    )
    assert values("pubsub: [['-'], [0.2, 0.8]]".replace("['-']", "'-'")) == ((0.0, 0.0), (0.2, 0.8))
    assert values("deadlines_wcet: [1, 2]") == ((1.0, 2.0),)
    assert values("deadlines_wcet: [[1], [2]]") == ((1.0, 1.0), (2.0, 2.0))
    assert values("nodes: [1, 2]") == (1, 2)
    assert values("callbacks: [{1: 1}, {2: 0.5, 1: 0.5}]") == (((1, 1.0),), ((1, 0.5), (2, 0.5)))
    assert values("chains: [null, {count: 2, length: 3}]") == (None, Chains(2, 3))
    assert values("multi_rate: {share: 1, topics: 2}") == (MultiRate(1.0, 2),)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("periods: [10, [10, 20]]", "p.yaml:2: parameters.periods: the list has numbers beside lists, so it could"),
        ("pubsub: [0.2, [0.2, 0.8]]", "p.yaml:2: parameters.pubsub: the list has numbers beside lists"),
        ("deadlines_wcet: [1, 2, 3]", "p.yaml:2: parameters.deadlines_wcet: 3 numbers are neither one factor nor a"),
        ("pubsub: [0.2]", "p.yaml:2: parameters.pubsub: [0.2] is not two shares"),
        ("nodes: []", "p.yaml:2: parameters.nodes: the list is empty; give a value"),
        ("nodes: [3, 3]", "p.yaml:2: parameters.nodes[1]: this alternative is listed twice; remove one"),
        ("nodes: 2.5", "p.yaml:2: parameters.nodes: 2.5 is not an integer; give an integer"),
        ("nodes: 5000", "p.yaml:2: parameters.nodes: 5000 is outside 1 to 1000; give an integer within"),
        ("nodes: many", "p.yaml:2: parameters.nodes: 'many' is not an integer"),
        ("utilisation: 0.001", "p.yaml:2: parameters.utilisation: 0.001 is outside 0.01 to 1; give a number within"),
        ("utilisation: true", "p.yaml:2: parameters.utilisation: true is not a number"),
        ("utilisation: [0.5, 1.5]", "p.yaml:2: parameters.utilisation[1]: 1.5 is above 1, the capacity of one CPU"),
        ("nodes: 0", "p.yaml:2: parameters.nodes: 0 nodes are too few; give at least 1"),
        ("pubsub: [0.2, 1.2]", "p.yaml:2: parameters.pubsub: a share of 1.2 means more subscribers than"),
        ("deadlines_wcet: 0.5", "p.yaml:2: parameters.deadlines_wcet: 0.5 times the WCET is a deadline that no job"),
        ("deadlines_wcet: [2, 1]", "p.yaml:2: parameters.deadlines_wcet: 2 to 1 is not a range within 1 to 1000"),
        ("periods: 10", "p.yaml:2: parameters.periods: 10 is not a choice of periods; give a list"),
        ("periods: [0]", "p.yaml:2: parameters.periods: 0ms is outside the range of periods"),
        ("periods: [-1]", "p.yaml:2: parameters.periods: -1 is negative"),
        ("periods: [10, 10]", "p.yaml:2: parameters.periods: a period is listed twice"),
        ("periods: [10h]", "p.yaml:2: parameters.periods: '10h' is not a duration"),
        ("periods: {log_uniform: {min: 5}}", "p.yaml:2: parameters.periods.log_uniform: 'max' is missing; add it"),
        ("periods: {uniform: {}}", "p.yaml:2: parameters.periods.uniform: unknown key; did you mean 'log_uniform'?"),
        ("periods: {log_uniform: {min: 5, max: 2}}", "p.yaml:2: parameters.periods: the range ends before it begins"),
        (
            "periods: {log_uniform: {min: 5, max: 20, granularity: 2}}",
            "p.yaml:2: parameters.periods: 'min' and 'max' are not multiples of the granularity",
        ),
        ("priorities: rms", "p.yaml:2: parameters.priorities: 'rms' is not known; give one of rate-monotonic, random"),
        ("deadlines: 3", "p.yaml:2: parameters.deadlines: 3 is not known; give one of period, wcet"),
        ("message_size: 512", "p.yaml:2: parameters.message_size: 512 is not a size; give a number with a unit"),
        ("message_size: 1GB", "p.yaml:2: parameters.message_size: '1GB' is not a size"),
        ("message_size: 65MiB", "p.yaml:2: parameters.message_size: '65MiB' is not a whole number of bytes from 1 to"),
        ("callbacks: {1: 0.5}", "p.yaml:2: parameters.callbacks: the shares add up to 0.5, not to 1"),
        ("callbacks: {0: 1}", "p.yaml:2: parameters.callbacks: '0' is not a number of callbacks from 1 to 20"),
        ("callbacks: 3", "p.yaml:2: parameters.callbacks: 3 does not say how many callbacks nodes have"),
        ("chains: {count: 1}", "p.yaml:2: parameters.chains: 'length' is missing; add it, such as 'length: 4'"),
        ("chains: {count: 1, length: 1}", "p.yaml:2: parameters.chains.length: 1 is outside 2 to 100"),
        ("chains: {count: 1, lenght: 3}", "p.yaml:2: parameters.chains.lenght: unknown key; did you mean 'length'?"),
        ("multi_rate: {share: 2, topics: 2}", "p.yaml:2: parameters.multi_rate.share: 2 is outside 0 to 1"),
        ("node: 3", "p.yaml:2: parameters.node: unknown parameter; did you mean 'nodes'?"),
        ("force_all_combinations: nodes", "p.yaml:2: parameters.force_all_combinations: is not a list"),
        (
            "force_all_combinations: [node]",
            "p.yaml:2: parameters.force_all_combinations[0]: unknown parameter; did you mean 'nodes'?",
        ),
        (
            "force_all_combinations: [pubsub]",
            "p.yaml:2: parameters.force_all_combinations[0]: 'pubsub' is not among the parameters; add it",
        ),
    ],
)
def test_a_bad_value_is_reported_with_its_place(lines: str, expected: str) -> None:
    line = error_of(lines)
    assert line.startswith(expected)
    assert "\n" not in line


def test_a_missing_key_is_named() -> None:
    assert line_of("parameters: {nodes: 3, periods: [10]}", "p.yaml") == (
        "p.yaml:1: parameters: 'utilisation' is missing; add it, such as utilisation: 0.7"
    )
    assert "use up to 40 letters" in line_of(
        "name: a/b\nparameters: {nodes: 1, utilisation: 1, periods: [1]}", "p.yaml"
    )
    assert "reads version 1" in line_of(
        "schema_version: 2\nparameters: {nodes: 1, utilisation: 1, periods: [1]}", "p.yaml"
    )


@settings(max_examples=200, deadline=None)
@example(0, 0, b"\xff")
@given(st.integers(0, 10**6), st.integers(0, 40), st.binary(max_size=4))
def test_a_mutated_file_gives_one_line_or_is_read(place: int, length: int, instead: bytes) -> None:
    text = MENDED_5_4.encode()
    begin = place % len(text)
    mutated = text[:begin] + instead + text[begin + length :]
    for file in ("p.json", "p.yaml"):
        line = error_line(mutated, file)
        assert line is None or (line.startswith(file) and "\n" not in line)


def error_line(text: bytes, file: str) -> str | None:
    try:
        found = collect(parse_parameters(text, file), 1, 1)
        next(generate_all(found))
    except SpecError as error:
        return str(error)
    return None


def test_the_schema_is_a_schema_and_knows_the_parameters() -> None:
    schema = load_schema("parameters")
    Draft202012Validator.check_schema(schema)
    assert tuple(schema["$defs"]["parameter"]["enum"]) == NAMES
    assert set(schema["properties"]["parameters"]["properties"]) == {"force_all_combinations", *NAMES}
    defaults = read('{"parameters": {"nodes": 1, "utilisation": 1, "periods": [1]}}').alternatives
    for name in ("deadlines", "priorities", "wcets"):
        assert schema["$defs"][name]["default"] == defaults[name][0]


def test_examples_are_read_and_match_the_schema() -> None:
    validator = Draft202012Validator(load_schema("parameters"))
    for path in sorted(EXAMPLES.iterdir()):
        assert collect(parse_parameters(path.read_bytes(), str(path)), 2, 1).items
        if path.suffix == ".yaml":
            plain = json.loads(json.dumps(load(path.read_text("utf-8"), Loader=CSafeLoader)))
            assert list(validator.iter_errors(plain)) == []
    # The thesis spells some names differently; with the schema's spelling, its listing is valid.
    thesis = MENDED_5_4.replace("message-size", "message_size").replace("utilization", "utilisation")
    thesis = thesis.replace("deadlines wcet", "deadlines_wcet").replace("force all c", "force_all_c")
    assert list(validator.iter_errors(json.loads(thesis.replace("all combi", "all_combi")))) == []


def test_what_the_schema_refuses_is_refused() -> None:
    """Random values are tried for each parameter under its name in the schema; every value that is read is valid by the
    schema, too."""
    seed = 20260201
    print(f"seed {seed}")
    chance = random.Random(seed)
    validator = Draft202012Validator(load_schema("parameters"))
    pool = [3, 0.5, 0, 1.5, [10, 20], [[10], [20, 40]], "period", "-", None, ["wcet", "period"], "random", "512KiB", []]
    pool += [[0.2, 0.8], [[0.2, 0.8], "-"], {"1": 1}, {"1": 0.5, "2": 0.5}, {"count": 2, "length": 3}, "automotive"]
    pool += [{"share": 0.5, "topics": 2}, {"log_uniform": {"min": 5, "max": "50ms"}}, ["automotive", [5]], [1.5], "x"]
    accepted = 0
    for _ in range(600):
        name = chance.choice(NAMES)
        data = {"parameters": {"nodes": 4, "utilisation": 0.5, "periods": [10]} | {name: chance.choice(pool)}}
        if error_line(json.dumps(data).encode(), "p.json") is None:
            accepted += 1
            assert list(validator.iter_errors(data)) == [], data
    assert accepted > 50
