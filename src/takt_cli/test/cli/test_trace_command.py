# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of `takt trace`: its output, its errors and its files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from run_results import SEEN, run_envelope
from trace_samples import MS, TraceSample

from takt_cli.analysis.grid import Window
from takt_cli.analysis.verdict import unobserved_host_effects
from takt_cli.cli.main import cli
from takt_cli.report.charts.trace import scene_of_job
from takt_cli.results.kernel_file import KERNEL_FILE, SWITCHES
from takt_cli.results.run import RUN_FORMAT, KernelSwitches
from takt_cli.results.sample_files import STALLS
from takt_cli.results.trace_file import TRACE_FILE, Kind
from takt_cli.traces.summary import TraceAnalysis, read_recorded_trace

A, B, C = 0, 1, 2


def takt(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["trace", *arguments])


def late_job() -> TraceSample:
    sample = TraceSample()
    sample.release(A, 0)
    sample.start(A, 0, 10 * MS)
    sample.job(C, MS, MS, 11 * MS, 100 * MS)
    sample.finish(A, 12 * MS, late=True)
    sample.job(A, 100 * MS, 100 * MS, 102 * MS, 110 * MS, 1)
    return sample


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    sample = late_job()
    sample.close()
    return sample.write(tmp_path / "a.trace")


def test_show_prints_responses_and_what_kept_the_late_job(trace: Path) -> None:
    result = takt("show", str(trace))
    assert result.exit_code == 0, result.stderr
    text = " ".join(result.stdout.split())
    for part in ("n/a", "#0", "late", "preempted by n/c 10", "ran 2", "n/a #0"):
        assert part in text
    data = json.loads(takt("show", str(trace), "--json").stdout)
    tasks = {task["task"]: task for task in data["tasks"]}
    assert tasks["n/a"]["response_ms"]["max"] == 12.0
    assert (tasks["n/a"]["jobs"], tasks["n/a"]["late"], tasks["n/a"]["margin_ms"]) == (2, 1, -2.0)
    assert [(miss["task"], miss["mostly"], miss["late_ms"]) for miss in data["misses"]] == [
        ("n/a", "preempted by n/c", 2.0)
    ]
    assert data["causes"] == [{"task": "n/a", "how": "late", "mostly": "preempted by n/c", "misses": 1, "worst": 0}]
    assert (data["incomplete"], data["kernel"]) == ([], False)
    assert "the kernel's context switches were not recorded" in text


def test_misses_beyond_the_limit_are_counted(trace: Path) -> None:
    assert "1 more misses" in takt("show", str(trace), "--limit", "0").stdout


def test_the_worst_misses_of_each_cause_come_first(tmp_path: Path) -> None:
    sample = TraceSample()
    for k, late in enumerate((3, 9, 6)):
        sample.release(A, k * 100 * MS, k)
        sample.start(A, k * 100 * MS, k * 100 * MS + 10 * MS, k)
        sample.job(C, k * 100 * MS, k * 100 * MS, k * 100 * MS + (8 + late) * MS, 900 * MS, k)
        sample.finish(A, k * 100 * MS + (10 + late) * MS, k, late=True)
    sample.release(B, 300 * MS)
    sample.start(B, 305 * MS, 301 * MS)
    sample.finish(B, 306 * MS, late=True)
    sample.close()
    trace = str(sample.write(tmp_path / "a.trace"))
    data = json.loads(takt("show", trace, "--json").stdout)
    assert [(m["task"], m["job"], m["rank"]) for m in data["misses"]] == [
        ("n/a", 0, 2), ("n/a", 1, 0), ("n/a", 2, 1), ("n/b", 0, 0)
    ]  # fmt: skip
    assert [(c["task"], c["misses"], c["worst"]) for c in data["causes"]] == [("n/a", 3, 1), ("n/b", 1, 0)]
    text = takt("show", trace, "--limit", "2").stdout
    lines = [line for line in text.splitlines() if " late " in line and "│" in line and "." in line.split("│")[1]]
    assert [line.split("│")[2].split()[:2] for line in lines] == [["n/a", "#1"], ["n/b", "#0"]]
    assert "2 more misses" in text


