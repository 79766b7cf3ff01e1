# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The types of options, and the command line."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from takt_cli.spec.executors import ALL_EXECUTORS
from takt_cli.spec.units import format_size, parse_duration, parse_size, parse_sizes
from takt_cli.surroundings.load import PRESETS, parse_load

_NO_LOAD = "none"
_DAY = 24 * 3600 * 10**9
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


def sizes_up_to(largest: int) -> Parsed:
    """Return the type of several numbers of bytes, each up to `largest`, as `parse_sizes` reads them."""

    def parse(value: str) -> tuple[int, ...]:
        sizes = parse_sizes(value)
        if wrong := next((size for size in sizes if size > largest), None):
            raise ValueError(f"{format_size(wrong)} is more than {format_size(largest)}")
        return sizes

    return Parsed("sizes", "SIZES", parse)


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


def command_line() -> list[str]:
    """Return the command line as the user typed it, to be recorded with the result."""
    return ["takt", *sys.argv[1:]]
