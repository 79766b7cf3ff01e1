# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the command for a paper's experiments: parts, folders, tables, figures and the page."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import paper_samples as made
import pytest
from click.testing import CliRunner
from communication_samples import with_summary
from message_way_samples import write_message_ways
from rich.console import Console
from run_results import change_result
from run_summaries import run_totals

import takt_cli.results
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import read_set
from takt_cli.analysis.run_summary import RunTotals
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.cli.main import cli
from takt_cli.errors import Interrupted, ResultError, TaktError
from takt_cli.paper.batch_part import BatchSettings, scale_for
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.paper import Setup
from takt_cli.paper.paper_file import read_paper
from takt_cli.paper.papers import find_paper, paper_names
from takt_cli.paper.report import paper_report, write_paper
from takt_cli.paper.result import read_paper_result
from takt_cli.paper.statistics import Seven, host_misses, misses_of, pooled_interval, seven_figures
from takt_cli.paper.thesis2021 import freshness
from takt_cli.paper.thesis2021.cases import cases, spec_of
from takt_cli.paper.thesis2021.data_age import OTHERS, PHASES
from takt_cli.paper.thesis2021.data_age import _application as data_age_application
from takt_cli.paper.thesis2021.printed import printed
from takt_cli.paper.thesis2021.transport import PART, SIZES
from takt_cli.results.json_file import plain
from takt_cli.results.sample_files import STALLS
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.spec.application import Task

S = 10**9
THESIS2021 = find_paper("thesis2021")


def at_scale(scale: float, extra: bool = False) -> Setup[BatchSettings]:
    return Setup(BatchSettings(scale=scale, cpus=(0,), seed=1, extra=extra), ("takt",))


def thesis(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["paper", "thesis2021", *arguments])


@pytest.mark.parametrize(
    ("factor", "runs", "seconds"), [(1.0, 5, 30.0), (0.2, 2, 15.0), (0.05, 1, 7.5), (0.01, 1, 2.0), (1e-6, 1, 2.0)]
)
def test_runs_and_durations_follow_the_scale(factor: float, runs: int, seconds: float) -> None:
    scale = scale_for(factor, 5, 30 * S)
    assert (scale.runs, scale.duration) == (runs, seconds * S)


def test_at_full_scale_everything_is_as_published() -> None:
    setup = at_scale(1.0)
    runs = {name: part.items(setup) for name, part in THESIS2021.parts.items()}
    assert runs == {
        "transport": 20,
        "overhead": 12 * 2 * 5,
        "misses": 45 * 2 * 5,
        "freshness": 36 * 2 * 5,
        "data-age": 45,
    }
    assert THESIS2021.parts["misses"].items(at_scale(1.0, extra=True)) == 45 * 15
    hours = sum(part.seconds(setup) for part in THESIS2021.parts.values()) / 3600
    small = sum(part.seconds(at_scale(0.05)) for part in THESIS2021.parts.values()) / 3600
    assert hours > 8
    assert small < 1


