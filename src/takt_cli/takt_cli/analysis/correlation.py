# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""How alike neighbours in a series are, and how many independent values it is therefore worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from takt_cli.analysis.percentiles import Samples

TOO_SHORT = "too short to judge"
# Of what is worth less than so many independent values nobody can say how it scatters.
LEAST = 6.0
# By so many of its standard errors the correlation may be stronger than it looks.
DOUBT = 1.0
# Fewer averages say nothing of how alike they are, fewer values nothing at all.
_FEWEST_AVERAGES, _FEWEST = 16, 6
# Beyond, a series is one value.
_STRONGEST = 0.98


def inefficiency(pieces: Sequence[Samples], fitted: int = 1, doubt: float = DOUBT) -> Samples:
    """How many neighbours say as much as one independent value, 1 at least; infinite for fewer than six values.
    Along the last axis. `pieces` follow one another; out of each so many parameters were `fitted`, its level
    included.

    What the variance of a mean is by blocking (Flyvbjerg and Petersen), to what it is of independent values: of
    averages over 1, 2, 4 ... neighbours, while there are enough, the highest, each with what its lag-1 correlation
    adds as in an autoregression. That correlation is corrected for its bias in short series (Marriott and Pope), and
    taken to be `doubt` standard errors stronger than seen: too much costs width, too little would cost the truth.
    """
    first, highest = _spread(pieces), np.ones(pieces[0].shape[:-1])
    length = 1
    while True:
        n = sum(piece.shape[-1] for piece in pieces)
        lost = fitted * len(pieces)
        if length > 1 and n < _FEWEST_AVERAGES:
            return highest
        if n < _FEWEST or n - lost - 2 < 1:
            return np.full_like(highest, np.inf)
        likely = np.clip((n * _likeness(pieces) + lost) / (n - 2 - lost), -0.99, 0.99)
        strong = np.clip(likely + doubt * np.sqrt((1 - likely**2) / n), 0, _STRONGEST)
        # What does not vary at all is known.
        grown = np.divide(_spread(pieces) * length, first, out=np.ones_like(highest), where=first > 0)
        highest = np.where(first > 0, np.maximum(highest, grown * (1 + strong) / (1 - strong)), highest)
        pieces, length = [_halved(piece) for piece in pieces], 2 * length


def _centred(piece: Samples) -> Samples:
    centred: Samples = piece - piece.mean(axis=-1, keepdims=True)
    # Of values that are all the same rounding leaves something.
    centred[np.abs(centred) <= 1e-12 * np.abs(piece)] = 0
    return centred


def _spread(pieces: Sequence[Samples]) -> Samples:
    n = sum(piece.shape[-1] for piece in pieces)
    return np.asarray(sum((_centred(piece) ** 2).sum(axis=-1) for piece in pieces) / max(n - len(pieces), 1))


def _likeness(pieces: Sequence[Samples]) -> Samples:
    """The correlation of neighbours."""
    parts = [_centred(piece) for piece in pieces]
    squares = np.asarray(sum((part**2).sum(axis=-1) for part in parts))
    products = np.asarray(sum((part[..., 1:] * part[..., :-1]).sum(axis=-1) for part in parts))
    return np.asarray(np.divide(products, squares, out=np.zeros_like(squares), where=squares > 0))


def _halved(piece: Samples) -> Samples:
    """Averages of two neighbours each."""
    even = piece.shape[-1] // 2 * 2
    return np.asarray((piece[..., 0:even:2] + piece[..., 1:even:2]) / 2)
