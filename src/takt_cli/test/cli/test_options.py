# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the options of all verbs, as click knows them: each option that takes a number or a duration refuses nan and
infinity."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from takt_cli.cli.main import cli

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
