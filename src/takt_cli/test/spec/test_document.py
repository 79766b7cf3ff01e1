# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""YAML becomes plain data by the rules of YAML 1.2, with the line of each value, at a bounded depth."""

from __future__ import annotations

import pytest

from takt_cli.errors import SpecError
from takt_cli.spec.document import MAX_DEPTH, Plain, parse


def value_of(text: str) -> Plain:
    return parse(text.encode(), "f.yaml").data


def line_of(text: bytes) -> str:
    with pytest.raises(SpecError) as caught:
        parse(text, "f.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *((text, None) for text in ("~", "null", "!!null x")),
        *((text, text.lower() == "true") for text in ("true", "False", "TRUE")),
        *((text, int(text)) for text in ("0", "-17")),
        *((text, float(text)) for text in ("1.5", ".5", "5.", "1e9", "1_0.5")),
        *((text, text) for text in ("yes", "on", "10ms", "1:30", "2020-01-01", "<<", "a b", "-.inf", ".NaN")),
        ("'5'", "5"),
        ('"true"', "true"),
    ],
)
def test_plain_values_are_those_of_yaml_1_2(text: str, value: Plain) -> None:
    found = value_of(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", ["010", "0o7", "0x1F", "!!int x", "!mine 5"])
def test_other_integers_and_tags_are_refused(text: str) -> None:
    assert "no meaning" in line_of(text.encode()) or "not a plain decimal integer" in line_of(text.encode())


def test_an_alias_repeats_a_value_with_its_lines() -> None:
    document = parse(b"first: &a\n  k: [1,\n    2]\nsecond: *a\n&b third: *b\n", "f.yaml")
    assert document.data == {"first": {"k": [1, 2]}, "second": {"k": [1, 2]}, "third": "third"}
    assert [document.line(("second", *path)) for path in ((), ("k",), ("k", 1), ("k", 1, "x"))] == [4, 2, 3, 3]


def test_the_last_anchor_of_a_name_counts() -> None:
    assert value_of("[&a [&a 1, *a], *a, &a 2, *a]") == [[1, 1], 1, 2, 2]


@pytest.mark.parametrize("text", [b"&a [*a]", b"&a {k: [*a]}"])
def test_an_alias_inside_itself_is_refused(text: bytes) -> None:
    assert "the alias contains itself" in line_of(text)


def test_the_depth_is_bounded_however_deep_the_file() -> None:
    parse(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, "f.yaml")
    deep = [b"[" * 66 + b"]" * 66, b"[" * 1_000_000, b"{a: " * 100_000, b"- " * 10_000]
    half = MAX_DEPTH // 2 + 1
    by_alias = b"- &a " + b"[" * half + b"]" * half + b"\n- " + b"[" * half + b"*a" + b"]" * half
    for text in (*deep, by_alias):
        assert "too deeply" in line_of(text)


@pytest.mark.parametrize("text", [b"a: b\n---\nc: d\n", b"*a", b"[&a 1, *b]", b"{", b"a: [", b"\x00", b"\t- a", b"%"])
def test_anything_else_is_an_error_of_yaml(text: bytes) -> None:
    assert "not YAML" in line_of(text)


@pytest.mark.parametrize("text", [b"", b"# nothing\n"])
def test_a_file_without_a_document_is_empty(text: bytes) -> None:
    assert "the file is empty" in line_of(text)
