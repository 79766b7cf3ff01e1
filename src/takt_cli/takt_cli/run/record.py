# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Collects what a run leaves behind: the merged samples of all processes, and a record of the conditions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from takt_cli.errors import RunError
from takt_cli.host.middleware import Middleware
from takt_cli.host.tracefs import SwitchRecording
from takt_cli.host.versions import commit, versions
from takt_cli.results.kernel_file import KERNEL_FILE
from takt_cli.results.sample_files import GAUGES, JOBS, PUBLISHES, READS, SCHEMA_VERSION, STALLS, merge, write_rows
from takt_cli.results.trace_file import TRACE_FILE
from takt_cli.run.settings import RunSettings, launches

_SAMPLES = (("jobs", JOBS, "release"), ("reads", READS, "start"), ("publishes", PUBLISHES, "returned"))


def collect_record(
    settings: RunSettings, work: Path, folder: Path, middleware: Middleware, context: dict[str, Any]
) -> None:
    """Combine the processes' files in `work` into run.json and one .npy file of each kind in `folder`."""
    tags = [launch.tag for launch in launches(settings)]
    for name, kind, order in _SAMPLES:
        write_rows(folder / f"{name}.npy", merge([work / f"{tag}.{name}.npy" for tag in tags], kind, order))
    if settings.gauges:
        write_rows(folder / "gauges.npy", merge([work / f"{tag}.gauges.npy" for tag in tags], GAUGES, "at"))
    if settings.trace:
        shutil.move(work / TRACE_FILE, folder / TRACE_FILE)
    stalls = [stalls_name(cpu) for cpu in settings.cpus]
    write_rows(folder / "stalls.npy", merge([work / f"{name}.npy" for name in stalls], STALLS, "from"))
    processes = [read_json(work / f"{tag}.json") for tag in tags]
    if len({(p["t0"], p["window"]["from"], p["window"]["to"]) for p in processes}) != 1:
        raise RunError("the processes of the run did not begin together (their t0 and window differ); run it again")
    record = {
        "schema_version": SCHEMA_VERSION,
        "command": context["command"],
        "executor": settings.executor,
        "policy": settings.application.policy,
        "duration_ns": settings.duration,
        "warmup_ns": settings.warmup,
        "t0": processes[0]["t0"],
        "window": processes[0]["window"],
        "rmw": processes[0]["rmw"],
        "versions": versions(),
        "commit": commit(),
        "host": context["host"],
        "stress": context["stress"],
        "middleware": middleware.to_json(),
        "probes": [read_json(work / f"{name}.json") for name in stalls],
        "processes": processes,
        "unended": context["unended"],
    }
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def store_context_switches(kernel: SwitchRecording, folder: Path) -> None:
    """Store the kernel's context switches with the samples, and their number or why there are none in run.json."""
    if kernel.switches is not None:
        write_rows(folder / KERNEL_FILE, kernel.switches)
    record = read_json(folder / "run.json")
    switches = None if kernel.switches is None else len(kernel.switches)
    record["kernel"] = {"switches": switches, "lost": kernel.lost, "refused": kernel.refusal_reason}
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def stalls_name(cpu: int) -> str:
    """Return the name of the file that a CPU's probe writes to, without its suffix."""
    return f"stalls-{cpu}"


def read_json(path: Path) -> Any:
    """Read the JSON file that a program has written. Raises a RunError if it has not."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{path.name} was not written by its program as expected: {error}") from None
