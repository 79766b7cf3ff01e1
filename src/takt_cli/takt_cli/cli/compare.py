# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt compare`: compare two results metric by metric, with confidence intervals."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.cli.kinds import comparison_of
from takt_cli.cli.output import show
from takt_cli.comparison.comparison import MARGIN, Request
from takt_cli.errors import UsageError
from takt_cli.options.common import Number, json_option
from takt_cli.report.tables.compare import compare_report
from takt_cli.results.folder import ResultFolder
from takt_cli.results.json_file import write_json
from takt_cli.spec.executors import ALL_EXECUTORS


@click.command("compare")
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@click.option(
    "--executors",
    metavar="A,B",
    help="Of demos and batches: compare the runs of A under the first executor with those of B under the second "
    "[default: the same executor in both].",
)
@click.option(
    "--margin",
    type=Number(min=0, max=1000),
    default=100 * MARGIN,
    show_default=True,
    metavar="PERCENT",
    help="Ignore differences up to this percentage of A's figure.",
)
@click.option(
    "--force",
    is_flag=True,
    help="Compare even if hosts or settings differ; every line then says what differs. A guest (--kernel) and a real "
    "host are never compared.",
)
@click.option(
    "--all",
    "show_all",
    is_flag=True,
    help="Show every comparison. Without it, a result with many applications shows the comparisons over all "
    "applications, and of single applications only the significant ones.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for compare.json; it must be new or empty [default: nothing is written].",
)
@json_option
def compare_command(
    a: Path, b: Path, executors: str | None, margin: float, force: bool, show_all: bool, out: Path | None, as_json: bool
) -> None:
    """Compare result B with result A: for each metric better, worse or no difference, with a 95 % interval.

    For engineers who changed something and want to know whether it helped, and for researchers who compare executors.
    A and B are result folders of `takt run`, `demo` or `batch`, or of one kind of `takt measure`. Two runs are
    compared whatever executors they used. Of demos and batches, each application is compared under each executor that
    is in both; of measurements, each variant that is in both. Results of different hosts or settings are refused unless
    --force is given.

    \b
    Examples:
      takt compare results/before results/after
      takt compare batch/runs/app-1/baseline0/1 batch/runs/app-1/takt/1
      takt compare batch batch --executors baseline0,takt
    """
    pair = None if executors is None else _executors(executors)
    result = comparison_of(a, b)(a, b, Request(pair, force, margin / 100))
    if out is not None:
        with ResultFolder(out) as folder:
            write_json(folder.path / "compare.json", result)
    show(as_json, result, *compare_report(result, show_all))


def _executors(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not set(names) <= set(ALL_EXECUTORS):
        raise UsageError(f"--executors {text}: give two of {', '.join(ALL_EXECUTORS)}, such as baseline0,takt")
    return names[0], names[1]
