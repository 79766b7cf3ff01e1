# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Two results of one kind of measurement, as they are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from takt_cli.analysis.hosts import FACTS
from takt_cli.comparison.compare import INCONCLUSIVE
from takt_cli.comparison.variants import Side, compare_variants
from takt_cli.errors import ResultError
from takt_cli.measurements.measurement import AnyMeasurement
from takt_cli.measurements.registry import measurement_in
from takt_cli.results.achieved import Achieved
from takt_cli.results.json_file import plain
from takt_cli.results.origin import Origin


def compare_measured(a: Path, b: Path, force: bool, margin: float) -> dict[str, Any]:
    """Return the comparison of two results of one kind, for JSON. Raises ResultError if A or B is of another kind or of
    one that cannot be compared, and as `compare_variants` does."""
    kinds = [measurement_in(folder) for folder in (a, b)]
    for folder, other, kind in ((a, b, kinds[0]), (b, a, kinds[1])):
        if kind is None or kind is not kinds[0]:
            raise ResultError(f"{folder}: is of another kind than {other}; compare results of one kind")
        if kind.comparison is None:
            raise ResultError(f"{folder}: a result of {kind.command} cannot be compared with another")
    side_a, side_b = (side_of(kind, folder) for kind, folder in zip(kinds, (a, b), strict=True) if kind is not None)
    return compare_variants(side_a, side_b, force, margin)


def side_of(measurement: AnyMeasurement, folder: Path) -> Side:
    """Read one side of a comparison."""
    comparison = measurement.comparison
    assert comparison is not None
    envelope, result = measurement.format.read(folder), measurement.read(folder)
    verdicts = measurement.verdicts(measurement.summarise(result))
    settings = {
        name.replace("_", " "): str(getattr(envelope.settings, name))
        for name in plain(envelope.settings)
        if name not in comparison.may_differ
    }
    return Side(
        folder,
        measurement.name,
        comparison.subject(envelope.settings),
        _host_facts(envelope.origin) | settings,
        envelope.origin.commit,
        envelope.origin.virtual is not None,
        comparison.figures(result),
        frozenset(name for name, verdict in verdicts.items() if verdict.outcome == INCONCLUSIVE),
    )


def _host_facts(origin: Origin) -> dict[str, str]:
    """Return what must be equal of the host, and which conditions were asked for."""
    host = plain(origin.host) or {}
    requested = (origin.conditions or Achieved()).asked()
    return {
        name: str(value) for name, value in ({fact: host.get(key) for fact, key in FACTS.items()} | requested).items()
    }
