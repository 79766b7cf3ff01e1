# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt doctor`: check whether this host is fit for real time."""

from __future__ import annotations

import os

import click

from takt_cli.cli.output import show
from takt_cli.doctor.examination import examine
from takt_cli.doctor.finding import EXIT_STATUS, ExaminedHost, worst_severity
from takt_cli.doctor.wake_up import wake_up
from takt_cli.host.cpu_locks import lock_shared
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.system import System
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.tables.doctor import doctor_report
from takt_cli.run.progress import Progress


def _command(cpus: tuple[int, ...] | None, probe: int, as_json: bool) -> None:
    patient = ExaminedHost(System(), choose_cpus(cpus), os.environ)
    findings = examine(patient)
    seconds = probe / 1e9
    if seconds > 0:
        with lock_shared(patient.cpus), Progress(1, seconds) as progress, progress.part("measuring wake-ups", seconds):
            findings += wake_up(patient, seconds, progress.at)
    severity = worst_severity(findings)
    data = {"cpus": list(patient.cpus), "severity": severity, "findings": findings}
    show(as_json, data, *doctor_report(findings))
    if EXIT_STATUS[severity]:
        click.get_current_context().exit(EXIT_STATUS[severity])


doctor = verb("doctor", read_usage(__name__), _command)
