# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The texts of pages and tables, from the file `texts.yaml`."""

from __future__ import annotations

import msgspec

from takt_cli.spec.packaged import packaged


class FigureText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The title of a figure, its unit, and what it is."""

    title: str
    unit: str
    description: str


class ChartText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a chart shows, and its title if that is always the same."""

    description: str
    title: str = ""


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    figures: dict[str, FigureText]
    charts: dict[str, ChartText]
    remarks: dict[str, str]
    executors: dict[str, str]
    facts: dict[str, str]


_TEXTS = packaged(__package__, "texts", _Texts)
FIGURES, CHARTS, REMARKS = _TEXTS.figures, _TEXTS.charts, _TEXTS.remarks
EXECUTOR_DESCRIPTIONS, FACTS = _TEXTS.executors, _TEXTS.facts
