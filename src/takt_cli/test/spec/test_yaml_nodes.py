# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""YAML becomes nodes with the tags of YAML 1.2's plain values, at a bounded depth."""

from __future__ import annotations

import pytest

from takt_cli.spec.yaml_nodes import TAG, ComposeError, Mapping, Node, Scalar, Sequence, compose


def kind_of(text: str) -> str:
    node = compose(text.encode(), 8)
    assert isinstance(node, Scalar)
    return node.tag.removeprefix(TAG)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, "null") for text in ("~", "null", "!!null x")),
        *((text, "bool") for text in ("true", "False", "TRUE")),
        *((text, "int") for text in ("0", "-17", "010", "0o7", "0x1F", "!!int x")),
        *((text, "float") for text in ("1.5", ".5", "5.", "1e9", "-.inf", ".NaN", "1_0.5")),
        *((text, "str") for text in ("yes", "on", "10ms", "1:30", "2020-01-01", "<<", "'5'", '"true"', "a b")),
        ("!mine 5", "!mine"),
    ],
)
def test_plain_values_are_those_of_yaml_1_2(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_an_alias_is_the_node_that_it_names() -> None:
    root = compose(b"[&a {k: 1}, *a]", 8)
    assert isinstance(root, Sequence)
    assert root.items[0] is root.items[1]
    assert isinstance(root.items[0], Mapping)


def test_a_cycle_is_composed_and_left_to_the_caller() -> None:
    root = compose(b"&a [*a]", 8)
    assert isinstance(root, Sequence)
    assert root.items == [root]


def depth_of(node: Node | None) -> int:
    return 1 + depth_of(node.items[0]) if isinstance(node, Sequence) and node.items else 0


def test_the_depth_is_bounded_however_deep_the_file() -> None:
    assert depth_of(compose(b"[" * 9 + b"]" * 9, 8)) == 8
    for text in (b"[" * 10 + b"]" * 10, b"[" * 1_000_000, b"{a: " * 100_000, b"- " * 10_000, b"? " * 10_000):
        with pytest.raises(ComposeError, match="too deeply"):
            compose(text, 8)


@pytest.mark.parametrize("text", [b"a: b\n---\nc: d\n", b"*a", b"[&a 1, *b]", b"{", b"a: [", b"\x00", b"\t- a", b"%"])
def test_anything_else_is_an_error_of_yaml(text: bytes) -> None:
    with pytest.raises(ComposeError):
        compose(text, 8)


@pytest.mark.parametrize("text", [b"", b"# nothing\n"])
def test_without_a_document_there_is_no_root(text: bytes) -> None:
    assert compose(text, 8) is None
