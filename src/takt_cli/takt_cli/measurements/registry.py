# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All kinds of measurement, by name: those that the modules of this package list in `MEASUREMENTS`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from takt_cli import measurements as package
from takt_cli.measurements.measurement import AnyMeasurement
from takt_cli.results.result_file import kind_of


@cache
def all_measurements() -> dict[str, AnyMeasurement]:
    """Return all kinds by name. The modules are imported by the first call, which takes as long as numpy does."""
    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    found: list[AnyMeasurement] = [each for module in modules for each in getattr(module, "MEASUREMENTS", ())]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def measurement_in(folder: Path) -> AnyMeasurement | None:
    """Return the kind whose result is in `folder`; None if it holds none, or a result of something else. Raises
    ResultError if the result is damaged."""
    return all_measurements().get(kind_of(folder) or "")
