# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests with the real C++ programs of baselines on two CPUs, and of the cost of recording. No timing is asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from real_programs import realtime, takt

from takt_cli.analysis.grid import ANY_CPU
from takt_cli.analysis.result import Result, read_result
from takt_cli.host.cpus import allowed_cpus

pytestmark = [pytest.mark.programs, pytest.mark.rights, pytest.mark.usefixtures("real_programs")]

# Two nodes that do not communicate, with more work than one CPU can do.
_TWO = """
schema_version: 1
name: two
policy: rm
nodes:
  - name: left
    callbacks: [{name: work, period: 20ms, wcet: 12ms}]
  - name: right
    callbacks: [{name: work, period: 20ms, wcet: 12ms}]
"""


def _overlaps(result: Result) -> int:
    """Return how many pairs of jobs of the two tasks overlapped in time."""
    jobs = result.jobs[result.jobs["finish"] >= 0]
    left, right = jobs[jobs["task"] == 0], jobs[jobs["task"] == 1]
    began = left["start"][:, None] < right["finish"][None, :]
    return int((began & (right["start"][None, :] < left["finish"][:, None])).sum())


@pytest.mark.parametrize("executor", ["baseline0", "baseline1"])
def test_a_baseline_uses_whichever_cpu_is_free(executor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cpus = allowed_cpus()[:2]
    if len(cpus) < 2:
        pytest.skip("this process may use one CPU")
    monkeypatch.chdir(tmp_path)
    Path("two.yaml").write_text(_TWO, "utf-8")
    both = ",".join(map(str, cpus))
    summary = takt("run", "two.yaml", "--executor", executor, "--duration", "0.6", "--cpu", both, "--out", "out")
    result = read_result(Path("out"))
    assert (result.task_cpus, result.cpus) == ((ANY_CPU, ANY_CPU), tuple(cpus))
    for path in Path("out/programs").glob("baseline*.json"):
        assert {place["cpu"] for place in json.loads(path.read_text("utf-8"))["places"]} <= {*cpus, -1}
    assert {probe.cpu for probe in result.record.probes} == set(cpus)
    (place,) = summary["processors"]
    assert (place["cpu"], place["cpus"]) == (None, cpus)
    # The replay partitions the tasks over two processors, where all fit, unless the host stalls.
    if not (result.stalls["to"] - result.stalls["from"] > 2_000_000).any():
        assert summary["totals"]["forced_misses"] == 0
    if executor == "baseline0":
        assert _overlaps(result) == 0
        assert summary["totals"]["skipped"] > 0
        assert summary["totals"]["preemptions"] == {"total": 0, "jobs": 0, "max": 0}
    elif realtime():
        assert _overlaps(result) > 0
        assert summary["totals"]["preemptions"] is None
        assert summary["totals"]["handover_us"]["n"] == 0
    cost = summary["measuring"]
    assert cost["ns_per_call"]["n"] == 100 * len(result.processes)
    assert 0 < cost["ns_per_call"]["min"] <= cost["ns_per_call"]["p50"]