def test_figures_of_an_incomplete_trace_are_only_given_on_request(tmp_path: Path) -> None:
    sample = late_job()
    sample.close(dropped=5, dropped_1=5)
    trace = sample.write(tmp_path / "a.trace")
    result = takt("show", str(trace))
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert "incomplete: 5 events of the trace were dropped (CPU 1: 5); --force" in result.stderr
    forced = takt("show", str(trace), "--force")
    assert forced.exit_code == 0
    assert forced.stdout.startswith("incomplete trace: 5 events")
    assert takt("plot", str(trace)).exit_code == 1
    assert takt("plot", str(trace), "--force").exit_code == 0
    assert "5 events of the trace were dropped" in trace.with_suffix(".svg").read_text("utf-8")
    exported = takt("export", str(trace), "--format", "mcap")
    assert exported.exit_code == 0
    assert "incomplete: 5 events" in exported.stderr


def test_a_trace_with_drops_leaves_the_verdict_open() -> None:
    def effects(*traces: dict[str, int] | None) -> list[str]:
        run = run_envelope(*({"trace": each} for each in traces))
        return unobserved_host_effects(False, run.origin, [SEEN], Window(0, 0, 1), run.record.dropped_events)

    assert effects({"events": 9, "dropped": 2}, None) == ["2 events of the trace were dropped"]
    assert effects({"events": 9, "dropped": 0}, None) == []


def test_figures_of_a_run_are_of_its_window_and_consider_stalls(trace: Path, tmp_path: Path) -> None:
    folder = tmp_path / "result"
    folder.mkdir()
    (folder / TRACE_FILE).write_bytes(trace.read_bytes())
    threads = [{"tid": 7, "role": "worker"}, {"tid": 8, "role": "timer"}]
    grants = {"realtime": True, "threads": threads}

    def write_result(lost: int) -> None:
        kernel = KernelSwitches(3, lost, None)
        run = run_envelope({"window": {"from": 0, "to": 50 * MS}, "grants": grants}, kernel=kernel)
        RUN_FORMAT.write(folder, run.origin, run.settings, run.record)

    write_result(0)
    np.save(folder / "stalls.npy", np.array([(1, 2 * MS, 11 * MS)], STALLS))
    data = json.loads(takt("show", str(folder), "--json").stdout)
    assert {task["task"]: task["jobs"] for task in data["tasks"]} == {"n/a": 1, "n/c": 1}
    assert data["misses"][0]["mostly"] == "stalled by the host"
    # The kernel's context switches are used if none was lost. They identify the workers by their thread IDs.
    rows = [(0, 1, 7, 50, b"takt.w1", b"S"), (MS, 1, 8, 50, b"takt.w1", b"S"), (12 * MS, 1, 7, 50, b"takt.w1", b"S")]
    np.save(folder / KERNEL_FILE, np.array(rows, SWITCHES))
    for lost, words in ((0, "thread takt.w1 of another executor had the CPU"), (1, "preempted by n/c")):
        write_result(lost)
        data = json.loads(takt("show", str(folder), "--json").stdout)
        assert data["kernel"] == (lost == 0)
        assert words in {part["words"] for part in data["misses"][0]["parts"]}
    (folder / "result.json").write_text("[]", "utf-8")
    assert "is not what takt writes" in takt("show", str(folder)).stderr


@pytest.mark.parametrize(("kind", "ending"), [("perfetto", ".perfetto-trace"), ("mcap", ".mcap")])
def test_export_writes_a_file_beside_the_trace_or_to_the_given_path(kind: str, ending: str, trace: Path) -> None:
    assert takt("export", str(trace), "--format", kind).exit_code == 0
    assert trace.with_suffix(ending).stat().st_size > 0
    out = trace.parent / "elsewhere"
    data = json.loads(takt("export", str(trace), "--format", kind, "--out", str(out), "--json").stdout)
    assert (data["file"], data["incomplete"]) == (str(out), [])
    assert out.stat().st_size > 0


