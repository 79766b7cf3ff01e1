# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the options of all verbs, as click knows them: each option that takes a number or a duration refuses nan and
infinity."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from takt_cli.cli.main import cli
from takt_cli.cli.measurement import measurement_command
from takt_cli.errors import TaktError
from takt_cli.measurements.registry import all_measurements
from takt_cli.options.usage import read_usage, verb

# Types that take any text. All other types are tested, including new ones.
TEXT = (click.types.StringParamType, click.Path, click.types.BoolParamType)
NONE = ("nan", "-nan", "inf", "-inf", "Infinity", "1e999", "nanms", "infs", "nan%", "cpu=nan")


def parameters(
    command: click.Command = cli, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    context = click.Context(command)
    yield from ((path, parameter) for parameter in command.get_params(context))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from parameters(inner, (*path, name))


NUMBERS = [(path, parameter) for path, parameter in parameters() if not isinstance(parameter.type, TEXT)]


def test_the_walk_finds_what_takes_a_number_or_a_duration() -> None:
    found = {(*path, parameter.opts[-1]) for path, parameter in NUMBERS}
    assert {
        ("check", "--margin"),
        ("top", "--wait"),
        ("measure", "round-trip", "--traffic"),
        ("run", "--duration"),
    } < found


@pytest.mark.parametrize(
    ("path", "parameter"), NUMBERS, ids=[" ".join((*path, parameter.opts[-1])) for path, parameter in NUMBERS]
)
def test_no_option_accepts_nan_or_infinity(path: tuple[str, ...], parameter: click.Parameter) -> None:
    for value in NONE:
        given = [f"{parameter.opts[-1]}={value}"] if isinstance(parameter, click.Option) else ["--", value]
        result = CliRunner().invoke(cli, [*path, *given])
        assert result.exit_code == 2, (value, result.output)
        (line,) = result.stderr.splitlines()
        assert line.startswith("takt: Invalid value for ")


def test_one_name_means_one_thing_in_all_verbs() -> None:
    every = [(path, parameter) for path, parameter in parameters() if isinstance(parameter, click.Option)]
    assert not [path for path, option in every if {"--cpus", "--anyway"} & set(option.opts)]
    cpu = {option.type.name for _, option in every if "--cpu" in option.opts}
    assert cpu == {"cpus", "integer"}
    assert {option.type.name for _, option in every if "--cpu-count" in option.opts} == {"integer range"}
    lines = (
        (("--cpu-count", "2", "--cpu", "0"), "--cpu: names 1 and --cpu-count 2 CPUs"),
        (("--cpu", "0,1,2"), "--cpu: names more than two CPUs"),
    )
    for given, message in lines:
        result = CliRunner().invoke(cli, ["paper", "thesis2021", *given])
        assert result.exit_code == 2
        assert message in result.stderr


def test_the_options_of_a_verb_are_the_parameters_of_its_function() -> None:
    verbs: dict[tuple[str, ...], set[str | None]] = {}
    for path, parameter in parameters():
        if parameter.expose_value:
            verbs.setdefault(path, set()).add(parameter.name)
    checked = 0
    for path, names in verbs.items():
        function: Any = cli
        for name in path:
            function = function.get_command(click.Context(function), name)
        taken = inspect.signature(function.callback).parameters
        # Others pass their options on.
        if all(each.kind is not inspect.Parameter.VAR_KEYWORD for each in taken.values()):
            assert names == set(taken) - {"context"}, path
            checked += 1
    assert checked > 15


@pytest.mark.parametrize("kind", list(all_measurements()))
def test_the_options_of_a_measurement_are_the_parameters_of_its_settings(kind: str) -> None:
    measurement = all_measurements()[kind]
    command = measurement_command(measurement)
    taken = inspect.signature(measurement.settings).parameters
    given = {parameter.name for parameter in command.params} - {"out", "as_json"}
    # `common` is made of several options.
    demanded = {name for name, each in taken.items() if each.default is inspect.Parameter.empty} - {"common"}
    assert demanded <= given
    assert "common" in taken or given <= set(taken)


def test_a_file_of_options_is_checked_and_may_name_values(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "__init__.py").touch()
    (tmp_path / "verb.yaml").write_text(
        "help: Do one of $words.\noptions:\n- {name: --word, kind: choice, choices: $words}\n- json\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path.parent)
    usage = read_usage(f"{tmp_path.name}.verb", words=["a", "b"])
    assert usage.help == "Do one of a, b."
    found = []
    command = verb("do", usage, lambda word, as_json: found.append((word, as_json)))
    assert CliRunner().invoke(command, ["--word", "b", "--json"]).exit_code == 0
    assert CliRunner().invoke(command, ["--word", "c"]).exit_code == 2
    assert found == [("b", True)]
    with pytest.raises(TaktError, match=r"verb.yaml: nothing is given for \$words"):
        read_usage(f"{tmp_path.name}.verb")
    (tmp_path / "verb.yaml").write_text("help: Do it.\noptions:\n- {name: --word, sort: choice}\n", "utf-8")
    with pytest.raises(TaktError, match=r"verb.yaml: .*sort"):
        read_usage(f"{tmp_path.name}.verb")


def test_every_required_option_is_demanded() -> None:
    required = [(path, each) for path, each in parameters() if each.required and isinstance(each, click.Option)]
    assert {(*path, each.opts[0]) for path, each in required} >= {
        ("run", "--executor"),
        ("trace", "export", "--format"),
        ("measure", "timers", "--period"),
    }
    for path, _ in required:
        result = CliRunner().invoke(cli, [*path, "spec"])
        assert (result.exit_code, "Missing option" in result.stderr) == (2, True), path
