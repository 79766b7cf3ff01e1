# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Shared by all verbs of `takt paper`: measure the parts of a paper one after another and write the results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from takt_cli.cli.output import print_json, print_output, print_remark
from takt_cli.errors import RunError
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.paper import SetupT
from takt_cli.paper.report import paper_report, write_paper


def run_paper(folder: PaperFolder[SetupT], part_names: Sequence[str], resume: bool, as_json: bool) -> None:
    """Print how long the parts will take, measure them into the paper's folder, and show the results.

    `part_names` are names of parts, `resume` continues a folder that holds results. Raises a RunError if runs are
    missing at the end.
    """
    folder.enter(part_names, resume)
    parts, place = folder.paper.parts, folder.path
    times = {name: parts[name].seconds(folder.setup) for name in part_names}
    time_texts = ", ".join(f"{name} {_minutes(seconds)}" for name, seconds in times.items())
    print_remark(
        f"takt: this takes about {_minutes(sum(times.values()))} min ({time_texts}); results are written to {place}"
    )
    for name in part_names:
        folder.measure(name, resume)
        write_paper(folder.summary(), Path(place))
    summary = folder.summary()
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        print_output(*paper_report(summary, place))
    if summary["faults"]:
        count = len(summary["faults"])
        raise RunError(f"{summary['faults'][0]}{f'; {count - 1} more' if count > 1 else ''}; --resume tries again")


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f}" if seconds >= 570 else f"{seconds / 60:.1g}"
