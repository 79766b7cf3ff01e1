# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of a batch before it runs: the order of its runs, its plan, its queue, and its journal after any kind of
end."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from spec_samples import GOOD

from takt_cli.batch.folder import new_folder, old_folder, read_plan
from takt_cli.batch.order import neighbours, shuffled, unavoidable
from takt_cli.batch.plan import Plan, every_pair, make_plan
from takt_cli.batch.queue import Queue
from takt_cli.batch.state import reconcile
from takt_cli.errors import ResultError, UsageError
from takt_cli.results.batch import TRIES, Item
from takt_cli.results.journal import DONE, FAILED, Entry, parse
from takt_cli.spec.executors import EXECUTORS
from takt_cli.spec.load import Spec, parse_spec
from takt_cli.surroundings.load import parse_load

S = 10**9

sizes = st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.integers(0, 12), max_size=8)
seeds = st.integers(0, 2**32)


def groups(of: dict[str, int]) -> dict[str, list[tuple[str, int]]]:
    return {name: [(name, i) for i in range(size)] for name, size in of.items()}


def least_neighbours(counts: tuple[int, ...], after: int = -1) -> int:
    """Return the smallest possible number of equal neighbours, found by trying every order. `after` is the group before
    the first member, -1 for none. This is the reference for small cases."""
    best: dict[tuple[tuple[int, ...], int], int] = {}

    def search(left: tuple[int, ...], last: int) -> int:
        if not any(left):
            return 0
        if (left, last) not in best:
            best[left, last] = min(
                (g == last) + search(tuple(n - (i == g) for i, n in enumerate(left)), g)
                for g, count in enumerate(left)
                if count
            )
        return best[left, last]

    return search(counts, after)


@settings(deadline=None)
@given(sizes, seeds)
def test_an_order_has_everything_once_and_no_avoidable_neighbours(of: dict[str, int], seed: int) -> None:
    order = shuffled(groups(of), seed)
    assert sorted(order) == sorted(member for members in groups(of).values() for member in members)
    assert neighbours(name for name, _ in order) == unavoidable(of.values())
    assert order == shuffled(groups(of), seed)


@settings(deadline=None)
@given(st.lists(st.integers(0, 4), max_size=4))
def test_unavoidable_is_what_no_order_avoids(counts: list[int]) -> None:
    assert unavoidable(counts) == least_neighbours(tuple(counts))


def test_orders_are_drawn_from_all_there_are() -> None:
    # Two of each of two: abab or baba, and each group in 2 orders: 8 in all.
    seen = Counter(tuple(shuffled(groups({"a": 2, "b": 2}), seed)) for seed in range(400))
    assert len(seen) == 8
    assert min(seen.values()) > 20
    # Equal neighbours that cannot be avoided are not always at the same place.
    places = {tuple(name for name, _ in shuffled(groups({"a": 4, "b": 1}), seed)) for seed in range(100)}
    assert len(places) > 2


# ---- plan ---------------------------------------------------------------------------------------------------


def spec(name: str, folder: Path = Path()) -> Spec:
    file = str(folder / f"{name}.yaml")
    return Spec(file, GOOD.encode(), parse_spec(GOOD.encode(), file))


def plan(names: str = "abc", runs: int = 2, **others: Any) -> Plan:
    specs = [spec(name) for name in names]
    pairs = every_pair(specs, EXECUTORS)
    usual: dict[str, Any] = {"runs": runs, "duration": S, "warmup": S, "cpus": (0,), "seed": 7, "cooldown": 0}
    return make_plan(specs, pairs, **usual | others)


PLAN, SMALL = plan(), plan("ab", 1)


def test_a_plan_has_each_run_once_in_an_order_of_its_seed() -> None:
    items = plan().items
    assert sorted(items) == [Item(name, e, run) for name in "abc" for e in sorted(EXECUTORS) for run in (1, 2)]
    assert plan().repeats == 0
    assert plan().items == items
    assert plan(seed=8).items != items
    assert plan("a").repeats == 5


