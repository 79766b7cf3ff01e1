# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt paper gutierrez2018` and `takt paper icra2021`: papers on communication."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from takt_cli.cli.options import Cpus, Number, Positive, command_line, json_option
from takt_cli.cli.paper_parts import run_paper
from takt_cli.errors import UsageError
from takt_cli.host.cpus import allowed_cpus, choose_cpus
from takt_cli.paper.communication import Communication
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.gutierrez2018.cases import TESTS, parts
from takt_cli.paper.gutierrez2018.gutierrez import GUTIERREZ2018
from takt_cli.paper.icra2021.cases import GUESTS
from takt_cli.paper.icra2021.icra import ICRA2021
from takt_cli.paper.paper import Paper
from takt_cli.run.folder import default_folder
from takt_cli.run.transports import lacking
from takt_cli.surroundings.link import RATES

_OPTIONS = (
    click.option(
        "--scale",
        type=Number(0, 1, min_open=True),
        default=0.01,
        show_default=True,
        metavar="F",
        help="At 1 as long as published; below, shorter.",
    ),
    click.option(
        "--transport",
        "transports",
        multiple=True,
        metavar="NAME[,NAME...]",
        help="What to measure: takt, baseline0, baseline1, fastdds, cyclonedds, udp, control [default: as the scale "
        "allows].",
    ),
    click.option("--rmw", "rmws", multiple=True, metavar="NAME", help="RMW below ROS 2, or all [default: yours]."),
    click.option("--timeout", type=Positive(), default="500ms", show_default=True, help="No reply by then is a loss."),
    click.option("--cpu", "cpus", type=Cpus(), help="CPUs of the two sides, where bound to any [default: the last]."),
    click.option("--resume", is_flag=True, help="Go on in the folder of --out; what is there is kept."),
    click.option(
        "--out", type=click.Path(path_type=Path), metavar="DIR", help="Folder [default: a dated one in results]."
    ),
    json_option,
)


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Gives a verb those that both papers have; it takes what they say as `asked` and hands on the rest."""

    @functools.wraps(function)
    def with_asked(
        *arguments: Any,
        scale: float,
        transports: tuple[str, ...],
        rmws: tuple[str, ...],
        timeout: int,
        cpus: tuple[int, ...] | None,
        resume: bool,
        out: Path | None,
        as_json: bool,
        **others: Any,
    ) -> Any:
        if resume and out is None:
            raise UsageError("--resume: needs the folder that it goes on in; name it by --out")
        names = tuple(part.strip() for text in transports for part in text.split(",")) or None
        asked: dict[str, Any] = {"transports": names, "rmws": rmws, "timeout": timeout}
        asked |= {"factor": scale, "cpus": _cpus(cpus), "command": tuple(command_line())}
        return function(*arguments, asked=asked, place=(out, resume, as_json), **others)

    wrapped: Callable[..., Any] = with_asked
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


@click.command(short_help="Gutierrez and others on round trips under load and traffic.")
@click.argument("tests", nargs=-1, type=click.Choice(list(TESTS)), metavar="[TEST]...")
@click.option(
    "--link",
    type=click.Choice([str(rate) for rate in RATES]),
    default="1000",
    show_default=True,
    help="Mbit/s between the two namespaces.",
)
@_options
def gutierrez2018(
    tests: tuple[str, ...], link: str, asked: dict[str, Any], place: tuple[Path | None, bool, bool]
) -> None:
    """Round trips between two network namespaces, every 10 ms: idle, under load, with traffic beside them,
    with large messages, with the kernel's threads tuned, and for hours.

    TEST is 1.A to 5.B [default: all]. Tests that are compared run in turns, so that naming one runs both:
    1.A and 1.C, 1.B and 1.D, 2.F and 4.A. At scale 1 each takes 10 minutes for each transport, and
    5.A and 5.B 12 hours; below, these take 60 s at most. Tables I to XV have printed and measured rows.

    \b
    Examples:
      takt paper gutierrez2018 --scale 0.01 --out results/gutierrez
      takt paper gutierrez2018 2.F --scale 0.1 --transport takt,baseline1
    """
    setup = Communication(**asked, link=int(link), lacks=lacking("round_trip"))
    wanted = [name for name, part in parts().items() if not tests or any(test.name in tests for test in part)]
    _run(GUTIERREZ2018, setup, wanted, place)


@click.command(short_help="ICRA 2021: cycles of request and response, and their drift.")
@click.option(
    "--kernel",
    type=click.Choice(list(GUESTS)),
    help="The runs on this kernel, too, where the host runs the other: in a guest, in virtual time.",
)
@_options
def icra2021(kernel: str | None, asked: dict[str, Any], place: tuple[Path | None, bool, bool]) -> None:
    """Cycles of 1 kHz with a request and a response each, with and without stress: the delays above the
    smallest, and whether they accumulate.

    Of the paper's eight runs those of OROCOS are not made, and of its two kernels this host runs one. At
    scale 1 each run takes 10 minutes for each executor. Each takes 20 s at least,
    since less has no slope; to tell one takes minutes: small scales are mostly too short to judge.

    \b
    Examples:
      takt paper icra2021 --scale 0.01 --out results/icra
      takt paper icra2021 --scale 0.5 --transport takt,baseline0
    """
    setup = Communication(**asked, kernel=kernel, lacks=lacking("cyclic"))
    _run(ICRA2021, setup, [name for name, part in ICRA2021.parts.items() if part.items(setup)], place)


def _run(
    paper: Paper[Communication], setup: Communication, wanted: list[str], place: tuple[Path | None, bool, bool]
) -> None:
    out, resume, as_json = place
    folder = PaperFolder(paper, setup, out or default_folder("paper", paper.name))
    run_paper(folder, wanted, resume, as_json)


def _cpus(chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """The last, unless they are named."""
    if chosen is None:
        return (allowed_cpus()[-1],)
    if len(chosen) > 2:
        raise UsageError("--cpu: more than two CPUs; give one, or one for each side")
    return choose_cpus(chosen)
