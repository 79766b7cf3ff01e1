# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Where the repository lies that the tests belong to."""

from pathlib import Path

ROOT = Path(__file__).parents[4]
