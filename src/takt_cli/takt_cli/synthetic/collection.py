# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""All applications that a parameter file describes: its combinations of values, and a seed for each application."""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from takt_cli.spec.units import format_duration, format_size
from takt_cli.synthetic.generate import ALONE, Generated, draw
from takt_cli.synthetic.parameter_file import ParameterFile
from takt_cli.synthetic.parameters import Automotive, LogUniform, ParameterError, Parameters, with_one
from takt_cli.synthetic.values import NAMES

_MAX_APPLICATIONS = 100_000
# The longest name of an application, from which names of results and folders are made, and the digits for repetitions.
_LONGEST, _DIGITS = 80, 5
_MS = 10**6
# The letter that stands for each parameter in names of applications.
_MARKS = dict(zip(NAMES, "nutxdfpmchrw", strict=True))


@dataclass(frozen=True)
class Combination:
    """A combination of parameters: one value of each forced parameter, in the order of `NAMES`, and the alternatives of
    all others."""

    forced: tuple[tuple[str, Any], ...]
    alternatives: dict[str, tuple[Any, ...]]
    alone: bool = False
    """True if shares of publishers and readers are given, but fewer than two callbacks are available for them."""

    @property
    def fixed(self) -> dict[str, Any]:
        """The parameters that have only one value."""
        return {name: values[0] for name, values in self.alternatives.items() if len(values) == 1}

    @property
    def text(self) -> str:
        """A text that is the same for combinations that describe the same applications."""
        plain_values = {name: _plain_value(name, value) for name, value in self.fixed.items()}
        return json.dumps(plain_values, sort_keys=True)

    @property
    def forced_values(self) -> dict[str, Any]:
        """The forced parameters with their values in this combination, as in a parameter file."""
        return {name: _plain_value(name, self.alternatives[name][0]) for name, _ in self.forced}

    def label(self, max_length: int) -> str:
        """Return the forced values in a short form for file names; if it is longer than `max_length`, with part of a
        hash."""
        label = "-".join(f"{_MARKS[name]}{_short_value(name, self.alternatives[name][0])}" for name, _ in self.forced)
        if len(label) > max_length:
            digest = hashlib.sha256(self.text.encode()).hexdigest()[:8]
            label = f"{label[: max_length - 9]}-{digest}"
        return label


@dataclass(frozen=True)
class Item:
    """An application that is to be drawn."""

    name: str
    combination: Combination
    repetition: int
    seed: int


@dataclass(frozen=True)
class Collection:
    """The applications of a parameter file. `all` is the number of combinations, including equivalent ones."""

    file: ParameterFile
    seed: int
    all: int
    combinations: tuple[Combination, ...]
    items: tuple[Item, ...]


def collect(file: ParameterFile, repeat: int, seed: int) -> Collection:
    """Return all applications to be drawn. Raises a SpecError if there are too many, or if two would have one name."""
    number = math.prod(len(file.alternatives[name]) for name in file.forced)
    if number * repeat > _MAX_APPLICATIONS:
        file.fail(
            "nodes", f"{number} combinations, each {repeat} times, exceed the limit of {_MAX_APPLICATIONS}; force fewer"
        )
    distinct: dict[str, Combination] = {}
    for values in product(*(file.alternatives[name] for name in file.forced)):
        combination = _relevant(file, tuple(zip(file.forced, values, strict=True)))
        distinct.setdefault(combination.text, combination)
    room = _LONGEST - len(file.name) - _DIGITS - 2
    items = tuple(
        Item(
            "-".join(part for part in (file.name, combination.label(room), str(repetition)) if part),
            combination,
            repetition,
            _seed(seed, text, repetition),
        )
        for text, combination in distinct.items()
        for repetition in range(1, repeat + 1)
    )
    _distinct_names(file, items)
    return Collection(file, seed, number, tuple(distinct.values()), items)


def _distinct_names(file: ParameterFile, items: tuple[Item, ...]) -> None:
    first: dict[str, Combination] = {}
    for item in items:
        if first.setdefault(item.name, item.combination) is not item.combination:
            name = item.combination.forced[0][0]
            file.fail(name, f"two combinations would both be called {item.name}: their values differ too little")


def generate_all(collection: Collection) -> Iterator[tuple[Item, Generated]]:
    """Draw the applications one by one. A SpecError names the parameter for which that is impossible."""
    file = collection.file
    for item in collection.items:
        chance = random.Random(f"choice/{item.seed}")
        chosen: dict[str, Any] = {name: chance.choice(item.combination.alternatives[name]) for name in NAMES}
        origin = f"From {file.name}, seed {collection.seed}, application {item.repetition} of its combination."
        try:
            notes = (ALONE,) if item.combination.alone else ()
            yield item, draw(Parameters(**chosen).relevant(), item.seed, item.name, origin, notes)
        except ParameterError as error:
            values = file.alternatives[error.parameter]
            place = values.index(chosen[error.parameter]) if chosen[error.parameter] in values else 0
            file.fail(error.parameter, f"{item.name}: {error.text}", place)


def _relevant(file: ParameterFile, forced: tuple[tuple[str, Any], ...]) -> Combination:
    """Return a combination without alternatives that have no effect, whichever values the other parameters take."""
    values = dict(file.alternatives) | {name: (value,) for name, value in forced}
    exchanges = [
        Parameters(nodes, 1.0, (_MS,), pubsub=pubsub, callbacks=callbacks, chains=chains)
        for nodes, pubsub, callbacks, chains in product(
            values["nodes"], values["pubsub"], values["callbacks"], values["chains"]
        )
    ]
    all_alone = all(each.alone for each in exchanges)
    if all_alone:
        values["pubsub"] = ((0.0, 0.0),)
    if not any(each.topics for each in exchanges):
        values["message_size"] = (None,)
    if not any(each.publishers and each.readers for each in exchanges):
        values["multi_rate"] = (None,)
    if values["deadlines"] == ("period",):
        values["deadlines_wcet"] = (None,)
    return Combination(forced, values, all_alone)


def _seed(seed: int, text: str, repetition: int) -> int:
    """Return an application's seed, which does not depend on which other applications there are."""
    digest = hashlib.sha256(f"{seed}\n{text}\n{repetition}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def _plain_value(name: str, value: Any) -> Any:
    return with_one(name, value).plain()[name]


# How values are abbreviated in file names, by their type or their parameter.
_SHORT: dict[str | type, Callable[[Any], str]] = {
    Automotive: lambda _: "auto",
    LogUniform: lambda value: f"{_time(value.shortest)}to{_time(value.longest)}",
    "periods": lambda value: "_".join(map(_time, value)),
    "utilisation": lambda value: _number(100 * value),
    "pubsub": lambda value: "_".join(_number(100 * share) for share in value) if any(value) else "0",
    "deadlines_wcet": lambda value: "_".join(_number(100 * each) for each in dict.fromkeys(value)),
    "message_size": format_size,
    "priorities": lambda value: {"rate-monotonic": "rm"}.get(value, value),
    "callbacks": lambda value: "_".join(f"{count}x{_number(100 * share)}" for count, share in value),
    "chains": lambda value: f"{value.count}x{value.length}",
    "multi_rate": lambda value: f"{_number(100 * value.share)}_{value.topics}",
}


def _short_value(name: str, value: Any) -> str:
    return "0" if value is None else _SHORT.get(type(value), _SHORT.get(name, str))(value)


def _number(value: float) -> str:
    return f"{round(value, 6):g}".replace(".", "p")


def _time(value: int) -> str:
    return _number(value / _MS) if value % 1000 == 0 else format_duration(value).replace(".", "p")
