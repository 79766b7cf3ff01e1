# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Recorded hosts for the doctor, and its findings on them and on this host."""

from __future__ import annotations

import json
import os
from pathlib import Path

from click.testing import CliRunner
from tuning_tree import write

from takt_cli.cli.main import cli
from takt_cli.doctor.examination import examine
from takt_cli.doctor.finding import ExaminedHost, Finding, Severity, worst_severity
from takt_cli.host.system import System

LIMITS = """\
Limit                     Soft Limit           Hard Limit           Units
Max locked memory         {memory}                {memory}                bytes
Max realtime priority     {priority}                   {priority}
"""
SWAPS = "Filename\t\t\tType\t\tSize\tUsed\tPriority\n"


def write_common_files(root: Path, priority: int, memory: str, capabilities: str = "0000000000000000") -> None:
    files = {
        "proc/self/limits": LIMITS.format(priority=priority, memory=memory),
        "proc/self/status": f"Name:\tpython\nCapEff:\t{capabilities}\n",
        "proc/sys/kernel/sched_rt_runtime_us": "950000\n",
        "proc/sys/kernel/sched_rt_period_us": "1000000\n",
        "proc/sys/net/core/rmem_max": "212992\n",
        "proc/swaps": SWAPS,
        "sys/devices/system/cpu/online": "0-3\n",
        "proc/cmdline": "root=/dev/sda1 quiet\n",
    }
    for path, text in files.items():
        write(root / path, text)


def examine_record(root: Path, cpu: int, environment: dict[str, str] | None = None) -> dict[str, Finding]:
    findings = examine(ExaminedHost(System(root), (cpu,), environment or {}))
    for finding in findings:
        if finding.severity >= Severity.warning:
            assert finding.costs, finding
            assert finding.mend, finding
    found = {finding.subject: finding for finding in findings}
    assert len(found) == len(findings)
    return found


def this_hosts_record() -> ExaminedHost:
    return ExaminedHost(System(), (0,), os.environ)


def run_doctor(*arguments: str) -> tuple[int, dict[str, Finding]]:
    """Run `takt doctor` on this host; return its exit status and its findings by subject."""
    done = CliRunner().invoke(cli, ["doctor", "--json", *arguments])
    data = json.loads(done.stdout)
    found = {each["subject"]: Finding(**each | {"severity": Severity[each["severity"]]}) for each in data["findings"]}
    assert data["severity"] == worst_severity(list(found.values())).name
    return done.exit_code, found
