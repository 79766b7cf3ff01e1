# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The benchmarks among the verbs of `takt measure`: one verb for each kind, and `all`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click

from takt_cli.analysis.benchmark import benchmark_summary, read_benchmark
from takt_cli.chart.svg import write_svgs
from takt_cli.cli.output import print_json, print_output
from takt_cli.errors import RunError
from takt_cli.host.cpus import choose_cpu
from takt_cli.options.common import Positive, command_line, cpu_option, json_option, out_option
from takt_cli.report.charts.benchmark import benchmark_chart
from takt_cli.report.tables.benchmark import benchmark_report
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.benchmark import KINDS, BenchmarkSettings, Kind, run_benchmark
from takt_cli.run.progress import Progress
from takt_cli.spec.units import format_duration

_PASSES = 3
_QUICK = 3
# What the variants of each benchmark are, and the floors or references that they are compared with.
_VARIANTS = {
    "dispatch": "Variants: the scheduler alone, driven in virtual time, with all jobs released together (together) or "
    "one by one (spread); and the CPU time of the process for each of 20 000 empty jobs a second (executor). Floors: "
    "moving one entry of a heap of the same size for each job (heap), and a timer thread that wakes a worker thread "
    "(wake-up).",
    "preemption": "Variant: from the instant at which an urgent timer is due to the first instruction of its callback, "
    "while another callback of the executor has the CPU (takt). Floor: a timer thread that sleeps until that instant "
    "and wakes another thread, at the same priorities, while a less urgent third thread computes (wake-up). "
    "cyclictest is measured beside it, for the latency of the host alone.",
    "exchange": "Variants: messages that are loaned (loaned), and messages that are copied because they are published "
    "by reference (copied). Reference: two threads that wake each other (wake-up). Within one preemption level a "
    "message needs no other thread, so a round trip can cost less than that.",
    "crossing": "Variants: the round trip of a small message, and the time of its first publication in the sender, "
    "with both nodes on one CPU and on two. Reference: two threads that wake each other, on one CPU and on two "
    "(wake-up).",
    "switch": "Variants: from just before the request for a scenario to its effect, and to the start of a job that "
    "only the new scenario allows to preempt the running one; requested by another thread of the CPU (thread) or by "
    "the running callback (callback). Floor: the requesting thread wakes a more urgent thread, which wakes another "
    "(wake-up).",
    "section": "A middleware section is a part of a job that is inside the middleware; takt lets no other job start "
    "meanwhile. Variants: a section in a job (section), in another section (nested section), and outside of jobs. "
    "Floors: two clock reads, which are part of a section; and locking a free mutex with priority inheritance, which "
    "a section replaces (lock).",
    "trace": "Variants: the CPU time for a job that enters the middleware once, reads and publishes, with a trace "
    "(traced) and without one (not traced), whose difference is judged; and the CPU time of the thread that writes the "
    "trace.",
    "nodes": "Variants: the time in all to add 10, 100 and 1,000 nodes with a timer each, one by one, to an executor "
    "that spins (takt adds), and to remove them (takt removes); and the same in one change (at once). Floors: creating "
    "and destroying the same nodes in the middleware (rcl makes, rcl destroys).",
}


def benchmark_commands() -> list[click.Command]:
    """Return the verbs: one for each kind of benchmark, and one for all of them."""
    return [_command(kind) for kind in KINDS.values()] + [_all]


def _command(kind: Kind) -> click.Command:
    @click.command(kind.name, short_help=f"{kind.description[0].upper()}{kind.description[1:]}.")
    @click.option(
        "--rounds",
        type=click.IntRange(1, 10_000),
        metavar="N",
        help=f"Number of rounds; each measures every variant once [default: {kind.rounds}].",
    )
    @click.option(
        "--turn",
        type=Positive(),
        help=f"Measuring time per variant and round, above 0 [default: {format_duration(kind.turn)}].",
    )
    @cpu_option
    @out_option
    @json_option
    def measure_one(
        rounds: int | None, cpu: int | None, out: Path | None, as_json: bool, turn: int | None = None
    ) -> None:
        settings = BenchmarkSettings(kind, choose_cpu(cpu), rounds or kind.rounds, turn or kind.turn, _PASSES)
        place = out or default_folder("measure", kind.name)
        with ResultFolder(place) as folder, Progress(len(settings.parts), settings.length) as progress:
            summary = _measure(settings, folder.path, progress)
        if as_json:
            print_json(summary | {"folder": str(place)})
        else:
            print_output(*benchmark_report(summary, kind.description, place))

    if not kind.turn_is_given:
        measure_one.params = [option for option in measure_one.params if option.name != "turn"]
    measure_one.help = (
        f"Measure {kind.description}.\n\nFor those who compare hosts or versions of takt, and for developers of takt. "
        f"{_VARIANTS[kind.name]}\n\nAll take turns in every round. Ratios are given with 95 % intervals; samples, a "
        "table and a plot are kept in the result folder.\n\n\b\n"
        f"Examples:\n  takt measure {kind.name}\n  takt measure {kind.name} --rounds {kind.rounds * 2} --json"
    )
    return measure_one


@click.command("all", short_help="All benchmarks, one after the other.")
@click.option("--quick", is_flag=True, help="Make a third of the rounds.")
@cpu_option
@out_option
@json_option
def _all(quick: bool, cpu: int | None, out: Path | None, as_json: bool) -> None:
    """Run all benchmarks: dispatch, preemption, exchange, crossing, switch, section, trace and nodes.

    For those who want the whole cost of takt's runtime on a host, which `takt check --overheads` uses. Each benchmark
    has a folder of its own in the result. One that this host does not allow does not stop the others.

    \b
    Examples:
      takt measure all --out results/bench
      takt measure all --quick --cpu 1
    """
    chosen = choose_cpu(cpu)
    place = out or default_folder("measure", "all")
    all_settings = [
        BenchmarkSettings(kind, chosen, kind.rounds // _QUICK if quick else kind.rounds, kind.turn, _PASSES)
        for kind in KINDS.values()
    ]
    parts = sum(len(settings.parts) for settings in all_settings)
    summaries: dict[str, dict[str, Any]] = {}
    failed: list[str] = []
    with ResultFolder(place) as folder, Progress(parts, sum(s.length for s in all_settings)) as progress:
        for settings in all_settings:
            part = folder.path / settings.kind.name
            part.mkdir()
            try:
                summaries[settings.kind.name] = _measure(settings, part, progress)
            except RunError as error:
                # A host may not allow one of the benchmarks; the results of the others are still of use.
                shutil.rmtree(part)
                failed.append(str(error))
        write_json(folder.path / "summary.json", summaries)
    if as_json:
        print_json(summaries | {"folder": str(place)})
    else:
        for name, summary in summaries.items():
            print_output(*benchmark_report(summary, KINDS[name].description, place / name))
    if failed:
        raise RunError("; ".join(failed))


def _measure(settings: BenchmarkSettings, folder: Path, progress: Progress) -> dict[str, Any]:
    run_benchmark(settings, folder, command_line(), progress)
    progress.say("drawing")
    result = read_benchmark(folder)
    summary = benchmark_summary(result)
    write_json(folder / "summary.json", summary)
    write_svgs(folder, {settings.kind.name: benchmark_chart(result, settings.kind.description)})
    return summary
