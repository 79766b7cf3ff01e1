# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Runs the command with the real C++ programs."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from click.testing import CliRunner

from takt_cli.cli.main import cli


def takt(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, [*arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def realtime() -> bool:
    """Return whether this process may have a real-time priority."""
    child = subprocess.run(["chrt", "--fifo", "49", "true"], capture_output=True, check=False)
    return child.returncode == 0
