# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The format of the result of a demo, of which each run lies in a folder with the name of its executor."""

from __future__ import annotations

import msgspec

from takt_cli.results.result_file import ResultFormat


class DemoSettings(msgspec.Struct, frozen=True):
    """What was asked for. Times in ns."""

    executors: list[str]
    duration: int
    warmup: int


class DemoRecord(msgspec.Struct, frozen=True):
    """Runs that were made a second time, with the reasons."""

    retried: list[str]


DEMO_FORMAT = ResultFormat("demo", 5, DemoSettings, DemoRecord)
