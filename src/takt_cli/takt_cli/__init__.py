# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The lab of takt: specs, runs, analysis and reports behind the command `takt`."""

__version__ = "0.1.0"
