# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt compare`: differences are found, equal results show none, and results that must not be compared are
refused."""

from __future__ import annotations

import copy
import io
import json
import re
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text
from run_results import change_result, change_summary
from run_summaries import set_inconclusive, set_response, set_totals
from spec_samples import GOOD
from stand_ins import put_in_place

from takt_cli.analysis.preemptions import Preemptions
from takt_cli.analysis.result import read_result
from takt_cli.analysis.result_set import ResultSet, SetRun, read_set
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.cli.main import cli
from takt_cli.comparison.compare import ALL, compare
from takt_cli.comparison.comparison import Comparison, Request
from takt_cli.errors import ResultError
from takt_cli.report.tables.compare import compare_report
from takt_cli.results.json_file import write_json
from takt_cli.results.sample_files import JOBS, read_rows, write_rows
from takt_cli.results.verdict import TOO_SHORT
from takt_cli.statistics.confidence import difference, quantile
from takt_cli.statistics.difference import difference_from_interval, difference_of_means, holm_correction


@pytest.fixture(scope="module")
def results_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make runs of takt and baseline0, each two seconds long, which tests copy and change."""
    place = tmp_path_factory.mktemp("made")
    (place / "app.yaml").write_text(GOOD, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        put_in_place(patch, place)
        for name in ("takt", "baseline0"):
            arguments = ["run", str(place / "app.yaml"), "--executor", name, "--duration", "4", "--cpu", "0"]
            result = CliRunner().invoke(cli, [*arguments, "--out", str(place / name)])
            assert result.exit_code == 0, result.output
    return place


def _compare(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, ["compare", *arguments, "--json"])
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


def _verdicts(data: dict[str, Any]) -> dict[str, str]:
    return {entry["metric"]: entry["verdict"] for entry in data["entries"]}


def _slower(folder: Path, milliseconds: float, scatter: float = 0.1) -> None:
    """Change a run so that all its jobs end later, by a normally distributed time around `milliseconds`."""
    rows = np.array(read_rows(folder / "jobs.npy", JOBS))
    late = np.random.default_rng(5).normal(milliseconds, scatter, len(rows)) * 1e6
    rows["finish"] += late.astype(np.int64)
    rows["decision"] = np.random.default_rng(6).integers(100, 140, len(rows))
    write_rows(folder / "jobs.npy", rows)
    _anew(folder)


def _anew(folder: Path) -> None:
    write_json(folder / "summary.json", RunAnalysis(read_result(folder)).summary)


@pytest.fixture
def pair(results_folder: Path, tmp_path: Path) -> tuple[Path, Path]:
    a, b = (shutil.copytree(results_folder / "takt", tmp_path / name) for name in ("a", "b"))
    _slower(a, 1)
    return a, b


# ---- two runs -----------------------------------------------------------------------------------------------


def test_a_run_does_not_differ_from_itself(pair: tuple[Path, Path]) -> None:
    data = _compare(str(pair[0]), str(pair[0]))
    assert set(_verdicts(data).values()) == {"no difference", "inconclusive", TOO_SHORT}
    # Fewer than ten samples lie beyond a p99.
    assert {name for name, verdict in _verdicts(data).items() if verdict == TOO_SHORT} == {
        "response p99", "dispatch, own thread p99", "decision p99", "release jitter p99",
    }  # fmt: skip
    assert all(entry["low"] <= 0 <= entry["high"] for entry in data["entries"] if entry["low"] is not None)
    assert data["notes"] == data["unlike"] == []


def test_a_slower_run_is_worse_and_a_faster_one_better(pair: tuple[Path, Path]) -> None:
    a, b = pair
    _slower(b, 2)
    data = _compare(str(a), str(b))
    (response,) = [entry for entry in data["entries"] if entry["metric"] == "response p50"]
    assert (response["verdict"], response["stands"], response["over"]) == ("worse", True, "samples")
    assert response["low"] < response["difference"] < response["high"]
    assert response["difference"] == pytest.approx(1, abs=0.1)
    assert _verdicts(_compare(str(b), str(a)))["response p50"] == "better"
    # A difference within the margin does not count.
    assert _verdicts(_compare(str(a), str(b), "--margin", "300"))["response p50"] == "no difference"
    # A figure of which each run has only one value has an unknown spread.
    (overhead,) = [entry for entry in data["entries"] if entry["metric"] == "dispatch overhead per job"]
    assert (overhead["verdict"], overhead["why"], overhead["low"]) == ("inconclusive", "one figure for each run", None)


def test_two_runs_of_two_executors_are_compared(results_folder: Path) -> None:
    data = _compare(str(results_folder / "takt"), str(results_folder / "baseline0"))
    assert {(entry["executor_a"], entry["executor_b"]) for entry in data["entries"]} == {("takt", "baseline0")}
    assert _verdicts(data)["deadline misses"] == "no difference"


def test_costs_of_two_runs_differ_only_beyond_their_usual_scatter(pair: tuple[Path, Path]) -> None:
    a, b = pair
    rows = np.array(read_rows(b / "jobs.npy", JOBS))
    rows["decision"] = np.random.default_rng(7).integers(135, 175, len(rows))
    write_rows(b / "jobs.npy", rows)
    _anew(b)
    # A difference of 29 % can occur between two runs of the same application.
    assert _verdicts(_compare(str(a), str(b)))["decision p50"] == "no difference"
    rows["decision"] += 100
    write_rows(b / "jobs.npy", rows)
    _anew(b)
    assert _verdicts(_compare(str(a), str(b)))["decision p50"] == "worse"


def test_where_a_verdict_is_inconclusive_so_is_the_comparison(pair: tuple[Path, Path]) -> None:
    a, b = pair
    _slower(b, 2)
    change_summary(b, lambda s: s["verdict"].update(outcome="inconclusive"))
    data = _compare(str(a), str(b))
    assert set(_verdicts(data).values()) == {"inconclusive"}
    assert all("the verdict on B is inconclusive" in entry["why"] for entry in data["entries"])
    assert data["comparisons"] == 0
    # The differences are shown nevertheless.
    assert any(entry["low"] is not None for entry in data["entries"])


# ---- what must not be compared ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r["origin"]["host"].update(cpu_model="Zuse Z3"), "CPU model ("),
        (lambda r: r["origin"]["host"].update(kernel="2.6.0"), "kernel ("),
        (lambda r: r["origin"]["host"].update(governor="powersave"), "governor ("),
        (lambda r: r["settings"].update(duration=5), "duration (4 s / 5e-09 s)"),
        (lambda r: r["settings"].update(policy="edf"), "policy (fp / edf)"),
        (lambda r: r["record"]["processes"][0].update(rmw="rmw_other"), "RMW (rmw_fastrtps_cpp / rmw_other)"),
        (lambda r: r["origin"]["versions"].update({"ros-rcl": "99"}), "version of ros-rcl ("),
        (lambda r: r["record"]["processes"][0]["grants"].update(realtime=False), "real-time priorities (True / False)"),
        (
            lambda r: r["record"].update(stress={"asked": {"kinds": {"cpu": 1}}, "by": "stress-ng"}),
            "load beside it (None / cpu=1)",
        ),
    ],
)
def test_other_hosts_and_settings_are_refused_unless_forced(pair: tuple[Path, Path], change: Any, words: str) -> None:
    a, b = pair
    change_result(b, change)
    refused = CliRunner().invoke(cli, ["compare", str(a), str(b)])
    assert refused.exit_code == 1
    assert words in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    data = _compare(str(a), str(b), "--force")
    assert data["forced"]
    assert all(any(words in reason for reason in entry["unlike"]) for entry in data["entries"])
    shown = CliRunner().invoke(cli, ["compare", str(a), str(b), "--force"]).stdout
    assert "forced comparison: hosts or settings differ" in shown


