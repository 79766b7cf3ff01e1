# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""A measurement as a kind of result, and how two of its results are compared."""

from __future__ import annotations

from pathlib import Path

from takt_cli.comparison.comparability import host_facts
from takt_cli.comparison.comparison import Comparison, Request
from takt_cli.comparison.entry import INCONCLUSIVE
from takt_cli.comparison.variants import Side, compare_variants
from takt_cli.errors import UsageError
from takt_cli.measurements.kind import Page, ResultKind
from takt_cli.measurements.measurement import AnyMeasurement
from takt_cli.measurements.page import measurement_page
from takt_cli.results.achieved import Achieved
from takt_cli.results.json_file import plain


def measured_kind(measurement: AnyMeasurement) -> ResultKind:
    """Return a measurement as a kind of result."""

    def page(folder: Path, _: Path) -> Page:
        return Page(measurement_page(measurement, folder))

    def compare(a: Path, b: Path, request: Request) -> Comparison:
        if request.executors is not None:
            raise UsageError(f"--executors: is for runs, demos and batches; a result of {measurement.command} has none")
        return compare_variants(side_of(measurement, a), side_of(measurement, b), request)

    compared = compare if measurement.comparison is not None else None
    return ResultKind(name=measurement.name, command=measurement.command, page=page, compare=compared)


def side_of(measurement: AnyMeasurement, folder: Path) -> Side:
    """Read one side of a comparison."""
    comparison = measurement.comparison
    assert comparison is not None
    result = measurement.read(folder)
    asked, origin, summary = result.settings, result.origin, measurement.summarise(result)
    verdicts = measurement.verdicts(summary)
    settings = {
        name.replace("_", " "): str(getattr(asked, name)) for name in plain(asked) if name not in comparison.may_differ
    }
    return Side(
        folder,
        measurement.name,
        comparison.subject(asked),
        host_facts(origin.host) | _requested(origin.conditions) | settings,
        origin,
        comparison.figures(result, summary),
        frozenset(name for name, verdict in verdicts.items() if verdict.outcome == INCONCLUSIVE),
    )


def _requested(conditions: Achieved | None) -> dict[str, str]:
    """Return which conditions were asked for."""
    return {name: str(asked) for name, asked in (conditions or Achieved()).asked().items()}
