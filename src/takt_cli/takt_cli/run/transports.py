# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The variants of round trips and cycles: a transport, the RMW below it, and real-time settings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence

from takt_cli.errors import HostError, RunError, UsageError
from takt_cli.host.command import completed
from takt_cli.host.programs import find_program
from takt_cli.host.rmw_choice import CHOICE
from takt_cli.results.communication import TRANSPORTS, Transport, Variant
from takt_cli.spec.executors import RCLCPP, TAKT_RCLCPP
from takt_cli.spec.real_time import RealTime

BASELINE = "baseline"


def missing_transports(program: str) -> dict[str, str]:
    """Return the transports that this build of a program lacks, by the program's names, with the reasons. Raises a
    TaktError."""
    # The selected RMW does not matter here, and an rcl that cannot use it would end the program.
    environment = {name: value for name, value in os.environ.items() if name != CHOICE}
    result = completed([find_program(program), "--transports"], env=environment, timeout=60)
    try:
        return {str(each["name"]): str(each["why"]) for each in json.loads(result.stdout) if not each["available"]}
    except (ValueError, KeyError, TypeError):
        error_output = result.stderr.strip()[-300:] or "it reported nothing"
        raise RunError(f"{program} did not report its transports: {error_output}") from None


def require_built(executors: Iterable[str], option: str = "--executor") -> None:
    """Raise a HostError if this build lacks one of the executors: those for nodes of rclcpp need rclcpp at build time.

    `option` is the one by which the user named the executors; the message names it.
    """
    rclcpp_transports = [TRANSPORTS[name] for name in executors if name in (TAKT_RCLCPP, *RCLCPP)]
    missing_programs = missing_transports("round_trip") if rclcpp_transports else {}
    for each in rclcpp_transports:
        if each.program in missing_programs:
            raise HostError(f"{option} {each.name}: {missing_programs[each.program]}")


def available_transports(
    chosen: Sequence[Transport], reasons_missing: Mapping[str, str], chosen_by_user: bool, option: str = "--transport"
) -> tuple[tuple[Transport, ...], list[str]]:
    """Return the transports that this build has, and for each of the others a line that says why it is missing.

    Raises a HostError that names `option`, the one by which the user chose, if a transport was named by the user
    (`chosen_by_user`).
    """
    missing = [f"{each.name}: {reasons_missing[each.program]}" for each in chosen if each.program in reasons_missing]
    if missing and chosen_by_user:
        raise HostError(f"{option} {missing[0]}")
    return tuple(each for each in chosen if each.program not in reasons_missing), missing


def transports_by_name(names: Sequence[str], one_process: bool, known_names: Sequence[str]) -> tuple[Transport, ...]:
    """Return the transports of these names; `baseline` stands for the one with the right number of processes. Raises a
    UsageError."""
    fitting, other = ("baseline0", "baseline1") if one_process else ("baseline1", "baseline0")
    transports = []
    for name in (part.strip() for text in names for part in text.split(",")):
        chosen = fitting if name == BASELINE else name
        if chosen not in known_names:
            raise UsageError(f"--transport {name}: is not known; give some of {', '.join(known_names)}")
        if chosen == other and fitting in known_names:
            processes = "two processes" if other == "baseline1" else "one process"
            raise UsageError(
                f"--transport {name}: is of {processes}, which does not fit the place of the other side; give {fitting}"
            )
        transports.append(TRANSPORTS[chosen])
    return tuple(dict.fromkeys(transports))


def make_variants(
    chosen: Sequence[Transport], rmws: Sequence[str], settings: Sequence[RealTime]
) -> tuple[Variant, ...]:
    """Return the variants: each transport over each RMW, with each of the settings. Raises a UsageError if two have the
    same name."""
    rmws_by_transport = {each: rmws if each.ros else [None] for each in chosen}
    variants = [Variant(each, rmw, rt) for rt in settings for each in chosen for rmw in rmws_by_transport[each]]
    if len({each.tag for each in variants}) < len(variants):
        raise UsageError("--rt: names the same settings twice")
    return tuple(variants)