@pytest.mark.parametrize("width", [80, 160])
def test_a_forced_comparison_says_so_at_any_width(pair: tuple[Path, Path], width: int) -> None:
    a, b = pair
    change_summary(b, lambda s: s["verdict"].update(outcome="inconclusive"))
    (b / "spec.yaml").write_text("another: spec\n", "utf-8")
    result = compare(read_set(a), read_set(b), Request(force=True))
    file = io.StringIO()
    Console(width=width, file=file).print(*compare_report(result, show_all=False), sep="\n")
    shown = file.getvalue()
    assert "spec (" in shown
    assert "the verdict on B is inconclusive" in " ".join(shown.split())
    assert len(re.findall(r"inconclusive +spec *$", shown, re.MULTILINE)) == len(result.entries) > 10
    # No text is cut off with an ellipsis.
    assert "\u2026" not in shown
    assert max(map(len, shown.splitlines())) <= width


def test_versions_of_takt_may_differ_and_are_shown(pair: tuple[Path, Path]) -> None:
    a, b = pair
    change_result(b, lambda r: r["origin"].update(commit="0123456789abcdef"))
    (note,) = _compare(str(a), str(b))["notes"]
    assert "0123456789ab" in note


# ---- sets ---------------------------------------------------------------------------------------------------


def _set(folder: Path, run: SetRun, values: dict[tuple[str, str], list[float]], began: float = 0) -> ResultSet:
    """Return a set of runs like `run`, by application and executor. Each has one of `values` as its p50 of the response
    time; they begin one after another from `began` on."""
    runs = []
    for (application, executor), run_values in values.items():
        for number, value in enumerate(run_values):
            summary = copy.deepcopy(run.summary)
            set_response(summary, value)
            at = f"2026-05-04T{int(began + 10 * number):06}"
            runs.append(SetRun(run.folder, run.envelope, application, executor, number + 1, summary, at))
    return ResultSet(folder, "batch", tuple(runs), (), run.envelope.origin)


