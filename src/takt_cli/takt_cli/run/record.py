# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Collects what a run leaves behind: the merged samples of all processes, and the reports of all programs."""

from __future__ import annotations

import shutil
from pathlib import Path

from takt_cli.errors import RunError
from takt_cli.host.tracefs import SwitchRecording
from takt_cli.results.achieved import AchievedLoad
from takt_cli.results.json_file import read_json
from takt_cli.results.kernel_file import KERNEL_FILE
from takt_cli.results.program import Probe
from takt_cli.results.run import KernelSwitches, RunProcess, RunRecord
from takt_cli.results.sample_files import GAUGES, JOBS, PUBLISHES, READS, STALLS, merge, write_rows
from takt_cli.results.trace_file import TRACE_FILE
from takt_cli.run.settings import RunSettings, launches

_SAMPLES = (("jobs", JOBS, "release"), ("reads", READS, "start"), ("publishes", PUBLISHES, "returned"))


def collect_record(
    settings: RunSettings, work: Path, folder: Path, stress: AchievedLoad | None, unended: list[str]
) -> RunRecord:
    """Combine the samples in `work` into one .npy file of each kind in `folder`, move the programs' reports there, and
    return them."""
    tags = [launch.tag for launch in launches(settings)]
    for name, kind, order in _SAMPLES:
        write_rows(folder / f"{name}.npy", merge([work / f"{tag}.{name}.npy" for tag in tags], kind, order))
    if settings.gauges:
        write_rows(folder / "gauges.npy", merge([work / f"{tag}.gauges.npy" for tag in tags], GAUGES, "at"))
    if settings.trace:
        shutil.move(work / TRACE_FILE, folder / TRACE_FILE)
    stalls = [stalls_name(cpu) for cpu in settings.cpus]
    write_rows(folder / "stalls.npy", merge([work / f"{name}.npy" for name in stalls], STALLS, "from"))
    programs = folder / "programs"
    programs.mkdir()
    for name in (*tags, *stalls):
        shutil.move(work / f"{name}.json", programs)
    processes = [read_json(programs / f"{tag}.json", RunProcess) for tag in tags]
    if len({(process.t0, process.window) for process in processes}) != 1:
        raise RunError("the processes of the run did not begin together (their t0 and window differ); run it again")
    probes = [read_json(programs / f"{name}.json", Probe) for name in stalls]
    return RunRecord(processes=processes, probes=probes, stress=stress, unended=unended)


def store_context_switches(kernel: SwitchRecording, folder: Path) -> KernelSwitches:
    """Store the kernel's context switches with the samples; return their number, or why there are none."""
    if kernel.switches is not None:
        write_rows(folder / KERNEL_FILE, kernel.switches)
    switches = None if kernel.switches is None else len(kernel.switches)
    return KernelSwitches(switches, kernel.lost, kernel.refusal_reason)


def stalls_name(cpu: int) -> str:
    """Return the name of the file that a CPU's probe writes to, without its suffix."""
    return f"stalls-{cpu}"
