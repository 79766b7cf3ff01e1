# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure KIND` for each benchmark, and `all` of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.benchmark import benchmark_summary, read_benchmark
from takt_cli.cli.options import Positive, command_line, cpu_option, json_option, out_option
from takt_cli.cli.output import print_json, show
from takt_cli.errors import RunError
from takt_cli.host.cpus import choose_cpu
from takt_cli.report.benchmark_plot import benchmark_plot
from takt_cli.report.benchmark_table import benchmark_report
from takt_cli.run.benchmark import KINDS, BenchmarkSettings, Kind, run_benchmark
from takt_cli.run.folder import ResultFolder, default_folder
from takt_cli.run.progress import Progress

_PASSES = 3
_QUICK = 3

rounds_option = click.option(
    "--rounds",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Rounds, in each of which every variant has its turn [default: as many as the interval needs].",
)
turn_option = click.option("--turn", type=Positive(), help="Length of a turn, such as 200ms.")


def benchmark_commands() -> list[click.Command]:
    """One for each kind, and one for all."""
    return [_command(kind) for kind in KINDS.values()] + [_all]


def _command(kind: Kind) -> click.Command:
    @click.command(kind.name, short_help=f"{kind.does[0].upper()}{kind.does[1:]}.")
    @rounds_option
    @turn_option
    @cpu_option
    @out_option
    @json_option
    def measure_one(rounds: int | None, turn: int | None, cpu: int | None, out: Path | None, as_json: bool) -> None:
        settings = BenchmarkSettings(kind, choose_cpu(cpu), rounds or kind.rounds, turn or kind.turn, _PASSES)
        place = out or default_folder("measure", kind.name)
        with ResultFolder(place) as folder, Progress(len(settings.parts), settings.length) as progress:
            summary = _measure(settings, folder.path, progress)
        if as_json:
            print_json(summary | {"folder": str(place)})
        else:
            show(*benchmark_report(summary, kind.does, place))

    measure_one.help = (
        f"Measure {kind.does}. Figures are ratios of what is measured in the same rounds, with "
        f"intervals; samples, table and plot are kept.\n\n\b\nExample:\n  takt measure {kind.name} --json"
    )
    return measure_one


@click.command("all", short_help="All benchmarks, one after the other.")
@click.option("--quick", is_flag=True, help="A third of the rounds.")
@cpu_option
@out_option
@json_option
def _all(quick: bool, cpu: int | None, out: Path | None, as_json: bool) -> None:
    """Measure dispatch, preemption, exchange, crossing, switch, section, trace and nodes, each into a folder of its
    own.

    \b
    Example:
      takt measure all --out results/bench
    """
    chosen = choose_cpu(cpu)
    place = out or default_folder("measure", "all")
    every = [
        BenchmarkSettings(kind, chosen, kind.rounds // _QUICK if quick else kind.rounds, kind.turn, _PASSES)
        for kind in KINDS.values()
    ]
    parts = sum(len(settings.parts) for settings in every)
    summaries: dict[str, dict[str, Any]] = {}
    failed: list[str] = []
    with ResultFolder(place) as folder, Progress(parts, sum(s.length for s in every)) as progress:
        for settings in every:
            part = folder.path / settings.kind.name
            part.mkdir()
            try:
                summaries[settings.kind.name] = _measure(settings, part, progress)
            except RunError as error:
                # What a host does not allow of one must not lose the others.
                shutil.rmtree(part)
                failed.append(str(error))
        (folder.path / "summary.json").write_text(json.dumps(summaries, indent=1) + "\n", "utf-8")
    if as_json:
        print_json(summaries | {"folder": str(place)})
    else:
        for name, summary in summaries.items():
            show(*benchmark_report(summary, KINDS[name].does, place / name))
    if failed:
        raise RunError("; ".join(failed))


def _measure(settings: BenchmarkSettings, folder: Path, progress: Progress) -> dict[str, Any]:
    run_benchmark(settings, folder, command_line(), progress)
    progress.say("drawing")
    result = read_benchmark(folder)
    summary = benchmark_summary(result)
    (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
    (folder / f"{settings.kind.name}.svg").write_text(benchmark_plot(result, settings.kind.does), "utf-8")
    return summary
