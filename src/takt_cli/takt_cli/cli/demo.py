# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt demo`: one application under several executors in turn, in two minutes."""

from __future__ import annotations

import shutil
from pathlib import Path

from takt_cli.analysis.summary import RunAnalysis
from takt_cli.chart.svg import to_svg
from takt_cli.cli.output import print_remark, show
from takt_cli.errors import RunTimeout
from takt_cli.host.cpus import choose_cpu
from takt_cli.options.common import command_line
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.charts.demo import demo_charts
from takt_cli.report.demo_page import demo_page
from takt_cli.report.demo_summary import DemoSummary, demo_summary
from takt_cli.report.grants import refusal_line
from takt_cli.report.tables.demo import demo_report
from takt_cli.report.tables.run import lines_on_silent_readers, refusals
from takt_cli.results.conditions import Load
from takt_cli.results.demo import DEMO_FORMAT, DemoRecord, DemoSettings
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import SUMMARY_FILE
from takt_cli.run.experiment import require_host
from takt_cli.run.progress import Progress
from takt_cli.run.run_and_replay import run_and_replay
from takt_cli.run.settings import RunSettings
from takt_cli.run.transports import require_built
from takt_cli.spec.executors import EXECUTORS
from takt_cli.spec.load import Spec, built_in_spec

_WARMUP = 2 * 10**9
_FULL, _QUICK = 30 * 10**9, 6 * 10**9


def _command(
    quick: bool, executors: tuple[str, ...], cpu: int | None, load: Load | None, out: Path | None, as_json: bool
) -> None:
    spec = built_in_spec("demo.yaml")
    chosen = choose_cpu(cpu)
    length = _QUICK if quick else _FULL
    place = out or default_folder("demo", "quick" if quick else "full")
    runs: dict[str, RunAnalysis] = {}
    retried: list[str] = []
    require_built(executors, "--executors")
    each = [RunSettings(spec, executor, length, _WARMUP, (chosen,), load=load) for executor in executors]
    for settings in each:
        require_host(settings)
    seconds = len(executors) * (_WARMUP + length) / 1e9
    with ResultFolder(place) as folder, Progress(len(executors), seconds) as progress:
        for settings in each:
            executor = settings.executor
            runs[executor], failures = _run_with_retry(settings, folder.path / executor, progress)
            retried += failures
        progress.say("drawing")
        summary, notes = write_demo(runs, spec, folder.path, retried)
    if as_json:
        print_remark(refusal_line({name: analysis.summary for name, analysis in runs.items()}))
    show(as_json, summary, *demo_report(summary, notes, place), folder=place)


def _run_with_retry(settings: RunSettings, part: Path, progress: Progress) -> tuple[RunAnalysis, list[str]]:
    """Make a run, and repeat it once if it hangs; return its figures and a remark on each failed attempt.

    A middleware thread that spins at a real-time priority can make a run hang.
    """
    part.mkdir()
    try:
        return run_and_replay(settings, part, command_line(), progress), []
    except RunTimeout as error:
        shutil.rmtree(part)
        part.mkdir()
        return run_and_replay(settings, part, command_line(), progress), [f"run a second time: {error}"]


def write_demo(
    runs: dict[str, RunAnalysis], spec: Spec, folder: Path, retried: list[str]
) -> tuple[DemoSummary, list[str]]:
    """Write the result, the plots and the page; return the summary, and notes on what was refused or went wrong."""
    results = {name: analysis.result for name, analysis in runs.items()}
    summaries = {name: analysis.summary for name, analysis in runs.items()}
    summary = demo_summary(summaries, next(iter(results.values())).host, retried)
    notes = retried + [f"{name}: {line}" for name, each in results.items() for line in refusals(each.record)]
    notes += [f"{name}: {line}" for name, each in summaries.items() for line in lines_on_silent_readers(each)]
    plots = {name: to_svg(chart) for name, chart in demo_charts(runs).items()}
    for name, svg in plots.items():
        (folder / f"{name}.svg").write_text(svg, "utf-8")
    html = demo_page(summary, spec.application, plots, results, spec.text.decode("utf-8"), notes)
    (folder / "page.html").write_text(html, "utf-8")
    first = next(iter(results.values())).envelope
    settings = DemoSettings(list(runs), first.settings.duration, first.settings.warmup)
    DEMO_FORMAT.write(folder, first.origin, settings, DemoRecord(retried))
    write_json(folder / SUMMARY_FILE, summary)
    return summary, notes


demo = verb("demo", read_usage(__name__, default=[",".join(EXECUTORS)]), _command)
