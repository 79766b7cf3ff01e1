# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt measure interference`: what is beside the most urgent task, by what it costs that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from takt_cli.analysis.interference import interference_summary, read_interference
from takt_cli.cli.options import Positive, command_line, cpu_option, json_option, out_option
from takt_cli.cli.output import print_json, show
from takt_cli.errors import UsageError
from takt_cli.host.cpus import choose_cpu
from takt_cli.report.interference_plot import interference_plot
from takt_cli.report.interference_table import interference_report
from takt_cli.run.folder import ResultFolder, default_folder
from takt_cli.run.interference import InterferenceSettings, Variant, run_interference
from takt_cli.run.progress import Progress
from takt_cli.run.transports import demand_built, lacking
from takt_cli.spec.executors import TAKT_RCLCPP
from takt_cli.spec.interference import FRONT_ENDS, MAX_SECTION, MUTEXES, Case, choose, read_cases
from takt_cli.spec.units import format_duration


@click.command("interference", short_help="What is beside the most urgent task, by what it costs that.")
@click.argument("names", nargs=-1, metavar="[CASE]...")
@click.option(
    "--cases",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Cases of your own, as YAML [default: those of the package].",
)
@click.option(
    "--front-end",
    "front_ends",
    type=click.Choice(FRONT_ENDS),
    multiple=True,
    help="Whose nodes; may be given again [default: each case's own, where they are built].",
)
@click.option(
    "--rmw",
    "rmws",
    multiple=True,
    metavar="RMW",
    help="Over this middleware; may be given again [default: the case's].",
)
@click.option(
    "--mutexes",
    type=click.Choice(MUTEXES),
    multiple=True,
    default=MUTEXES[:1],
    show_default=True,
    help="With `inherit` the middleware's mutexes inherit priority (libtakt_inheritance.so); both: give it twice.",
)
@click.option(
    "--max-section",
    "sections",
    type=Positive(),
    multiple=True,
    default=(format_duration(MAX_SECTION),),
    show_default=True,
    help="How long a callback inside the middleware keeps others from starting; may be given again. `100s`: until it "
    "is through.",
)
@click.option(
    "--kept-heap",
    "heaps",
    type=click.IntRange(0, 2**31 - 1),
    multiple=True,
    default=(0,),
    show_default=True,
    metavar="BYTES",
    help="How much freed memory each of malloc's arenas keeps (0: as by itself); may be given again.",
)
@click.option("--rounds", type=click.IntRange(1, 1000), default=5, show_default=True, help="Of two turns each.")
@click.option("--turn", type=Positive(), default="1s", show_default=True, help="Length of a turn.")
@cpu_option
@out_option
@json_option
def interference(
    names: tuple[str, ...],
    file: Path | None,
    front_ends: tuple[str, ...],
    rmws: tuple[str, ...],
    mutexes: tuple[str, ...],
    sections: tuple[int, ...],
    heaps: tuple[int, ...],
    rounds: int,
    turn: int,
    cpu: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """What a less urgent task, and changes of the application, cost the most urgent one: a timer of 1 kHz and
    priority 98 under `fp` on one CPU. For each CASE it takes turns with something beside it and without, in
    one process and one run: messages of megabytes to and from another process, a reader that is stopped,
    nodes that come and go, simulated time. Nothing beside excludes it: all are in reentrant groups.

    Told are missed and skipped releases, the delay from each release on the ideal grid to the start, with its
    ratio, what the executor counted of waiting, and the stalls of the host that a probe saw beside it.
    Components that a container unloads are no case here: takt_rclcpp's tests have them.

    \b
    Examples:
      takt measure interference publish-large stopped-reader --rounds 8
      takt measure interference --cases mine.yaml --front-end takt --json
    """
    cases = choose(read_cases(file), names)
    variants, absent = _variants(cases, front_ends, rmws, mutexes, sections, heaps)
    settings = InterferenceSettings(variants, rounds, turn, choose_cpu(cpu), absent)
    place = out or default_folder("measure", "interference")
    with ResultFolder(place) as folder, Progress(len(variants), settings.seconds) as progress:
        run_interference(settings, folder.path, command_line(), progress)
        progress.say("drawing")
        summary = interference_summary(read_interference(folder.path))
        (folder.path / "summary.json").write_text(json.dumps(summary, indent=1) + "\n", "utf-8")
        (folder.path / "interference.svg").write_text(interference_plot(summary), "utf-8")
    if as_json:
        print_json(summary | {"folder": str(place)})
    else:
        show(*interference_report(summary, place))


def _variants(
    cases: Sequence[Case],
    front_ends: Sequence[str],
    rmws: Sequence[str],
    mutexes: Sequence[str],
    sections: Sequence[int],
    heaps: Sequence[int],
) -> tuple[tuple[Variant, ...], tuple[str, ...]]:
    """Those that can run here, and what cannot, in words. A front end that was asked for must be there."""
    demand_built(front_ends)
    wanted = [front for case in cases for front in case.front_ends]
    lacks = lacking("round_trip") if TAKT_RCLCPP in wanted and not front_ends else {}
    variants = tuple(
        Variant(case, front, rmw, each, section, heap)
        for case in cases
        for front in case.front_ends
        if front not in lacks and (not front_ends or front in front_ends)
        for rmw in (rmws or case.rmws or (None,))
        for each in mutexes
        for section in sections
        for heap in heaps
    )
    if not variants:
        raise UsageError("no case is left: none has a front end that is built and asked for")
    return variants, (f"{TAKT_RCLCPP}: {lacks[TAKT_RCLCPP]}",) if TAKT_RCLCPP in lacks else ()
