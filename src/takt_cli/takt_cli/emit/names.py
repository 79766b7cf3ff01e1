# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Names in generated source: those of the spec where possible, and unique in their scope."""

from __future__ import annotations

import re
from collections.abc import Iterable

# ruff: noqa: SIM905 - a list of words reads better without quotes
KEYWORDS = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default
    delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq""".split()
)


class ScopeNames:
    """The names that are taken in one scope."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._reserved = KEYWORDS | set(reserved)

    def reserve(self, preferred: str, fallback: str | None = None) -> str:
        """Reserve and return a name: `preferred`, else `fallback`, else one of these with a number appended."""
        first = preferred if preferred not in self._reserved else fallback or preferred
        name, number = first, 2
        while name in self._reserved:
            name = f"{first.removesuffix('_')}_{number}{'_' if first.endswith('_') else ''}"
            number += 1
        self._reserved |= {name}
        return name


def package_stem(name: str) -> str:
    """Return the start of the names of an application's packages: lowercase letters, digits, single underscores."""
    return identifier(re.sub(r"[^a-z0-9]+", "_", name.lower()))


def identifier(name: str) -> str:
    """Return a C++ identifier for a name of the spec that is not reserved: `/outside/gps` becomes `outside_gps`."""
    text = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9_]", "_", name)).strip("_")
    return text if text[:1].isalpha() else f"n{text}"


def file_stem(node: str) -> str:
    """Return the name of the files of a node's class: `Node1` becomes `node1`, `LaserScan` becomes `laser_scan`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier(node)).lower()


def class_name(node: str) -> str:
    """Return the name of a node's class: `laser_scan` becomes `LaserScan`."""
    return "".join(word[:1].upper() + word[1:] for word in identifier(node).split("_"))