def _among_others(values: list[float]) -> dict[tuple[str, str], list[float]]:
    """Return the values of a batch in which the runs of another application are among these runs, in random order."""
    return {("one", "takt"): values, ("two", "takt"): [1.0, 1.1, 1.2]}


def _response(result: Comparison, application: str = "one") -> dict[str, Any]:
    (entry,) = [e for e in result.entries if (e.application, e.metric) == (application, "response p50")]
    return asdict(entry)


@pytest.fixture
def run(results_folder: Path) -> SetRun:
    return read_set(results_folder / "takt").runs[0]


def test_over_runs_the_interval_is_students(run: SetRun, tmp_path: Path) -> None:
    a = _set(tmp_path, run, _among_others([10.0, 10.2, 9.8, 10.1, 9.9]))
    b = _set(tmp_path, run, _among_others([8.0, 8.2, 7.8, 8.1, 7.9]), began=1000)
    entry = _response(compare(a, b))
    # Welch: two standard errors of sqrt(0.025 / 5), 8 degrees of freedom, t of 2.306.
    assert entry["difference"] == pytest.approx(-2)
    assert entry["high"] - entry["low"] == pytest.approx(2 * 2.306 * 0.1, rel=1e-3)
    assert (entry["verdict"], entry["stands"], entry["over"], entry["paired"]) == ("better", True, "runs", False)
    assert _response(compare(a, a))["verdict"] == "no difference"


def test_consecutive_runs_are_judged_if_they_are_many_and_differ(run: SetRun, tmp_path: Path) -> None:
    def entry(values: list[float]) -> dict[str, Any]:
        a, b = (_set(tmp_path, run, {("one", "takt"): values}, began) for began in (0, 1000))
        for each in b.runs:
            set_response(each.summary, (each.summary.totals.response_ms.p50 or 0) - 2)
        return _response(compare(a, b))

    few = entry([10.0, 10.2, 9.8, 10.1, 9.9])
    assert (few["verdict"], few["low"], few["n_a"]) == (TOO_SHORT, None, 5)
    assert few["why"] == "too few runs, or too similar ones, with no others in between"
    assert entry([9.5, 9.6, 9.7, 9.8, 9.9, 10.0, 10.1, 10.2, 10.3])["verdict"] == TOO_SHORT
    judged = entry([10.0, 10.2, 9.8, 10.1, 9.9, 10.2, 9.8, 10.0, 9.9])
    assert (judged["verdict"], judged["why"]) == ("better", None)
    assert judged["low"] < -2 < judged["high"] < 0


def test_runs_in_turns_are_paired(run: SetRun, tmp_path: Path) -> None:
    # The host becomes slower and slower; B is always slower than A by about the same amount.
    slow = [10.0, 20.0, 30.0, 40.0, 50.0]
    a = _set(tmp_path, run, {("one", "takt"): slow})
    values = {("one", "takt"): [value + 1 + 0.01 * i for i, value in enumerate(slow)]}
    turns, later = _set(tmp_path, run, values, began=5), _set(tmp_path, run, values, began=1000)
    entry = _response(compare(a, turns))
    assert (entry["paired"], entry["verdict"]) == (True, "worse")
    entry = _response(compare(a, later))
    assert (entry["paired"], entry["verdict"]) == (False, TOO_SHORT)


