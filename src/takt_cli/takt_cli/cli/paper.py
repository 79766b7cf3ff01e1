# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt paper NAME`: repeat a paper's experiments, scaled in time, and compare with its printed figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from takt_cli.cli.output import print_remark, show
from takt_cli.errors import RunError, UsageError
from takt_cli.options.common import command_line
from takt_cli.options.usage import SHARED, Option, verb
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.paper import Paper
from takt_cli.paper.papers import find_paper, paper_names
from takt_cli.paper.report import paper_report, write_paper
from takt_cli.results.folder import default_folder


class Papers(click.Group):
    """A click group with a command for each paper."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return paper_names()

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(find_paper(cmd_name)) if cmd_name in paper_names() else None


@click.group(cls=Papers)
def paper() -> None:
    """Repeat the experiments of a paper on this host and compare the results with what the paper printed.

    For researchers who want to reproduce published figures. Each claim of the paper gets a verdict.

    \b
    Examples:
      takt paper thesis2021 --scale 0.05
      takt paper gutierrez2018 --scale 0.01 --out results/gutierrez
    """


def _command(paper: Paper[Any]) -> click.Command:
    """Return the command of a paper: the names of parts if it has some, the options of all papers, and its own."""

    def run(
        scale: float, chosen: tuple[int, ...] | None, resume: bool, out: Path | None, as_json: bool, **options: Any
    ) -> None:
        if resume and out is None:
            raise UsageError("--resume: name the folder to continue in by --out")
        names = options.pop("names", ())
        setup = paper.setup(scale, chosen, tuple(command_line()), **options)
        wanted = {paper.names[name] for name in names} or set(paper.parts)
        part_names = [name for name, part in paper.parts.items() if name in wanted and part.items(setup)]
        if not part_names:
            raise UsageError(setup.settings.nothing_chosen)
        folder = PaperFolder(paper, setup, out or default_folder("paper", paper.name))
        _measure(folder, part_names, resume, as_json)

    texts, default = paper.file.command, "[default: the last that this process may use]"
    metavar = f"[{paper.names_are}]..."
    named = Option("names", "choice", choices=tuple(paper.names), metavar=metavar, multiple=True)
    options = (
        *([named] if paper.names else []),
        Option("--scale", "real", texts.scale_help, default=texts.scale, above=0, most=1, metavar="SCALE"),
        *paper.file.options,
        Option("--cpu", "cpus", f"{texts.cpu_help} {default}.", sets="chosen"),
        Option("--resume", "flag", "Continue in the existing folder that --out names; what is finished is kept."),
        Option("--out", "path", "Result folder [default: a dated one in results].", metavar="DIR"),
    )
    return verb(paper.name, texts, run, *options, SHARED["json"])


def _measure(folder: PaperFolder, part_names: Sequence[str], resume: bool, as_json: bool) -> None:
    """Print how long the parts will take, measure them into the paper's folder, and show the results.

    `resume` continues a folder that holds results. Raises a RunError if runs are missing at the end.
    """
    folder.enter(part_names, resume)
    times = {name: folder.paper.parts[name].seconds(folder.setup) for name in part_names}
    time_texts = ", ".join(f"{name} {_minutes(seconds)}" for name, seconds in times.items())
    print_remark(
        f"takt: this takes about {_minutes(sum(times.values()))} min ({time_texts}); results are written to "
        f"{folder.path}"
    )
    for name in part_names:
        folder.measure(name, resume)
        write_paper(result := folder.result())
    show(as_json, result.summary, *paper_report(result), folder=folder.path)
    if faults := result.summary.faults:
        count = len(faults)
        raise RunError(f"{faults[0]}{f'; {count - 1} more' if count > 1 else ''}; --resume tries again")


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f}" if seconds >= 570 else f"{seconds / 60:.1g}"
