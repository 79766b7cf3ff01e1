# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the overload experiment: recovery and its bound, the causes of misses, and the verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from run_results import run_envelope

from takt_cli.analysis.grid import Window
from takt_cli.analysis.intervals import NEVER, next_idle
from takt_cli.analysis.overload import (
    JobCounts,
    OverloadRun,
    OverloadSummary,
    idle_from,
    overload_summary,
    pending_at,
    recovery_bound,
    stalled_time,
)
from takt_cli.analysis.result import Result
from takt_cli.analysis.summary import RunAnalysis
from takt_cli.cli.main import cli
from takt_cli.measurements.overload import OVERLOAD
from takt_cli.results.json_file import encoded
from takt_cli.results.overload import OverloadSettings
from takt_cli.results.program import Probe
from takt_cli.results.result_file import Envelope, NoRecord
from takt_cli.results.run import RunRequest
from takt_cli.results.sample_files import GAUGES, JOBS, PUBLISHES, READS, SKIPPED, STALLS, UNFINISHED, Rows
from takt_cli.spec.application import Application
from takt_cli.spec.load import parse_spec
from takt_cli.synthetic.overload_application import OverloadCourse, normal_load_spec, overload_spec

MS = 1_000_000
T0 = 10**12


def stalls(*pairs: tuple[float, float]) -> Rows:
    return np.array([(0, T0 + int(a * MS), T0 + int(b * MS)) for a, b in pairs], STALLS)


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9)), max_size=12), st.integers(0, 80))
def test_idle_is_when_all_that_was_released_is_done(jobs: list[tuple[int, int]], instant: int) -> None:
    release = np.array([r for r, _ in jobs], np.int64)
    finish = np.array([r + length for r, length in jobs], np.int64)
    found = int(next_idle(release, finish, instant))

    def quiet(at: int) -> bool:
        # A job that is released exactly when another one ends comes after an idle gap of length zero.
        return not any(r < at < r + length or r == at == instant for r, length in jobs)

    assert found == next(at for at in range(instant, 200) if quiet(at))


def test_a_job_that_never_finishes_leaves_no_idle_instant() -> None:
    releases, finishes = np.array([5, 20, 30]), np.array([10, -1, 40])
    assert next_idle(releases, finishes, np.array([0, 5, 10, 21])).tolist() == [0, 10, 10, NEVER]
    assert next_idle(np.array([], np.int64), np.array([], np.int64), 7) == 7


def test_recovery_takes_what_is_left_at_the_rate_that_is_left() -> None:
    none = stalls()
    assert recovery_bound(100, 0.5, 10, none, 0) == 210
    assert recovery_bound(0, 0.5, 0, none, 0) == 0
    assert recovery_bound(1, 1.0, 10, none, 0) is None
    # A stall within the recovery extends it, so that the next stall may be within it, too. Later stalls do not count.
    rows = np.array([(0, 50, 60), (0, 220, 230), (0, 300, 400)], STALLS)
    assert recovery_bound(100, 0.5, 10, rows, 0) == 250
    assert recovery_bound(100, 0.5, 10, rows, 55) == 240


def test_stalls_that_overlap_count_once() -> None:
    rows = np.array([(0, 10, 30), (0, 15, 20), (0, 25, 40)], STALLS)
    assert stalled_time(rows, 0, 100) == 30
    assert stalled_time(rows, 12, 35) == 23
    assert stalled_time(rows, 40, 50) == 0
    assert stalled_time(rows[:0], 0, 100) == 0


def test_the_application_is_calm_overloaded_and_calm_again() -> None:
    spec = overload_spec(OverloadCourse(1.5, 1000 * MS, 5000 * MS, 60_000 * MS, "fp"))
    app = spec.application
    assert app.overload is not None
    assert (app.overload.begin, app.overload.end) == (6_000 * MS, 66_000 * MS)
    assert app.utilisation == pytest.approx(0.6)
    assert app.peak_utilisation == pytest.approx(1.5)
    assert parse_spec(spec.text, "again.yaml") == app
    assert 10 <= len(app.tasks) <= 15
    urgent_first = sorted(app.tasks, key=lambda t: -t.callback.priority)
    assert list(app.tasks) == urgent_first
    # No task is so close to the limit that the cost of decisions would determine whether it is held.
    shares = np.cumsum([t.callback.utilisation * app.overload.factor for t in urgent_first])
    assert not np.any((shares > 0.9) & (shares < 1.05))
    assert any(t.callback.queue for t in urgent_first[8:])
    assert any(not t.callback.queue for t in urgent_first[8:])
    assert normal_load_spec("edf").application.policy == "edf"


SPEC = """\
name: two
policy: fp
overload: {from: 40ms, to: 80ms, factor: 5}
nodes:
  - name: high
    callbacks:
      - {name: work, period: 10ms, wcet: 1ms, priority: 90}
  - name: low
    callbacks:
      - {name: work, period: 20ms, wcet: 4ms, priority: 10}
"""
LENGTH = 160


