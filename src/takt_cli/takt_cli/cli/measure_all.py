# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure all`: all benchmarks, one after the other."""

from __future__ import annotations

import shutil
from itertools import chain
from pathlib import Path
from typing import Any

from takt_cli.cli.measurement import measure_into
from takt_cli.cli.output import show
from takt_cli.errors import RunError
from takt_cli.measurements.benchmarks import MEASUREMENTS
from takt_cli.options.usage import read_usage, verb
from takt_cli.results.benchmark import ALL_FORMAT, BENCHMARKS, AllRecord, AllSettings
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import SUMMARY_FILE, read_origin
from takt_cli.run.progress import Progress

_QUICK = 3


def _command(quick: bool, cpu: int | None, out: Path | None, as_json: bool) -> None:
    place = out or default_folder("measure", "all")
    settings = {
        each.name: each.settings(BENCHMARKS[each.name].rounds // _QUICK if quick else None, cpu)
        for each in MEASUREMENTS
    }
    parts, seconds = (sum(getattr(each, name) for each in settings.values()) for name in ("parts", "seconds"))
    summaries: dict[str, Any] = {}
    failed: list[str] = []
    with ResultFolder(place) as folder, Progress(parts, seconds) as progress:
        for each in MEASUREMENTS:
            part = folder.path / each.name
            part.mkdir()
            try:
                summaries[each.name] = measure_into(part, each, settings[each.name], progress)
            except RunError as error:
                # A host may not allow one of the benchmarks; the results of the others are still of use.
                shutil.rmtree(part)
                failed.append(str(error))
        if not summaries:
            raise RunError("; ".join(failed))
        origin = read_origin(folder.path / next(iter(summaries)))
        ALL_FORMAT.write(folder.path, origin, AllSettings(quick, cpu), AllRecord(list(summaries), failed))
        write_json(folder.path / SUMMARY_FILE, summaries)
    parts_shown = (
        (*each.report(summaries[each.name], read_origin(place / each.name)), f"result: {place / each.name}")
        for each in MEASUREMENTS
        if each.name in summaries
    )
    show(as_json, summaries, *chain.from_iterable(parts_shown), folder=place)
    if failed:
        raise RunError("; ".join(failed))


measure_all = verb("all", read_usage(__name__), _command)
