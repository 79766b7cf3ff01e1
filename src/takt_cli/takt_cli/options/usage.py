# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The help texts and options of verbs, which YAML files beside the code contain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from takt_cli.options.common import (
    CPUS,
    DURATION,
    EXECUTOR_LIST,
    PERIOD,
    SECONDS,
    SECONDS_ABOVE_0,
    SHARE,
    WORKERS,
    Number,
    size_up_to,
    sizes_up_to,
)
from takt_cli.spec.application import POLICIES
from takt_cli.spec.packaged import packaged

# What `click.option` returns, or a function that adds several options and makes one argument of them.
AddOption = Callable[[Callable[..., Any]], Callable[..., Any]]


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option of a verb; an argument, if its name has no dashes.

    `sets` is the parameter of the verb's function, if it has another name. `names` are texts separated by commas. A
    number is at least `least`, or above `above`, and a number or size at most `most`.
    """

    name: str
    kind: Literal[
        "text", "names", "flag", "number", "real", "choice", "path", "file", "size", "sizes", "share", "cpus", "load",
        "executors", "duration", "duration or 0", "seconds", "seconds or 0",
    ] = "text"  # fmt: skip
    help: str = ""
    sets: str | None = None
    default: Any = None
    metavar: str | None = None
    least: int | float | None = None
    above: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    multiple: bool = False
    required: bool = False

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Add the option to a verb, as the decorators of click do."""
        if not self.name.startswith("-"):
            count = -1 if self.multiple else 1
            return click.argument(
                self.name, nargs=count, metavar=self.metavar, type=self._type, required=self.required
            )(function)
        flag, names = self.kind == "flag", self.kind == "names"
        return click.option(
            *filter(None, (self.name, self.sets)),
            type=None if flag else self._type,
            is_flag=flag or None,
            multiple=names or self.multiple,
            callback=_split if names else None,
            show_default=self.default is not None,
            required=self.required,
            metavar=self.metavar,
            help=self.help,
            # With a default of None, click would not demand an option that is required.
            **({} if self.default is None else {"default": self.default}),
        )(function)

    @property
    def _type(self) -> Any:
        least: Any = self.least
        match self.kind:
            case "number" if least is not None:
                return click.IntRange(least, self.most)
            case "real":
                return Number(least if self.above is None else self.above, self.most, self.above is not None)
            case "choice":
                return click.Choice(self.choices)
            case "size":
                return size_up_to(self.most or 0)
            case "sizes":
                return sizes_up_to(self.most or 0)
        return _TYPES[self.kind]


_TYPES: Mapping[str, Any] = {
    "text": click.STRING,
    "number": click.INT,
    "names": click.STRING,
    "path": click.Path(path_type=Path),
    "file": click.Path(path_type=Path, dir_okay=False),
    "share": SHARE,
    "cpus": CPUS,
    "executors": EXECUTOR_LIST,
    "load": WORKERS,
    "duration": PERIOD,
    "duration or 0": DURATION,
    "seconds": SECONDS_ABOVE_0,
    "seconds or 0": SECONDS,
}


def _split(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for text in texts for name in text.split(","))


class Usage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a verb says about itself, and its options. The first line of `help` is a sentence of its own."""

    help: str
    options: tuple[Option | str, ...] = ()
    """Its options; names are those of `SHARED`."""
    short_help: str | None = None

    @property
    def all_options(self) -> tuple[Option, ...]:
        return tuple(SHARED[each] if isinstance(each, str) else each for each in self.options)


def verb(name: str, usage: Usage, function: Callable[..., Any], *further: AddOption) -> click.Command:
    """Return the command of this name with the options of `usage` and further ones, in their order."""
    # Without the mark, click would join the lines of the examples.
    text = re.sub(r"\n(Examples?:\n)", r"\n\b\n\1", usage.help)
    return click.command(name, short_help=usage.short_help, help=text)(
        with_options(function, *usage.all_options, *further)
    )


def with_options(function: Callable[..., Any], *options: AddOption) -> Callable[..., Any]:
    """Return a function with these options, in their order."""
    for option in reversed(options):
        function = option(function)
    return function


def read_usage(module: str, **values: Iterable[str]) -> Usage:
    """Return the content of the YAML file beside a module, which has its name. Its texts may name `values`, as in all
    packaged files."""
    package, _, name = module.rpartition(".")
    return packaged(package, name, Usage, **values)


SHARED = packaged(__package__, "shared", dict[str, Option], policies=POLICIES)
