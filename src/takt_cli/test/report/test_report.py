# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt report`: the content of its page on a run, a demo and a batch, and the targets of its links."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import pytest
from click.testing import CliRunner, Result
from page_elements import Elements
from page_samples import application, make_batch, make_demo, make_paper
from run_results import change_result

from takt_cli.analysis.grid import ANY_CPU
from takt_cli.analysis.result_set import read_set
from takt_cli.chart.axis import Axis
from takt_cli.chart.marks import Bars, Mark, Points
from takt_cli.cli.main import cli
from takt_cli.report.measures import DISPATCH, MISSES, response_times
from takt_cli.report.plotly_page import Plot
from takt_cli.report.run_detail import detail_sections
from takt_cli.report.study import Study, format_median
from takt_cli.report.study_facts import facts, notes
from takt_cli.report.study_plots import measure_plot, value_axis
from takt_cli.report.study_report import applications_section
from takt_cli.report.tables.study import outcomes, overview_table, runs_table

Drawn = TypeVar("Drawn", bound=Mark)


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.fixture(scope="module")
def results_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a demo, and a batch of three applications with two runs each."""
    place = tmp_path_factory.mktemp("made")
    applications = [application(f"app {n} #{s}", n, 0.5, s) for n, s in ((20, 1 << 20), (20, 1024), (10, 1024))]
    make_batch(make_demo(place), place / "batch", applications)
    return place


@pytest.fixture
def batch(results_folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(results_folder / "batch", tmp_path / "batch")
    return tmp_path / "batch"


def changed(file: Path, **changes: Any) -> None:
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")


def links(page: Path) -> set[str]:
    return {attributes.get("href") or "" for tag, attributes in Elements(page.read_text("utf-8")).found if tag == "a"}


@pytest.mark.parametrize("kind", ["run", "demo", "batch"])
def test_every_link_leads_somewhere(results_folder: Path, kind: str, tmp_path: Path) -> None:
    folder = {
        "run": results_folder / "demo/baseline1",
        "demo": results_folder / "demo",
        "batch": results_folder / "batch",
    }[kind]
    page = tmp_path / "elsewhere.html"
    result = takt("report", str(folder), "--out", str(page), "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer == {
        "page": str(page),
        "kind": kind,
        "runs": {"run": 1, "demo": 3, "batch": 17}[kind],
        "failed": int(kind == "batch"),
        "bytes": page.stat().st_size,
    }
    elements = Elements(page.read_text("utf-8"))
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    places, files = ({link for link in links(page) if link.startswith("#") == inside} for inside in (True, False))
    assert {place[1:] for place in places} <= set(ids)
    assert len(files) == 3 * answer["runs"]
    assert all((page.parent / unquote(file)).exists() for file in files)
    # The row of a run that a click on a point leads to is on the page.
    points = {value for trace in traces(elements) for value in trace.get("customdata", ())}
    assert {point[1:] for point in points} <= set(ids)
    assert len(points) == answer["runs"] or kind == "run"


def traces(elements: Elements) -> list[dict[str, Any]]:
    plots = json.loads(elements.scripts["figures"])["plots"]
    assert len(plots) >= 4
    return [trace for plot in plots for trace in plot["figure"]["data"]]


def test_the_page_lies_in_the_folder(batch: Path) -> None:
    result = takt("report", str(batch))
    assert result.exit_code == 0, result.output
    assert result.stdout == f"page: {batch / 'report.html'}\n"
    before = (batch / "report.html").read_bytes()
    assert takt("report", str(batch)).exit_code == 0
    assert len((batch / "report.html").read_bytes()) == len(before)
    assert not [path for path in batch.iterdir() if "partial" in path.name]


def test_a_folder_that_cannot_be_reported_gives_one_line(batch: Path, tmp_path: Path) -> None:
    for arguments, wanted in (
        ([str(tmp_path / "none")], "holds no result"),
        ([str(batch), "--out", str(tmp_path)], "is a folder"),
        ([str(batch), "--out", str(tmp_path / "no/page.html")], "cannot be written"),
    ):
        result = takt("report", *arguments)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert wanted in result.stderr
        assert len(result.stderr.splitlines()) == 1
    (batch / "journal.jsonl").write_text("", "utf-8")
    assert "no finished run" in takt("report", str(batch)).stderr


def test_the_page_of_a_paper_is_made_anew(tmp_path: Path) -> None:
    paper = make_paper(tmp_path / "paper")
    (paper / "page.html").unlink()
    result = takt("report", str(paper), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["kind"] == "paper"
    assert "Table 5.14" in (paper / "page.html").read_text("utf-8")
    assert "are relative to" in takt("report", str(paper), "--out", str(tmp_path / "page.html")).stderr
    for damaged in ("[]", "{}", "["):
        (paper / "summary.json").write_text(damaged, "utf-8")
        result = takt("report", str(paper))
        assert result.exit_code == 1
        assert "not in the format of this version of takt" in result.stderr


def test_applications_are_ordered_by_their_parameters(results_folder: Path) -> None:
    study = Study(read_set(results_folder / "batch"), results_folder)
    assert [group.title for group in study.groups] == ["10 nodes", "20 nodes"]
    assert study.order == ["app 10 #1024", "app 20 #1024", "app 20 #1048576"]
    assert study.labels == {"app 10 #1024": "10 #1024", "app 20 #1024": "20 #1024", "app 20 #1048576": "20 #1048576"}
    assert study.executors == ["takt", "baseline0", "baseline1"]


def test_applications_alike_but_for_their_messages_are_together(results_folder: Path, tmp_path: Path) -> None:
    applications = [application(f"n{n}-m{s}", n, 0.25, s) for n in (20, 3) for s in (4096, 512, 0)]
    study = Study(
        read_set(make_batch(results_folder / "demo", tmp_path / "batch", applications, runs=1)), results_folder
    )
    assert [(group.title, group.applications) for group in study.groups] == [
        ("3 nodes, utilisation 0.25", ("n3-m0", "n3-m512", "n3-m4096")),
        ("20 nodes, utilisation 0.25", ("n20-m0", "n20-m512", "n20-m4096")),
    ]
    assert study.labels["n3-m512"] == "n3-m512"


def test_medians_and_ranges_are_those_of_the_runs(results_folder: Path) -> None:
    study = Study(read_set(results_folder / "batch"), results_folder)
    for case, row in zip(study.cases, overview_table(study).rows, strict=True):
        runs = study.cases[case]
        ratios = sorted(100 * (run.summary.totals.miss_ratio or 0) for run in runs)
        assert row[:3] == (*case, str(len(runs)))
        assert row[3] == format_median(ratios, "%")
    plot = measure_plot(study, MISSES)
    (bars,) = (mark for mark in marks(plot, Bars) if mark.name == "baseline1")
    (dots,) = (mark for mark in marks(plot, Points) if mark.name == "baseline1")
    wanted = [run for case, runs in study.cases.items() for run in runs if case.executor == "baseline1"]
    assert list(dots.x) == [100 * (run.summary.totals.miss_ratio or 0) for run in wanted]
    assert list(dots.links) == [study.link_to_run(run) for run in wanted]
    assert list(bars.length) == pytest.approx([sum(dots.x[i : i + 2]) / 2 for i in (0, 2, 4)])


def test_every_run_has_its_row(results_folder: Path) -> None:
    study = Study(read_set(results_folder / "batch"), results_folder)
    table = runs_table(study)
    assert [tuple(row[:3]) for row in table.rows] == [(r.application, r.executor, str(r.run)) for r in study.runs]
    for run, row in zip(study.runs, table.rows, strict=True):
        assert row[12] == run.summary.verdict.outcome
    assert outcomes(run.summary.verdict for run in study.runs if run.executor == "takt") == "pass"


def test_the_tightest_task_is_found(results_folder: Path) -> None:
    study = Study(read_set(results_folder / "batch"), results_folder)
    run = study.runs[0]
    app = study.applications[run.application]
    periods = {task.id: task.callback.deadline / 1e6 for task in app.tasks}
    worst = max((task.response_ms.p99 or 0) / periods[task.task] for task in run.summary.tasks)
    assert response_times(run, app).p99 == pytest.approx(100 * worst)


def marks(plot: Plot, kind: type[Drawn]) -> list[Drawn]:
    return [mark for panel in plot.chart.panels for mark in panel.marks if isinstance(mark, kind)]


def timelines(folder: Path) -> list[Plot]:
    study = Study(read_set(folder), folder)
    plots = [plot for section in detail_sections(study) for plot in section.plots]
    return [plot for plot in plots if plot.id.startswith("timeline-")]


def test_a_timeline_is_of_the_window_however_long_the_hyperperiod(stand_ins: Path, spec: Path) -> None:
    spec.write_text(spec.read_text("utf-8").replace("period: 20ms", "period: 9973us"), "utf-8")
    made = takt("run", str(spec), "--executor", "takt", "--duration", "0.3", "--out", str(stand_ins / "r"))
    assert made.exit_code == 0, made.output
    (plot,) = timelines(stand_ins / "r")
    assert plot.table
    assert len(plot.table.rows) >= 16
    (running,) = (mark for mark in marks(plot, Bars) if mark.name == "running")
    assert len(running.at) == len(running.texts) >= 16
    assert all(length > 0 for length in running.length)


def test_no_timeline_is_drawn_if_the_cpus_of_jobs_are_unknown(results_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "baseline1"
    shutil.copytree(results_folder / "demo/baseline1", folder)
    assert len(timelines(folder)) == 1

    def share_cpus(result: Any) -> None:
        for process in result["record"]["processes"]:
            for processor in process["processors"]:
                processor |= {"cpu": ANY_CPU, "cpus": [0, 1]}

    change_result(folder, share_cpus)
    assert timelines(folder) == []
    assert takt("report", str(folder)).exit_code == 0


def test_differences_between_runs_are_mentioned(batch: Path) -> None:
    folder = batch / "runs/app 10 #1024/takt"

    def move(result: Any) -> None:
        result["origin"]["host"] |= {"hostname": "other", "kernel": "9.9"}
        result["settings"]["duration"] = 10**9

    change_result(folder / "1", move)
    changed(folder / "2/summary.json", refused=["a right"], policy="rm", policy_in_use="np-rm")
    (batch / "journal.jsonl").write_text(
        "".join((batch / "journal.jsonl").read_text("utf-8").splitlines(keepends=True)[:-1]), "utf-8"
    )
    study = Study(read_set(batch), batch)
    text = "\n".join(notes(study))
    assert "1 run pending" in text
    assert "different kinds of hosts, " in text
    assert "other (1 run); each kind has rows of its own. kernel: " in text
    assert "9.9" in dict(facts(study))["kernel"]
    assert {case.application for case in study.cases if case.application.startswith("app 10")} == {
        "app 10 #1024, host 1", "app 10 #1024, host 2"
    }  # fmt: skip
    assert "Runs differ in the measured time: 1 s; 6 s." in text
    assert "without preemption" in text
    assert "Not granted: a right" in text


def test_the_page_says_how_applications_were_generated(batch: Path) -> None:
    names = ["app 10 #1024", "app 20 #1024", "app 20 #1048576"]
    applications = [
        {"name": name, "parameters": {"nodes": 3, "chains": [10, i], "pubsub": [0.5, 0.5]}}
        for i, name in enumerate(names)
    ]
    generated = {"command": ["takt", "generate", "a b.json"], "seed": 5, "applications": applications}
    (batch / "generated.json").write_text(json.dumps(generated), "utf-8")
    section = applications_section(Study(read_set(batch), batch))
    assert section.paragraphs == ["Generated by takt generate a b.json, seed 5."]
    (table,) = section.tables
    assert table.columns[-1] == "chains"
    assert [(row[0], row[1], row[-1]) for row in table.rows] == [
        ("app 10 #1024", "10", "10, 0"), ("app 20 #1024", "20", "10, 1"), ("app 20 #1048576", "20", "10, 2")
    ]  # fmt: skip
    for damaged in ("[", "[]", '{"applications": [1]}'):
        (batch / "generated.json").write_text(damaged, "utf-8")
        assert "generated.json: is not what takt writes" in takt("report", str(batch)).stderr


def test_an_application_generated_by_takt_is_described(batch: Path) -> None:
    parameters = batch.parent / "p.yaml"
    parameters.write_text(
        "parameters:\n  nodes: 3\n  utilisation: 0.5\n  periods: [[10]]\n  message_size: 1KiB\n", "utf-8"
    )
    assert takt("generate", str(parameters), "--out", str(batch.parent / "made")).exit_code == 0
    shutil.copy(batch.parent / "made/generated.json", batch)
    assert takt("report", str(batch)).exit_code == 0
    assert "Generated by " in (batch / "report.html").read_text("utf-8")


def ends_of(bars: Bars) -> list[float]:
    assert bars.base is not None
    return [base + length for base, length in zip(bars.base, bars.length, strict=True)]


def test_bars_are_stacked_from_their_components(results_folder: Path) -> None:
    study = Study(read_set(results_folder / "batch"), results_folder)
    bars = [mark for mark in marks(measure_plot(study, DISPATCH), Bars) if mark.name == "takt"]
    dots = marks(measure_plot(study, DISPATCH), Points)[0]
    assert len(bars) == 3
    for before, after in itertools.pairwise(bars):
        assert after.base is not None
        assert list(after.base) == pytest.approx(ends_of(before))
    assert ends_of(bars[-1]) == pytest.approx([sum(dots.x[i : i + 2]) / 2 for i in (0, 2, 4)])


def test_axes_begin_at_zero_unless_values_are_far_apart() -> None:
    assert value_axis("us", [1, 50]) == Axis("us", low=0, high=53)
    assert value_axis("us", [0, 0]) == Axis("us", low=0, high=1)
    assert value_axis("us", [0.1, 100]).log
    assert value_axis("us", [0, 100]) == Axis("us", low=0, high=106)
    assert value_axis("%", [0.1, 50], 100) == Axis("%", low=0, high=106)
    assert value_axis("%", [50, 5000], 100).log
    axis = value_axis("%", [500, 5000], 100)
    assert [axis.low, axis.high] == pytest.approx([79.4, 6300], rel=1e-3)
