# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The benchmarks of the runtime: a kind of measurement each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from takt_cli.analysis.benchmark import BenchmarkResult, BenchmarkSummary, benchmark_summary, read_benchmark
from takt_cli.comparison.figures import Figure, quantiles
from takt_cli.host.cpus import choose_cpu
from takt_cli.measurements.measurement import ComparisonRules, Measurement
from takt_cli.options.usage import read_usage
from takt_cli.report.kinds.benchmark import (
    benchmark_charts,
    benchmark_report,
    benchmark_title,
    benchmark_verdicts,
    format_x,
)
from takt_cli.results.benchmark import BENCHMARKS, Benchmark, BenchmarkRecord, BenchmarkSettings
from takt_cli.run.benchmark import run_benchmark
from takt_cli.spec.units import format_duration

_US = 1000


def _measurement(kind: Benchmark) -> Measurement[BenchmarkSettings, BenchmarkRecord, BenchmarkResult, BenchmarkSummary]:
    def settings(rounds: int | None, cpu: int | None, turn: int | None = None) -> BenchmarkSettings:
        return BenchmarkSettings(kind.name, choose_cpu(cpu), rounds or kind.rounds, turn or kind.turn)

    values = {
        "name": kind.name,
        "short": kind.description[0].upper() + kind.description[1:],
        "description": kind.description,
        "variants": kind.variants,
        "rounds": str(kind.rounds),
        "more_rounds": str(2 * kind.rounds),
        "turn": format_duration(kind.turn),
    }
    usage = read_usage(__name__, **{name: [text] for name, text in values.items()})
    rounds_option, turn_option, *others = usage.options
    options = (rounds_option, *([turn_option] if kind.turn_is_given else []), *others)
    return Measurement(
        usage=msgspec.structs.replace(usage, options=options),
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
        comparison=ComparisonRules(
            subject=lambda _: kind.name, may_differ=frozenset({"rounds", "cpu"}), figures=_figures
        ),
    )


def _figures(benchmark: BenchmarkResult, _: BenchmarkSummary) -> dict[str, Sequence[Figure[Any]]]:
    figures: dict[str, list[Figure[Any]]] = {}
    for (variant, x), rounds in benchmark.samples.items():
        what = benchmark.kind.x
        at_x = "" if not x else f", {format_x(what, x)}" if what == "bytes" else f", {format_x(what, x)} {what}"
        samples = [(rows["at"], rows["value"] / _US) for rows in rounds.values()]
        figures.setdefault(variant, []).extend(quantiles(f"time{at_x}", "us", samples))
    return dict(figures)


MEASUREMENTS = tuple(map(_measurement, BENCHMARKS.values()))
