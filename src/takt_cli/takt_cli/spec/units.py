# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Durations and sizes in their written form: `10ms`, `375us`, `1.5s`; `256B`, `512KiB`, `4MiB`."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

NANOSECONDS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000}
BYTES = {"B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}

DURATION_HINT = "give a number with a unit, such as 10ms, 375us or 1.5s"
SIZE_HINT = "give a number with a unit, such as 256B, 512KiB or 4MiB"

# At most 15 digits on either side of the point: more is a mistake, and may not fit into an int64 of ns.
_DURATION = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?(ns|us|ms|s|min)", re.ASCII)
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?(B|KiB|MiB|GiB)", re.ASCII)


def parse_duration(text: str) -> int:
    """Return a duration such as `10ms` in nanoseconds. A ValueError says what is wrong and what to do."""
    return _parse(text, _DURATION, NANOSECONDS, "duration", DURATION_HINT)


def parse_size(text: str) -> int:
    """Return a size such as `512KiB` in bytes. A ValueError says what is wrong and what to do."""
    return _parse(text, _SIZE, BYTES, "size", SIZE_HINT)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return sizes that are separated by commas, each once, in bytes; a number without a unit is one of bytes. `...`
    stands for the sizes up to the one after it, each larger than the one before by the same factor as the two before
    the dots: `256,1KiB,...,1MiB`. A ValueError says what is wrong and what to do."""
    sizes: list[int] = []
    continues = False
    for word in (part.strip() for part in text.split(",")):
        if word == "...":
            if continues or len(sizes) < 2 or not 0 < sizes[-2] < sizes[-1]:
                raise ValueError(f"{text!r}: two rising sizes must be before the dots, as in 256,1KiB,...,1MiB")
            continues = True
            continue
        size = int(word) if re.fullmatch(r"[0-9]{1,15}", word, re.ASCII) else parse_size(word)
        if continues:
            factor = Fraction(sizes[-1], sizes[-2])
            while (following := Fraction(sizes[-1]) * factor) < size:
                sizes.append(round(following))
            continues = False
        sizes.append(size)
    if continues:
        raise ValueError(f"{text!r}: a last size must follow the dots, as in 256,1KiB,...,1MiB")
    return tuple(dict.fromkeys(sizes))


def _parse(text: str, pattern: re.Pattern[str], units: dict[str, int], noun: str, hint: str) -> int:
    short_text = text if len(text) <= 40 else text[:37] + "..."
    if text.startswith("-"):
        raise ValueError(f"{short_text!r} is negative; {hint}")
    match = pattern.fullmatch(text)
    if match is None:
        is_bare_number = re.fullmatch(r"[0-9.]+", text, re.ASCII) is not None
        raise ValueError(
            f"{short_text!r} has no unit; {hint}" if is_bare_number else f"{short_text!r} is not a {noun}; {hint}"
        )
    value = Decimal(match[1]) * units[match[2]]
    if value != value.to_integral_value():
        raise ValueError(
            f"{short_text!r} is not a whole number of {'nanoseconds' if units is NANOSECONDS else 'bytes'}; {hint}"
        )
    return int(value)


def format_duration(nanoseconds: int) -> str:
    """Return the shortest exact form, such as `1.5ms` for 1500000."""
    for unit, factor in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if abs(nanoseconds) >= factor:
            return f"{(Decimal(nanoseconds) / factor).normalize():f}{unit}"
    return f"{nanoseconds}ns"


# Durations from here on, in ns, are rounded to whole microseconds where a bound is printed.
_ROUNDED = 100_000


def rounded_up(nanoseconds: int) -> int:
    """Return an upper bound in ns, rounded up to whole microseconds if it is long."""
    return nanoseconds if nanoseconds < _ROUNDED else -(-nanoseconds // 1000) * 1000


def rounded_down(nanoseconds: int) -> int:
    """Return a lower bound in ns, rounded down to whole microseconds if it is long."""
    return nanoseconds if abs(nanoseconds) < _ROUNDED else nanoseconds // 1000 * 1000


def format_size(size: int) -> str:
    """Return the shortest exact form, such as `512KiB` for 524288."""
    for unit in ("GiB", "MiB", "KiB"):
        if size >= BYTES[unit] and size % BYTES[unit] == 0:
            return f"{size // BYTES[unit]}{unit}"
    return f"{size}B"


def format_share(share: Fraction | float) -> str:
    """Return a share, such as that of a processor, with four digits. A share above 1 is never shown as 1."""
    text = f"{float(share):.4g}"
    return "a little more than 1" if share > 1 and text == "1" else text


def format_factor(factor: Fraction | float) -> str:
    """Return a factor rounded down, so that the one shown is as admissible as the exact one."""
    return f"{float(factor):.4g}" if factor < 1 else f"{math.floor(1000 * float(factor) + 1e-6) / 1000:g}"
