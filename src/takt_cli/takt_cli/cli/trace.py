# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt trace`: explain, draw and export the trace of an executor's decisions."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
import numpy as np

from takt_cli.chart.svg import to_svg
from takt_cli.cli.output import print_json, print_output, print_remark
from takt_cli.errors import ResultError, UsageError
from takt_cli.options.common import json_option
from takt_cli.report.charts.trace import Scene, scene_of_job, scene_of_miss, trace_chart
from takt_cli.report.tables.trace import trace_report
from takt_cli.results.atomic_file import write_atomically
from takt_cli.traces.jobs import NEVER
from takt_cli.traces.misses import misses_by_cause
from takt_cli.traces.summary import RecordedTrace, TraceAnalysis, read_recorded_trace


def _perfetto(analysis: TraceAnalysis, path: Path) -> int:
    # Imported here: it takes longer to import than most commands take to run.
    from takt_cli.export.perfetto_trace import write_perfetto  # noqa: PLC0415

    return write_perfetto(analysis, path)


def _mcap(analysis: TraceAnalysis, path: Path) -> int:
    from takt_cli.export.mcap_file import write_mcap  # noqa: PLC0415

    return write_mcap(analysis, path)


_WRITERS = {"perfetto": _perfetto, "mcap": _mcap}
_ENDINGS = {"perfetto": ".perfetto-trace", "mcap": ".mcap"}

result_argument = click.argument("result", type=click.Path(path_type=Path))


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


@trace.command(name="show")
@result_argument
@click.option(
    "--limit",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    metavar="MISSES",
    help="Number of deadline misses to explain one by one.",
)
@click.option(
    "--force", is_flag=True, help="Show an incomplete trace, too: figures then cover only completely recorded jobs."
)
@json_option
def show_trace(result: Path, limit: int, force: bool, as_json: bool) -> None:
    """Print the response times of each task, and for each deadline miss what delayed the job.

    For engineers who look for the cause of late jobs: the time from a job's release to its finish is divided into
    what ran or blocked it meanwhile, and why. Of a run, figures do not include the warm-up. A trace is incomplete if
    events were dropped, or if the program ended without closing it; it is refused unless --force is given.

    \b
    Examples:
      takt trace show results/planner
      takt trace show results/planner --limit 100 --json
    """
    summary = TraceAnalysis(_read(result, force)).summary()
    if as_json:
        print_json(msgspec.to_builtins(summary))
    else:
        print_output(*trace_report(summary, limit))


@trace.command()
@result_argument
@click.option(
    "--format",
    "kind",
    type=click.Choice(list(_ENDINGS)),
    required=True,
    help="Format of the file: perfetto for ui.perfetto.dev, mcap for robotics viewers such as Foxglove or PlotJuggler.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write [default: beside the trace, with the ending of the format].",
)
@json_option
def export(result: Path, kind: str, out: Path | None, as_json: bool) -> None:
    """Export a recorded trace to a file for a trace viewer.

    For engineers who want to look through a whole run on a timeline. It converts what an executor recorded, and makes
    no source code: for an application as ROS 2 packages use `takt generate --emit package`.

    perfetto: a track for each processor and each task, arrows from publication to delivery, marks for deadline
    misses, refreshed data and scenario switches. mcap: response time, lateness and execution time of each task as
    plots. An incomplete trace is exported, too; the file then says that it is incomplete.

    \b
    Examples:
      takt trace export results/planner --format perfetto
      takt trace export results/planner --format mcap --out planner.mcap
    """
    traced = read_recorded_trace(result)
    place = out or traced.trace.path.with_suffix(_ENDINGS[kind])
    analysis = TraceAnalysis(traced)
    record_count = _WRITERS[kind](analysis, place)
    if traced.trace.holes:
        print_remark(f"takt: incomplete: {'; '.join(traced.trace.holes)}")
    if as_json:
        print_json({"file": str(place), "format": kind, "incomplete": traced.trace.holes, "records": record_count})
    else:
        print_output(f"{place}: {record_count} records")


@trace.command()
@result_argument
@click.option(
    "--job",
    metavar="TASK#N",
    help="Draw this job only: the task and the job's number, as `takt trace show` prints them [default: the worst "
    "deadline miss of each of the most frequent causes].",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    metavar="CAUSES",
    help="Number of causes to draw, each with its worst deadline miss.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="SVG file to write [default: beside the trace, ending in .svg].",
)
@click.option("--force", is_flag=True, help="Draw an incomplete trace, too: only completely recorded jobs are shown.")
@json_option
def plot(result: Path, job: str | None, limit: int, out: Path | None, force: bool, as_json: bool) -> None:
    """Draw as an SVG which job or thread had the processor around the worst deadline misses.

    For engineers who want to see at a glance what delayed a job. If no deadline was missed, the job that came closest
    to its deadline is drawn.

    \b
    Examples:
      takt trace plot results/planner
      takt trace plot results/planner --job planner/plan#42 --out plan.svg
    """
    analysis = TraceAnalysis(_read(result, force))
    scenes = [scene_of_job(analysis, _find_job(analysis, job))] if job is not None else _worst_misses(analysis, limit)
    place = out or analysis.trace.path.with_suffix(".svg")
    write_atomically(place, to_svg(trace_chart(analysis, scenes)))
    if as_json:
        print_json({"file": str(place), "incomplete": analysis.trace.holes, "jobs": [scene.title for scene in scenes]})
    else:
        print_output(str(place), *(f"  {scene.title}" for scene in scenes))


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