def test_plot_draws_the_worst_miss_of_each_cause_or_the_job_that_is_named(trace: Path, tmp_path: Path) -> None:
    result = takt("plot", str(trace))
    assert result.exit_code == 0, result.stderr
    drawing = trace.with_suffix(".svg").read_text("utf-8")
    for text in ("n/a #0, 2 ms late: preempted by n/c 10 ms", "CPU 1", ">n/c<", "released, unfinished"):
        assert text in drawing
    out = tmp_path / "one.svg"
    data = json.loads(takt("plot", str(trace), "--job", "n/a#1", "--out", str(out), "--json").stdout)
    assert data["jobs"] == ["n/a #1, finished 2 ms after its release, 8 ms before its deadline"]
    assert "n/a #1, finished 2 ms" in out.read_text("utf-8")
    refused = takt("plot", str(trace), "--job", "n/a#7")
    assert refused.exit_code == 2
    assert "no job 'n/a#7'" in refused.stderr


def test_plot_without_a_miss_draws_the_job_that_came_closest(tmp_path: Path) -> None:
    sample = TraceSample()
    for k, took in enumerate((3, 7, 5)):
        sample.job(A, k * 100 * MS, k * 100 * MS, (k * 100 + took) * MS, (k * 100 + 10) * MS, k)
    sample.close()
    data = json.loads(takt("plot", str(sample.write(tmp_path / "a.trace")), "--json").stdout)
    assert data["jobs"] == ["n/a #1, finished 7 ms after its release, 3 ms before its deadline"]


@pytest.mark.parametrize(("took", "until"), [(2 * MS, 10 * MS), (MS // 2, MS // 2)])
def test_a_picture_reaches_the_deadline_unless_the_job_would_be_tiny_in_it(
    took: int, until: int, tmp_path: Path
) -> None:
    sample = TraceSample()
    sample.job(A, 0, 0, took, 10 * MS, 0)
    sample.close()
    scene = scene_of_job(TraceAnalysis(read_recorded_trace(sample.write(tmp_path / "a.trace"))), 0)
    margin = until // 4
    assert (scene.begin - scene.release, scene.end - scene.release) == (-margin, until + margin)


def test_plot_of_every_kind_of_miss(tmp_path: Path) -> None:
    sample = TraceSample()
    sample.release(A, 0)
    sample.start(A, 0, 10 * MS)
    sample.event(20 * MS, Kind.skip, A, 1, 20 * MS, 1)
    sample.release(B, MS)
    sample.event(2 * MS, Kind.skip, B, 0, MS, 2)
    sample.event(50 * MS, Kind.spin)
    sample.close()
    trace = str(sample.write(tmp_path / "a.trace"))
    words = json.loads(takt("plot", trace, "--json").stdout)["jobs"]
    # The release that was skipped because of the unfinished job is shown in the picture of that job.
    assert sorted(word.split(",")[1].split(":")[0].strip() for word in words) == ["stale", "unfinished"]
    shed = json.loads(takt("plot", trace, "--job", "n/a#1", "--json").stdout)["jobs"]
    assert shed == ["n/a #1, skipped"]


def test_what_is_not_there_is_an_error_of_one_line(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nothing"):
        result = takt("show", str(place))
        assert (result.exit_code, result.stdout) == (1, "")
        assert len(result.stderr.splitlines()) == 1
        assert "--trace" in result.stderr


def test_only_takt_has_a_trace(spec: Path) -> None:
    result = CliRunner().invoke(cli, ["run", str(spec), "--executor", "baseline0", "--trace"])
    assert result.exit_code == 2
    assert "--trace: baseline0" in result.stderr
