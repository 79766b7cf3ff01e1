# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of synthetic applications: they keep to their parameters and bounds, and have the right distributions."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy import stats

from takt_cli.errors import TaktError
from takt_cli.spec.application import Application, Callback, Node, Qos, Topic
from takt_cli.spec.load import parse_spec
from takt_cli.synthetic import automotive
from takt_cli.synthetic.generate import ALONE, Generated, draw, generate
from takt_cli.synthetic.parameters import (
    Automotive,
    Chains,
    LogUniform,
    MultiRate,
    ParameterError,
    Parameters,
    divide_by_shares,
)
from takt_cli.synthetic.periods import draw_periods
from takt_cli.synthetic.restrictions import check_restrictions, faults
from takt_cli.synthetic.utilisations import draw_utilisations

MS, US = 1_000_000, 1_000
SEED = 20260107
# A fair draw fails each of these once in a million seeds; this one is fixed, and passes.
UNLIKELY = 1e-6


def periods() -> st.SearchStrategy[Any]:
    listed = st.lists(st.integers(1, 200), min_size=1, max_size=6, unique=True)
    drawn = st.builds(lambda a, b: LogUniform(a * MS, (a + b) * MS, MS), st.integers(1, 50), st.integers(0, 200))
    return st.one_of(listed.map(lambda each: tuple(value * MS for value in each)), drawn, st.just(Automotive()))


def parameters() -> st.SearchStrategy[Parameters]:
    share = st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.8, 1.0])
    factors = st.tuples(st.floats(1, 3), st.floats(0, 2)).map(lambda each: (each[0], each[0] + each[1]))
    return st.builds(
        Parameters,
        nodes=st.integers(1, 60),
        utilisation=st.integers(1, 100).map(lambda percent: percent / 100),
        periods=periods(),
        pubsub=st.tuples(share, share),
        deadlines=st.sampled_from(["period", "wcet"]),
        deadlines_wcet=factors,
        priorities=st.sampled_from(["rate-monotonic", "random"]),
        message_size=st.sampled_from([16, 4096, 512 * 1024, 8 * 1024**2]),
        callbacks=st.sampled_from([((1, 1.0),), ((1, 0.5), (2, 0.3), (3, 0.2)), ((2, 1.0),)]),
        chains=st.sampled_from([None, Chains(1, 3), Chains(2, 4)]),
        multi_rate=st.sampled_from([None, MultiRate(0.5, 3)]),
        wcets=st.sampled_from(["uniform", "uniform", "automotive"]),
    )


@settings(max_examples=60, deadline=None)
@given(parameters(), st.integers(0, 2**48))
def test_what_is_drawn_keeps_to_its_parameters(wanted: Parameters, seed: int) -> None:
    made = drawn_or_refused(wanted, seed)
    if isinstance(made, ParameterError):
        assert "\n" not in str(made)
        assert ";" in made.text, "it says what to do"
        return
    application = parse_spec(made.spec.text, "app.yaml")
    assert application == made.spec.application
    assert list(faults(application, wanted.nodes)) == []
    exact = sum(Fraction(task.callback.wcet, task.callback.period) for task in application.tasks)
    lost = Fraction(US, max(task.callback.period for task in application.tasks))
    assert Fraction(str(wanted.utilisation)) - lost <= exact <= Fraction(str(wanted.utilisation))
    callbacks = [task.callback for task in application.tasks]
    assert len(callbacks) == wanted.tasks
    assert len(application.topics) == wanted.topics
    if isinstance(wanted.periods, tuple):
        used = Counter(callback.period for callback in callbacks)
        assert set(used) <= set(wanted.periods)
        counts = [used[period] for period in wanted.periods]
        assert max(counts) - min(counts) <= 1
    chained = wanted.chains.count * wanted.chains.length if wanted.chains else 0
    ends = wanted.chains.count if wanted.chains else 0
    assert sum(bool(callback.publishes) for callback in callbacks) == wanted.publishers + chained - ends
    assert sum(bool(callback.reads) for callback in callbacks) == wanted.readers + chained - ends
    if sum(wanted.pubsub) <= 1:
        both = sum(bool(callback.publishes and callback.reads) for callback in callbacks)
        assert both == (chained - 2 * ends if ends else 0)
    if wanted.multi_rate is None:
        free = {application.tasks[i].callback.publishes[0] for i in made.exchange.publishes if not in_chain(made, i)}
        read = Counter(topic for callback in callbacks for topic in callback.reads if topic in free)
        assert not wanted.readers or max(read[topic] for topic in free) - min(read[topic] for topic in free) <= 1
    for callback in callbacks:
        if wanted.deadlines == "wcet" and callback.deadline < callback.period:
            assert wanted.deadlines_wcet is not None
            assert callback.wcet <= callback.deadline <= wanted.deadlines_wcet[1] * callback.wcet
    if wanted.priorities == "rate-monotonic":
        by_period = sorted((callback.period, -callback.priority) for callback in callbacks)
        assert [priority for _, priority in by_period] == sorted(priority for _, priority in by_period)
    for chain in made.exchange.chains:
        for before, after in pairwise(chain):
            assert callbacks[after].reads == callbacks[before].publishes
    assert generate(wanted, seed, "app").text == made.spec.text