def test_inconclusive_runs_do_not_count(run: SetRun, tmp_path: Path) -> None:
    a = _set(tmp_path, run, _among_others([10.0, 10.1, 9.9, 10.0]))
    b = _set(tmp_path, run, _among_others([8.0, 8.1, 7.9, 1000.0]), began=1000)
    set_inconclusive(b.runs[3].summary)
    entry = _response(compare(a, b))
    assert (entry["n_a"], entry["n_b"], entry["verdict"]) == (4, 3, "better")
    set_inconclusive(b.runs[2].summary)
    entry = _response(compare(a, b))
    assert (entry["verdict"], entry["low"], entry["why"]) == ("inconclusive", None, "fewer than 3 conclusive runs")
    # The shown value is that of all runs.
    assert (entry["n_b"], entry["b"]) == (4, 256)


def _report_text(result: Comparison) -> str:
    return " ".join(str(part) for part in compare_report(result, show_all=True) if isinstance(part, str | Text))


def test_the_order_of_runs_is_mentioned_only_with_a_verdict(run: SetRun, tmp_path: Path) -> None:
    few, later = (_set(tmp_path, run, {("one", "takt"): [10.0, 10.1]}, began) for began in (0, 1000))
    text = _report_text(compare(few, later))
    assert "B against A: inconclusive" in text
    assert "not run in turns" not in text
    alone, after = (_set(tmp_path, run, {("one", "takt"): [10.0, 10.1, 9.9]}, began) for began in (0, 1000))
    text = _report_text(compare(alone, after))
    assert "B against A: too short to judge" in text
    assert "not run in turns" not in text
    many, after = (_set(tmp_path, run, _among_others([10.0, 10.1, 9.9]), began) for began in (0, 1000))
    text = _report_text(compare(many, after))
    assert "B against A: no significant difference" in text
    assert "not run in turns" in text


def test_one_executor_against_another_of_the_same_batch(run: SetRun, tmp_path: Path) -> None:
    both = _set(tmp_path, run, {("one", "baseline0"): [10.0, 10.1, 9.9], ("one", "takt"): [8.0, 8.1, 7.9]})
    result = compare(both, both, Request(("baseline0", "takt")))
    entry = _response(result)
    assert (entry["executor_a"], entry["executor_b"], entry["verdict"]) == ("baseline0", "takt", "better")
    same = compare(both, both)
    assert {entry.verdict for entry in same.entries} <= {"no difference", "inconclusive"}
    with pytest.raises(ResultError, match="nothing is in both"):
        compare(both, both, Request(("baseline1", "takt")))


def test_some_of_many_applications_without_a_counterpart_are_named(run: SetRun, tmp_path: Path) -> None:
    a = _set(tmp_path, run, {(f"app-{i:02}", "takt"): [1.0] for i in range(20)})
    b = _set(tmp_path, run, {("another", "takt"): [1.0]})
    with pytest.raises(ResultError, match=r"app-02 under takt and 17 more in A, another under takt in B$"):
        compare(a, b)


def test_a_difference_that_applications_share_is_found_over_all_of_them(run: SetRun, tmp_path: Path) -> None:
    # The difference is not significant in any single application.
    names = [f"app-{i}" for i in range(8)]
    a = _set(tmp_path, run, {(name, "takt"): [10.0 + i, 12.0 + i, 8.0 + i] for i, name in enumerate(names)})
    b = _set(
        tmp_path,
        run,
        {(name, "takt"): [11.0 + i, 13.0 + i, 9.1 + i + 0.1 * (i % 3)] for i, name in enumerate(names)},
        1000,
    )
    result = compare(a, b)
    assert {_response(result, name)["verdict"] for name in names} == {"no difference"}
    overall = _response(result, ALL)
    assert (overall["verdict"], overall["n_a"], overall["over"]) == ("worse", 8, "applications")
    assert overall["stands"]


JOBS_OF_A_RUN = 500


def _missing(run: SetRun, folder: Path, misses: dict[str, list[int]], began: float = 0) -> ResultSet:
    """Return a batch whose runs missed these numbers of deadlines, by application."""
    found = _set(folder, run, {(name, "takt"): [1.0] * len(each) for name, each in misses.items()}, began)
    for each in found.runs:
        set_totals(each.summary, jobs=JOBS_OF_A_RUN, deadline_misses=misses[each.application][each.run - 1])
    return found


