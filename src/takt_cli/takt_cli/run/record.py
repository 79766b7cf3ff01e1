# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""What a run leaves behind: samples of all its processes merged, and everything that qualifies them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from takt_cli.analysis.files import GAUGES, JOBS, PUBLISHES, READS, SCHEMA_VERSION, STALLS, merge, write_rows
from takt_cli.analysis.kernel_file import KERNEL_FILE
from takt_cli.analysis.trace_file import TRACE_FILE
from takt_cli.errors import RunError
from takt_cli.host.middleware import Middleware
from takt_cli.host.tracefs import Recording
from takt_cli.host.versions import commit, versions
from takt_cli.run.settings import RunSettings, launches

_SAMPLES = (("jobs", JOBS, "release"), ("reads", READS, "start"), ("publishes", PUBLISHES, "returned"))


def collect(settings: RunSettings, work: Path, folder: Path, middleware: Middleware, context: dict[str, Any]) -> None:
    """From the files of the processes in `work` to run.json and one .npy of each kind in `folder`."""
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
        raise RunError("the processes of the run do not share one grid; their barrier did not hold")
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


def keep_kernel(kernel: Recording, folder: Path) -> None:
    """The kernel's switches beside the samples, and in run.json what became of them."""
    if kernel.switches is not None:
        write_rows(folder / KERNEL_FILE, kernel.switches)
    record = read_json(folder / "run.json")
    switches = None if kernel.switches is None else len(kernel.switches)
    record["kernel"] = {"switches": switches, "lost": kernel.lost, "refused": kernel.refused}
    (folder / "run.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def stalls_name(cpu: int) -> str:
    """What the probe of a CPU writes to, without its endings."""
    return f"stalls-{cpu}"


def read_json(path: Path) -> Any:
    """What a program wrote; RunError if it did not keep its promise."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise RunError(f"{path.name} was not written as promised by its program: {error}") from None
