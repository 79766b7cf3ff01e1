# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of interference: its cases as data, and the figures from the files of the program; no time is asserted."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec import convert
from origins import origin
from rich.console import Console

from takt_cli.analysis.interference import CaseFigures, Done, interference_summary, read_interference
from takt_cli.analysis.stalls.late_starts import LateStarts
from takt_cli.chart.svg import to_svg
from takt_cli.cli.main import cli
from takt_cli.errors import RunError, SpecError, UsageError
from takt_cli.measurements.interference import INTERFERENCE
from takt_cli.measurements.page import measurement_page
from takt_cli.report.kinds.interference import (
    describe_activity,
    interference_charts,
    interference_report,
    waits_columns,
)
from takt_cli.results.interference import (
    INTERFERENCE_FORMAT,
    InterferenceProcess,
    InterferenceRecord,
    InterferenceSettings,
    Variant,
    Waits,
)
from takt_cli.results.program import PeerWork, Probe
from takt_cli.results.sample_files import CPU_TURNS, JOBS, SAMPLES, STALLS, write_rows
from takt_cli.spec.interference import Case, choose_cases, parse_cases, read_cases

MS = 1_000_000
T0 = 10**12


# ---- cases


def test_the_default_cases_are_valid_and_cover_every_kind() -> None:
    cases = read_cases(None)
    assert {case.does for case in cases} == {
        "publish",
        "take",
        "call",
        "add",
        "remove",
        "switch",
        "restart",
        "discover",
        "clock",
        "allocate",
        "log",
    }
    by_name = {case.name: case for case in cases}
    assert by_name["publish-large"].size == 8_000_000
    assert by_name["stopped-reader"].stopped
    same_cpu = [case for case in cases if case.cpu == "same" and not case.programs]
    assert sorted(case.tasks for case in same_cpu if case.callbacks == 10) == [10, 100, 1000]
    sharing = {(case.sends, case.middle > 0) for case in same_cpu if case.size == 8_000_000 and case.does == "publish"}
    assert len(sharing) == 8


def test_missing_keys_of_a_case_have_the_schemas_defaults() -> None:
    (case,) = parse_cases(b"cases:\n  - name: a\n    does: publish\n", "c.yaml")
    assert case == Case("a", "publish")
    options = dict(zip(case.arguments[::2], case.arguments[1::2], strict=True))
    assert options["--sim-nodes"] == "0"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("cases:\n  - name: a\n    does: publishes\n", 3, "did you mean 'publish'"),
        ("cases:\n  - name: a\n    does: add\n    bursts: 2\n", 4, "did you mean 'burst'"),
        ("cases:\n  - name: a\n", 2, "'does' is missing"),
        ("cases:\n  - name: a\n    does: publish\n    every: 10\n", 4, "has no unit"),
        ("cases:\n  - name: a\n    does: publish\n    every: 0ms\n", 4, "not a period"),
        ("cases:\n  - name: a\n    does: publish\n    size: 65MiB\n", 4, "outside 1B to 64MiB"),
        ("cases:\n  - name: a\n    does: take\n    sends: same-topic\n", 4, "does not publish"),
        ("cases:\n  - name: a\n    does: add\n    reader: stopped\n", 4, "there is no reader"),
        ("cases:\n  - name: a\n    does: add\n    reads: same-reader\n", 4, "does not take messages"),
        ("cases:\n  - name: a\n    does: log\n    sends: same-heap\n", 4, "does not allocate"),
        ("cases:\n  - name: a\n    does: log\n    programs: 17\n", 4, "outside 0 to 16"),
        (
            "cases:\n  - name: a\n    does: take\n    reads: same-reader\n    front_ends: [takt-rclcpp]\n",
            5,
            "cannot share a reader",
        ),
        (
            "cases:\n  - name: a\n    does: add\n    reads: other-topic\n    sends: other-topic\n",
            4,
            "either reads or sends",
        ),
        ("cases:\n  - name: a\n    does: publish\n    middle: 100ms\n", 4, "must be shorter than 'every'"),
        ("cases:\n  - name: a\n    does: take\n    reads: same-reader\n    cpu: other\n", 5, "are on one CPU"),
        ("cases:\n  - name: a\n    does: add\n  - name: a\n    does: take\n", 4, "two cases called 'a'"),
        ("cases:\n  - name: a\n    does: publish\n    warm_up: 101\n", 4, "outside 0 to 100"),
        ("cases: []\n", 1, "at least one entry"),
    ],
)
def test_a_fault_is_reported_with_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(SpecError, match=what) as error:
        parse_cases(text.encode(), "c.yaml")
    assert error.value.line == line


