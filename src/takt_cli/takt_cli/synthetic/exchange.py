# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Draws which callbacks publish and which topics they read. Topic i is published by callback i."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from takt_cli.synthetic.parameters import ParameterError, Parameters


@dataclass
class Exchange:
    """`publishes` holds the callbacks that publish, each on a topic of its own, `reads` the topics of each reader (both
    by callback), `chains` the callbacks of each chain in order."""

    publishes: set[int] = field(default_factory=set)
    reads: dict[int, list[int]] = field(default_factory=dict)
    chains: list[list[int]] = field(default_factory=list)


def draw_exchange(parameters: Parameters, periods: Sequence[int], chance: random.Random) -> Exchange:
    """Draw the exchange among as many callbacks as there are periods. Raises a ParameterError if there are too few
    different periods."""
    order = chance.sample(range(len(periods)), len(periods))
    exchange = Exchange()
    if parameters.chains is not None:
        length = parameters.chains.length
        for _ in range(parameters.chains.count):
            chain, order = order[:length], order[length:]
            exchange.chains.append(chain)
            exchange.publishes.update(chain[:-1])
            exchange.reads.update({after: [before] for before, after in pairwise(chain)})
    publishers = order[: parameters.publishers]
    # Readers come from the other end, so that a callback is both only if the shares leave no other way.
    readers = order[len(order) - parameters.readers :]
    exchange.publishes.update(publishers)
    _deal(exchange, publishers, readers, chance)
    if parameters.multi_rate is not None and readers:
        _more_topics(parameters, exchange, publishers, readers, periods, chance)
    return exchange


def _deal(exchange: Exchange, publishers: list[int], readers: list[int], chance: random.Random) -> None:
    """Give each reader one topic, never its own. The numbers of readers per publisher differ by at most one."""
    publishing_readers = [each for each in publishers if each in set(readers)]
    uses = dict.fromkeys(publishing_readers + [each for each in publishers if each not in set(publishing_readers)], 0)
    ring = list(uses)
    for i, reader in enumerate(publishing_readers):
        exchange.reads[reader] = [ring[(i + 1) % len(ring)]]
        uses[ring[(i + 1) % len(ring)]] += 1
    for reader in readers:
        if reader not in set(publishing_readers):
            least_uses = min(uses.values())
            source = chance.choice([each for each in publishers if uses[each] == least_uses])
            uses[source] += 1
            exchange.reads[reader] = [source]


def _more_topics(
    parameters: Parameters,
    exchange: Exchange,
    publishers: list[int],
    readers: list[int],
    periods: Sequence[int],
    chance: random.Random,
) -> None:
    assert parameters.multi_rate is not None
    count = max(int(parameters.multi_rate.share * len(readers) + 0.5), 1)
    for reader in chance.sample(readers, count):
        sources = exchange.reads[reader]
        for other in chance.sample(publishers, len(publishers)):
            if len(sources) == parameters.multi_rate.topics:
                break
            if other != reader and periods[other] not in {periods[each] for each in sources}:
                sources.append(other)
        if len(sources) == 1:
            raise ParameterError(
                "multi_rate",
                f"a reader could only read topics of one period, from {len(publishers)} publishers; "
                "give more publishers or periods, or another seed",
            )
