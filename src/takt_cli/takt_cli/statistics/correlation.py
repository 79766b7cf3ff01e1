# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Correlation of neighbours in a series, and the number of independent values that the series is therefore worth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from takt_cli.statistics.percentiles import Samples

# With fewer independent values than this, the spread cannot be estimated.
LEAST_INDEPENDENT = 6.0
# The correlation is assumed to be stronger than estimated by this many of its standard errors.
DOUBT = 1.0
# With fewer averages their correlation cannot be estimated; with fewer values nothing can.
_FEWEST_AVERAGES, _FEWEST = 16, 6
# The upper limit of the correlation: beyond it, a series is worth one value.
_STRONGEST = 0.98


def inefficiency(pieces: Sequence[Samples], fitted: int = 1, doubt: float = DOUBT) -> Samples:
    """Return how many neighbouring values are worth one independent value, at least 1; infinite for fewer than six
    values. It works along the last axis. `pieces` follow one another; `fitted`: the number of parameters, the level
    included, that were fitted to each piece.

    It is the ratio of the variance of the mean, by blocking (Flyvbjerg and Petersen), to that of independent values: of
    averages over 1, 2, 4 ... neighbours, while there are enough, the highest counts, each with the contribution of its
    lag-1 correlation as in an autoregression. This correlation is corrected for its bias in short series (Marriott and
    Pope) and raised by `doubt` standard errors: if it is too high, intervals get wider; if too low, they would be
    wrong.
    """
    first, highest = _spread(pieces), np.ones(pieces[0].shape[:-1])
    length = 1
    while True:
        n = sum(piece.shape[-1] for piece in pieces)
        lost_degrees_of_freedom = fitted * len(pieces)
        if length > 1 and n < _FEWEST_AVERAGES:
            return highest
        if n < _FEWEST or n - lost_degrees_of_freedom - 2 < 1:
            return np.full_like(highest, np.inf)
        likely = np.clip(
            (n * _lag_1_correlation(pieces) + lost_degrees_of_freedom) / (n - 2 - lost_degrees_of_freedom), -0.99, 0.99
        )
        raised_correlation = np.clip(likely + doubt * np.sqrt((1 - likely**2) / n), 0, _STRONGEST)
        # A series without any variance is known exactly.
        variance_ratio = np.divide(_spread(pieces) * length, first, out=np.ones_like(highest), where=first > 0)
        highest = np.where(
            first > 0,
            np.maximum(highest, variance_ratio * (1 + raised_correlation) / (1 - raised_correlation)),
            highest,
        )
        pieces, length = [_averages_of_pairs(piece) for piece in pieces], 2 * length


def _centred(piece: Samples) -> Samples:
    centred: Samples = piece - piece.mean(axis=-1, keepdims=True)
    # Of equal values, rounding errors would remain.
    centred[np.abs(centred) <= 1e-12 * np.abs(piece)] = 0
    return centred


def _spread(pieces: Sequence[Samples]) -> Samples:
    n = sum(piece.shape[-1] for piece in pieces)
    return np.asarray(sum((_centred(piece) ** 2).sum(axis=-1) for piece in pieces) / max(n - len(pieces), 1))


def _lag_1_correlation(pieces: Sequence[Samples]) -> Samples:
    """Return the lag-1 correlation."""
    parts = [_centred(piece) for piece in pieces]
    squares = np.asarray(sum((part**2).sum(axis=-1) for part in parts))
    products = np.asarray(sum((part[..., 1:] * part[..., :-1]).sum(axis=-1) for part in parts))
    return np.asarray(np.divide(products, squares, out=np.zeros_like(squares), where=squares > 0))


def _averages_of_pairs(piece: Samples) -> Samples:
    """Return the averages of pairs of neighbours."""
    even_length = piece.shape[-1] // 2 * 2
    return np.asarray((piece[..., 0:even_length:2] + piece[..., 1:even_length:2]) / 2)