def _misses(a: ResultSet, b: ResultSet, *, application: str = "one") -> dict[str, Any]:
    entries = compare(a, b).entries
    (entry,) = [e for e in entries if (e.application, e.metric) == (application, "deadline misses")]
    return asdict(entry)


@pytest.mark.parametrize("count", [3, 8])
@pytest.mark.parametrize("alone", [False, True])
def test_rare_misses_leave_an_interval_that_contains_zero(count: int, alone: bool, run: SetRun, tmp_path: Path) -> None:
    def entry(ours: list[int], theirs: list[int]) -> dict[str, Any]:
        others = {} if alone else {"two": [5, 6, 7]}
        sides = [(tmp_path / "a", ours, 0.0), (tmp_path / "b", theirs, 1000.0)]
        return _misses(*(_missing(run, place, {"one": misses} | others, at) for place, misses, at in sides))

    few = [0] * (count - 1) + [3]
    if alone and count == 3:
        assert {entry([0] * count, each)["verdict"] for each in (few, [0] * count)} == {TOO_SHORT}
        return
    none = entry([0] * count, [0] * count)
    # The difference of 0 misses and 0 misses, each in a hundred stretches, has this interval.
    assert (none["verdict"], none["low"], none["high"]) == (
        "no difference", pytest.approx(-3.6, abs=0.1), pytest.approx(3.6, abs=0.1),
    )  # fmt: skip
    # Neither misses in a single run, nor the same number of misses in all runs of a side, are proof of a difference.
    for ours, theirs in (([0] * count, few), ([0] * count, [1] * count), ([1] * count, [3] * count)):
        seen = entry(ours, theirs)
        assert (seen["verdict"] in ("no difference", TOO_SHORT if alone else None), seen["stands"]) == (True, False)
        assert seen["low"] is None or seen["low"] < 0 < seen["difference"] < seen["high"]
    many = entry([0] * count, [150 + i % 3 for i in range(count)])
    assert (many["verdict"], many["stands"]) == ("worse", True)
    assert 25 < many["low"] < many["high"] < 35


def test_counts_per_job_may_be_above_one(run: SetRun, tmp_path: Path) -> None:
    def preempted(counts: list[float], began: float) -> ResultSet:
        found = _set(tmp_path, run, _among_others([1.0] * len(counts)), began)
        for each in found.runs:
            count = counts[each.run - 1] if each.application == "one" else 1.0
            preemptions = Preemptions(round(count * JOBS_OF_A_RUN), JOBS_OF_A_RUN, 2)
            set_totals(each.summary, jobs=JOBS_OF_A_RUN, preemptions=preemptions)
        return found

    def entry(ours: list[float], theirs: list[float]) -> dict[str, Any]:
        entries = compare(preempted(ours, 0), preempted(theirs, 1000)).entries
        (found,) = [e for e in entries if (e.application, e.metric) == ("one", "preemptions per job")]
        return asdict(found)

    # Every run has a count above 0, so the interval is by Student's t.
    seen = entry([1.7, 1.72, 1.68], [2.7, 2.72, 2.68])
    assert (seen["verdict"], seen["high"] - seen["low"]) == ("more", pytest.approx(2 * 2.776 * 0.01633, rel=0.01))
    none = entry([0.0] * 3, [0.0] * 3)
    assert (none["verdict"], none["high"]) == ("no difference", pytest.approx(0.036, abs=1e-3))
    some = entry([0.0] * 3, [2.7, 2.72, 2.68])
    assert (some["verdict"], some["low"] > 2, some["high"] < 2.73) == ("more", True, True)


def test_no_misses_in_all_applications_still_leave_an_interval(run: SetRun, tmp_path: Path) -> None:
    a, b = (_missing(run, tmp_path, {f"app-{i}": [0] * 3 for i in range(5)}, began) for began in (0, 1000))
    none = _misses(a, b, application=ALL)
    assert (none["verdict"], none["low"]) == ("no difference", pytest.approx(-3.6, abs=0.1))
    for each in b.runs:
        set_totals(each.summary, deadline_misses=5 if each.application == "app-3" else 0)
    one = _misses(a, b, application=ALL)
    assert one["low"] < 0
    assert one["high"] > one["difference"] > 0.1


