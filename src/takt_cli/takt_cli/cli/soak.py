# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt soak`: run an application under load for hours, while it changes, and judge it."""

from __future__ import annotations

from takt_cli.cli.measurement import measurement_command
from takt_cli.measurements.soak import SOAK

soak = measurement_command(SOAK)
