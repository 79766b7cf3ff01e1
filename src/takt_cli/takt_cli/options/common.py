# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Options and parameter types that several verbs share."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from takt_cli.spec.application import POLICIES
from takt_cli.spec.executors import ALL_EXECUTORS
from takt_cli.spec.units import format_size, parse_duration, parse_size
from takt_cli.surroundings.load import PRESETS, parse_load

_NO_LOAD = "none"
_DAY = 24 * 3600 * 10**9
AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])
# Generic only in newer releases of click.
if TYPE_CHECKING:
    _Type: TypeAlias = click.ParamType[Any]
else:
    _Type = click.ParamType


class Parsed(_Type):
    """The type of an option whose texts `parse` converts, or refuses by a ValueError. Values that are no texts are left
    as they are."""

    def __init__(self, name: str, metavar: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self._metavar = metavar
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return self._metavar


def _duration(bare: str = "", above_0: bool = False) -> Parsed:
    """Return the type of a length of time as a number with a unit, such as `10ms`, converted to nanoseconds; at most
    one day. `bare` is the unit of a number without one; if empty, such a number is refused."""

    def parse(value: str) -> int:
        text = value.strip()
        length = parse_duration(text + bare if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text, re.ASCII) else text)
        if length > _DAY:
            raise ValueError(f"{value!r} is longer than a day")
        if above_0 and length <= 0:
            raise ValueError(f"{value!r} is not above 0")
        return length

    return Parsed("duration", "SECONDS" if bare == "s" else "DURATION", parse)


def size_up_to(largest: int) -> Parsed:
    """Return the type of a number of bytes with a unit, such as `512KiB`, above 0 and at most `largest`."""

    def parse(value: str) -> int:
        size = parse_size(value.strip())
        if not 0 < size <= largest:
            raise ValueError(f"{value!r} is not above 0 and at most {format_size(largest)}")
        return size

    return Parsed("size", "SIZE", parse)


def _executors(value: str) -> tuple[str, ...]:
    names = value.split(",")
    for name in names:
        if name not in ALL_EXECUTORS:
            raise ValueError(f"{name!r} is not an executor; give some of {','.join(ALL_EXECUTORS)}")
    return tuple(dict.fromkeys(names))


def _cpus(value: str) -> tuple[int, ...]:
    parts = value.split(",")
    if not all(re.fullmatch(r" *[0-9]{1,5} *", part, re.ASCII) for part in parts):
        raise ValueError(f"{value!r} is not a list of CPUs; give a CPU number, or several, such as 0,1")
    cpus = tuple(map(int, parts))
    if len(set(cpus)) < len(cpus):
        raise ValueError(f"{value!r} names a CPU twice")
    return cpus


def _share(value: str) -> float:
    text = value.strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise ValueError(f"{value!r} is not a share; give one above 0 and up to 1, or a percentage such as 30%")
    return share


class Number(click.FloatRange):
    """A finite number within a range.

    click's own FloatRange accepts nan, which is neither below nor above any bound.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


SECONDS, SECONDS_ABOVE_0 = _duration("s"), _duration("s", above_0=True)
DURATION, PERIOD = _duration(), _duration(above_0=True)
EXECUTOR_LIST = Parsed("executors", "EXECUTOR[,EXECUTOR...]", _executors)
CPUS = Parsed("cpus", "CPU[,CPU...]", _cpus)
SHARE = Parsed("share", "SHARE", _share)
# A background load: a paper's, by name; numbers of workers by kind, such as `cpu=8,vm=2`; kinds alone, such as `cpu`,
# for one worker on each CPU; or `none`.
WORKERS = Parsed(
    "load", f"{'|'.join(PRESETS)}|KIND[=N],...", lambda value: None if value == _NO_LOAD else parse_load(value)
)

spec_argument = click.argument("spec", type=click.Path(path_type=Path))
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on standard output instead of text."
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the result; it must be new or empty [default: a new dated folder in results].",
)
policy_option = click.option(
    "--policy",
    type=click.Choice(POLICIES),
    help="Scheduling policy: fixed priority (fp), rate monotonic (rm), deadline monotonic (dm), earliest deadline "
    "first (edf), the same without preemption (np-...), first in first out (fifo), or the order of ROS 2's own "
    "executor (ros) [default: the spec's].",
)
cpus_option = click.option(
    "--cpu",
    "cpus",
    type=CPUS,
    help="CPUs to run on, such as 1 or 0,1. On several, takt assigns each task to one of them (partitioned scheduling) "
    "[default: the last CPU that this process may use].",
)
real_time_cpus_option = click.option(
    "--cpu",
    "cpus",
    type=CPUS,
    help="CPUs that real-time threads are to run on, such as 1 or 2,3 [default: the last CPU that this process may "
    "use].",
)
cpu_option = click.option(
    "--cpu", type=int, metavar="CPU", help="The CPU to run on [default: the last CPU that this process may use]."
)


def load_option(default: str = _NO_LOAD) -> Callable[[AnyFunction], AnyFunction]:
    """Return the option for a background load."""
    return click.option(
        "--load",
        type=WORKERS,
        default=default,
        show_default=True,
        help="Background load at ordinary priority: a paper's, by name; or cpu, vm (memory), io (sync) and hdd (disk) "
        "workers, so many in all, such as cpu=8,vm=2, or one on every CPU that this process may use, such as cpu; or "
        "none.",
    )


def command_line() -> list[str]:
    """Return the command line as the user typed it, to be recorded with the result."""
    return ["takt", *sys.argv[1:]]