def test_figures_that_do_not_vary_from_run_to_run_are_no_proof(run: SetRun, tmp_path: Path) -> None:
    a = _set(tmp_path, run, _among_others([10.0] * 4))
    b = _set(tmp_path, run, _among_others([8.0] * 4), began=1000)
    entry = _response(compare(a, b))
    assert (entry["verdict"], entry["stands"], entry["low"]) == (TOO_SHORT, False, None)
    assert entry["why"] == "all runs have the same figure: their spread is unknown"
    assert _response(compare(a, a))["verdict"] == "no difference"
    # Runs that vary by the same amounts on both sides do not count as constant.
    turns = _set(tmp_path, run, {("one", "takt"): [10.0, 12.0, 11.0, 9.0]})
    other = _set(tmp_path, run, {("one", "takt"): [9.0, 11.0, 10.0, 8.0]}, began=5)
    entry = _response(compare(turns, other))
    assert (entry["paired"], entry["verdict"]) == (True, "no difference")


def test_a_figure_that_is_missing_on_one_side_gives_no_verdict(run: SetRun, tmp_path: Path) -> None:
    a = _set(tmp_path, run, _among_others([1.0, 2.0, 3.0]))
    b = _set(tmp_path, run, _among_others([1.0, 2.0, 3.0]), began=1000)
    set_response(b.runs[1].summary, None)
    entry = _response(compare(a, b))
    assert (entry["b"], entry["verdict"], entry["why"]) == (None, "inconclusive", "a figure is missing or infinite")


def test_sets_that_share_nothing_are_refused(run: SetRun, tmp_path: Path) -> None:
    a, b = (_set(tmp_path, run, {(name, "takt"): [1.0]}) for name in ("one", "two"))
    with pytest.raises(ResultError, match="nothing is in both: one under takt in A, two under takt in B"):
        compare(a, b)
    with pytest.raises(ResultError, match="no finished run"):
        compare(a, ResultSet(tmp_path, "batch", (), (), a.origin))


# ---- statistics ---------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_lies_between_no_correction_and_bonferroni(probabilities: list[float]) -> None:
    n = len(probabilities)
    for alone, together in zip(probabilities, holm_correction(probabilities), strict=True):
        assert alone <= together <= min(1, n * alone) or together == pytest.approx(max(holm_correction(probabilities)))
        assert alone <= together <= 1
    smallest = min(probabilities)
    assert min(holm_correction(probabilities)) == min(1, n * smallest)


def test_differences_are_found_by_mistake_as_seldom_as_promised() -> None:
    rng = np.random.default_rng(4)
    pairs = [(rng.normal(size=5), rng.normal(size=5)) for _ in range(400)]
    for paired in (False, True):
        found = [difference_of_means(*pair, paired) for pair in pairs]
        wrong = sum(each is not None and not each.low <= 0 <= each.high for each in found)
        assert 4 <= wrong <= 32  # of 20
        assert wrong == sum(each is not None and each.probability(0) < 0.05 for each in found)


def test_no_interval_of_what_is_infinite() -> None:
    finite, infinite = (quantile(np.full(100, value), 0.5) for value in (1.0, np.inf))
    assert difference_from_interval(difference(infinite, finite)) is None
    assert difference_of_means(np.array([1.0, np.nan]), np.array([1.0, 1.0]), False) is None
    same = difference_of_means(np.array([2.0, 2.0]), np.array([3.0, 3.0]), False)
    assert same is not None
    assert (same.low, same.high, same.probability(0), same.probability(1)) == (1, 1, 0, 1)


# ---- the command --------------------------------------------------------------------------------------------


def test_the_command_shows_a_table_and_keeps_what_it_found(results_folder: Path, tmp_path: Path) -> None:
    folders = [str(results_folder / name) for name in ("takt", "baseline0")]
    result = CliRunner().invoke(cli, ["compare", *folders, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.stderr
    assert "three: takt (A) and baseline0 (B)" in result.stdout
    assert "B against A: no significant difference" in result.stdout
    assert "two runs: the intervals do not cover the variation between runs" in result.stdout
    kept = json.loads((tmp_path / "out/compare.json").read_text("utf-8"))
    assert kept == _compare(*folders)
    wrong = CliRunner().invoke(cli, ["compare", *folders, "--executors", "takt"])
    assert (wrong.exit_code, len(wrong.stderr.splitlines())) == (2, 1)
    assert "give two of takt, baseline0, baseline1" in wrong.stderr
