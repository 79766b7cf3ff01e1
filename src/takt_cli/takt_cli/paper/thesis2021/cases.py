# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The combinations of parameters that the thesis ran, from its tables 5.3 to 5.5, 5.9 and 5.10."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from takt_cli.paper.statistics import Misses
from takt_cli.spec.units import format_size

# The number of runs of each application, and their duration in ns.
RUNS, DURATION = 5, 30 * 10**9
KIB, MIB = 1024, 1024 * 1024
NODES = (4, 20, 50)
UTILISATIONS = (0.5, 0.75, 1.0)
SIZES = (256 * KIB, 512 * KIB, 2 * MIB, 8 * MIB)
FRESHNESS_SIZES = (512 * KIB, 8 * MIB)
HARMONIC, OTHER_PERIODS = (10, 20, 40), (10, 22, 47)
_PERIODS = {HARMONIC: "harmonic", OTHER_PERIODS: "other"}


@dataclass(frozen=True)
class Case:
    """A combination of parameters. `periods` are in ms. `size` is in bytes, None if nothing is exchanged. `pubsub` are
    the shares of nodes that publish and that subscribe. Deadlines always equal periods, and priorities are rate
    monotonic."""

    name: str
    nodes: int
    utilisation: float
    periods: tuple[int, ...]
    pubsub: tuple[float, float]
    size: int | None
    group: str = ""

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of CaseRow."""
        return {
            "application": self.name,
            "nodes": self.nodes,
            "utilisation": self.utilisation,
            "periods": self.periods,
            "size": self.size,
        }


SMALL, LARGE, LARGE_EXCHANGE = (
    "small set of callbacks (1 to 10 nodes)",
    "50 nodes no data exchange",
    "50 nodes 20 % publishers 80 % subscribers",
)


def overhead_cases() -> list[Case]:
    """Return the cases of tables 5.3, 5.4 and 5.5.

    Table 5.5 says 50 nodes but its text 1 to 10, which are used. A single node has nobody to exchange messages with.
    """
    small = [
        Case(f"n{n:02}-small", n, 0.5, (10, 20), (0.4, 0.6) if n > 1 else (0.0, 0.0), 16 if n > 1 else None, SMALL)
        for n in range(1, 11)
    ]
    return [
        *small,
        Case("n50-alone", 50, 0.5, (10, 20, 40), (0.0, 0.0), None, LARGE),
        Case("n50-exchange", 50, 0.5, (10, 20, 40), (0.2, 0.8), 16, LARGE_EXCHANGE),
    ]


def miss_cases() -> list[Case]:
    """Return the cases of table 5.9. Without exchange the message size is irrelevant, so its 72 combinations are 45."""
    return [
        Case(
            f"n{nodes:02}-u{round(100 * utilisation)}-{size_name(size)}",
            nodes,
            utilisation,
            (10, 20),
            (0.0, 0.0) if size is None else (0.2, 0.8),
            size,
        )
        for nodes, utilisation, size in product(NODES, UTILISATIONS, (None, *SIZES))
    ]


def freshness_cases() -> list[Case]:
    """Return the 36 cases of table 5.10."""
    return [
        Case(
            "-".join([f"n{nodes:02}-u{round(100 * utilisation)}", _PERIODS[periods], size_name(size)]),
            nodes,
            utilisation,
            periods,
            (0.5, 0.5),
            size,
        )
        for nodes, utilisation, periods, size in product(
            NODES, UTILISATIONS, (HARMONIC, OTHER_PERIODS), FRESHNESS_SIZES
        )
    ]


def size_name(size: int | None) -> str:
    """Return a name for a message size: `512KiB`, or `none` if nothing is exchanged."""
    return "none" if size is None else format_size(size)


class CaseRow(Misses, frozen=True, kw_only=True):
    """The misses of a case under an executor."""

    application: str
    nodes: int
    utilisation: float
    periods: tuple[int, ...]
    size: int | None
    executor: str
