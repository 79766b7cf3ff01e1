# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Tests of the hints for keys and values that specs do not have: each hint says what to write instead."""

from __future__ import annotations

import pytest
from spec_samples import GOOD

from takt_cli.errors import SpecError
from takt_cli.spec.hints import hints, places_of_keys
from takt_cli.spec.load import parse_spec
from takt_cli.spec.schema import load_schema

PERIOD = "        period: 20ms\n"
TIMERS_ONLY = "specs have timers only (a callback that messages release cannot be written until specs have chains); "


def line_of(old: str, new: str) -> str:
    assert old in GOOD
    with pytest.raises(SpecError) as caught:
        parse_spec(GOOD.replace(old, new, 1).encode(), "app.yaml")
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_the_error_for_a_reader_without_a_period_says_that_specs_only_have_timers() -> None:
    line = line_of(PERIOD, "")
    assert line.startswith("app.yaml:14: nodes[1].callbacks[0]: 'period' is missing: " + TIMERS_ONLY)
    assert line.endswith("the publisher of 'scan' has 'period: 10ms'")
    # The period of an external topic is not known.
    lonely = GOOD.replace("[scan, outside/gps]", "[outside/gps]").replace(PERIOD, "")
    with pytest.raises(SpecError, match=r"at each release, such as 'period: 10ms'$"):
        parse_spec(lonely.encode(), "app.yaml")


def test_the_error_for_a_max_age_without_a_period_says_the_same() -> None:
    reads = next(line for line in GOOD.splitlines(keepends=True) if "reads:" in line and "gps" in line)
    alone = GOOD.replace(reads, "").replace(PERIOD, "        max_age: {scan: 40ms}\n")
    with pytest.raises(SpecError, match="specs have timers only"):
        parse_spec(alone.encode(), "app.yaml")


@pytest.mark.parametrize("key", ["trigger", "on_message", "subscribes", "topic", "releases", "release", "on"])
def test_what_should_release_a_callback_is_named(key: str) -> None:
    # Some of these words are similar to valid keys with another meaning.
    assert f"nodes[1].callbacks[0].{key}: {TIMERS_ONLY}give it a 'period'" in line_of(PERIOD, f"        {key}: scan\n")
    assert f".{key}: {TIMERS_ONLY}" in line_of(PERIOD, f"{PERIOD}        {key}: scan\n")


@pytest.mark.parametrize("value", ["none", "", "~", "sporadic", ".inf"])
def test_a_missing_or_invalid_period_is_explained(value: str) -> None:
    assert f"period: {TIMERS_ONLY}" in line_of("period: 20ms", f"period: {value}")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (PERIOD, "        rate: 50\n", "rate: callbacks have a 'period': 10ms is 100 Hz"),
        (PERIOD, f"{PERIOD}        client: x\n", "client: specs have only timers and topics, no services"),
        (PERIOD, f"{PERIOD}        bcet: 1ms\n", "bcet: every job takes exactly its 'wcet'"),
        (PERIOD, f"{PERIOD}        depth: 3\n", "depth: the QoS is the same for all topics"),
        ("name: planner", "name: planner\n    wcet: 1ms", "wcet: is a key of a callback; move it there"),
        ("name: planner", "name: planner\n    namespace: x", "namespace: nodes have no namespace"),
        ("name: three", "name: three\nscenarios: {}", "scenarios are in a file of their own"),
        ("name: three", "name: three\nduration: 9s", "give it on the command line: --duration"),
        ("reliability: best_effort", "durability: volatile", "specs have only 'reliability' and 'depth'"),
        ("deadline: 40ms", "deadline: none", "every callback has a deadline"),
        ("phase: 1.5ms", "phase:", "phase: there is no word for none; leave out 'phase'"),
        ("wcet: 375us", "wcet: [1ms, 2ms]", "wcet: a list is not a duration; give a number with a unit"),
        ("wcet: 375us", "wcet:", "wcet: nothing is not a duration; give a number with a unit"),
        ("size: 64B", "size: [64B]", "size: a list is not a size; give a number with a unit"),
    ],
)
def test_mistaken_keys_and_values_get_a_hint(old: str, new: str, expected: str) -> None:
    assert expected in line_of(old, new)


def test_no_key_of_a_spec_is_among_those_that_specs_lack() -> None:
    known_keys = places_of_keys(load_schema())
    for place, keys in hints().keys.items():
        words = [word for each in keys for word in each.split()]
        assert len(set(words)) == len(words)
        assert not known_keys[place] & set(words)
