# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt doctor`: check whether this host is fit for real time."""

from __future__ import annotations

import os

import click

from takt_cli.cli.output import print_json, print_output
from takt_cli.doctor.examination import examine
from takt_cli.doctor.finding import EXIT_STATUS, ExaminedHost, worst_severity
from takt_cli.doctor.wake_up import wake_up
from takt_cli.host.cpu_locks import lock_shared
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.system import System
from takt_cli.options.common import SECONDS, json_option, real_time_cpus_option
from takt_cli.report.tables.doctor import doctor_report
from takt_cli.run.progress import Progress


@click.command()
@real_time_cpus_option
@click.option(
    "--probe",
    type=SECONDS,
    default="10",
    show_default=True,
    help="How long to measure the wake-up latency of a real-time thread on each of the CPUs; 0: not at all.",
)
@json_option
def doctor(cpus: tuple[int, ...] | None, probe: int, as_json: bool) -> None:
    """Check whether this host is fit for real time, and print for each finding its cost and the command that fixes it.

    For engineers who set up a robot's computer, before anything is measured on it. It changes nothing; as root it
    sees more. Exit status: 0 fit, perhaps with notes; 3 warnings: fit for tests, not for guarantees; 4 unfit.

    \b
    Examples:
      takt doctor
      takt doctor --cpu 1 --probe 60
      takt doctor --probe 0 --json
    """
    patient = ExaminedHost(System(), choose_cpus(cpus), os.environ)
    findings = examine(patient)
    seconds = probe / 1e9
    if seconds > 0:
        with lock_shared(patient.cpus), Progress(1, seconds) as progress, progress.part("measuring wake-ups", seconds):
            findings += wake_up(patient, seconds, progress.at)
    severity = worst_severity(findings)
    if as_json:
        print_json({"cpus": list(patient.cpus), "severity": severity, "findings": findings})
    else:
        print_output(*doctor_report(findings))
    if EXIT_STATUS[severity]:
        click.get_current_context().exit(EXIT_STATUS[severity])
