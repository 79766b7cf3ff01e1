# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt generate`: combinations of parameters, the files written, the record of how they were made, and the
command line."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from takt_cli.cli.main import cli
from takt_cli.results.folder import file_name
from takt_cli.spec.load import read_spec
from takt_cli.synthetic.collection import collect, generate_all
from takt_cli.synthetic.generate import ALONE, generate
from takt_cli.synthetic.parameter_file import ParameterFile, parse_parameters
from takt_cli.synthetic.parameters import Parameters

TABLE_5_9 = {
    "force_all_combinations": ["nodes", "utilization", "message-size", "pubsub"],
    "nodes": [4, 20, 50],
    "utilization": [0.5, 0.75, 1.0],
    "periods": [10, 20],
    "pubsub": [[0, 0], [0.2, 0.8]],
    "deadlines": "period",
    "deadlines wcet": "-",
    "priorities": "rate-monotonic",
    "message-size": ["256kB", "512kB", "2Mb", "8Mb"],
}
TABLE_5_10 = TABLE_5_9 | {
    "force_all_combinations": ["nodes", "utilization", "periods", "message-size"],
    "periods": [[10, 20, 40], [10, 22, 47]],
    "pubsub": [0.5, 0.5],
    "message-size": ["512kB", "8Mb"],
}
SMALL = {"nodes": [2, 3], "utilisation": [0.5, 0.6], "periods": [10, 20], "force_all_combinations": ["nodes"]}


def parsed(parameters: dict[str, Any], name: str = "table") -> ParameterFile:
    return parse_parameters(json.dumps({"parameters": parameters}).encode(), f"{name}.json")


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["generate", *arguments])


@pytest.fixture
def small_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.json"
    path.write_text(json.dumps({"parameters": SMALL}, indent=1), "utf-8")
    return path


def test_table_5_9_has_72_combinations_and_45_distinct_ones() -> None:
    found = collect(parsed(TABLE_5_9), 1, 1)
    assert (found.all, len(found.combinations), len(found.items)) == (72, 45, 45)
    assert len({item.name for item in found.items}) == len({item.seed for item in found.items}) == 45
    assert "table-n20-u75-x20_80-m2MiB-1" in {item.name for item in found.items}
    assert sum("-x0-" in item.name for item in found.items) == 9


def test_table_5_10_has_36() -> None:
    found = collect(parsed(TABLE_5_10), 2, 1)
    assert (found.all, len(found.combinations), len(found.items)) == (36, 36, 72)


def test_a_parameter_is_left_out_only_if_it_surely_has_no_effect() -> None:
    wcet = parsed(SMALL | {"deadlines_wcet": [[1], [2]], "force_all_combinations": ["deadlines_wcet"]})
    assert (collect(wcet, 1, 1).all, len(collect(wcet, 1, 1).combinations)) == (2, 1)
    sometimes = parsed(TABLE_5_9 | {"force_all_combinations": ["message-size"]})
    assert len(collect(sometimes, 1, 1).combinations) == 4, "messages may be drawn, so sizes matter"
    chained = parsed(TABLE_5_9 | {"chains": {"count": 1, "length": 3}})
    # With 4 nodes, only one is outside of the chain, so that the shares of other exchanges have no effect.
    assert len(collect(chained, 1, 1).combinations) == 60


def texts(parameters: dict[str, Any], repeat: int = 1, seed: int = 1) -> dict[str, bytes]:
    return {item.name: made.spec.text for item, made in generate_all(collect(parsed(parameters), repeat, seed))}


def test_other_combinations_and_repetitions_change_nothing() -> None:
    few = texts(SMALL)
    more = texts(SMALL | {"nodes": [7, 3, 2]}, 3)
    assert len(few) == 2
    assert len(more) == 9
    assert few.items() < more.items()
    defaults = {"deadlines": "period", "priorities": "rate-monotonic", "message_size": "-"}
    assert texts(SMALL | defaults) == few, "a default value that is given explicitly changes nothing"
    assert texts(SMALL, seed=2).keys() == few.keys()
    assert not texts(SMALL, seed=2).items() & few.items()


def test_alternatives_that_are_not_forced_are_picked() -> None:
    found = [made.parameters for _, made in generate_all(collect(parsed(SMALL), 20, 1))]
    assert {each.utilisation for each in found} == {0.5, 0.6}
    assert {each.nodes for each in found} == {2, 3}


def test_parameters_that_cannot_be_drawn_are_reported_with_their_line(small_parameters: Path) -> None:
    lines = ['{"parameters": {', '"nodes": 50, "pubsub": [0.5, 0.5], "message_size": "8MiB",', '"utilisation": [0.8,']
    small_parameters.write_text(
        "\n".join([*lines, '0.2], "force all combinations": ["utilisation"],', '"periods": [10]}}']), "utf-8"
    )
    result = takt(str(small_parameters), "--out", "made")
    assert (result.exit_code, result.stdout) == (2, "")
    expected = (
        f"takt: {small_parameters}:4: parameters.utilisation[1]: small-u20-1: 0.2 is less than the 0.563 that 50 "
        "callbacks"
    )
    assert result.stderr.startswith(expected)
    assert result.stderr.count("\n") == 1
    assert sorted(path.name for path in small_parameters.parent.iterdir()) == ["small.json"], "nothing half-done stays"


