# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt trace`: explain, draw and export the trace of an executor's decisions."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
import numpy as np

from takt_cli.chart.svg import to_svg
from takt_cli.cli.output import print_remark, show
from takt_cli.errors import ResultError, UsageError
from takt_cli.options.usage import Usage, verb
from takt_cli.report.charts.trace import Scene, scene_of_job, scene_of_miss, trace_chart
from takt_cli.report.tables.trace import trace_report
from takt_cli.results.atomic_file import write_atomically
from takt_cli.spec.packaged import packaged
from takt_cli.traces.jobs import NEVER
from takt_cli.traces.misses import misses_by_cause
from takt_cli.traces.summary import RecordedTrace, TraceAnalysis, read_recorded_trace

# The ending of each format, and the module and function that write it: some take longer to import than most commands
# take to run.
_FORMATS = {
    "perfetto": (".perfetto-trace", "perfetto_trace", "write_perfetto"),
    "mcap": (".mcap", "mcap_file", "write_mcap"),
}


@click.group()
def trace() -> None:
    """Explain, draw or export a trace: every scheduling decision of an executor, with its instant.

    For engineers who want to know why a job was late. A trace is written by `takt run ... --trace`, or by an
    application whose executor has a trace file among its options. RESULT is the folder of such a run, or the trace
    file itself.

    \b
    Example:
      takt run examples/planner.yaml --executor takt --trace --out results/planner
      takt trace show results/planner
    """


def _show(result: Path, limit: int, force: bool, as_json: bool) -> None:
    summary = TraceAnalysis(_read(result, force)).summary()
    show(as_json, summary, *trace_report(summary, limit))


def _export(result: Path, kind: str, out: Path | None, as_json: bool) -> None:
    traced = read_recorded_trace(result)
    ending, module, function = _FORMATS[kind]
    place = out or traced.trace.path.with_suffix(ending)
    write: Callable[[TraceAnalysis, Path], int] = getattr(import_module(f"takt_cli.export.{module}"), function)
    record_count = write(TraceAnalysis(traced), place)
    if traced.trace.holes:
        print_remark(f"takt: incomplete: {'; '.join(traced.trace.holes)}")
    facts = {"file": str(place), "format": kind, "incomplete": traced.trace.holes, "records": record_count}
    show(as_json, facts, f"{place}: {record_count} records")


def _plot(result: Path, job: str | None, limit: int, out: Path | None, force: bool, as_json: bool) -> None:
    analysis = TraceAnalysis(_read(result, force))
    scenes = [scene_of_job(analysis, _find_job(analysis, job))] if job is not None else _worst_misses(analysis, limit)
    place = out or analysis.trace.path.with_suffix(".svg")
    write_atomically(place, to_svg(trace_chart(analysis, scenes)))
    titles = [scene.title for scene in scenes]
    facts = {"file": str(place), "incomplete": analysis.trace.holes, "jobs": titles}
    show(as_json, facts, str(place), *(f"  {title}" for title in titles))


def _worst_misses(analysis: TraceAnalysis, limit: int) -> list[Scene]:
    # A skipped release shows the same late job as the miss before it, so real misses come first.
    causes = sorted(misses_by_cause(analysis.missed), key=lambda misses: misses[0].kind in ("skipped", "stale"))
    first = {(misses[0].task, misses[0].cause[-1]): misses for misses in reversed(causes)}
    if chosen := sorted(first.values(), key=lambda misses: -len(misses))[:limit]:
        return [scene_of_miss(analysis, misses[0]) for misses in chosen]
    jobs = analysis.jobs_in_window
    margin = np.where((jobs.finish >= 0) & (jobs.deadline >= 0), jobs.deadline - jobs.finish, NEVER)
    if len(jobs) == 0:
        raise ResultError(f"{analysis.trace.path}: contains no job")
    closest = int(np.argmin(margin))
    return [scene_of_job(analysis, analysis.jobs.index_of(int(jobs.task[closest]), int(jobs.index[closest])))]


def _find_job(analysis: TraceAnalysis, job: str) -> int:
    name, _, number = job.rpartition("#")
    tasks = [task for task, each in analysis.trace.tasks.items() if each.name == name]
    job_place = analysis.jobs.index_of(tasks[0], int(number)) if tasks and number.isdecimal() else -1
    if job_place < 0:
        raise UsageError(f"--job: {analysis.trace.path} has no job '{job}'; give TASK#N as `takt trace show` prints it")
    return job_place


def _read(result: Path, force: bool) -> RecordedTrace:
    traced = read_recorded_trace(result)
    holes = traced.trace.holes
    if holes and not force:
        raise ResultError(f"{traced.trace.path}: incomplete: {'; '.join(holes)}; --force shows what is left of it")
    return traced


_USAGES = packaged(__package__, "trace", dict[str, Usage], formats=_FORMATS)
trace.add_command(verb("show", _USAGES["show"], _show))
trace.add_command(verb("export", _USAGES["export"], _export))
trace.add_command(verb("plot", _USAGES["plot"], _plot))
