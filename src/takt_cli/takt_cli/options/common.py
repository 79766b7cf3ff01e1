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

from takt_cli.results.conditions import Load
from takt_cli.spec.application import POLICIES
from takt_cli.spec.executors import ALL_EXECUTORS
from takt_cli.spec.units import format_size, parse_duration, parse_size
from takt_cli.surroundings.load import PRESETS, parse_load

_NO_LOAD = "none"
_Function = TypeVar("_Function", bound=Callable[..., Any])
# Generic only in newer releases of click.
if TYPE_CHECKING:
    _ParamType: TypeAlias = click.ParamType[int]
    _CpusType: TypeAlias = click.ParamType[tuple[int, ...]]
    _ExecutorsType: TypeAlias = click.ParamType[tuple[str, ...]]
    _LoadType: TypeAlias = click.ParamType[Load | None]
else:
    _ParamType = click.ParamType
    _CpusType = click.ParamType
    _ExecutorsType = click.ParamType
    _LoadType = click.ParamType


class Duration(_ParamType):
    """A length of time as a number with a unit, such as `10ms`, converted to nanoseconds; at most one day.

    `bare` is the unit of a number without one; if empty, such a number is refused.
    """

    name = "duration"

    def __init__(self, bare: str = "") -> None:
        self._bare = bare

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        text = str(value).strip()
        if self._bare and re.fullmatch(r"[0-9]+(\.[0-9]+)?", text, re.ASCII):
            text += self._bare
        try:
            length = parse_duration(text)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if length > 24 * 3600 * 10**9:
            self.fail(f"{value!r} is longer than a day", param, ctx)
        return length

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "SECONDS" if self._bare == "s" else "DURATION"


class Size(_ParamType):
    """A number of bytes with a unit, such as `512KiB`, above 0 and at most `largest`."""

    name = "size"

    def __init__(self, largest: int) -> None:
        self._largest = largest

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            size = parse_size(str(value).strip())
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if not 0 < size <= self._largest:
            self.fail(f"{value!r} is not above 0 and at most {format_size(self._largest)}", param, ctx)
        return size

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "SIZE"


class Executors(_ExecutorsType):
    """Names of executors, separated by commas; repeated names are dropped."""

    name = "executors"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        names = tuple(str(value).split(",")) if isinstance(value, str) else tuple(value)
        for name in names:
            if name not in ALL_EXECUTORS:
                self.fail(f"{name!r} is not an executor; give some of {','.join(ALL_EXECUTORS)}", param, ctx)
        return tuple(dict.fromkeys(names))

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "EXECUTOR[,EXECUTOR...]"


class Cpus(_CpusType):
    """A list of CPU numbers separated by commas, such as `1` or `0,1`, without repetitions."""

    name = "cpus"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",")
        if not all(re.fullmatch(r" *[0-9]{1,5} *", part, re.ASCII) for part in parts):
            self.fail(f"{value!r} is not a list of CPUs; give a CPU number, or several, such as 0,1", param, ctx)
        cpus = tuple(int(part) for part in parts)
        if len(set(cpus)) < len(cpus):
            self.fail(f"{value!r} names a CPU twice", param, ctx)
        return cpus

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return "CPU[,CPU...]"


class Workers(_LoadType):
    """A background load: the name of a paper's, numbers of workers by kind, such as `cpu=8,vm=2`, kinds alone, such as
    `cpu`, for one worker on each CPU, or `none`."""

    name = "load"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Load | None:
        if isinstance(value, Load):
            return value
        try:
            return None if value == _NO_LOAD else parse_load(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        return f"{'|'.join(PRESETS)}|KIND[=N],..."


class Number(click.FloatRange):
    """A finite number within a range.

    click's own FloatRange accepts nan, which is neither below nor above any bound.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


class Positive(Duration):
    """A duration greater than 0."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        length = super().convert(value, param, ctx)
        if length <= 0:
            self.fail(f"{value!r} is not above 0", param, ctx)
        return length


SECONDS = Duration("s")
SECONDS_ABOVE_0 = Positive("s")
PERIOD = Positive()

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
    type=Cpus(),
    help="CPUs to run on, such as 1 or 0,1. On several, takt assigns each task to one of them (partitioned scheduling) "
    "[default: the last CPU that this process may use].",
)
real_time_cpus_option = click.option(
    "--cpu",
    "cpus",
    type=Cpus(),
    help="CPUs that real-time threads are to run on, such as 1 or 2,3 [default: the last CPU that this process may "
    "use].",
)
cpu_option = click.option(
    "--cpu", type=int, metavar="CPU", help="The CPU to run on [default: the last CPU that this process may use]."
)


def load_option(default: str = _NO_LOAD) -> Callable[[_Function], _Function]:
    """Return the option for a background load."""
    return click.option(
        "--load",
        type=Workers(),
        default=default,
        show_default=True,
        help="Background load at ordinary priority: a paper's, by name; or cpu, vm (memory), io (sync) and hdd (disk) "
        "workers, so many in all, such as cpu=8,vm=2, or one on every CPU that this process may use, such as cpu; or "
        "none.",
    )


def command_line() -> list[str]:
    """Return the command line as the user typed it, to be recorded with the result."""
    return ["takt", *sys.argv[1:]]