def test_cases_are_chosen_by_name() -> None:
    cases = read_cases(None)
    assert [case.name for case in choose_cases(cases, ("clock", "add"))] == ["add", "clock"]
    assert choose_cases(cases, ()) == cases
    with pytest.raises(UsageError, match="did you mean 'clock'"):
        choose_cases(cases, ("clok",))
    result = CliRunner().invoke(cli, ["measure", "interference", "clok"])
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_cases_on_another_cpu_are_left_out_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3})
    result = CliRunner().invoke(cli, ["measure", "interference", "publish-large-other-cpu"])
    assert result.exit_code == 2
    assert "a CPU for each of its tasks" in result.stderr


# ---- analysis


def written(folder: Path, windows: Sequence[dict[str, Any]], starts: dict[int, int], **more: Any) -> Path:
    """Write a result of one case. `starts` gives for each job, by its index, how much later than its release it
    started, in ns; each job takes 10 us."""
    jobs = np.zeros(len(starts), JOBS)
    for row, (index, delay) in zip(jobs, starts.items(), strict=True):
        start = T0 + index * MS + delay
        for name, value in (
            ("index", index),
            ("release", T0 + index * MS),
            ("start", start),
            ("finish", start + 10_000),
        ):
            row[name] = value
    publishes = np.zeros(len(starts) if more.get("publishes") else 0, SAMPLES)
    if len(publishes):
        publishes["at"], publishes["value"] = jobs["start"], 2000
    write_rows(folder / "a-takt.jobs.npy", jobs)
    write_rows(folder / "a-takt.publishes.npy", publishes)
    write_rows(folder / "a-takt.stalls.npy", np.array(more.get("stalls", []), STALLS))
    write_rows(folder / "a-takt.cpu.npy", np.array(more.get("cpu_turns", []), CPU_TURNS))
    process = {
        "switches": {
            "refused": more.get("refused", ""),
            "lost": 0,
            "threads": [
                {"tid": 7, "name": "takt.w9", "priority": 46, "own": True},
                {"tid": 8, "name": "takt.w1", "priority": 2, "own": True},
                {"tid": 9, "name": "reader", "priority": 0, "own": False},
                {"tid": 10, "name": "lab.probe", "priority": 99, "own": False},
            ],
        },
        "rmw": "rmw_x",
        "policy": {"in_use": "fp"},
        "t0": T0,
        "period_ns": MS,
        "turns": list(windows),
        "dropped": more.get("dropped", 0),
        "grants": {"realtime": True, "refused": []},
    }
    settings = InterferenceSettings(
        (Variant(Case("a", "publish", "what it does", warm_up=more.get("warm_up", 0)), "takt", None),), 2, 10 * MS, 0
    )
    record = InterferenceRecord([convert(process, InterferenceProcess)], [Probe(asked=99, granted=99)])
    INTERFERENCE_FORMAT.write(folder, origin(), settings, record)
    return folder


def window(round_: int, on: bool, begin: int, end: int, deferred: int = 0, longest: int = 0) -> dict[str, Any]:
    """Return the record of a turn from `begin` to `end`, which are releases on the grid, in ms."""
    did = {"published": 3 * on, "longest_job_ns": 5 * MS * on}
    waits = {"deferred": deferred, "longest_section_ns": longest * MS}
    peers = {"reader": {"times": 3 * on, "bytes": 24 * on}}
    return {
        "round": round_, "on": on, "from": T0 + begin * MS, "to": T0 + end * MS, "stopped": False, "did": did,
        "waits": waits, "peers": peers,
    }  # fmt: skip


WINDOWS = (
    window(0, False, 0, 10, longest=1),
    window(0, True, 10, 20, 2, 7),
    window(1, True, 20, 30, 3, 9),
    window(1, False, 30, 40, longest=9),
)


def summary_of(folder: Path) -> CaseFigures:
    (case,) = interference_summary(read_interference(folder)).cases
    return case


def shown(folder: Path) -> str:
    """Return what the terminal shows."""
    console = Console(file=io.StringIO(), width=400)
    with console.capture() as captured:
        console.print(*interference_report(interference_summary(read_interference(folder))))
    return captured.get()


def test_releases_are_those_of_the_grid_within_the_turns(tmp_path: Path) -> None:
    # Releases 12 and 13 are skipped, since the task starts next for 14; job 25 is late.
    starts = {k: 20_000 for k in range(45) if k not in (12, 13)} | {25: 1_500_000}
    starts = dict(sorted((starts | {11: 3_100_000 - 20_000 * 5}).items()))
    case = summary_of(written(tmp_path, WINDOWS, starts))
    on, off = case.active, case.without
    assert (on.releases, off.releases) == (20, 20)
    assert (on.skipped, on.late, on.missed) == (2, 2, 4)
    assert on.skipped_per_s == pytest.approx(100)
    assert (off.skipped, off.late, off.host_misses) == (0, 0, 0)
    # The delay of a skipped release lasts until the next start: 2.02 ms for 12, 1.02 ms for 13.
    assert on.start_delay_us.n == 20
    assert on.start_delay_us.max == 3000
    assert off.start_delay_us.max == 20
    ratio = case.start_delay_ratio
    assert ratio["max"] is not None
    assert (ratio["max"].rounds, ratio["max"].least, ratio["max"].greatest) == (2, 75, 150)
    assert ratio["p50"] is not None
    assert ratio["p50"].median == 1
    assert ratio["p99.9"] is None  # of ten releases
    assert case.publish_us is None


