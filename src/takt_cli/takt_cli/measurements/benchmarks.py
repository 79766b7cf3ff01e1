# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The benchmarks of the runtime: a kind of measurement each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from takt_cli.analysis.benchmark import Benchmark, BenchmarkSummary, benchmark_summary, read_benchmark
from takt_cli.comparison.figures import Figure, quantiles
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import Comparison, Measurement
from takt_cli.options.common import PERIOD, cpu_option
from takt_cli.report.kinds.benchmark import (
    benchmark_charts,
    benchmark_report,
    benchmark_title,
    benchmark_verdicts,
    format_x,
)
from takt_cli.results.benchmark import KINDS, BenchmarkRecord, BenchmarkSettings, Kind
from takt_cli.run.benchmark import run_benchmark
from takt_cli.spec.units import format_duration

_US = 1000


def _measurement(kind: Kind) -> Measurement[BenchmarkSettings, BenchmarkRecord, Benchmark, BenchmarkSummary]:
    def settings(rounds: int | None, cpu: int | None, turn: int | None = None) -> BenchmarkSettings:
        return BenchmarkSettings(kind.name, choose_cpu(cpu), rounds or kind.rounds, turn or kind.turn)

    turn_option = click.option(
        "--turn",
        type=PERIOD,
        help=f"Measuring time per variant and round, above 0 [default: {format_duration(kind.turn)}].",
    )
    rounds_option = click.option(
        "--rounds",
        type=click.IntRange(1, 10_000),
        metavar="N",
        help=f"Number of rounds; each measures every variant once [default: {kind.rounds}].",
    )
    return Measurement(
        short_help=f"{kind.description[0].upper()}{kind.description[1:]}.",
        help=f"Measure {kind.description}.\n\nFor those who compare hosts or versions of takt, and for developers of "
        f"takt. {kind.variants}\n\nAll take turns in every round. Ratios are given with 95 % intervals; samples, a "
        "table and a plot are kept in the result folder.\n\n\b\n"
        f"Examples:\n  takt measure {kind.name}\n  takt measure {kind.name} --rounds {kind.rounds * 2} --json",
        options=(rounds_option, *((turn_option,) if kind.turn_is_given else ()), cpu_option),
        settings=settings,
        format=kind.format,
        programs=(kind.name,),
        run=run_benchmark,
        read=read_benchmark,
        summarise=benchmark_summary,
        title=benchmark_title,
        tables=benchmark_report,
        charts=lambda benchmark, _: benchmark_charts(benchmark),
        verdicts=benchmark_verdicts,
        comparison=Comparison(subject=lambda _: kind.name, may_differ=frozenset({"rounds", "cpu"}), figures=_figures),
    )


def _figures(benchmark: Benchmark) -> dict[str, Sequence[Figure[Any]]]:
    figures: dict[str, list[Figure[Any]]] = {}
    for (variant, x), rounds in benchmark.samples.items():
        what = benchmark.kind.x
        at_x = "" if not x else f", {format_x(what, x)}" if what == "bytes" else f", {format_x(what, x)} {what}"
        samples = [(rows["at"], rows["value"] / _US) for rows in rounds.values()]
        figures.setdefault(variant, []).extend(quantiles(f"time{at_x}", "us", samples))
    return dict(figures)


MEASUREMENTS = tuple(map(_measurement, KINDS.values()))