def drawn_or_refused(wanted: Parameters, seed: int) -> Generated | ParameterError:
    try:
        return draw(wanted, seed, "app")
    except ParameterError as error:
        return error


def in_chain(made: Any, index: int) -> bool:
    return any(index in chain for chain in made.exchange.chains)


def test_the_same_seed_gives_the_same_and_disturbs_nobody() -> None:
    wanted = Parameters(12, 0.7, (10 * MS, 20 * MS), (0.3, 0.6), message_size=4096, priorities="random")
    random.seed(5)
    before = random.getstate()
    texts = {generate(wanted, 7).text for _ in range(3)}
    assert random.getstate() == before
    random.seed(6)
    assert texts == {generate(wanted, 7).text}
    assert generate(wanted, 8).text not in texts


@pytest.mark.parametrize("count", [2, 5, 20])
def test_utilisations_are_uniform_over_the_simplex(count: int) -> None:
    print(f"seed {SEED}")
    chance = random.Random(f"{SEED}/{count}")
    drawn = [draw_utilisations(0.75, [0.0] * count, [1.0] * count, chance) for _ in range(2000)]
    assert all(math.fsum(each) == pytest.approx(0.75) for each in drawn)
    # For a uniform distribution over the simplex, the value at each position is distributed as Beta(1, n - 1).
    for place in (0, count // 2, count - 1):
        marginal = [each[place] / 0.75 for each in drawn]
        assert stats.kstest(marginal, stats.beta(1, count - 1).cdf).pvalue > UNLIKELY


def test_utilisations_of_applications_are_uniform_too() -> None:
    print(f"seed {SEED}")
    wanted = Parameters(4, 0.6, (1000 * MS,))
    floor = 10 * US / (1000 * MS)
    drawn = [draw(wanted, SEED + i).spec.application for i in range(300)]
    for place in range(4):
        marginal = [(each.tasks[place].callback.utilisation - floor) / (0.6 - 4 * floor) for each in drawn]
        assert stats.kstest(marginal, stats.beta(1, 3).cdf).pvalue > UNLIKELY


def test_shares_of_a_sorted_stick_are_not_uniform() -> None:
    """The check above can fail: it rejects numbers that are drawn and divided by their sum, a common mistake."""
    chance = random.Random(SEED)
    drawn = []
    for _ in range(2000):
        parts = [chance.random() for _ in range(5)]
        drawn.append(parts[0] / sum(parts))
    assert stats.kstest(drawn, stats.beta(1, 4).cdf).pvalue < UNLIKELY


def test_utilisations_are_uniform_within_their_bounds() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    lower, upper = [0.1, 0.0, 0.05, 0.0], [0.3, 0.2, 0.6, 1.0]
    drawn = [draw_utilisations(0.8, lower, upper, chance) for _ in range(400)]
    for each in drawn:
        assert math.fsum(each) == pytest.approx(0.8)
        assert all(a <= value <= b for a, value, b in zip(lower, each, upper, strict=True))
    # Rejection sampling for comparison: draw from the whole simplex and discard values out of bounds.
    kept: list[list[float]] = []
    while len(kept) < 1000:
        tried = draw_utilisations(0.8, [0.0] * 4, [1.0] * 4, chance)
        if all(a <= value <= b for a, value, b in zip(lower, tried, upper, strict=True)):
            kept.append(tried)
    for place in range(4):
        one, other = ([each[place] for each in some] for some in (drawn, kept))
        assert stats.ks_2samp(one, other).pvalue > UNLIKELY


def test_bounds_may_leave_nothing_or_one_choice() -> None:
    chance = random.Random(1)
    assert draw_utilisations(0.5, [0.2, 0.3], [1, 1], chance) == [0.2, 0.3]
    assert draw_utilisations(0.5, [0, 0], [0.2, 0.3], chance) == [0.2, 0.3]
    assert draw_utilisations(0.5, [0.1], [1], chance) == [0.5]
    for lower, upper in (([0.3, 0.3], [1, 1]), ([0, 0], [0.2, 0.2]), ([0.4, 0], [0.3, 1])):
        with pytest.raises(ValueError, match="no values within the bounds"):
            draw_utilisations(0.5, lower, upper, chance)


def test_log_uniform_periods_are_on_the_grid_and_as_many_in_each_octave() -> None:
    print(f"seed {SEED}")
    wanted = LogUniform(10 * MS, 159 * MS, MS)
    drawn = draw_periods(wanted, 4000, random.Random(SEED))
    assert all(10 * MS <= period <= 159 * MS and period % MS == 0 for period in drawn)
    octaves = Counter(int(math.log2(period / MS / 10)) for period in drawn)
    assert stats.chisquare([octaves[i] for i in range(4)]).pvalue > UNLIKELY


def test_automotive_figures_are_those_of_the_paper() -> None:
    kinds = automotive.kinds()
    assert [period // MS for period in kinds] == [1, 2, 5, 10, 20, 50, 100, 200, 1000]
    assert sum(kind.share for kind in kinds.values()) == 85
    for kind in kinds.values():
        least, average, greatest = kind.average
        assert least < average < greatest
        assert kind.best[0] < kind.best[1] < 1 < kind.worst[0] < kind.worst[1]
        scale, shape = kind.weibull
        assert least + scale * math.gamma(1 + 1 / shape) == pytest.approx(average)
        assert math.exp(-(((greatest - least) / scale) ** shape)) == pytest.approx(0.001, rel=1e-6)


def test_automotive_periods_and_execution_times_are_distributed_so() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    kinds = automotive.kinds()
    drawn = Counter(automotive.draw_periods(5000, chance))
    expected = [5000 * kind.share / 85 for kind in kinds.values()]
    assert stats.chisquare([drawn[period] for period in kinds], expected).pvalue > UNLIKELY
    kind = kinds[5 * MS]
    some = [automotive.draw_runnable(kind, chance) for _ in range(5000)]
    assert all(kind.average[0] <= each.average <= kind.average[2] for each in some)
    assert all(each.best < each.average < each.worst for each in some)
    # The last thousandth of the distribution is cut off, so the mean is slightly lower.
    assert sum(each.average for each in some) / 5000 == pytest.approx(kind.average[1], rel=0.05)
    assert (
        stats.kstest(
            [each.worst / each.average for each in some],
            stats.uniform(kind.worst[0], kind.worst[1] - kind.worst[0]).cdf,
        ).pvalue
        > UNLIKELY
    )


def test_callbacks_are_made_of_runnables() -> None:
    made = draw(Parameters(10, 0.5, Automotive(), wcets="automotive"), 3)
    for task, runnables in zip(made.spec.application.tasks, made.runnables, strict=True):
        work = 10 + sum(each.worst for each in runnables)
        # Times are rounded to whole microseconds, and the difference is added to other tasks as utilisation.
        assert task.callback.utilisation == pytest.approx(work * US / task.callback.period, abs=2e-3)
    counts = [each.runnables for each in made.tasks]
    assert counts == list(map(len, made.runnables))
    assert sum(map(len, made.runnables)) > 10
    with pytest.raises(ParameterError, match="no automotive execution times for 7ms"):
        draw(Parameters(2, 0.5, (7 * MS,), wcets="automotive"), 1)


def test_parts_add_up() -> None:
    assert divide_by_shares(10, [0.7, 0.2, 0.1]) == [7, 2, 1]
    assert divide_by_shares(3, [0.5, 0.5]) == [2, 1]
    assert divide_by_shares(7, [1, 1, 1]) == [3, 2, 2]


TEN = (10 * MS,)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Parameters(0, 0.5, TEN), "nodes: 0 nodes are too few; give at least 1"),
        (Parameters(2, 1.01, TEN), "utilisation: 1.01 is above 1, the capacity of one CPU; give at most 1"),
        (
            Parameters(1, 1.0, (10 * US + 500,)),
            "utilisation: no values within the bounds add up to 1; give less, or periods of whole microseconds",
        ),
        (Parameters(2, 0.5, ()), "periods: the list is empty; give at least one"),
        (Parameters(2, 0.5, TEN, (1.5, 0.5)), "pubsub: a share of 1.5 means more publishers than callbacks"),
        (Parameters(2, 0.5, TEN, (0.5, 1.2)), "pubsub: a share of 1.2 means more subscribers than callbacks"),
        (Parameters(4, 0.5, TEN, (0.2, 1.0)), "pubsub: 4 subscribers and 1 publisher, of 4: it would have to read its"),
        (Parameters(2, 0.5, TEN, deadlines="wcet"), "deadlines_wcet: deadlines follow the WCET, so a range of factors"),
        (
            Parameters(2, 0.5, TEN, deadlines="wcet", deadlines_wcet=(0.9, 2)),
            "deadlines_wcet: 0.9 times the WCET is a deadline that no job can meet; give at least 1",
        ),
        (
            Parameters(2, 0.9, (100 * US,), (0.5, 0.5), message_size=8 << 20),
            "periods: filling messages of 8MiB takes 215us, longer than the period 100us; give longer periods",
        ),
        (
            Parameters(50, 0.1, TEN, (0.5, 0.5), message_size=8 << 20),
            "utilisation: 0.1 is less than the 0.563 that 50 callbacks need, of which 0.538 is for",
        ),
        (Parameters(2, 0.5, TEN, (0.5, 0.5)), "message_size: callbacks publish, so a size is needed"),
        (Parameters(2, 0.5, TEN, (0.0, 0.5)), "pubsub: there are subscribers but no publishers"),
        (Parameters(5, 0.5, TEN, chains=Chains(2, 3), message_size=8), "chains: chains need 6 of 5 callbacks"),
        (
            Parameters(9, 0.5, TEN, (0.5, 0.5), message_size=8, multi_rate=MultiRate(1, 2)),
            "multi_rate: a reader could only read topics of one period",
        ),
    ],
)
def test_each_impossible_parameter_has_its_own_message(wanted: Parameters, expected: str) -> None:
    with pytest.raises(ParameterError) as caught:
        draw(wanted, 1)
    assert str(caught.value).startswith(expected)


