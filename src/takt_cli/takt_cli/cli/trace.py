# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt trace`: what happened, decision by decision."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from takt_cli.analysis.trace_jobs import NEVER
from takt_cli.analysis.trace_misses import by_culprit
from takt_cli.analysis.trace_summary import Traced, TraceFigures, read_traced
from takt_cli.cli.options import json_option
from takt_cli.cli.output import print_json, say, show
from takt_cli.errors import ResultError, UsageError
from takt_cli.report.trace_table import trace_report
from takt_cli.report.trace_timeline import Scene, scene_of_job, scene_of_miss, trace_timeline


def _perfetto(figures: TraceFigures, place: Path) -> int:
    # Here, for these take longer to load than most commands to run.
    from takt_cli.export.perfetto_trace import write_perfetto  # noqa: PLC0415

    return write_perfetto(figures, place)


def _mcap(figures: TraceFigures, place: Path) -> int:
    from takt_cli.export.mcap_file import write_mcap  # noqa: PLC0415

    return write_mcap(figures, place)


_WRITERS = {"perfetto": _perfetto, "mcap": _mcap}
_ENDINGS = {"perfetto": ".perfetto-trace", "mcap": ".mcap"}

result_argument = click.argument("result", type=click.Path(path_type=Path))


@click.group()
def trace() -> None:
    """Look at what `takt run ... --trace`, or an executor with a trace, has written down.

    RESULT is the folder of a run, or the file of a trace.

    \b
    Example:
      takt run examples/planner.yaml --executor takt --trace --out results/planner
      takt trace show results/planner
    """


@trace.command(name="show")
@result_argument
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="How many misses one by one.")
@click.option("--anyway", is_flag=True, help="Figures of what is left of a trace that is incomplete.")
@json_option
def show_trace(result: Path, limit: int, anyway: bool, as_json: bool) -> None:
    """Responses of each task, and for each miss what ran instead, and why.

    Of a run, figures are of its measured part. A trace that dropped events, or whose program ended
    without closing it, is incomplete: no figure of it is given unless asked for.

    \b
    Example:
      takt trace show results/planner
    """
    summary = TraceFigures(_read(result, anyway)).summary()
    if as_json:
        print_json(summary)
    else:
        show(*trace_report(summary, limit))


@trace.command()
@result_argument
@click.option("--format", "kind", type=click.Choice(list(_ENDINGS)), required=True, help="For which viewers.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to [default: beside the trace].")
@json_option
def export(result: Path, kind: str, out: Path | None, as_json: bool) -> None:
    """Write the trace for a viewer.

    perfetto opens at ui.perfetto.dev: a track for each processor and for each task, arrows from who
    publishes to who reads, marks for misses, refreshes and switches. mcap opens in robotics viewers:
    response, lateness and execution of each task as plots. What is incomplete says so in the file.

    \b
    Examples:
      takt trace export results/planner --format perfetto
      takt trace export results/planner --format mcap --out planner.mcap
    """
    traced = read_traced(result)
    place = out or traced.trace.path.with_suffix(_ENDINGS[kind])
    figures = TraceFigures(traced)
    written = _WRITERS[kind](figures, place)
    if traced.trace.holes:
        say(f"takt: incomplete: {'; '.join(traced.trace.holes)}")
    if as_json:
        print_json({"file": str(place), "format": kind, "incomplete": traced.trace.holes, "records": written})
    else:
        show(f"{place}: {written} records")


@trace.command()
@result_argument
@click.option(
    "--job", metavar="TASK#N", help="Which job [default: the worst miss of each of the most frequent causes]."
)
@click.option("--limit", type=click.IntRange(1, 20), default=3, show_default=True, help="How many misses.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="An SVG [default: beside the trace].")
@click.option("--anyway", is_flag=True, help="What is left of a trace that is incomplete.")
@json_option
def plot(result: Path, job: str | None, limit: int, out: Path | None, anyway: bool, as_json: bool) -> None:
    """Draw who had the processor around the worst misses.

    Where none was missed, around the job that came closest to its deadline.

    \b
    Examples:
      takt trace plot results/planner
      takt trace plot results/planner --job planner/plan#42 --out plan.svg
    """
    figures = TraceFigures(_read(result, anyway))
    scenes = [scene_of_job(figures, _place(figures, job))] if job is not None else _worst(figures, limit)
    place = out or figures.trace.path.with_suffix(".svg")
    place.write_text(trace_timeline(figures, scenes), "utf-8")
    if as_json:
        print_json({"file": str(place), "incomplete": figures.trace.holes, "jobs": [scene.words for scene in scenes]})
    else:
        show(str(place), *(f"  {scene.words}" for scene in scenes))


def _worst(figures: TraceFigures, limit: int) -> list[Scene]:
    causes = by_culprit(figures.missed)
    # What was shed shows the same job as the late one before it.
    causes.sort(key=lambda cause: cause["how"] in ("skipped", "stale"))
    first = {(cause["task"], cause["mostly"]): cause for cause in reversed(causes)}
    chosen = sorted(first.values(), key=lambda cause: -cause["misses"])[:limit]
    if chosen:
        misses = {(missed.task, missed.index): missed for missed in figures.missed}
        return [scene_of_miss(figures, misses[cause["task"], cause["worst"]]) for cause in chosen]
    jobs = figures.within
    margin = np.where((jobs.finish >= 0) & (jobs.deadline >= 0), jobs.deadline - jobs.finish, NEVER)
    if len(jobs) == 0:
        raise ResultError(f"{figures.trace.path}: there is no job in it")
    closest = int(np.argmin(margin))
    return [scene_of_job(figures, figures.jobs.place(int(jobs.task[closest]), int(jobs.index[closest])))]


def _place(figures: TraceFigures, job: str) -> int:
    name, _, number = job.rpartition("#")
    tasks = [task for task, each in figures.trace.tasks.items() if each.name == name]
    place = figures.jobs.place(tasks[0], int(number)) if tasks and number.isdecimal() else -1
    if place < 0:
        raise UsageError(f"--job: {figures.trace.path} has no job '{job}'; name one as `takt trace show` does, TASK#N")
    return place


def _read(result: Path, anyway: bool) -> Traced:
    traced = read_traced(result)
    holes = traced.trace.holes
    if holes and not anyway:
        raise ResultError(f"{traced.trace.path}: incomplete: {'; '.join(holes)}; --anyway shows what is left of it")
    return traced