def test_threads_that_had_the_cpu_before_late_starts_are_named(tmp_path: Path) -> None:
    # Jobs start in time, except for 11, which starts 0.5 ms late, 13, and 16. Releases 14 and 15 are skipped, so the
    # delay of 16 begins at the end of 13.
    starts = {k: 20_000 for k in range(45) if k not in (14, 15)}
    starts |= {11: 500_000, 13: 1_400_000, 16: 900_000}

    def at(index: int, after: int, tid: int) -> tuple[int, int, int]:
        return (T0 + index * MS + after, tid, 0)

    turns = [
        at(10, 0, 7), at(10, 40_000, 0),
        # The CPU is idle for 0.1 ms, then a thread of another process has it, then a worker, and then the task itself.
        at(11, 100_000, 9), at(11, 300_000, 8), at(11, 480_000, 7), at(11, 600_000, 0),
        at(14, 0, 8), at(14, 300_000, 7), at(14, 420_000, 8), at(16, 890_000, 7), at(16, 920_000, 0),
    ]  # fmt: skip
    folder = written(tmp_path, WINDOWS, starts, cpu_turns=turns)
    late = summary_of(folder).late_starts
    assert late.without == LateStarts(starts=0, host=0, kept=0, known=0, by=[], lost=0, refused="")
    assert (late.active.bound_us, late.active.starts, late.active.known) == (200, 3, 3)
    holders: dict[str, Any] = {each.who: (each.starts, each.total_ms, each.longest_us) for each in late.active.by}
    assert holders == {
        # Before 13: idle from its release to 14.0, then 0.3 ms of the worker; before 16: from the end of 13 at 14.41.
        "takt.w1": (3, pytest.approx(0.18 + 0.3 + 2.47), pytest.approx(2470)),
        "reader (another process)": (1, pytest.approx(0.2), pytest.approx(200)),
        "idle": (2, pytest.approx(0.1 + 1.0), pytest.approx(1000)),
        "itself": (3, pytest.approx(0.02 + 0.1 + 0.01 + 0.01), pytest.approx(100)),
    }
    assert "takt.w1 in 3: 2.95 ms, at most 2\u202f470 us at a time; idle in 2: 1.1 ms" in shown(folder)
    assert "reader (another process)" in measurement_page(INTERFERENCE, folder)


def test_who_had_the_cpu_may_be_unknown(tmp_path: Path) -> None:
    folder = written(tmp_path, WINDOWS, dict.fromkeys(range(45), 20000) | {12: 500_000}, refused="no; do this")
    assert [late.known for _, late in summary_of(folder).late_starts.each()] == [0, 0]
    assert summary_of(folder).late_starts.active.starts == 1
    assert "it is not known which threads had the CPU: no; do this" in shown(folder)
    assert "it is not known which threads had the CPU: no; do this" in measurement_page(INTERFERENCE, folder)


def test_waits_are_summed_counts_or_the_longest_times(tmp_path: Path) -> None:
    folder = written(tmp_path, WINDOWS, dict.fromkeys(range(45), 20_000), publishes=True)
    result = read_interference(folder)
    summary = interference_summary(result)
    (case,) = summary.cases
    assert case.waits.active == Waits(deferred=5, longest_section_ns=9 * MS)
    assert case.waits.without.deferred == 0
    texts = {title: text(case.waits.active) for title, text in waits_columns(summary).items()}
    assert texts == {"deferred\nstarts": "5", "longest\nsection, ms": "9"}
    peers = {"reader": PeerWork(times=6, bytes=48)}
    assert case.did == Done(published=6, longest_job_ns=5 * MS, turns_stopped=0, peers=peers)
    assert describe_activity(case) == "published 6, longest job 5 ms; reader: 6 times, 48 bytes"
    assert case.publish_us is not None
    assert case.publish_us.active.n == 20
    assert (ratio := case.publish_us.ratio["p50"]) is not None
    assert ratio.median == 1
    assert to_svg(interference_charts(result, summary)["interference"]).startswith("<svg")


