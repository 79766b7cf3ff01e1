# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure all`: all benchmarks, one after the other."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click

from takt_cli.cli.measurement import measure_into
from takt_cli.cli.output import print_json, print_output
from takt_cli.errors import RunError
from takt_cli.measurements.benchmarks import MEASUREMENTS
from takt_cli.options.common import cpu_option, json_option, out_option
from takt_cli.results.benchmark import ALL_FORMAT, KINDS, AllRecord, AllSettings
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import read_origin
from takt_cli.run.progress import Progress

_QUICK = 3


@click.command("all", short_help="All benchmarks, one after the other.")
@click.option("--quick", is_flag=True, help="Make a third of the rounds.")
@cpu_option
@out_option
@json_option
def measure_all(quick: bool, cpu: int | None, out: Path | None, as_json: bool) -> None:
    """Run all benchmarks: dispatch, preemption, exchange, crossing, switch, section, trace and nodes.

    For those who want the whole cost of takt's runtime on a host, which `takt check --overheads` uses. Each benchmark
    has a folder of its own in the result. One that this host does not allow does not stop the others.

    \b
    Examples:
      takt measure all --out results/bench
      takt measure all --quick --cpu 1
    """
    place = out or default_folder("measure", "all")
    settings = {
        each.name: each.settings(KINDS[each.name].rounds // _QUICK if quick else None, cpu) for each in MEASUREMENTS
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
        write_json(folder.path / "summary.json", summaries)
    if as_json:
        print_json(summaries | {"folder": str(place)})
    else:
        for each in MEASUREMENTS:
            if (summary := summaries.get(each.name)) is not None:
                part = place / each.name
                print_output(*each.report(summary, read_origin(part)), f"result: {part}")
    if failed:
        raise RunError("; ".join(failed))
