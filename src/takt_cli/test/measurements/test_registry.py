# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of what holds for every kind of measurement."""

from __future__ import annotations

import subprocess
import sys
from typing import get_type_hints

import click
import pytest
from click.testing import CliRunner

from takt_cli.cli.main import cli
from takt_cli.measurements.registry import all_measurements

KINDS = list(all_measurements())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_verb_with_the_common_options(kind: str) -> None:
    command = all_measurements()[kind].command
    shown = CliRunner().invoke(cli, [*command.split()[1:], "--help"]).stdout
    assert all(option in shown for option in ("--out DIR", "--json", command))


@pytest.mark.parametrize("kind", KINDS)
def test_settings_that_may_differ_are_settings(kind: str) -> None:
    measurement = all_measurements()[kind]
    fields = set(get_type_hints(measurement.format.settings))
    assert measurement.comparison is None or measurement.comparison.may_differ <= fields


def test_a_kind_is_known_by_the_name_of_its_format() -> None:
    assert {"timers", "one-way"} <= set(KINDS)
    assert all(measurement.format.kind == kind for kind, measurement in all_measurements().items())
    measure = cli.get_command(click.Context(cli), "measure")
    assert isinstance(measure, click.Group)
    assert {kind for kind in KINDS if not all_measurements()[kind].alone} <= set(measure.commands)
    assert "soak" not in measure.commands


def test_the_list_of_commands_needs_no_measurement() -> None:
    code = "import sys; from click.testing import CliRunner; from takt_cli.cli.main import cli; "
    code += "assert CliRunner().invoke(cli, ['--help']).exit_code == 0; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "takt_cli.cli.main" in loaded
    assert not {"numpy", "matplotlib", "takt_cli.measurements.registry"} & set(loaded)