def application() -> Application:
    return parse_spec(SPEC.encode(), "two.yaml")


def schedule() -> list[list[int]]:
    """Return the schedule of the model: the less urgent task misses its deadline with both of its jobs in the
    overload."""
    rows = []
    for k in range(LENGTH // 10):
        cpu = 5 if 4 <= k < 8 else 1
        rows.append([0, 0, k, 10 * k, 10 * k, 10 * k + cpu, cpu])
    for k in range(LENGTH // 20):
        release = 20 * k
        if k == 3:
            rows.append([1, SKIPPED, k, release, -1, -1, -1])
        elif k == 2:
            rows.append([1, 0, k, release, release + 5, 81, 20])
        else:
            rows.append([1, 0, k, release, release + 1, release + 5, 4])
    return rows


def table(rows: list[list[int]], t0: int) -> Rows:
    def instant(ms: int) -> int:
        return t0 + ms * MS if ms >= 0 else -1

    return np.array(
        [
            (t, f, k, instant(r), instant(s), instant(e), c * MS if c >= 0 else -1, 0, -1)
            for t, f, k, r, s, e, c in rows
        ],
        JOBS,
    )


def run(changed: dict[tuple[int, int], dict[str, int]] | None = None, **parts: Any) -> OverloadRun:
    """Return a run. `changed` holds the fields in which the run's jobs differ from the model's."""
    jobs = table(schedule(), T0)
    replay = jobs.copy()
    for (task, index), fields in (changed or {}).items():
        row = np.flatnonzero((jobs["task"] == task) & (jobs["index"] == index))[0]
        for name, value in fields.items():
            jobs[name][row] = T0 + value * MS if name in {"start", "finish"} and value >= 0 else value
    looks = parts.pop("gauges", np.array([(T0 + (40 + 4 * i) * MS, 10**6, 10**5, 20, 9) for i in range(10)], GAUGES))
    seen = parts.pop("stalls", stalls())
    report = {
        "policy": {"in_use": "fp"}, "process_cpu_ns": 10, "callback_cpu_ns": 5, "jobs": 10,
        "processors": [{"cpu": 0, "tasks": [{"task": 0}, {"task": 1}]}],
    }  # fmt: skip
    envelope = run_envelope(
        report,
        request=RunRequest(executor="takt", policy="fp", duration=LENGTH * MS, warmup=0, cpus=(0,)),
        facts={"rt_runtime_us": 995_000, "rt_period_us": 1_000_000},
        probes=[Probe(99, parts.pop("granted", 99))],
    )
    window = Window(T0, T0, T0 + LENGTH * MS)
    none = np.empty(0, READS), np.empty(0, PUBLISHES)
    result = Result(Path("x"), envelope, application(), window, jobs, *none, seen, replay, looks)
    settings = OverloadSettings(1.5, LENGTH * MS, 0, "fp", None, 0)
    of_overload = Envelope(
        kind="overload", schema_version=1, origin=envelope.origin, settings=settings, record=NoRecord()
    )
    return OverloadRun(Path("x"), of_overload, RunAnalysis(result), table(schedule(), 0))


def summary(*arguments: Any, **parts: Any) -> OverloadSummary:
    return overload_summary(run(*arguments, **parts))


def test_tasks_without_a_miss_in_the_model_count_as_held() -> None:
    result = summary()
    assert result.held.tasks == ["high/work"]
    assert result.held.utilisation == pytest.approx(0.5)
    assert result.others == JobCounts(jobs=2, late=1, skipped=1, host=0, unforced=0)
    assert result.calm.jobs == 11 + 5
    assert result.verdict.outcome == "pass"
    assert [task.held for task in result.tasks] == [True, False]


def test_recovery_is_when_nothing_is_pending() -> None:
    recovery = summary().recovery
    # At 80 ms, 1 ms of the low task is left, and jobs of 1 and 4 ms are released; all are done at 85 ms.
    assert recovery.measured_ms == recovery.replayed_ms == recovery.simulated_ms == 5
    assert recovery.pending == 1
    assert recovery.backlog_ms == 0
    assert recovery.bound_ms == recovery.simulated_bound_ms == 20
    never = summary({(1, 4): {"finish": -1, "flags": UNFINISHED}})
    assert never.recovery.measured_ms is None
    assert never.verdict.outcome == "fail"
    assert "it had not recovered when the run ended" in never.verdict.why


def test_a_recovery_above_its_bound_fails() -> None:
    # The job of the low task ends 60 ms later than in the model; meanwhile its releases are skipped.
    changed: dict[tuple[int, int], dict[str, int]] = {(1, 4): {"finish": 145}}
    changed |= {(1, k): {"flags": SKIPPED, "start": -1, "finish": -1} for k in (5, 6, 7)}
    result = summary(changed)
    assert result.recovery.measured_ms == 65
    assert result.verdict.outcome == "fail"
    assert "recovery took 65 ms, above its bound of 20" in result.verdict.why


def test_misses_of_held_tasks_are_of_one_kind_each() -> None:
    miss = {(0, 5): {"finish": 61}}
    result = summary(miss)
    assert (result.held.unforced, result.verdict.outcome) == (1, "fail")
    # A stall as long as the kernel's throttling, which is 5 ms per second in this record.
    throttled = summary(miss, stalls=stalls((51, 56)))
    assert (throttled.held.throttled, throttled.held.unforced) == (1, 0)
    assert throttled.verdict.outcome == "pass"
    assert throttled.throttling.windows == 1
    # The same length in two parts also counts as throttling.
    parts = summary(miss, stalls=stalls((51, 53), (57, 60)))
    assert (parts.held.throttled, parts.throttling.windows) == (1, 2)
    assert summary(miss, stalls=stalls((51, 53), (57, 58))).throttling.windows == 0
    host = summary(miss, stalls=stalls((51, 52)))
    assert (host.held.host, host.held.throttled) == (1, 0)
    assert host.verdict.outcome == "inconclusive"
    # A miss after the pause also counts, if the work that the pause delayed was not done yet.
    after = summary({(0, 5): {"finish": 61}, (0, 6): {"start": 61, "finish": 71}}, stalls=stalls((51, 56)))
    assert (after.held.throttled, after.held.unforced) == (2, 0)
    # A miss long after the pause is caused by the executor.
    later = summary({(0, 5): {"finish": 61}, (0, 12): {"finish": 131}}, stalls=stalls((51, 56)))
    assert (later.held.throttled, later.held.unforced) == (1, 1)
    assert later.verdict.outcome == "fail"


def test_a_starved_task_does_not_hide_behind_a_pause() -> None:
    # The processor never becomes idle after the pause; the pause explains that only for a limited time.
    late = {(0, k): {"start": 10 * k + 9, "finish": 10 * k + 11} for k in range(4, 16)}
    result = summary(late, stalls=stalls((41, 46)))
    assert result.held.unforced > 0
    assert result.verdict.outcome == "fail"


def test_growing_memory_fails_and_unobserved_memory_is_not_judged() -> None:
    looks = np.array([(T0 + (40 + 4 * i) * MS, 10**6 + i * 10**4, 10**5, 20, 9) for i in range(10)], GAUGES)
    grows = summary(gauges=looks)
    assert grows.verdict.outcome == "fail"
    assert grows.verdict.why[0].startswith("resident grew from")
    # Samples before the overload do not count.
    before = looks.copy()
    before["at"] -= 40 * MS
    assert summary(gauges=before).verdict.outcome == "inconclusive"
    blind = summary(granted=0)
    assert blind.verdict.outcome == "inconclusive"
    assert any("probe" in why for why in blind.verdict.why)


def test_pending_jobs_are_counted() -> None:
    jobs = table(schedule(), 0)
    instants = np.array([0, 1, 5, 41, 80, 86]) * MS
    assert pending_at(jobs, instants).tolist() == [2, 1, 0, 2, 3, 0]
    assert idle_from(jobs, 80 * MS) == 85 * MS


def takt(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["measure", "overload", *arguments])


@pytest.mark.usefixtures("stand_ins")
def test_the_verb_keeps_run_summary_and_plot() -> None:
    result = takt("--duration", "0.5", "--calm", "0.2", "--out", "d", "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert {p.name for p in Path("d").iterdir()} == {"result.json", "run", "model.npy", "summary.json", "overload.svg"}
    assert "overload: {from: 1.2s, to: 1.7s, factor: 2.5}" in Path("d/run/spec.yaml").read_text("utf-8")
    assert data["utilisation"] == {"calm": pytest.approx(0.6), "overload": pytest.approx(1.5)}
    assert data["gauges"]["heap"]["n"] >= 3
    assert Path("d/overload.svg").read_text("utf-8").startswith("<svg")
    assert encoded(OVERLOAD.summarise(OVERLOAD.read(Path("d")))) == Path("d/summary.json").read_bytes()
    shown = takt("--duration", "0.5", "--calm", "0.2", "--policy", "edf")
    assert "utilisation 1.5 for 0.5 s under edf" in shown.stdout
    assert "recovery: measured" in shown.stdout


@pytest.mark.usefixtures("stand_ins")
@pytest.mark.parametrize("arguments", [("--utilisation", "1"), ("--duration", "0"), ("--policy", "best")])
def test_nonsense_is_refused_in_one_line(arguments: tuple[str, ...]) -> None:
    result = takt(*arguments)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
