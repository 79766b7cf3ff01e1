# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt paper NAME`: repeat a paper's experiments, scaled in time, and compare with its printed figures."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.cli.paper_communication import gutierrez2018, icra2021
from takt_cli.cli.paper_parts import run_paper
from takt_cli.errors import HostError, UsageError
from takt_cli.host.cpus import allowed_cpus, choose_cpus
from takt_cli.options.common import Cpus, Number, command_line, json_option
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.paper import Setup
from takt_cli.paper.thesis2021.thesis import THESIS2021
from takt_cli.results.folder import default_folder

_SCALE = 0.05


@click.group()
def paper() -> None:
    """Repeat the experiments of a paper on this host and compare the results with what the paper printed.

    For researchers who want to reproduce published figures. Each claim of the paper gets a verdict.

    \b
    Examples:
      takt paper thesis2021 --scale 0.05
      takt paper gutierrez2018 --scale 0.01 --out results/gutierrez
    """


@paper.command(short_help="Scheduling of callbacks: Krukiewicz-Gacek's thesis, chapters 2.4 and 5.")
@click.argument("parts", nargs=-1, type=click.Choice(list(THESIS2021.parts)), metavar="[PART]...")
@click.option(
    "--scale",
    type=Number(0, 1, min_open=True),
    default=_SCALE,
    show_default=True,
    metavar="SCALE",
    help="Measuring time as a share of the thesis's: at 1 five runs of 30 s each, below that fewer and shorter runs, "
    "of at least 2 s.",
)
@click.option(
    "--cpu-count",
    "count",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of CPUs that every executor may use; --cpu says which.",
)
@click.option(
    "--cpu",
    "chosen",
    type=Cpus(),
    help="CPUs to run on, one or two, such as 1 or 0,1 [default: the last ones that this process may use].",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the random applications and of the order of the runs.",
)
@click.option(
    "--only",
    metavar="PATTERN",
    help="Run only applications whose name matches this shell pattern, such as 'n20-u75-*' (20 nodes, utilisation "
    "0.75) [default: all].",
)
@click.option(
    "--with-baseline0",
    "extra",
    is_flag=True,
    help="In the part `misses` also measure baseline0, which the thesis left out.",
)
@click.option(
    "--resume", is_flag=True, help="Continue in the existing folder that --out names; finished runs are kept."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="Result folder [default: a dated one in results]."
)
@json_option
def thesis2021(
    parts: tuple[str, ...],
    scale: float,
    count: int,
    chosen: tuple[int, ...] | None,
    seed: int,
    only: str | None,
    extra: bool,
    resume: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Repeat the evaluation of Krukiewicz-Gacek's thesis of 2021 under the ROS 2 baselines and takt.

    For researchers who compare executors. PART is transport (message transport), overhead (of the executor), misses
    (of deadlines), freshness (executions on old data) or data-age [default: all], with the thesis's applications and
    parameters at any scale. Parts that are measured one by one into the same --out folder make one result. Tables show
    the thesis's printed figures beside the measured ones; each claim of the thesis gets a verdict. All parts at scale
    0.05 take about an hour.

    \b
    Examples:
      takt paper thesis2021 --scale 0.05 --out results/thesis
      takt paper thesis2021 transport overhead --scale 0.2
    """
    if resume and out is None:
        raise UsageError("--resume: name the folder to continue in by --out")
    cpus = _cpus(count, chosen)
    setup = Setup(scale, cpus, seed, tuple(command_line()), only, extra)
    place = out or default_folder("paper", THESIS2021.name)
    part_names = [name for name, part in THESIS2021.parts.items() if (not parts or name in parts) and part.items(setup)]
    if not part_names:
        raise UsageError(
            f"--only {only}: matches no application of these parts; their names are those of the spec files in a "
            "result that was made without --only"
        )
    run_paper(PaperFolder(THESIS2021, setup, place), part_names, resume, as_json)


paper.add_command(gutierrez2018)
paper.add_command(icra2021)


def _cpus(count: int, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the CPUs to run on: those that are `chosen`, else the last `count` that this process may use.

    Raises a UsageError if both are given and do not agree, a HostError if this process may not use that many.
    """
    if chosen is not None:
        if count > 1 and len(chosen) != count:
            raise UsageError(f"--cpu: names {len(chosen)} and --cpu-count {count} CPUs; leave --cpu-count out")
        if len(chosen) > 2:
            raise UsageError("--cpu: names more than two CPUs; give one or two")
        return choose_cpus(chosen)
    allowed = allowed_cpus()
    if len(allowed) < count:
        raise HostError(f"--cpu-count {count}: this process may use CPU {allowed[0]} only; give 1")
    return tuple(allowed[-count:])