def test_a_plan_may_have_pairs_of_its_own() -> None:
    specs = [spec("a"), spec("b")]
    made = make_plan(specs, [("a", "takt"), ("b", "baseline1")], 3, S, 0, None, 1, 0)
    assert Counter((i.application, i.executor) for i in made.items) == {("a", "takt"): 3, ("b", "baseline1"): 3}


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(UsageError, match=r"y/a.yaml: x/a.yaml has the same name"):
        make_plan([spec("a", Path("x")), spec("a", Path("y"))], [], 1, S, 0, None, 1, 0)
    for name in ("a b", ".a", "a" * 81):
        with pytest.raises(UsageError, match="results get the file's name"):
            make_plan([spec(name)], [], 1, S, 0, None, 1, 0)
    with pytest.raises(UsageError, match="nothing to run"):
        make_plan([spec("a")], [], 1, S, 0, None, 1, 0)
    text = GOOD.replace("group: reentrant", "group: reentrant\n    processor: 1").encode()
    placed = Spec("placed.yaml", text, parse_spec(text, "placed.yaml"))
    made = make_plan([spec("a"), placed], [("a", "takt"), ("placed", "takt")], 1, S, 0, (0,), 1, 0)
    made.check((0, 1))
    with pytest.raises(UsageError, match=r"placed.yaml: places callbacks on processor 1"):
        made.check((0,))


def test_a_folder_gives_its_plan_back(tmp_path: Path) -> None:
    made = plan(load=parse_load("cpu=2"), policy="edf", cpus=None)
    (tmp_path / "generated.json").write_text("{}", "utf-8")
    with new_folder(made, tmp_path / "out", ["takt", "batch"], tmp_path) as batch:
        assert batch.path == tmp_path / "out"
        with pytest.raises(ResultError, match="another takt process works on this batch"), old_folder(batch.path, made):
            pass
    kept = read_plan(tmp_path / "out")
    assert kept.recorded == made.recorded
    assert kept.items == made.items
    assert kept.specs["a"].application.policy == "edf"
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"result.json", "specs", "journal.jsonl", "generated.json"}
    with pytest.raises(ResultError, match="holds a batch with another plan"), old_folder(tmp_path / "out", plan()):
        pass


def test_folders_without_a_valid_batch_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultError, match="holds no result"):
        read_plan(tmp_path)
    with new_folder(plan(), tmp_path / "out", ["takt", "batch"]):
        pass
    record = tmp_path / "out/result.json"
    good = record.read_text("utf-8")
    (tmp_path / "out/specs/a.yaml").write_text(GOOD + "\n", "utf-8")
    with pytest.raises(ResultError, match=r"specs/a.yaml: has been changed since the batch began"):
        read_plan(tmp_path / "out")
    (tmp_path / "out/specs/a.yaml").write_text(GOOD, "utf-8")
    broken = ["{", "[]", '{"kind": "run"}', good.replace('"schema_version": 2', '"schema_version": 99')]
    broken += [good.replace('"seed"', '"sed"'), good.replace('"executor"', '"exec"')]
    for text in broken:
        record.write_text(text, "utf-8")
        with pytest.raises(ResultError, match=r"out(/result\.json)?: "):
            read_plan(tmp_path / "out")


# ---- queue --------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.sets(st.integers(0, 17)), st.dictionaries(st.integers(0, 17), st.integers(1, 3)), st.booleans())
def test_a_failed_item_is_queued_once_more_at_the_end(fails: set[int], before: dict[int, int], anew: bool) -> None:
    items = PLAN.items
    failures = {items[i]: count for i, count in before.items()}
    queue = Queue(items, failures, anew)
    taken: list[Item] = []
    last = None
    tries: Counter[Item] = Counter()
    while (attempt := queue.take(last)) is not None:
        tries[attempt.item] += 1
        assert attempt.number == failures.get(attempt.item, 0) + tries[attempt.item]
        taken.append(attempt.item)
        last = attempt.item.application
        if items.index(attempt.item) in fails:
            assert queue.failed(attempt) == (not attempt.last)
    for i, item in enumerate(items):
        budget = TRIES if anew else max(TRIES - failures.get(item, 0), 0)
        assert tries[item] == min(budget, 2 if i in fails else 1)
    if not before:
        assert taken[: len(items)] == list(items)


