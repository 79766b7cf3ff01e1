# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the analyses on examples from their literature, and of what they refuse."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from spec_samples import GOOD

from takt_cli.schedulability import chains, earliest_deadline
from takt_cli.schedulability.assignment import find_priority_ranks
from takt_cli.schedulability.busy_period import busy_period
from takt_cli.schedulability.check import check
from takt_cli.schedulability.levels import ceilings_of, levels_of
from takt_cli.schedulability.model import Costs, Demands, declared_wcets, task_set
from takt_cli.schedulability.priority_search import with_assigned_priorities
from takt_cli.schedulability.processor import Outcome, analyse, bound_with_disturbance, holds
from takt_cli.schedulability.processor_demand import demand, processor_demand
from takt_cli.schedulability.sensitivity import RESOLUTION, common_factor, largest_that_holds, scaled_wcet
from takt_cli.schedulability.task import Bound, Task, TaskSet, above_all
from takt_cli.schedulability.wcet_limits import wcet_limits
from takt_cli.spec.application import Application
from takt_cli.spec.load import parse_spec

MS = 1_000_000


def preemptive(*timings: tuple[int, int, int], jitter: int = 0) -> TaskSet:
    """Return a preemptive task set of (period, deadline, wcet), the most urgent task first."""
    n = len(timings)
    return TaskSet(
        tuple(
            Task(
                f"t{i}", t, d, c, urgency=n - i, level=n - i, ceiling=n - i, jitter=jitter, queue=max(0, -(-d // t) - 1)
            )
            for i, (t, d, c) in enumerate(timings)
        )
    )


def with_ceilings(tasks: TaskSet, *ceilings: int) -> TaskSet:
    return replace(tasks, tasks=tuple(replace(t, ceiling=c) for t, c in zip(tasks.tasks, ceilings, strict=True)))


def under_deadlines(*timings: tuple[int, int, int], preempts: bool = True) -> TaskSet:
    levels = levels_of([-d for _, d, _ in timings]) if preempts else [1] * len(timings)
    return TaskSet(
        tuple(
            Task(f"t{i}", t, d, c, level=level, ceiling=level)
            for i, ((t, d, c), level) in enumerate(zip(timings, levels, strict=True))
        ),
        by_deadline=True,
    )


def responses(tasks: TaskSet) -> list[int | None]:
    return [answer.bound.response for answer in analyse(tasks).answers]


def test_the_example_of_burns_and_wellings_has_its_responses() -> None:
    """The example of response-time analysis in "Real-Time Systems and Programming Languages" has the responses 3, 6,
    20."""
    tasks = preemptive((7, 7, 3), (12, 12, 3), (20, 20, 5))
    assert responses(tasks) == [3, 6, 20]
    assert all(answer.reached for answer in analyse(tasks).answers)
    assert analyse(tasks).outcome is Outcome.holds


def test_lehoczky_the_fifth_job_is_the_worst() -> None:
    """In Lehoczky 1990, the second task's jobs take 114, 102, 116, 104, 118, 106 and 94."""
    tasks = preemptive((70, 70, 26), (100, 120, 62))
    assert busy_period(tasks.tasks) == 694
    assert responses(tasks) == [26, 118]


def test_can_messages_whose_successors_suffer() -> None:
    """In Davis and others 2007, the first instance of the third message takes 3 ms, and the second one 3.5 ms."""
    timings = ((2_500_000, 2_500_000, MS), (3_500_000, 3_250_000, MS), (3_500_000, 3_250_000, MS))
    tasks = with_ceilings(preemptive(*timings), 3, 3, 3)
    # Blocking begins a nanosecond before the release.
    assert responses(tasks) == [2 * MS - 1, 3 * MS - 1, 3_500_000]


def test_wang_and_saksena_thresholds() -> None:
    """In Wang and Saksena 1999, responses are 20, 40, 115 with preemption, 55, 75, 75 without, and 40, 75, 95 with
    thresholds; neither of the first two meets the deadlines 50, 80, 100."""
    tasks = preemptive((70, 50, 20), (80, 80, 20), (200, 100, 35))
    assert responses(tasks) == [20, 40, 115]
    assert responses(with_ceilings(tasks, 3, 3, 3)) == [55 - 1, 75 - 1, 75]
    between = with_ceilings(tasks, 3, 3, 2)
    assert responses(between) == [40 - 1, 75 - 1, 95]
    assert [holds(tasks), holds(with_ceilings(tasks, 3, 3, 3)), holds(between)] == [False, False, True]


def test_jitter_brings_jobs_together() -> None:
    tasks = preemptive((10, 10, 3), (40, 40, 8))
    assert responses(tasks) == [3, 14]
    late = replace(tasks, tasks=(replace(tasks.tasks[0], jitter=7), tasks.tasks[1]))
    assert responses(late) == [10, 17]
    assert not analyse(late).answers[1].reached


def test_equal_urgencies_are_bounded_from_above() -> None:
    tasks = TaskSet((Task("a", 10, 10, 3, 1), Task("b", 10, 10, 4, 1)))
    assert responses(tasks) == [7, 7]
    assert not any(answer.reached for answer in analyse(tasks).answers)


def test_more_than_the_processor_has_is_not_bounded() -> None:
    answer = analyse(preemptive((10, 10, 5), (10, 10, 6)))
    assert answer.outcome is Outcome.fails
    assert [a.bound.response for a in answer.answers] == [5, None]
    assert "1.1" in answer.answers[1].bound.why


def test_a_full_processor_repeats_itself() -> None:
    """The processor is fully used by rate-monotonic tasks with harmonic periods, and also blocked by a less urgent
    job."""
    tasks = preemptive((4, 4, 2), (8, 8, 4))
    assert responses(tasks) == [2, 8]
    blocked = TaskSet((*tasks.tasks, Task("long", 10**6, 10**6, 2, 0, 0, ceiling=2)))
    assert responses(blocked)[:2] == [3, 11]


# ---- under deadlines


def test_liu_and_layland_deadlines_use_all() -> None:
    """In Liu and Layland 1973, EDF meets all deadlines up to utilisation 1, where rate-monotonic priorities miss
    some."""
    timings = ((5, 5, 2), (7, 7, 4))
    assert not holds(preemptive(*timings))
    assert holds(under_deadlines(*timings))
    assert not holds(under_deadlines((5, 5, 2), (7, 7, 5)))


def test_buttazzo_demand_touches_the_line() -> None:
    """In Buttazzo, Hard Real-Time Computing Systems, on processor demand, the tasks (C, D, T) = (2, 4, 6), (2, 5, 8),
    (3, 7, 9) just fit: the demand within 7 is 7, and within 16 it is 16."""
    tasks = under_deadlines((6, 4, 2), (8, 5, 2), (9, 7, 3))
    assert [demand(tasks, length) for length in (3, 4, 5, 7, 16)] == [0, 2, 4, 7, 16]
    assert processor_demand(tasks).fits
    longer = under_deadlines((6, 4, 2), (8, 5, 2), (12, 7, 4))
    assert processor_demand(longer).length == 7
    assert analyse(longer).outcome is Outcome.fails


def test_responses_and_demand_agree() -> None:
    tasks = under_deadlines((6, 4, 2), (8, 5, 2), (9, 7, 3))
    assert all(answer.outcome is Outcome.holds for answer in analyse(tasks).answers)
    assert analyse(tasks).answers[2].bound.response == 7


def test_a_job_that_is_not_preempted_blocks_what_is_due_before() -> None:
    """The condition is that of Jeffay and others 1991."""
    tasks = under_deadlines((10, 10, 2), (100, 100, 9), preempts=False)
    assert holds(tasks)
    assert not holds(tasks.with_wcets([2, 10]))
    assert earliest_deadline.response(tasks, 0).blocker == "t1"


# ---- levels, costs, the application


def test_levels_merge_as_in_the_model() -> None:
    assert levels_of([5, 9, 5, 7]) == [1, 3, 1, 2]
    assert levels_of(list(range(90)))[:4] == [1, 1, 2, 2]
    assert max(levels_of(list(range(98)))) == 45
    assert ceilings_of([1, 2, 3], [0, None, 0]) == [3, 2, 3]


def application(text: str = GOOD, policy: str | None = None) -> Application:
    return parse_spec(text.encode(), "app.yaml", policy)


def answers(app: Application, costs: Costs | None = None) -> dict[str, int | None]:
    found = check(app, [0] * len(app.tasks), Demands(declared_wcets(app), costs or Costs())).responses
    return {task.id: found[task.index].response for task in app.tasks}


def test_costs_are_added() -> None:
    assert answers(application()) == {"lidar/grab": 1 * MS, "planner/plan": 1_375_000}
    costly = answers(application(), Costs(job=10_000, preemption=5_000))
    assert costly == {"lidar/grab": 1_015_000, "planner/plan": 1_015_000 + 385_000}
    sections = answers(application(), Costs(section=50_000))
    assert sections == {"lidar/grab": 1_049_999, "planner/plan": 1_375_000}
    assert answers(application(), Costs(jitter=1000))["lidar/grab"] == 1_001_000


def test_an_overload_is_in_the_execution_times() -> None:
    text = GOOD.replace("topics:", "overload: {to: 1s, factor: 2}\ntopics:")
    assert declared_wcets(application(text)) == (2 * MS, 750_000)


def test_policies_without_an_analysis_are_refused() -> None:
    app = application(policy="fifo")
    found = check(app, [0, 0], Demands(declared_wcets(app)))
    assert found.outcome is Outcome.not_analysed
    assert found.why_not_analysed is not None
    assert "fifo" in found.why_not_analysed


def test_jobs_that_continue_in_the_background_have_no_bound() -> None:
    text = GOOD.replace("wcet: 1ms,", "wcet: 1ms, budget: 0.5ms, on_budget: background,")
    assert answers(application(text)) == {"lidar/grab": None, "planner/plan": 875_000}
    assert answers(application(text, "np-fp"))["lidar/grab"] is not None


AGED = """\
topics: [{name: scan, size: 8B}]
nodes:
  - {name: source, callbacks: [{name: grab, period: 20ms, wcet: 1ms, priority: 10, publishes: [scan]}]}
  - {name: sink, callbacks: [{name: use, period: 10ms, wcet: 2ms, priority: 90, reads: [scan], max_age: {scan: 40ms}}]}
"""


def test_the_bound_of_a_refreshed_task_includes_its_producer() -> None:
    # The first job finds no data, so the job of the producer is run before it.
    assert answers(application(AGED, "fp")) == {"source/grab": 4 * MS, "sink/use": 3 * MS}
    # With this phase the data is at most 20 + 3 ms old, so nothing is refreshed.
    later = AGED.replace("wcet: 2ms,", "wcet: 2ms, phase: 9ms,")
    assert answers(application(later, "fp")) == {"source/grab": 3 * MS, "sink/use": 2 * MS}
    extra = AGED.replace("publishes: [scan]", "publishes: [scan], extra_releases: true")
    assert answers(application(extra, "fp"))["source/grab"] is None
    queued = AGED.replace("publishes: [scan]", "publishes: [scan], extra_releases: true, overrun: queue(1)")
    assert answers(application(queued, "fp"))["source/grab"] == 4 * MS


def outcome(text: str, policy: str, costs: Costs | None = None, on: tuple[int, ...] = (0, 0)) -> Outcome:
    app = application(text, policy)
    return check(app, on, Demands(declared_wcets(app), costs or Costs())).outcome


def test_a_bound_with_a_refresh_is_not_exact() -> None:
    """The bound counts the job of a refreshed task twice, so it is not exact."""
    tight = AGED.replace("wcet: 1ms, priority: 10,", "wcet: 1ms, priority: 10, deadline: 3.5ms,")
    assert outcome(tight, "fp") is Outcome.not_shown


FIRST = """\
topics: [{name: a, size: 8B}, {name: b, size: 8B}]
nodes:
  - {name: n, callbacks: [{name: first, period: 20ms, wcet: 1ms, priority: 50, publishes: [a]}]}
  - name: m
    callbacks:
      - {name: then, period: 20ms, wcet: 1ms, priority: 10, reads: [a], max_age: {a: 90ms}, publishes: [b]}
  - {name: o, callbacks: [{name: use, period: 20ms, wcet: 1ms, priority: 90, reads: [b], max_age: {b: 90ms}}]}
"""


def test_a_producer_that_is_run_early_may_need_a_refresh_itself() -> None:
    """Without the refresh, the task would start after its producer, which is more urgent."""
    assert answers(application(FIRST, "fp"))["o/use"] == 3 * MS


FULL = """\
nodes:
  - {name: a, callbacks: [{name: a, period: 10ms, wcet: 4ms, priority: 2}]}
  - {name: b, callbacks: [{name: b, period: 20ms, wcet: 11.99ms, priority: 1}]}
"""


@pytest.mark.parametrize("policy", ["fp", "edf"])
def test_a_task_that_only_costs_make_late_is_not_sure_to_be_late(policy: str) -> None:
    assert outcome(FULL, policy) is Outcome.holds
    assert outcome(FULL, policy, Costs(job=100)) is Outcome.holds
    assert outcome(FULL, policy, Costs(job=4000)) is Outcome.not_shown
    assert outcome(FULL.replace("11.99ms", "12.01ms"), policy, Costs(job=100)) is Outcome.fails
    app = application(FULL, policy)
    found = check(app, (0, 0), Demands(declared_wcets(app), Costs(job=100)))
    assert not any(bound.exact for bound in found.responses.values())


def test_releases_noticed_behind_their_deadlines_are_late() -> None:
    assert outcome(FULL, "edf", Costs(jitter=11 * MS)) is Outcome.not_shown


LOWERED = """\
topics: [{name: scan, size: 8B}]
nodes:
  - name: high
    callbacks:
      - {name: c, period: 4ms, wcet: 20ms, priority: 9, publishes: [scan], budget: 1ms, on_budget: background}
  - {name: low, callbacks: [{name: c, period: 20ms, wcet: 5ms, priority: 8, deadline: 6.5ms}]}
"""


def test_releases_that_are_skipped_behind_the_background_make_no_bound_exact() -> None:
    app = application(LOWERED, "fp")
    assert check(app, (0, 0), Demands(declared_wcets(app))).responses[1] == Bound(7 * MS)
    assert outcome(LOWERED, "fp") is Outcome.not_analysed


def test_middleware_sections_of_background_jobs_block_all_tasks() -> None:
    # One section at the end of the job, and one more before the job is found to have used up its budget.
    assert answers(application(LOWERED, "fp"), Costs(section=100_000))["low/c"] == 7 * MS + 2 * 100_000 + 99_999
    assert outcome(LOWERED, "edf", Costs(section=100_000)) is Outcome.not_analysed


def test_jobs_that_wait_for_one_in_the_background_come_all_at_once() -> None:
    queued = LOWERED.replace("period: 4ms,", "period: 4ms, overrun: queue(2),")
    assert answers(application(queued, "fp"))["low/c"] == 5 * MS + 5 * MS
    assert answers(application(queued, "edf"))["low/c"] == 5 * MS + 4 * MS


def test_old_data_from_another_processor_may_have_jobs_skipped() -> None:
    text = AGED.replace("max_age: {scan: 40ms}", "max_age: {scan: 40ms}, on_stale: skip")
    app = application(text, "fp")
    found = check(app, (0, 1), Demands(declared_wcets(app)))
    assert found.outcome is Outcome.not_analysed
    assert "on another processor" in found.responses[1].why


SUSPENDED = """\
nodes:
  - name: pair
    callbacks:
      - {name: low, period: 50ms, wcet: 5ms, priority: 1}
      - {name: high, period: 50ms, wcet: 1ms, priority: 9}
  - {name: between, callbacks: [{name: c, period: 50ms, wcet: 1ms, priority: 5}]}
"""


def test_a_suspended_task_keeps_the_ceiling_of_its_group() -> None:
    app = application(SUSPENDED, "fp")
    demands = Demands(declared_wcets(app), suspended=frozenset({1}))
    assert check(app, (0, -1, 0), demands).responses[2].response == 6 * MS - 1


# ---- chains, sensitivity, assignment


def test_a_chain_is_the_sum_of_periods_and_responses() -> None:
    app = application()
    bounds = check(app, [0, 0], Demands(declared_wcets(app))).responses
    (read,) = chains.reads(app, bounds)
    assert (read.producer.id, read.age) == ("lidar/grab", 11 * MS)
    found, complete = chains.chains(app, bounds)
    assert complete
    assert [[task.id for task in chain.tasks] for chain in found] == [["lidar/grab", "planner/plan"]]
    assert found[0].age == 11 * MS + 1_375_000
    assert found[0].reaction == 11 * MS + 21_375_000


def test_how_far_all_may_grow_is_exact() -> None:
    tasks = preemptive((7, 7, 3), (12, 12, 3), (20, 20, 5))
    big = tasks.with_wcets([c * 10**6 for c in (3, 3, 5)])
    longer = (replace(t, period=t.period * 10**6, deadline=t.deadline * 10**6) for t in big.tasks)
    big = replace(big, tasks=tuple(longer))

    def hold(*wcets: int) -> bool:
        return holds(big.with_wcets([*wcets]))

    def factor(*wcets: int) -> Fraction:
        return common_factor(Fraction(2), [lambda steps: hold(*(scaled_wcet(wcet, steps) for wcet in wcets))])

    def longest(index: int, most: int, *wcets: int) -> int:
        with_one = [*wcets]

        def tried(wcet: int) -> int | None:
            with_one[index] = wcet
            return most if hold(*with_one) else None

        return largest_that_holds(-1, most, tried)

    assert factor(3_000_000, 3_000_000, 5_000_000) == 1
    assert longest(2, 20_000_000, 3_000_000, 3_000_000, 5_000_000) == 5_000_000
    assert longest(1, 12_000_000, 3_000_000, 3_000_000, 2_000_000) == 4_500_000
    assert longest(1, 12_000_000, 9_000_000, 3_000_000, 5_000_000) == -1
    less = factor(4_000_000, 4_000_000, 5_000_000)
    assert less < 1
    assert not hold(*(int(c * (less + Fraction(2, RESOLUTION))) for c in (4_000_000, 4_000_000, 5_000_000)))


def test_priorities_are_found_that_no_rule_gives() -> None:
    """In an example of Lehoczky 1990, the most urgent task must be the one with the longer period and the longer
    deadline."""
    timings = ((100, 110, 52), (140, 154, 52))
    assert not holds(preemptive(*timings))
    assert find_priority_ranks(preemptive(*timings), [None, None], True) == [1, 2]
    assert find_priority_ranks(preemptive((10, 10, 6), (10, 9, 6)), [None, None], True) is None


@pytest.mark.parametrize("policy", ["fp", "np-fp"])
def test_an_assignment_holds(policy: str) -> None:
    app = application(GOOD.replace("deadline: 40ms", "deadline: 1.2ms"), policy)
    found = with_assigned_priorities(app, (0, 0), Demands(declared_wcets(app)))
    if policy == "np-fp":
        assert found is None, "the job of the other task is too long"
        return
    assert found is not None
    assert [task.callback.priority for task in found.tasks] == [1, 2]
    assert check(found, (0, 0), Demands(declared_wcets(found))).outcome is Outcome.holds


def test_the_largest_wcets_are_exact() -> None:
    app = application()
    (processor,) = check(app, [0, 0], Demands(declared_wcets(app))).processors
    found = wcet_limits(app, processor, processor_demands := Demands(declared_wcets(app)))
    assert found.factor > 1
    for index, most in found.largest.items():
        assert most is not None
        for more, outcome in ((0, True), (1, False)):
            wcets = list(processor_demands.wcets)
            wcets[index] = most + more
            assert holds(task_set(app, app.tasks, Demands(tuple(wcets)))) is outcome


def test_the_quick_check_agrees_with_the_complete_analysis() -> None:
    for tasks in (
        preemptive((7, 7, 3), (12, 12, 3), (20, 20, 5)),
        preemptive((7, 7, 3), (12, 12, 3), (20, 19, 5)),
        under_deadlines((6, 4, 2), (8, 5, 2), (9, 7, 3)),
    ):
        assert holds(tasks) is (analyse(tasks).outcome is Outcome.holds)


# ---- what is above all jobs


def test_threads_above_all_jobs_are_jobs_that_are_more_urgent() -> None:
    """Under fixed priorities such a thread counts like a task with the highest priority. It also delays tasks that are
    more urgent than the one that it works for."""
    tasks = preemptive((70, 50, 20), (80, 80, 20), (200, 100, 35))
    for ceilings in ((3, 2, 1), (3, 3, 3), (3, 3, 2)):
        plain = with_ceilings(tasks, *ceilings)
        thread = Task("thread", 10, 10, 1, urgency=9, level=9, ceiling=9)
        explicit = replace(plain, tasks=(*plain.tasks, thread))
        assert responses(replace(plain, above=(above_all("thread", 10, 1),))) == responses(explicit)[:3]
    bounds = analyse(replace(tasks, above=(above_all("thread", 10, 1),))).answers
    assert not any(answer.reached for answer in bounds)


def test_under_deadlines_threads_above_all_jobs_come_whatever_is_due() -> None:
    plain = under_deadlines((50, 50, 10), (100, 90, 30))
    thread = replace(plain, above=(above_all("thread", 10, 1),))
    assert responses(plain) == [10, 40]
    assert responses(thread) == [12, 45]
    assert processor_demand(thread).fits
    assert analyse(thread).outcome is Outcome.holds
    # The task needs 40 of the 50 until its deadline, and the thread 3 of every 10: together this is too much.
    full = replace(under_deadlines((100, 50, 40)), above=(above_all("thread", 10, 3),))
    assert not processor_demand(full).fits
    assert analyse(full).outcome is Outcome.not_shown


def test_a_single_disturbance_counts_once() -> None:
    tasks = preemptive((10, 10, 3), (40, 40, 8))
    assert [bound_with_disturbance(tasks, i, 2) for i in (0, 1)] == [5, 16]
    deadlines = under_deadlines((10, 10, 3), (40, 40, 8))
    assert [bound_with_disturbance(deadlines, i, 2) for i in (0, 1)] == [5, 16]


def test_releases_noticed_late_keep_their_order() -> None:
    """Tasks with equal deadlines do not block each other, nor does a task block itself, however late their releases are
    noticed."""
    tasks = under_deadlines((64, 64, 20), (64, 64, 20), (8, 8, 1))
    late = replace(tasks, tasks=tuple(replace(task, jitter=1) for task in tasks.tasks))
    blocking = [answer.bound.blocking for answer in analyse(late).answers]
    assert blocking == [0, 0, 0]
    assert responses(tasks) == [45, 46, 1]
    assert responses(late) == [47, 47, 2]


def test_releases_and_threads_are_counted_for_everybody() -> None:
    def added(costs: Costs) -> list[int]:
        pairs = zip(answers(application()).values(), answers(application(), costs).values(), strict=True)
        return [costly - plain for plain, costly in pairs if plain is not None and costly is not None]

    assert added(Costs(release=1000)) == [2000, 2000]
    assert added(Costs(others=1000, burst=7000)) == [2000 + 7000, 2000 + 7000]
    for policy in ("edf", "np-fp", "np-edf"):
        costly = answers(application(policy=policy), Costs(release=1000, others=1000))
        assert all((costly[n] or 0) > (bound or 0) for n, bound in answers(application(policy=policy)).items())
