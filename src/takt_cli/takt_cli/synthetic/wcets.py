# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Draws WCETs with a given total utilisation, and deadlines."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction

from takt_cli.spec.units import format_duration, format_size
from takt_cli.synthetic import automotive
from takt_cli.synthetic.exchange import Exchange
from takt_cli.synthetic.parameters import ParameterError, Parameters
from takt_cli.synthetic.utilisations import draw_utilisations

_US = 1000
PAGE = 4096
# The least that a job needs, in microseconds: the runner's clock reads and records are part of the WCET.
FLOOR_US = 10
# The time that filling a message takes per page: the runner writes one byte to each page within the WCET (takt_lab's
# work_task.cpp). Twice the 99th percentile measured with 50 cold messages of 8 MiB.
FILL_US_PER_PAGE = 0.1


def least_work(parameters: Parameters, periods: Sequence[int], exchange: Exchange) -> list[int]:
    """Return the least WCET of each callback in microseconds. Raises a ParameterError if they do not fit."""
    pages = math.ceil((parameters.message_size or 0) / PAGE)
    filling = math.ceil(pages * FILL_US_PER_PAGE)
    least_wcets = [FLOOR_US + (filling if i in exchange.publishes else 0) for i in range(len(periods))]
    for i, (work, period) in enumerate(zip(least_wcets, periods, strict=True)):
        if work * _US > period:
            job_text = (
                f"filling messages of {format_size(parameters.message_size or 0)}"
                if i in exchange.publishes
                else "a job"
            )
            raise ParameterError(
                "periods",
                f"{job_text} takes {work}us, longer than the period {format_duration(period)}; give longer periods"
                + (" or smaller messages" if i in exchange.publishes else ""),
            )
    needed_utilisation = sum(work * _US / period for work, period in zip(least_wcets, periods, strict=True))
    if needed_utilisation > parameters.utilisation:
        publishing = sum(least_wcets[i] * _US / periods[i] for i in exchange.publishes)
        raise ParameterError(
            "utilisation",
            f"{parameters.utilisation:g} is less than the {needed_utilisation:.3g} that {len(periods)} callbacks need"
            + (f", of which {publishing:.3g} is for those that fill messages" if exchange.publishes else "")
            + "; give more utilisation, fewer nodes or publishers, longer periods or smaller messages",
        )
    return least_wcets


def drawn_wcets(
    parameters: Parameters, periods: Sequence[int], minimum: Sequence[int], chance: random.Random
) -> list[int]:
    """Draw WCETs in whole microseconds whose utilisations add up to the target as closely as possible, never above."""
    lower_bounds = [work * _US / period for work, period in zip(minimum, periods, strict=True)]
    upper_bounds = [(period // _US) * _US / period for period in periods]
    try:
        utilisations = draw_utilisations(parameters.utilisation, lower_bounds, upper_bounds, chance)
    except ValueError as reason:
        raise ParameterError("utilisation", f"{reason}; give less, or periods of whole microseconds") from None
    return _whole_microseconds(utilisations, parameters.utilisation, periods, minimum)


def _whole_microseconds(
    wcets: Sequence[float], total: float, periods: Sequence[int], minimum: Sequence[int]
) -> list[int]:
    """Round WCETs down, each time passing the loss on to the next one. The last one has the longest period, so that the
    least is lost there, and among those it is the one furthest above its bound."""
    result = [0] * len(wcets)
    order = sorted(range(len(wcets)), key=lambda i: (periods[i], wcets[i] * periods[i] - minimum[i] * _US))
    # In exact fractions. Differences between the drawn sum and the total are compensated, too.
    remaining = Fraction(str(total))
    ahead = sum(map(Fraction, wcets), Fraction(0))
    for i in order:
        ahead -= Fraction(wcets[i])
        period = Fraction(periods[i], _US)
        result[i] = min(max(math.floor((remaining - ahead) * period), minimum[i]), periods[i] // _US)
        remaining -= result[i] / period
    return result


def of_runnables(
    parameters: Parameters, periods: Sequence[int], minimum: Sequence[int], chance: random.Random
) -> tuple[list[int], list[list[automotive.Runnable]]]:
    """Draw runnables until the utilisation is reached; the last one is shortened to fit."""
    kinds = automotive.kinds()
    for period in periods:
        if period not in kinds:
            known_periods = ", ".join(format_duration(each) for each in kinds)
            raise ParameterError(
                "wcets",
                f"there are no automotive execution times for {format_duration(period)}; "
                f"give periods among {known_periods}",
            )
    runnables_by_task: list[list[automotive.Runnable]] = [[] for _ in periods]
    work = [float(each) for each in minimum]
    remaining = parameters.utilisation - sum(w * _US / p for w, p in zip(work, periods, strict=True))
    while remaining > 0:
        growable = [i for i, period in enumerate(periods) if work[i] * _US < period]
        if not growable:
            break
        i = chance.choice(growable)
        runnable = automotive.draw_runnable(kinds[periods[i]], chance)
        worst = min(runnable.worst, remaining * periods[i] / _US, periods[i] / _US - work[i])
        runnables_by_task[i].append(runnable.cut(worst))
        work[i] += worst
        remaining = (
            remaining - worst * _US / periods[i] if worst == runnable.worst else _rest(parameters, periods, work)
        )
    utilisations = [w * _US / p for w, p in zip(work, periods, strict=True)]
    return _whole_microseconds(utilisations, parameters.utilisation, periods, minimum), runnables_by_task


def _rest(parameters: Parameters, periods: Sequence[int], work: Sequence[float]) -> float:
    remaining = parameters.utilisation - math.fsum(w * _US / p for w, p in zip(work, periods, strict=True))
    return remaining if remaining > 1e-12 else 0.0


def draw_deadlines(
    parameters: Parameters, periods: Sequence[int], wcets: Sequence[int], chance: random.Random
) -> list[int]:
    """Draw deadlines in nanoseconds; those that follow the WCET are at most the period."""
    if parameters.deadlines == "period":
        return list(periods)
    assert parameters.deadlines_wcet is not None
    factors = [chance.uniform(*parameters.deadlines_wcet) for _ in periods]
    return [
        min(max(int(factor * wcet), wcet) * _US, period)
        for factor, wcet, period in zip(factors, wcets, periods, strict=True)
    ]
