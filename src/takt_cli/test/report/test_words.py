# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of figures in words, which do not claim more digits than they have, and of sentences about results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from run_results import run_envelope
from run_summaries import run_summary, run_totals

from takt_cli.analysis.result_set import SetRun
from takt_cli.analysis.run_summary import RunSummary
from takt_cli.report.demo_summary import sentences, sentences_on_doubts
from takt_cli.report.formatting import format_percentile, format_share, format_spread
from takt_cli.report.grants import policy_label, priorities, refusal_line
from takt_cli.report.values import format_count, format_number
from takt_cli.results.verdict import Verdict
from takt_cli.statistics.percentiles import Percentiles


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "\u2013"),
        (0, "0"),
        (0.0001234, "0.000123"),
        (1.23456, "1.23"),
        (12.3456, "12.3"),
        (99.96, "100"),
        (123.456, "123"),
        (12345.6, "12\u202f346"),
        (-1.5, "-1.5"),
    ],
)
def test_numbers_have_three_digits(value: float | None, text: str) -> None:
    assert format_number(value) == text


def test_a_share_is_nothing_only_if_it_is_nothing() -> None:
    assert format_share(0, 10) == "0 %"
    assert format_share(1, 100_000) == "< 0.01 %"
    assert format_share(1, 3) == "33.3 %"
    assert format_share(99_999, 100_000) == "> 99.9 %"
    assert format_share(10, 10) == "100 %"
    assert format_share(0, 0) == "\u2013"
    assert format_count(1234567) == "1\u202f234\u202f567"


def test_percentiles_in_a_row() -> None:
    def times(n: int, p50: float | None = None, infinite: int = 0) -> Percentiles:
        return Percentiles(n=n, p50=p50, p90=None, p99=None, max=None, infinite=infinite)

    assert format_spread(times(200, 1.0, infinite=5), "ms") == "1 · \u221e · \u221e ms"
    assert format_percentile(times(20), "p99") == "\u2013"
    # A single infinite data age makes the maximum infinite.
    assert format_spread(times(3, 1.0, infinite=1), "ms") == "1 · \u2013 · \u221e ms"
    assert format_percentile(times(3, infinite=3), "p50") == "\u221e"
    assert format_spread(times(0), "ms") == "\u2013"


def summary(outcome: str = "pass", /, **totals: int) -> RunSummary:
    figures = {"jobs": 1000, "stale_n": 500} | totals
    return run_summary(totals=run_totals(**figures), verdict=Verdict(outcome, ["because"]))


@pytest.mark.parametrize(
    ("executor", "totals", "text"),
    [
        ("takt", {}, "takt met every one of 1\u202f000 deadlines, and never ran on old data."),
        ("takt", {"deadline_misses": 1}, "takt missed 0.1 % of its deadlines, all of them while the host stalled "
         "or because no schedule of its policy could have met them, "
         "and never ran on old data."),
        ("takt", {"deadline_misses": 3, "unforced_misses": 2, "stale": 5}, "takt missed 2 of 1\u202f000 deadlines that "
         "its policy could have met, and ran 1 % of its reading jobs on old data."),
        ("takt-rclcpp", {}, "takt-rclcpp met every one of 1\u202f000 deadlines, and never ran on old data."),
        ("baseline0", {"deadline_misses": 100, "stale": 250}, "baseline0 missed 10 % of its deadlines, and ran 50 % of "
         "its reading jobs on old data."),
        ("baseline1", {"stale": 250}, "baseline1 met every deadline, but ran 50 % of its reading jobs on old data."),
        ("baseline1", {"deadline_misses": 1}, "baseline1 missed 0.1 % of its deadlines, but never ran on old data."),
        ("baseline1", {}, "baseline1 met every deadline, and never ran on old data."),
    ],
)  # fmt: skip
def test_the_demo_in_plain_words(executor: str, totals: dict[str, int], text: str) -> None:
    assert sentences({executor: summary(**totals)}) == [text]


def test_refused_rights_are_mentioned() -> None:
    refused = ["SCHED_FIFO refused: the limit is 0"]
    takt = replace(summary(), policy_in_use="np-rm", refused=refused)
    baseline = replace(summary(), executor="baseline1", policy_in_use="ros", refused=refused)
    assert sentences({"takt": takt})[0].startswith("takt, as np-rm instead of rm, met every one")
    assert sentences_on_doubts({"takt": takt, "baseline1": baseline}) == [
        "takt ran without preemption, as np-rm instead of rm: rights were refused.",
        "baseline1 ran without some of the rights it asked for.",
    ]
    line = refusal_line({"takt": takt, "baseline1": baseline})
    assert line is not None
    assert "as np-rm instead of rm" in line
    assert line.endswith(refused[0])
    assert refusal_line({"takt": summary()}) is None
    assert policy_label(takt) == "np-rm, without preemption, instead of rm"
    assert policy_label(baseline) == "replayed as rm"


def test_priorities_are_shown_by_role() -> None:
    def thread(tid: int, name: str, kind: str, asked: int, granted: int) -> dict[str, Any]:
        return {"name": name, "tid": tid, "class": kind, "asked": asked, "granted": granted, "cpu_ns": 0}

    roles = {1: "timer", 2: "worker", 3: "worker", 4: "middleware", 5: "background"}
    report: dict[str, Any] = {
        "threads": [
            thread(4, "dds.ev.0", "middleware", 48, 48),
            thread(5, "dds.udp", "middleware", 0, 0),
            thread(6, "lab.overseer", "other", 98, 98),
            thread(1, "takt.timer", "executor", 49, 49),
            thread(2, "takt.w1", "executor", 45, 45),
            thread(3, "takt.w2", "executor", 46, 46),
            thread(7, "takt.watchdog", "executor", 0, 0),
        ],
        "grants": {"threads": [{"tid": tid, "role": role} for tid, role in roles.items()], "realtime": True},
    }

    def shown(*cpus: int) -> str:
        envelope = run_envelope(report, facts={"used_cpus": list(cpus)})
        return priorities(SetRun(Path("x"), envelope, "app", "takt", 1, run_summary()))

    assert shown(1) == (
        "takt.timer 49, takt.w1..w2 45..46, middleware 48, lab 98; 2 threads asked for no real-time priority; "
        "all on CPU 1"
    )
    report["threads"].append(thread(8, "takt.timer", "executor", 49, 49))
    report["grants"]["threads"].append({"tid": 8, "role": "timer"})
    assert shown(0, 1).startswith("takt.timer 49 (2 threads), takt.w1..w2 45..46, ")
    assert shown(0, 1).endswith("on CPUs 0, 1")
    for each in report["threads"]:
        each["granted"] = 0
    assert "takt.timer 49 (2 threads) refused, takt.w1..w2 45..46 refused, middleware 48 refused" in shown(1)


def test_an_inconclusive_verdict_is_mentioned() -> None:
    assert sentences_on_doubts({"takt": summary(), "baseline0": summary("inconclusive")}) == [
        "For baseline0 the verdict is inconclusive: because."
    ]
