# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Parts of the result of a run, with values that a test may change, and changes of a result on disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from takt_cli.results.batch import BATCH_FORMAT, BatchSettings, Item
from takt_cli.results.origin import Host, Origin
from takt_cli.results.program import Probe
from takt_cli.results.result_file import RESULT_FILE, Envelope, NoRecord
from takt_cli.results.run import RUN_FORMAT, RunProcess, RunRecord, RunRequest

SEEN, UNSEEN = Probe(99, 99), Probe(99, 0)
# A host of which nothing is known that would stall real-time threads.
HOST = Host(
    hostname="host", kernel="5.0", kernel_version="", preemption="PREEMPT_RT", cmdline=None, machine="x86_64",
    cpu_model=None, virtual=False, cpus=2, used_cpus=[1], allowed_cpus=[0, 1], isolated_cpus=None, governor=None,
    clocksource=None, memory_kib=None, rt_runtime_us=None, rt_period_us=None, rt_throttling=None, fair_server_ns=[],
    fair_server_period_ns=[], rt_priority_limit=0, memlock_limit=0, root=False, load=[0.0, 0.0, 0.0],
)  # fmt: skip
_PROCESS: dict[str, Any] = {
    "t0": 0, "window": {"from": 0, "to": 10**9}, "rmw": "rmw_fastrtps_cpp", "policy": {"asked": "rm", "in_use": "rm"},
    "jobs": 1, "process_cpu_ns": 0, "callback_cpu_ns": 0, "threads": [],
    "processors": [{"cpu": 1, "tasks": [{"task": 0}, {"task": 1}, {"task": 2}]}],
}  # fmt: skip
_REQUEST = RunRequest(executor="takt", policy="rm", duration=10**9, warmup=0, cpus=(1,))


def host(**facts: Any) -> Host:
    return msgspec.structs.replace(HOST, **facts)


def origin(**facts: Any) -> Origin:
    """Return an origin with these facts of the host."""
    return Origin(command=["takt"], began="", versions={}, commit=None, host=host(**facts))


def process(**fields: Any) -> RunProcess:
    """Return a process's report; the fields are given as in JSON."""
    return msgspec.convert(_PROCESS | fields, RunProcess)


def run_envelope(
    *processes: dict[str, Any], request: RunRequest = _REQUEST, facts: dict[str, Any] | None = None, **fields: Any
) -> Envelope[RunRequest, RunRecord]:
    """Return a result of these processes, or of a usual one, with further fields of the record."""
    reports = [process(**each) for each in processes] or [process()]
    content: dict[str, Any] = {"processes": reports, "probes": [SEEN]}
    record = RunRecord(**(content | fields))
    return Envelope(
        kind="run", schema_version=RUN_FORMAT.version, origin=origin(**(facts or {})), settings=request, record=record
    )


def write_batch(folder: Path, items: Sequence[Item], runs: int, seed: int) -> None:
    """Write the result of a batch of these runs."""
    settings = BatchSettings(
        seed=seed, runs=runs, duration=10**9, warmup=0, cooldown=10**9, cpus=(0,), load=None, policy=None,
        applications=[], items=tuple(items),
    )  # fmt: skip
    begun = Origin(command=["takt", "batch", folder.name], began="", versions={}, commit=None, host=None)
    BATCH_FORMAT.write(folder, begun, settings, NoRecord())


def read_json(folder: Path) -> Any:
    """Return the content of the result in a folder, as JSON."""
    return json.loads((folder / RESULT_FILE).read_text("utf-8"))


def change_result(folder: Path, change: Callable[[Any], object]) -> None:
    """Change the result in a folder on disk."""
    _change(folder / RESULT_FILE, change)


def change_summary(folder: Path, change: Callable[[Any], object]) -> None:
    """Change the summary in a folder on disk."""
    _change(folder / "summary.json", change)


def _change(path: Path, change: Callable[[Any], object]) -> None:
    content = json.loads(path.read_text("utf-8"))
    change(content)
    path.write_text(json.dumps(content), "utf-8")
