# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of setup/build.sh: what is asked for must be there before anything is configured."""

import os
import subprocess
from pathlib import Path

BUILD = Path(__file__).parent / "build.sh"


def test_an_overlay_that_is_not_there_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    done = subprocess.run(
        [BUILD, "takt_core"], env={**os.environ, "OVERLAY": str(missing)}, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 2
    assert done.stderr == f"build: there is no folder {missing} (from OVERLAY)\n"
    assert done.stdout == ""
