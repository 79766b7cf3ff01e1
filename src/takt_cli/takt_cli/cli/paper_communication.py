# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt paper gutierrez2018` and `takt paper icra2021`: repeat the measurements of two papers on communication."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from takt_cli.cli.paper_parts import run_paper
from takt_cli.errors import UsageError
from takt_cli.host.cpus import allowed_cpus, choose_cpus
from takt_cli.options.common import Cpus, Number, Positive, command_line, json_option
from takt_cli.paper.communication import CommunicationSetup
from takt_cli.paper.folder import PaperFolder
from takt_cli.paper.gutierrez2018.cases import TESTS, parts
from takt_cli.paper.gutierrez2018.gutierrez import GUTIERREZ2018
from takt_cli.paper.icra2021.cases import GUESTS
from takt_cli.paper.icra2021.icra import ICRA2021
from takt_cli.paper.paper import Paper
from takt_cli.results.folder import default_folder
from takt_cli.run.transports import missing_transports
from takt_cli.surroundings.link import RATES

_OPTIONS = (
    click.option(
        "--scale",
        type=Number(0, 1, min_open=True),
        default=0.01,
        show_default=True,
        metavar="SCALE",
        help="Measuring time as a share of the paper's, as told above.",
    ),
    click.option(
        "--rmw",
        "rmws",
        multiple=True,
        metavar="NAME",
        help="ROS 2 middleware (RMW) to measure over, or `all` installed ones; may be repeated "
        "[default: RMW_IMPLEMENTATION, else the first installed].",
    ),
    click.option(
        "--timeout",
        type=Positive(),
        default="500ms",
        show_default=True,
        help="A response that has not come within this time counts as lost; above 0.",
    ),
    click.option(
        "--cpu",
        "cpus",
        type=Cpus(),
        help="In tests that bind processes to a CPU: the CPU of both sides, or one for each side, such as 0,1 "
        "[default: the last CPU that this process may use].",
    ),
    click.option(
        "--resume", is_flag=True, help="Continue in the existing folder that --out names; finished parts are kept."
    ),
    click.option(
        "--out", type=click.Path(path_type=Path), metavar="DIR", help="Result folder [default: a dated one in results]."
    ),
    json_option,
)


_TRANSPORT, _EXECUTOR = "--transport", "--executor"


def _transport_option(name: str, kind: str, available: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option that chooses what a paper compares, which is called `name`."""
    text = f"{kind} to measure: {available}; may be repeated [default: those that fit the scale]."
    return click.option(name, "transports", multiple=True, metavar="NAME[,NAME...]", help=text)


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that both papers share to a verb.

    Its function receives them as `setup_options`, the fields of `CommunicationSetup`, and as `output`: --out, --resume
    and --json.
    """

    @functools.wraps(function)
    def with_setup_options(
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
            raise UsageError("--resume: name the folder to continue in by --out")
        names = tuple(part.strip() for text in transports for part in text.split(",")) or None
        setup_options: dict[str, Any] = {"transports": names, "rmws": rmws, "timeout": timeout}
        setup_options |= {"factor": scale, "cpus": _cpus(cpus), "command": tuple(command_line())}
        return function(*arguments, setup_options=setup_options, output=(out, resume, as_json), **others)

    wrapped: Callable[..., Any] = with_setup_options
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


@click.command(short_help="Round trips under load and traffic: Gutierrez and others, 2018.")
@click.argument("tests", nargs=-1, type=click.Choice(list(TESTS)), metavar="[TEST]...")
@click.option(
    "--link",
    type=click.Choice([str(rate) for rate in RATES]),
    default="1000",
    show_default=True,
    help="Rate of the link between the two network namespaces, in Mbit/s.",
)
@_transport_option(_TRANSPORT, "Transport", "takt, baseline0, baseline1, fastdds, cyclonedds, udp, control")
@_options
def gutierrez2018(
    tests: tuple[str, ...], link: str, setup_options: dict[str, Any], output: tuple[Path | None, bool, bool]
) -> None:
    """Repeat the round-trip measurements of Gutierrez and others (2018): a message every 10 ms, there and back.

    For researchers who compare ROS 2 communication under load; needs root, since client and server are in two
    network namespaces. The tests are idle, under load, with background traffic, with large messages, with the
    kernel's threads tuned, and over hours. TEST is 1.A to 5.B, as in the paper [default: all]. Tests that are
    compared with each other run in turns, so naming one runs both: 1.A and 1.C, 1.B and 1.D, 2.F and 4.A. At scale 1
    each test takes 10 minutes for each transport, 5.A and 5.B take 12 hours; at smaller scales these two take at most
    60 s, and below 0.05 fewer transports are measured. Tables I to XV show the paper's printed rows beside the measured
    ones.

    \b
    Examples:
      takt paper gutierrez2018 --scale 0.01 --out results/gutierrez
      takt paper gutierrez2018 2.F --scale 0.1 --transport takt,baseline1
    """
    setup = CommunicationSetup(
        **setup_options,
        transport_option=_TRANSPORT,
        link=int(link),
        missing_transports=missing_transports("round_trip"),
    )
    part_names = [name for name, part in parts().items() if not tests or any(test.name in tests for test in part)]
    _run(GUTIERREZ2018, setup, part_names, output)


@click.command(short_help="Request-response cycles and their drift: ICRA 2021.")
@click.option(
    "--kernel",
    type=click.Choice(list(GUESTS)),
    help="Also make the paper's runs on this kernel if the host runs the other one: in a virtual machine (QEMU) whose "
    "clock counts instructions; their results decide no verdict [default: only the runs on the host's kernel].",
)
@_transport_option(
    _EXECUTOR,
    "Executor",
    "takt, baseline0, baseline1, or a raw transport without one: control, fastdds, cyclonedds, udp",
)
@_options
def icra2021(kernel: str | None, setup_options: dict[str, Any], output: tuple[Path | None, bool, bool]) -> None:
    """Repeat the ICRA 2021 measurement: cycles of 1 kHz with a request and a response, with and without stress.

    For researchers who compare executors by their delays (above the smallest one seen) and by whether these
    accumulate. Of the paper's eight runs those of OROCOS are not made, and this host runs one of the paper's two
    kernels. At scale 1 each run takes 10 minutes for each executor; at any scale it takes at least 20 s, the shortest
    from which a slope is calculated. To judge whether delays accumulate takes minutes: at small scales runs are mostly
    too short for that.

    \b
    Examples:
      takt paper icra2021 --scale 0.01 --out results/icra
      takt paper icra2021 --scale 0.5 --executor takt,baseline0
    """
    setup = CommunicationSetup(
        **setup_options, transport_option=_EXECUTOR, kernel=kernel, missing_transports=missing_transports("cyclic")
    )
    _run(ICRA2021, setup, [name for name, part in ICRA2021.parts.items() if part.items(setup)], output)


def _run(
    paper: Paper[CommunicationSetup],
    setup: CommunicationSetup,
    part_names: list[str],
    output: tuple[Path | None, bool, bool],
) -> None:
    out, resume, as_json = output
    folder = PaperFolder(paper, setup, out or default_folder("paper", paper.name))
    run_paper(folder, part_names, resume, as_json)


def _cpus(chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the CPUs of the two sides, one or two: those that are `chosen`, else the last that is allowed."""
    if chosen is None:
        return (allowed_cpus()[-1],)
    if len(chosen) > 2:
        raise UsageError("--cpu: names more than two CPUs; give one, or one for each side")
    return choose_cpus(chosen)
