# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The verb of `takt measure` for any kind of measurement."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from takt_cli.chart.svg import write_svgs
from takt_cli.cli.output import show
from takt_cli.measurements.measurement import AnyMeasurement
from takt_cli.options.common import command_line
from takt_cli.options.usage import SHARED, verb
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import SUMMARY_FILE, read_origin
from takt_cli.run.in_guest import THIS_KERNEL, OnKernel
from takt_cli.run.progress import Progress


def measurement_command(measurement: AnyMeasurement) -> click.Command:
    """Return the verb: it measures, writes result.json, summary.json and the charts, and prints the tables."""

    def measure_one(out: Path | None, as_json: bool, **options: Any) -> None:
        settings = measurement.settings(**options)
        kernel: OnKernel = options.get("kernel", THIS_KERNEL)
        place = out or default_folder(
            measurement.name if measurement.alone else "measure", measurement.label(settings) or measurement.name
        )
        with ResultFolder(place) as folder, Progress(settings.parts, settings.seconds) as progress:
            summary = measure_into(folder.path, measurement, settings, progress, kernel)
            origin = read_origin(folder.path)
        show(as_json, summary, *measurement.report(summary, origin), f"result: {place}", folder=place)
        click.get_current_context().exit(measurement.exit_status(summary))

    return verb(
        measurement.name, measurement.usage, measure_one, *measurement.further_options, SHARED["out"], SHARED["json"]
    )


def measure_into(
    folder: Path, measurement: AnyMeasurement, settings: Any, progress: Progress, kernel: OnKernel = THIS_KERNEL
) -> Any:
    """Measure, and write result.json with its samples, summary.json and the charts. Return the summary."""
    measurement.make(settings, folder, command_line(), progress, kernel)
    progress.say("drawing")
    result = measurement.read(folder)
    summary = measurement.summarise(result)
    write_json(folder / SUMMARY_FILE, summary)
    write_svgs(folder, measurement.charts(result, summary))
    return summary
