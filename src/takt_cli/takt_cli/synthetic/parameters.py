# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The parameters of one synthetic application: one value each."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from takt_cli.errors import UsageError
from takt_cli.spec.units import format_duration, format_size

_MS = 10**6


@dataclass(frozen=True)
class LogUniform:
    """Log-uniformly distributed periods, in which every order of magnitude is equally frequent. In nanoseconds; all
    periods are multiples of `step`."""

    shortest: int
    longest: int
    step: int


@dataclass(frozen=True)
class Automotive:
    """Periods as frequent as in Kramer, Ziegenbein and Hamann (WATERS 2015)."""


Periods: TypeAlias = "tuple[int, ...] | LogUniform | Automotive"


@dataclass(frozen=True)
class Chains:
    """`count` chains of `length` callbacks, each of which reads the topic that the previous one publishes."""

    count: int
    length: int


@dataclass(frozen=True)
class MultiRate:
    """A share of the readers that read up to `topics` topics, from publishers with different periods."""

    share: float
    topics: int


class ParameterError(UsageError):
    """A parameter, or a combination of several, from which no application can be drawn."""

    def __init__(self, parameter: str, text: str) -> None:
        super().__init__(f"{parameter}: {text}")
        self.parameter = parameter
        self.text = text


@dataclass(frozen=True)
class Parameters:
    """A combination of parameter values. Times in nanoseconds, sizes in bytes. `pubsub` holds the shares of publishers
    and readers among the callbacks outside of chains; `deadlines_wcet` the range of factors of the WCET from which
    deadlines are drawn, if they follow it; `callbacks` numbers of callbacks per node with the nodes' shares."""

    nodes: int
    utilisation: float
    periods: Periods
    pubsub: tuple[float, float] = (0.0, 0.0)
    deadlines: str = "period"
    deadlines_wcet: tuple[float, float] | None = None
    priorities: str = "rate-monotonic"
    message_size: int | None = None
    callbacks: tuple[tuple[int, float], ...] = ((1, 1.0),)
    chains: Chains | None = None
    multi_rate: MultiRate | None = None
    wcets: str = "uniform"

    @property
    def tasks(self) -> int:
        """The number of callbacks in all nodes."""
        return sum(self.callbacks_of_nodes())

    def callbacks_of_nodes(self) -> list[int]:
        """Return the number of callbacks of each node, ascending: shares of the nodes, rounded to the right sum."""
        counts = divide_by_shares(self.nodes, [share for _, share in self.callbacks])
        return [k for (k, _), nodes in zip(self.callbacks, counts, strict=True) for _ in range(nodes)]

    @property
    def publishers(self) -> int:
        """The number of callbacks that publish outside of chains."""
        return self._exchanging()[0]

    @property
    def readers(self) -> int:
        """The number of callbacks that read outside of chains."""
        return self._exchanging()[1]

    def _exchanging(self) -> tuple[int, int]:
        """Return the numbers of publishers and readers: rounded (half up), and at least one for any share above 0; at
        most the callbacks outside of chains, and no callback is both if the shares add up to 1 or less. A single
        callback has no partner."""
        available = self.tasks - self._in_chains
        publishing, reading = self.pubsub
        if available < 2:
            return 0, 0
        publishers = max(_rounded(publishing * available), 1) if publishing > 0 else 0
        readers = max(_rounded(reading * available), 1) if reading > 0 else 0
        if publishers and publishing + reading <= 1:
            publishers = min(publishers, available - (1 if readers else 0))
            readers = min(readers, available - publishers)
        return publishers, readers if publishers else 0

    @property
    def alone(self) -> bool:
        """True if an exchange is asked for, but there is only one callback for it."""
        return any(self.pubsub) and self.publishers == 0

    @property
    def _in_chains(self) -> int:
        return self.chains.count * self.chains.length if self.chains else 0

    @property
    def topics(self) -> int:
        """The number of topics; each has one publisher."""
        return self.publishers + (self.chains.count * (self.chains.length - 1) if self.chains else 0)

    def relevant(self) -> Parameters:
        """Return the parameters without those that have no effect, so that equal ones describe equal applications."""
        result = self
        if self.topics == 0:
            result = replace(result, message_size=None)
        if self.publishers == 0 or self.readers == 0:
            result = replace(result, multi_rate=None)
        if self.deadlines == "period":
            result = replace(result, deadlines_wcet=None)
        return result

    def check(self) -> None:
        """Raise a ParameterError if a restriction of section 5.2 is violated or parameters contradict each other."""
        self.check_values()
        if self.deadlines == "wcet" and self.deadlines_wcet is None:
            raise ParameterError(
                "deadlines_wcet", "deadlines follow the WCET, so a range of factors is needed, such as [1.0, 2.0]"
            )
        if self.pubsub[1] > 0 and self.pubsub[0] == 0:
            raise ParameterError("pubsub", "there are subscribers but no publishers; give a share of publishers, too")
        if self._in_chains > self.tasks:
            raise ParameterError(
                "chains", f"chains need {self._in_chains} of {self.tasks} callbacks; give more nodes or fewer chains"
            )
        if self.publishers == 1 and self.readers == self.tasks - self._in_chains:
            raise ParameterError(
                "pubsub",
                f"{self.readers} subscribers and 1 publisher, of {self.readers}: it would have to read its own topic; "
                "give more publishers or fewer subscribers",
            )
        if self.topics and self.message_size is None:
            raise ParameterError("message_size", "callbacks publish, so a size is needed, such as 512KiB")

    def check_values(self) -> None:
        """Raise a ParameterError if a single parameter violates a restriction."""
        if self.nodes < 1:
            raise ParameterError("nodes", f"{self.nodes} nodes are too few; give at least 1")
        if self.utilisation > 1:
            raise ParameterError(
                "utilisation", f"{self.utilisation:g} is above 1, the capacity of one CPU; give at most 1"
            )
        if not self.utilisation > 0:
            raise ParameterError("utilisation", f"{self.utilisation:g} is not above 0; give at least 0.01")
        if self.periods == ():
            raise ParameterError("periods", "the list is empty; give at least one, such as [10]")
        for share, role in zip(self.pubsub, ("publishers", "subscribers"), strict=True):
            if share > 1:
                raise ParameterError("pubsub", f"a share of {share:g} means more {role} than callbacks; give at most 1")
            if not share >= 0:
                raise ParameterError("pubsub", f"{share:g} is below 0; give a share from 0 to 1")
        if self.deadlines_wcet is not None:
            least_factor, most_factor = self.deadlines_wcet
            if not least_factor >= 1:
                raise ParameterError(
                    "deadlines_wcet",
                    f"{least_factor:g} times the WCET is a deadline that no job can meet; give at least 1",
                )
            if not least_factor <= most_factor <= 1000:
                raise ParameterError(
                    "deadlines_wcet",
                    f"{least_factor:g} to {most_factor:g} is not a range within 1 to 1000; give the smaller one first",
                )

    def plain(self) -> dict[str, Any]:
        """Return the parameters in the form of a parameter file, in a normalised spelling."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        return values | {
            "periods": _plain_periods(self.periods),
            "message_size": None if self.message_size is None else format_size(self.message_size),
            "callbacks": {str(count): share for count, share in self.callbacks},
        }

    @property
    def text(self) -> str:
        """The parameters in one line, the same for equal parameters."""
        return json.dumps(self.plain(), sort_keys=True)


def with_one(name: str, value: Any) -> Parameters:
    """Return parameters of which only this one matters."""
    values: dict[str, Any] = {"nodes": 1, "utilisation": 1.0, "periods": (_MS,)} | {name: value}
    return Parameters(**values)


def divide_by_shares(count: int, shares: list[float]) -> list[int]:
    """Divide `count` things by shares, which need not add up to 1: rounded down, then the largest remainders up."""
    total = sum(map(Fraction, shares))
    exact = [Fraction(share) * count / total for share in shares]
    parts = [math.floor(part) for part in exact]
    by_rest = sorted(range(len(shares)), key=lambda i: (parts[i] - exact[i], i))
    for i in by_rest[: count - sum(parts)]:
        parts[i] += 1
    return parts


def _rounded(value: float) -> int:
    # So that products such as 0.1 * 5 and 0.3 * 5 are rounded by their decimal value.
    return math.floor(round(value, 9) + 0.5)


def _plain_periods(periods: Periods) -> Any:
    match periods:
        case Automotive():
            return "automotive"
        case LogUniform(shortest, longest, step):
            return {
                "log_uniform": {
                    "min": format_duration(shortest),
                    "max": format_duration(longest),
                    "granularity": format_duration(step),
                }
            }
    return [p // _MS if p % _MS == 0 else format_duration(p) for p in periods]
