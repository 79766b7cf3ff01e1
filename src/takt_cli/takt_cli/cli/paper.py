# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt paper NAME`: a paper's experiment as published, scaled, laid beside what it printed."""

from __future__ import annotations

from pathlib import Path

import click

from takt_cli.cli.options import Cpus, Number, command_line, json_option
from takt_cli.cli.paper_communication import gutierrez2018, icra2021
from takt_cli.cli.paper_parts import run_paper
from takt_cli.errors import HostError, UsageError
from takt_cli.host.cpus import allowed_cpus, choose_cpus
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.paper import Setup
from takt_cli.paper.thesis2021.thesis import THESIS2021
from takt_cli.run.folder import default_folder

_SCALE = 0.05


@click.group()
def paper() -> None:
    """Do a paper's experiment again, and lay it beside what the paper printed.

    \b
    Example:
      takt paper thesis2021 --scale 0.05
    """


@paper.command(short_help="Krukiewicz-Gacek's thesis on the scheduling of callbacks, chapters 2.4 and 5.")
@click.argument("parts", nargs=-1, type=click.Choice(list(THESIS2021.parts)), metavar="[PART]...")
@click.option(
    "--scale",
    type=Number(0, 1, min_open=True),
    default=_SCALE,
    show_default=True,
    metavar="F",
    help="At 1 five runs of 30 s, as published; below, fewer and shorter ones.",
)
@click.option("--cpus", "count", type=click.IntRange(1, 2), default=1, show_default=True, help="On how many CPUs.")
@click.option("--cpu", "chosen", type=Cpus(), help="On which [default: the last allowed].")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of applications and their order.")
@click.option("--only", metavar="PATTERN", help="Only applications of such names, as 'n20-u75-*'.")
@click.option("--with-baseline0", "extra", is_flag=True, help="Measure its misses, too, which the thesis left out.")
@click.option("--resume", is_flag=True, help="Go on in the folder of --out; what is there is kept.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Folder [default: a dated one in results].")
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
    """Message transport, executor overhead, deadline misses, data freshness and data age as in
    chapters 2.4 and 5: the same applications and parameters at any scale, under the baselines and takt.

    PART is transport, overhead, misses, freshness or data-age [default: all]. Parts that are measured
    one by one into the same --out are put together. Tables have what the thesis printed beside what
    was measured; each of its claims gets a verdict.

    \b
    Examples:
      takt paper thesis2021 --scale 0.05 --out results/thesis
      takt paper thesis2021 transport overhead --scale 0.2
    """
    if resume and out is None:
        raise UsageError("--resume: needs the folder that it goes on in; name it by --out")
    cpus = _cpus(count, chosen)
    setup = Setup(scale, cpus, seed, tuple(command_line()), only, extra)
    place = out or default_folder("paper", THESIS2021.name)
    wanted = [name for name, part in THESIS2021.parts.items() if (not parts or name in parts) and part.items(setup)]
    if not wanted:
        raise UsageError(f"--only {only}: there is no application of such a name; see the specs of another result")
    run_paper(PaperFolder(THESIS2021, setup, place), wanted, resume, as_json)


paper.add_command(gutierrez2018)
paper.add_command(icra2021)


def _cpus(count: int, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """As many as were asked for; the last ones, unless they are named."""
    if chosen is not None:
        if count > 1 and len(chosen) != count:
            raise UsageError(f"--cpu: names {len(chosen)} of {count} CPUs; name as many, or leave out --cpus")
        if len(chosen) > 2:
            raise UsageError("--cpu: more than two CPUs; give one or two")
        return choose_cpus(chosen)
    allowed = allowed_cpus()
    if len(allowed) < count:
        raise HostError(f"--cpus {count}: this process may use CPU {allowed[0]} alone; give 1")
    return tuple(allowed[-count:])
