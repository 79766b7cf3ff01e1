# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tables of the ICRA 2021 paper: which of its eight runs were made, and the delays of each."""

from __future__ import annotations

from takt_cli.paper.icra2021.cases import GUESTS, OROCOS, cases
from takt_cli.paper.icra2021.part import CycleFigures
from takt_cli.paper.icra2021.ways import spikes
from takt_cli.paper.paper import Parts
from takt_cli.paper.tables import run_links
from takt_cli.report.formatting import NONE, format_count, format_interval, format_number, format_percentile
from takt_cli.report.plotly_page import Table
from takt_cli.results.result_file import RESULT_FILE

_KERNEL_OPTIONS = {kernel: asked for asked, kernel in GUESTS.items()}


def icra_tables(parts: Parts) -> dict[str, Table]:
    """Return the tables by name: `runs`, and `delays-PART` for each part."""
    return {"runs": _runs(parts)} | {f"delays-{name}": _delays(name, part) for name, part in parts.items()}


def _runs(parts: Parts) -> Table:
    rows, kernels = [], {part.kernel for part in parts.values()}
    for case in cases():
        part = parts.get(case.name)
        if case.framework == OROCOS:
            state_text = "not run: OROCOS is not part of takt"
        elif part is not None and part.failed:
            state_text = f"failed: {part.failed[0].error}"
        elif case.kernel in kernels and (part is None or not part.rows):
            state_text = "not run yet: --resume goes on"
        elif part is None:
            state_text = (
                f"not run: needs a host with this kernel, or a guest by --kernel {_KERNEL_OPTIONS[case.kernel]}"
            )
        else:
            place = "in a guest, in virtual time, not used for verdicts" if part.virtual else "on this host"
            state_text = f"run {place}, {part.duration_s:g} s"
        rows.append([case.framework, case.kernel, "yes" if case.stress else "no", state_text])
    return Table("The eight runs of the paper", ("framework", "kernel", "stress", "here"), rows, never_folded=True)


def _delays(name: str, part: CycleFigures) -> Table:
    rows, linked = [], []
    for row in part.rows:
        for delay_name, delay in row.delays.items():
            aligned, slope = delay.aligned_us, delay.slope
            rows.append(
                [
                    f"{row.variant}: {delay_name}",
                    format_count(row.sent),
                    format_number(delay.least_us),
                    *(format_percentile(aligned, each) for each in ("p50", "p99", "max")),
                    format_number(spikes(delay)),
                    NONE if slope.slope is None else f"{slope.slope:+.3g}",
                    NONE if slope.slope is None else format_interval(slope.low, slope.high),
                    delay.within_bound or NONE,
                    format_count(row.missed["n"]),
                    format_count(row.lost["n"]),
                    format_count(row.skipped["n"]),
                    row.load,
                ]
            )
            linked.append(run_links(row.folders, RESULT_FILE))
    columns = ("executor: delay", "cycles", "tau_min, us", "p50 above it, us", "p99, us", "max, us", "max/p50",
               "slope, us/min", "95 %", "within 1 us/min", "missed", "lost", "skipped", "load")  # fmt: skip
    return Table(f"{name}: delays relative to the smallest, and their slopes", columns, rows, linked, never_folded=True)