def test_rounds_in_which_a_case_warms_up_are_told_apart(tmp_path: Path) -> None:
    # Job 15 is in the first round, which warms up, job 25 in the second one.
    starts = dict.fromkeys(range(45), 20_000) | {15: 1_500_000, 25: 500_000}
    folder = written(tmp_path, WINDOWS, starts, warm_up=1)
    case = summary_of(folder)
    assert case.warm_up is not None
    assert (case.warm_up.releases, case.warm_up.missed) == (10, 1)
    assert (case.active.releases, case.active.missed, case.without.releases) == (10, 0, 10)
    assert case.late_starts.active.starts == 1
    assert case.did.published == 3
    assert case.start_delay_ratio["max"] is not None
    assert case.start_delay_ratio["max"].rounds == 1
    text = shown(folder)
    assert "warming up" in text
    assert "delay, us" in text.partition("warming up")[0]  # the row of the warm-up, the first one, has no such cell
    (built_in,) = (each for each in read_cases(None) if each.name == "publish-large-same-topic")
    settings = InterferenceSettings((Variant(Case("a", "publish"), "takt", None),), 2, 10 * MS, 0)
    longer = InterferenceSettings((Variant(built_in, "takt", None),), 2, 10 * MS, 0)
    assert longer.seconds == pytest.approx(settings.seconds + built_in.warm_up * 2 * 0.31)


def test_misses_while_the_host_stalled_are_counted_separately(tmp_path: Path) -> None:
    starts = dict.fromkeys(range(45), 20_000) | {15: 1_500_000, 25: 1_500_000}
    stalls = [(0, T0 + 15 * MS, T0 + 16 * MS)]
    case = summary_of(written(tmp_path, WINDOWS, starts, stalls=stalls))
    assert (case.active.missed, case.active.host_misses) == (2, 1)
    assert case.active.kept_misses == 0  # nobody had the CPU
    assert case.stalls.active.n == 1
    assert case.stalls.without.n == 0


def test_a_stall_in_which_a_thread_had_the_cpu_is_not_the_hosts(tmp_path: Path) -> None:
    # In the stall of 12, the less urgent worker had the CPU most of the time, in 15 nobody, in 25 the probe itself, in
    # 27 the less urgent worker, and nobody in another stall before the end of that job.
    starts = dict.fromkeys(range(45), 20_000) | dict.fromkeys((12, 15, 25, 27), 1_500_000)

    def at(index: int, after: int, tid: int) -> tuple[int, int, int]:
        return (T0 + index * MS + after, tid, 0)

    turns = [
        at(10, 0, 0), at(12, 100_000, 8), at(12, 900_000, 0),
        at(25, 10_000, 10), at(26, 0, 0), at(27, 0, 8), at(27, 600_000, 0),
    ]  # fmt: skip
    stalls = [(0, T0 + k * MS, T0 + (k + 1) * MS) for k in (12, 15, 25)]
    stalls += [(0, T0 + 27 * MS, T0 + 27 * MS + 500_000), (0, T0 + 28 * MS, T0 + 28 * MS + 300_000)]
    folder = written(tmp_path, WINDOWS, starts, stalls=stalls, cpu_turns=turns)
    case = summary_of(folder)
    assert (case.active.missed, case.active.host_misses, case.active.kept_misses) == (4, 3, 1)
    late = case.late_starts.active
    assert (late.starts, late.host, late.kept, late.by) == (4, 3, 1, [])
    assert "4 (3, 1)" in shown(folder)
    assert "cannot be told apart" in shown(folder)


def test_without_the_kernels_switches_every_stall_is_the_hosts(tmp_path: Path) -> None:
    starts = dict.fromkeys(range(45), 20_000) | {15: 1_500_000}
    stalls = [(0, T0 + 15 * MS, T0 + 16 * MS)]
    case = summary_of(written(tmp_path, WINDOWS, starts, stalls=stalls, refused="no; do this"))
    assert (case.active.host_misses, case.active.kept_misses) == (1, 0)


def test_the_longest_wait_for_a_mutex_is_shown_with_its_function(tmp_path: Path) -> None:
    windows = [dict(each) for each in WINDOWS]
    for each in windows:
        each["waits"] = each["waits"] | {
            "lock_waits": 1,
            "longest_lock_wait_ns": 5 * MS,
            "longest_lock_wait_in": "take[abi:cxx11] (libdds.so)",
            "longest_lock_held_by": "copy (libdds.so)",
        }
    folder = written(tmp_path, windows, dict.fromkeys(range(45), 20_000))
    waits = "5 ms in take[abi:cxx11] (libdds.so), held by copy (libdds.so)"
    assert f"longest wait for a mutex: a, takt (rmw_x): {waits}" in shown(folder)
    assert "take[abi:cxx11] (libdds.so)" in measurement_page(INTERFERENCE, folder)


def test_jobs_that_found_no_room_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="7 jobs were not recorded"):
        read_interference(written(tmp_path, WINDOWS, {0: 0}, dropped=7))