def test_the_folder_tells_how_it_was_made(small_parameters: Path) -> None:
    result = takt(str(small_parameters), "--repeat", "2", "--seed", "9", "--out", "made", "--json")
    assert result.exit_code == 0, result.stderr
    record = json.loads((small_parameters.parent / "made/generated.json").read_text("utf-8"))
    assert json.loads(result.stdout) == record | {"folder": "made"}
    assert (record["kind"], record["seed"], record["repeat"], record["file"]) == ("generated", 9, 2, "small.json")
    assert record["read"] == {"parameters": SMALL}
    assert record["forced"] == ["nodes"]
    assert record["combinations"] == {"all": 2, "distinct": 2}
    assert {path.stem for path in (small_parameters.parent / "made").glob("*.yaml")} == {
        a["name"] for a in record["applications"]
    }
    for each in record["applications"]:
        path = small_parameters.parent / "made" / each["file"]
        spec = read_spec(path)
        assert each["sha256"] == hashlib.sha256(spec.text).hexdigest()
        assert each["name"] == spec.application.name
        assert each["combination"] == {"nodes": len(spec.application.nodes)}
        assert each["utilisation"] == spec.application.utilisation
        assert each["utilisation"] == pytest.approx(each["utilisation_wanted"], abs=1e-4)
        assert [task["wcet_ns"] for task in each["tasks"]] == [t.callback.wcet for t in spec.application.tasks]
        wanted = each["parameters"]
        again = Parameters(wanted["nodes"], wanted["utilisation"], (10_000_000, 20_000_000))
        assert generate(again, each["seed"], each["name"]).application == spec.application


def test_the_same_seed_gives_the_same_bytes(small_parameters: Path) -> None:
    for name in ("a", "b"):
        assert takt(str(small_parameters), "--repeat", "2", "--out", name).exit_code == 0
    made = [
        {path.name: path.read_bytes() for path in (small_parameters.parent / name).glob("*.yaml")}
        for name in ("a", "b")
    ]
    assert made[0] == made[1]
    assert len(made[0]) == 4


def test_every_process_gives_the_same_bytes(small_parameters: Path) -> None:
    """The output does not depend on Python's hashes, which differ from process to process."""
    record = TABLE_5_9 | {"nodes": 20, "force_all_combinations": [], "callbacks": {"1": 0.5, "2": 0.5}}
    small_parameters.write_text(json.dumps({"parameters": record | {"chains": {"count": 2, "length": 3}}}), "utf-8")
    made = []
    for hashes in ("1", "2"):
        command = [sys.executable, "-m", "takt_cli", "generate", str(small_parameters), "--out", hashes]
        subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": hashes}, check=True, capture_output=True, timeout=60
        )
        made.append((small_parameters.parent / hashes / "small-1.yaml").read_bytes())
    assert made[0] == made[1]


def test_names_are_short_and_distinct(small_parameters: Path) -> None:
    long = {"periods": [list(range(1, 60)), list(range(2, 60))], "force_all_combinations": ["periods", "nodes"]}
    names = [item.name for item in collect(parsed(SMALL | long, "p" * 60), 10, 1).items]
    assert len(set(names)) == len(names) == 40
    # The names can be names of files, because a batch names its results after them.
    assert all(name == file_name(name) for name in names)
    close = {"utilisation": [0.5, 0.5000000001], "force_all_combinations": ["utilisation"]}
    small_parameters.write_text(json.dumps({"parameters": SMALL | close}), "utf-8")
    assert "two combinations would both be called small-u50-1" in takt(str(small_parameters), "--out", "x").stderr


def test_what_is_missing_from_the_file_is_named(small_parameters: Path) -> None:
    small_parameters.write_text(json.dumps({"parameters": SMALL | {"pubsub": [0.5, 0.5]}}), "utf-8")
    assert takt(str(small_parameters), "--out", "x").stderr == (
        f"takt: {small_parameters}:1: parameters: message_size: small-n2-1: callbacks publish, so a size is needed, "
        "such as 512KiB\n"
    )


def test_a_table_for_a_person(small_parameters: Path) -> None:
    small_parameters.write_text(json.dumps({"parameters": TABLE_5_9 | {"nodes": [1, 4]}}), "utf-8")
    result = takt(str(small_parameters), "--out", "made")
    assert result.exit_code == 0, result.stderr
    assert "48 combinations, 18 of them distinct: the others describe the same applications; 18 appl" in result.stdout
    assert "small-n4-u50-x20_80-m256KiB-1" in result.stdout
    assert "result: made" in result.stdout
    assert ALONE not in result.stdout, "this combination has no shares, so no exchange was requested"
    small_parameters.write_text(
        json.dumps({"parameters": TABLE_5_9 | {"nodes": [1, 4], "pubsub": [[0.4, 0.6]]}}), "utf-8"
    )
    assert f"small-n1-u50-x0-m0-1: {ALONE} (3 such)" in takt(str(small_parameters), "--out", "other").stdout


def test_errors_are_one_line(small_parameters: Path) -> None:
    result = takt("nothing.json")
    assert (result.exit_code, result.stderr) == (
        2,
        "takt: nothing.json: there is no such file; name a file of parameters (JSON or YAML)\n",
    )
    assert takt(str(small_parameters), "--out", ".").exit_code == 1
    small_parameters.write_text(json.dumps({"parameters": SMALL | {"nodes": list(range(1, 12))}}), "utf-8")
    assert (
        "11 combinations, each 10000 times, exceed the limit of 100000; force fewer"
        in takt(str(small_parameters), "--repeat", "10000", "--out", "x").stderr
    )