@settings(deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=9), st.sampled_from([None, "a", "b", "c"]))
def test_second_tries_are_kept_apart_as_far_as_can_be(names: list[str], last: str | None) -> None:
    items = [Item(name, "takt", run) for run, name in enumerate(names, 1)]
    queue = Queue(items, dict.fromkeys(items, 1))
    order, before = [], last
    while (attempt := queue.take(before)) is not None:
        before = attempt.item.application
        order.append(before)
    assert sorted(order) == sorted(names)
    counts = tuple(names.count(name) for name in "abc")
    assert neighbours([last, *order]) == least_neighbours(counts, "abc".find(last or "none"))


# ---- journal ------------------------------------------------------------------------------------------------


def entry(item: Item, outcome: str, attempt: int = 1) -> Entry:
    error = "it hung" if outcome == FAILED else None
    return Entry(item.application, item.executor, item.run, attempt, outcome, error, "then", "now", None)


@st.composite
def histories(draw: st.DrawFn) -> list[Entry]:
    """Draw a journal that a batch may have written: each item failed some number of times, and was then done or not
    yet."""
    rows = []
    for item in SMALL.items:
        failed = draw(st.integers(0, TRIES))
        rows += [entry(item, FAILED, n + 1) for n in range(failed)]
        if failed < TRIES and draw(st.booleans()):
            rows.append(entry(item, DONE, failed + 1))
    return rows


@settings(deadline=None)
@given(histories(), st.data())
def test_a_journal_cut_anywhere_agrees_with_the_folders(history: list[Entry], data: st.DataObject) -> None:
    items = SMALL.items
    complete = b"".join(each.line() for each in history)
    cut = complete[: data.draw(st.integers(0, len(complete)))]
    # The folder of a run exists before its line is written. So all runs in the remaining lines have a folder, and
    # other runs may have one.
    lines = parse(cut)
    assert lines == history[: len(lines)]
    finished = {e.item: "since" for e in history if e.outcome == DONE and (e in lines or data.draw(st.booleans()))}
    state = reconcile(lines, finished, items)
    assert state.finished == set(finished)
    done = [e.item for e in state.entries if e.outcome == DONE]
    assert sorted(done) == sorted(finished)
    assert [e for e in state.entries if e.outcome == FAILED] == [e for e in lines if e.outcome == FAILED]
    assert state.failures == Counter(e.item for e in lines if e.outcome == FAILED)
    # The corrected journal stays as it is if it is read and compared with the folders again.
    again = b"".join(each.line() for each in state.entries)
    assert reconcile(parse(again), finished, items) == state
    # The runs left to do are those without a folder.
    left = Queue([item for item in items if item not in state.finished], state.failures)
    given_up = {item for item, failed in state.failures.items() if failed >= TRIES and item not in finished}
    assert len(left) == len(items) - len(finished) - len(given_up)


def test_a_line_without_its_folder_is_no_result() -> None:
    items = plan().items
    state = reconcile([entry(items[0], DONE), entry(items[1], FAILED)], {}, items)
    assert state.finished == set()
    assert [e.item for e in state.entries] == [items[1]]
    stranger = replace(entry(items[0], DONE), application="stranger")
    assert reconcile([stranger], {items[2]: "since"}, items).entries == (
        Entry(items[2].application, items[2].executor, items[2].run, 1, DONE, None, None, "since"),
    )


def test_invalid_lines_of_a_journal_are_ignored() -> None:
    good = entry(plan().items[0], DONE)
    odd = [b"{}", b"[1]", b"null", b"\xff\xfe", json.dumps({"outcome": "done"}).encode(), b'"x"']
    odd.append(good.line().replace(b'"done"', b'"undone"').strip())
    assert parse(b"\n".join([*odd, good.line()])) == [good]