@pytest.mark.parametrize("seed", [1, 7])
def test_every_combination_has_its_application(seed: int) -> None:
    for case in [*cases("misses"), *cases("freshness"), *cases("overhead")]:
        application = spec_of(case, seed).application
        assert len(application.nodes) == case.nodes
        assert application.utilisation == pytest.approx(case.utilisation, abs=0.001)
        assert {task.callback.period // 10**6 for task in application.tasks} <= set(case.periods)
        assert {topic.size for topic in application.topics} <= {case.size}
        assert bool(application.topics) == (case.size is not None)
        dealt_evenly(application.tasks, case.periods)
        publishers = {node.name for node in application.nodes if any(each.publishes for each in node.callbacks)}
        readers = {node.name for node in application.nodes if any(each.reads for each in node.callbacks)}
        assert len(publishers) == pytest.approx(case.pubsub[0] * case.nodes, abs=0.5)
        assert len(readers) == pytest.approx(case.pubsub[1] * case.nodes, abs=0.5)
        assert not publishers & readers


@pytest.mark.parametrize("seed", [1, 7])
@pytest.mark.parametrize("others", OTHERS)
def test_the_applications_of_data_age_are_those_of_table_5_11(others: int, seed: int) -> None:
    some = [
        data_age_application(others, bounded, phase, seed).application for bounded in (False, True) for phase in PHASES
    ]
    for application in some:
        reader, producer, *further = application.tasks
        assert application.utilisation == pytest.approx(0.75, abs=0.001)
        assert [(topic.name, topic.size) for topic in application.topics] == [("data", 512 * 1024)]
        assert (reader.callback.reads, producer.callback.publishes) == ((0,), (0,))
        assert len(further) == others
        dealt_evenly(further, (10, 20, 40))
        assert tuple(further) == some[0].tasks[2:], "neither bound nor phase changes them"
        ranks = [task.callback.priority for task in further]
        assert producer.callback.priority < min(ranks) <= max(ranks) < reader.callback.priority


def dealt_evenly(tasks: Sequence[Task], periods: Sequence[int]) -> None:
    """Assert that each period is used equally often, or once more, and that shorter periods have higher priorities."""
    used = Counter(task.callback.period // 10**6 for task in tasks)
    counts = [used.pop(period, 0) for period in periods]
    assert not used
    assert max(counts) - min(counts) <= 1
    ranks = {(task.callback.period, task.callback.priority) for task in tasks}
    assert [priority for _, priority in sorted(ranks)] == sorted({priority for _, priority in ranks}, reverse=True)


def test_sizes_alone_differ_where_the_utilisation_is_the_same() -> None:
    some = [spec_of(case, 1).application for case in cases("misses") if (case.nodes, case.utilisation) == (20, 0.75)]
    one, *others = [app for app in some if app.topics]
    for other in others:
        periods = [[task.callback.period for task in app.tasks] for app in (one, other)]
        reads = [[task.callback.reads for task in app.tasks] for app in (one, other)]
        assert periods[0] == periods[1]
        assert reads[0] == reads[1]


def test_papers_are_found_by_their_files() -> None:
    assert paper_names() == ["gutierrez2018", "icra2021", "thesis2021"]
    for name in paper_names():
        paper = find_paper(name)
        assert paper.name == name
        assert {claim.part for claim in paper.file.claims} <= {*paper.parts, *(f"test-{n}" for n in range(1, 6))}


def test_a_claim_that_is_judged_in_an_unknown_way_is_refused() -> None:
    with pytest.raises(TaktError, match=r"paper.yaml: .*(way|judged)"):
        read_paper("icra2021", freshness.WAYS)


def test_printed_tables_are_read_as_they_stand() -> None:
    row = printed("overhead", "50 nodes no data exchange", "proposed")
    assert (row.table, row.figures.mean, row.figures.sd) == ("5.7", 45.37, 15.1)
    assert row.cells == ["29", "32.5", "43.5", "51", "91", "45.37", "15.1"]
    row = printed("data-age", 6, "baseline1")
    assert (row.table, row.figures.q1, row.figures.max, row.cells[-1]) == ("5.12", 23, 83, "18.80")


def test_seven_figures_of_samples() -> None:
    figures = seven_figures(np.array([1.0, 2.0, 3.0, 4.0, 10.0]))
    assert isinstance(figures, Seven)
    assert (figures.n, *figures.values[:-1]) == (5, 1, 2, 3, 4, 10, 4)
    assert figures.sd == pytest.approx(3.5355, abs=1e-3)
    assert seven_figures(np.empty(0)) is None


def test_the_interval_of_several_runs_is_over_these() -> None:
    def run(share: float, ends: tuple[float, float] | str | None) -> RunTotals:
        return run_totals(jobs=1000, miss_ratio=share, miss_ratio_95=ends)

    three = [run(0.10, (0.0, 0.9)), run(0.12, None), run(0.14, (0.0, 0.9))]
    assert pooled_interval(three) == pytest.approx((0.12 - 0.0497, 0.12 + 0.0497), abs=1e-4)
    assert pooled_interval(three[:1]) == (0.0, 0.9)
    assert pooled_interval([run(0.5, (0.4, 0.6)), run(0.0, None)]) == (0.0, 0.6)
    assert pooled_interval([run(0.0, None)] * 5) is None
    assert pooled_interval([]) is None
    assert pooled_interval([run(0.5, (0.4, 0.6)), run(0.1, TOO_SHORT)]) == TOO_SHORT


def test_the_report_has_every_table_and_figure(tmp_path: Path) -> None:
    parts = made.all_parts()
    folder = PaperFolder(THESIS2021, at_scale(1.0), tmp_path)
    folder.enter([], resume=False)
    fault = "misses: no room in [/nowhere]"
    result = with_summary(folder.result(), parts=parts, claims=THESIS2021.verdicts(parts), faults=[fault])
    write_paper(result)
    figures = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert figures == {"figure-2.7", *(f"figure-5.{n}" for n in range(1, 14))}
    tables = {path.stem for path in (tmp_path / "tables").iterdir()}
    assert tables >= {f"table-5.{n}" for n in (6, 7, 8, 12, 13, 14)} | {"parameters", "claims", "goals"}
    with (tmp_path / "tables" / "table-5.6.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert [row["executor"] for row in rows][:2] == ["baseline0, printed", "baseline0, decision"]
    assert [row["Mean"] for row in rows][:2] == ["26.77", "1"]
    assert "45 distinct of 72" in (tmp_path / "tables.md").read_text("utf-8")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "Table 5.14" in page
    assert json.loads((tmp_path / "summary.json").read_text("utf-8"))["claims"] == plain(result.summary.claims)
    file = io.StringIO()
    Console(width=80, file=file).print(*paper_report(result), sep="\n")
    shown = " ".join(file.getvalue().split())
    assert "16 confirmed, 6 better, 0 not confirmed, 0 too short to judge, 0 inconclusive" in shown
    assert "[10 20 40]" in shown
    assert fault in shown
    assert max(map(len, file.getvalue().splitlines())) <= 80


def test_a_report_can_be_written_before_anything_is_measured(tmp_path: Path) -> None:
    parts = {
        "misses": msgspec.structs.replace(made.miss_figures(), rows=[]),
        "data-age": msgspec.structs.replace(made.data_age_figures(), rows=[]),
        "overhead": msgspec.structs.replace(made.overhead_figures(), rows=[], applications=[]),
        "freshness": msgspec.structs.replace(made.freshness_figures(), rows=[]),
    }
    folder = PaperFolder(THESIS2021, at_scale(1.0), tmp_path)
    folder.enter([], resume=False)
    write_paper(with_summary(folder.result(), parts=parts))
    assert (tmp_path / "figures" / "figure-5.11.svg").exists()


def test_transport_figures_are_over_rounds(tmp_path: Path) -> None:
    write_message_ways(
        tmp_path, SIZES, 2, 3, lambda way, _size, lap: 1000.0 * (10 if way == "two processes" else 1) + lap
    )
    figures = PART.statistics(tmp_path)
    ratio = next(each for each in figures.ratios if (each.to, each.bytes) == ("baseline0", SIZES[0]))
    assert ratio.median == pytest.approx(10, rel=0.01)
    assert ratio.rounds == 6
    assert [row.us.n for row in figures.rows if row.us] == [6] * len(figures.rows)


def test_parts_are_measured_one_by_one_and_put_together(stand_ins: Path) -> None:
    tiny = ("--scale", "0.0001", "--out", "d", "--json")
    first = thesis("overhead", "--only", "n02-*", *tiny)
    assert first.exit_code == 0, first.stderr
    assert "about" in first.stderr
    summary = json.loads(first.stdout)
    assert list(summary["parts"]) == ["overhead"]
    assert summary["parts"]["overhead"]["runs"] == 2
    assert {p.name for p in Path("d").iterdir()} >= {
        "overhead",
        "figures",
        "tables",
        "page.html",
        "result.json",
        "summary.json",
    }
    again = thesis("overhead", "--only", "n02-*", *tiny)
    assert again.exit_code == 1
    assert "--resume" in again.stderr
    other = thesis("misses", "--only", "n04-u50-none", *tiny)
    assert other.exit_code == 1
    assert "only" in other.stderr
    more = thesis("overhead", "misses", "--only", "n02-*", "--resume", *tiny)
    assert more.exit_code == 0, more.stderr
    assert json.loads(more.stdout)["parts"]["overhead"]["runs"] == 2
    claims = {row["claim"]: row for row in json.loads(more.stdout)["claims"]}
    assert claims["baseline1 at 4 nodes utilisation 0.75"]["verdict"] == "inconclusive"


def test_runs_that_fail_are_reported_and_repeated(stand_ins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("overhead", "--scale", "0.0001", "--only", "n02-*", "--out", "d")
    monkeypatch.setenv("STAND_IN_RUNNER", "fail")
    result = thesis(*arguments)
    assert result.exit_code == 1
    assert "n02-small" in result.stderr
    assert "--resume" in result.stderr
    summary = json.loads(Path("d/summary.json").read_text("utf-8"))
    assert len(summary["parts"]["overhead"]["failed"]) == len(summary["faults"]) == 2
    monkeypatch.delenv("STAND_IN_RUNNER")
    result = thesis(*arguments, "--resume")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(Path("d/summary.json").read_text("utf-8"))
    assert summary["faults"] == []


def test_a_paper_that_was_interrupted_is_a_result_and_can_be_continued(
    stand_ins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("overhead", "--scale", "0.0001", "--only", "n02-*", "--out", "d")

    def interrupted(*_: object) -> None:
        raise Interrupted("interrupted")

    with monkeypatch.context() as patched:
        patched.setattr(PaperFolder, "measure", interrupted)
        assert thesis(*arguments).exit_code != 0
    first = takt_cli.results.read("d")
    assert (first.kind, first.summary) == ("paper", None)
    assert first.settings.paper == "thesis2021"
    assert first.settings.options.only == "n02-*"
    assert first.origin.known_host.kernel
    with pytest.raises(ResultError, match="run `takt paper` again with --resume"):
        read_paper_result(Path("d"))
    result = thesis(*arguments, "--resume")
    assert result.exit_code == 0, result.stderr
    second = takt_cli.results.read("d")
    assert second.envelope == first.envelope
    assert read_paper_result(Path("d")).summary.parts["overhead"].runs == 2
    other = thesis(*arguments, "--resume", "--seed", "7")
    assert "d: was made with seed 1, not 7; use the same setting" in other.stderr


def test_misses_while_the_kernel_throttles_are_not_the_host_s(stand_ins: Path) -> None:
    result = thesis("overhead", "--scale", "0.0001", "--only", "n02-*", "--out", "d", "--json")
    assert result.exit_code == 0, result.stderr
    (run,) = [run for run in read_set(Path("d/overhead")).runs if run.executor == "takt"]
    # All jobs are late: in the first half of the window because of throttling, in the second because of another stall.
    begin, end = run.record.window.start, run.record.window.end
    middle = (begin + end) // 2
    jobs = np.array(np.load(run.folder / "jobs.npy"))
    jobs["finish"] = jobs["start"] + 30_000_000
    np.save(run.folder / "jobs.npy", jobs)
    stalls = np.zeros(2, STALLS)
    stalls["cpu"] = read_result(run.folder).cpus[0]
    stalls["from"], stalls["to"] = [begin, middle + 200_000_000], [begin + 50_000_000, middle + 201_000_000]
    np.save(run.folder / "stalls.npy", stalls)
    change_result(
        run.folder, lambda result: result["origin"]["host"].update(rt_runtime_us=950_000, rt_period_us=1_000_000)
    )
    figures = RunAnalysis(read_result(run.folder))
    every = int(figures.host.sum())
    summary = msgspec.structs.replace(run.summary, totals=figures.totals)
    rest = host_misses(replace(run, summary=summary))
    assert 0 < rest < every
    misses = misses_of([replace(run, summary=summary)])
    assert (misses.host_misses, misses.throttled_misses) == (rest, every - rest)


def test_data_age_spreads_the_reader_over_its_producer_s_period(stand_ins: Path) -> None:
    result = thesis("data-age", "--scale", "0.0001", "--only", "n06-*-0ms", "--out", "d", "--json")
    assert result.exit_code == 0, result.stderr
    rows = [row for row in json.loads(result.stdout)["parts"]["data-age"]["rows"] if row["runs"]]
    assert [(row["nodes"], row["executor"]) for row in rows] == [
        (6, "baseline1"),
        (6, "proposed"),
        (6, "proposed with data age constraint"),
    ]
    assert [row["age_ms"]["n"] for row in rows] == [20, 20, 20]
    cost = json.loads(result.stdout)["parts"]["data-age"]["measuring_us"]
    assert 0 < cost["min"] <= cost["median"] <= cost["max"]
    assert cost["n"] == 3
    assert "measurement overhead per job" in Path("d/page.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--resume"], "--out"),
        (["--only", "nothing-like-it"], "--only"),
        (["--cpu", "0,1,2"], "two"),
        (["--scale", "0"], "--scale"),
        (["fashion"], "fashion"),
    ],
)
def test_what_makes_no_sense_is_refused(stand_ins: Path, arguments: list[str], words: str) -> None:
    result = thesis(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert not Path("results").exists()


def test_a_folder_of_something_else_is_left_alone(stand_ins: Path) -> None:
    Path("d").mkdir()
    Path("d/mine").touch()
    result = thesis("transport", "--out", "d")
    assert result.exit_code == 1
    assert "holds other files" in result.stderr
    assert [p.name for p in Path("d").iterdir()] == ["mine"]


@pytest.mark.rights
@pytest.mark.programs
def test_a_part_is_run_for_real(tmp_path: Path) -> None:
    out = tmp_path / "d"
    result = thesis("overhead", "--scale", "0.0001", "--only", "n02-*", "--out", str(out), "--json")
    assert result.exit_code == 0, result.stderr
    (baseline0, takt) = [row for row in json.loads(result.stdout)["parts"]["overhead"]["rows"] if row["runs"]]
    for row in (baseline0, takt):
        assert row["decision_us"]["n"] > 0  # 300 where the host leaves them all their time
        assert row["dispatch_us"]["per_job"] > 0