BROKEN = [
    ({"nodes": ()}, 0, "0 nodes, of 0"),
    ({"wcet": 6 * MS}, 2, "the utilisation is 1.2, above 1"),
    ({"reads": (0,)}, 2, "n0/c publishes and reads the same topic"),
    ({"deadline": 11 * MS, "queue": 1}, 2, "n0/c: the deadline 11ms is above the period"),
    ({"wcet": 11 * MS}, 2, "n0/c: the WCET 11ms is above the period"),
    ({}, 3, "2 nodes, of 3"),
]


@pytest.mark.parametrize(("change", "nodes", "expected"), BROKEN)
def test_a_broken_drawing_is_noticed(change: dict[str, Any], nodes: int, expected: str) -> None:
    callback = Callback("c", 10 * MS, 0, 10 * MS, 1, MS, publishes=(0,))
    several = (Node("n0", "exclusive", (callback,)), Node("n1", "exclusive", (replace(callback, publishes=(1,)),)))
    good = Application("app", "fp", Qos("reliable", 1), (Topic("a", 1), Topic("b", 1)), several)
    assert list(faults(good, 2)) == []
    if "nodes" in change:
        bad = replace(good, nodes=())
    else:
        bad = replace(
            good,
            nodes=tuple(
                replace(node, callbacks=tuple(replace(each, **change) for each in node.callbacks)) for node in several
            ),
        )
    assert expected in list(faults(bad, nodes))
    with pytest.raises(TaktError, match="the generator has violated its own rule"):
        check_restrictions(bad, nodes)


def test_the_thesis_applications_can_be_drawn() -> None:
    """The hardest cases of tables 5.3 to 5.5 and 5.9 to 5.11 can be drawn: the fewest nodes, the least time, the
    largest messages."""
    hard = [
        Parameters(50, 0.5, (10 * MS, 20 * MS, 40 * MS), (0.5, 0.5), message_size=8 << 20),
        Parameters(50, 0.5, (10 * MS, 22 * MS, 47 * MS), (0.5, 0.5), message_size=8 << 20),
        Parameters(50, 0.5, (10 * MS, 20 * MS), (0.2, 0.8), message_size=8 << 20),
        Parameters(4, 1.0, (10 * MS, 20 * MS), (0.2, 0.8), message_size=8 << 20),
        *(Parameters(n, 0.5, (10 * MS, 20 * MS), (0.4, 0.6), message_size=16) for n in range(1, 11)),
    ]
    for wanted in hard:
        for seed in range(5):
            made = draw(wanted, seed)
            assert made.utilisation == pytest.approx(wanted.utilisation, abs=1e-4)
    alone = draw(hard[4], 1)
    assert alone.notes == (ALONE,)
    assert f"# {ALONE}".encode() in alone.spec.text
