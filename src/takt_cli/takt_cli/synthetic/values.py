# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Parameter values as users write them: spellings of names and words, and single values as opposed to alternatives."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from decimal import Decimal
from typing import Any

from takt_cli.spec.checks import LARGEST_MESSAGE, LONGEST_TIME, SHORTEST_PERIOD
from takt_cli.spec.units import parse_duration
from takt_cli.synthetic.parameters import Automotive, Chains, LogUniform, MultiRate, Parameters, Periods

NAMES = tuple(field.name for field in fields(Parameters))
FORCE = "force_all_combinations"
# Parameters of which a single value is a list, or may be one.
_LISTS = ("periods", "pubsub", "deadlines_wcet")
_ALIASES = {"utilization": "utilisation"}
_SIZES = {"b": 1, "kb": 1024, "mb": 1024**2, "kib": 1024, "mib": 1024**2}
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?([A-Za-z]+)", re.ASCII)
_MS = 10**6


def spelled(name: str) -> str:
    """Return the normalised name: `message size`, `message-size` and `Message_Size` are the same."""
    plain_name = re.sub(r"[ _-]+", "_", name.strip().lower())
    return _ALIASES.get(plain_name, plain_name)


def is_none(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() in {"-", "none"})


def alternatives(name: str, value: Any) -> list[Any] | None:
    """Return the alternatives if `value` is a list of them, None if it is a single value. If a single value may be a
    list, one without numbers is a list of alternatives. Raises a ValueError if it could be both."""
    if not isinstance(value, list):
        return None
    if not value:
        raise ValueError("the list is empty; give a value, or a list of alternatives")
    if name not in _LISTS:
        return value
    numbers = [_is_number(entry) for entry in value]
    if not any(numbers):
        return value
    if all(numbers):
        return None
    raise ValueError(
        "the list has numbers beside lists, so it could be one value or several; "
        "write [a, b] for one value, [[a], [a, b]] for alternatives"
    )


def _is_number(entry: Any) -> bool:
    if isinstance(entry, str):
        return re.match(r"[0-9]", entry.strip()) is not None
    return isinstance(entry, int | float)


def time(value: Any) -> int:
    """Return a time in nanoseconds, given in milliseconds or with a unit."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{_shown(value)} is not a time; give milliseconds, or a number with a unit, such as 500us")
    if isinstance(value, str):
        text = value.strip()
    else:
        if value < 0:
            raise ValueError(f"{value} is negative; give milliseconds, or a number with a unit, such as 500us")
        text = f"{Decimal(str(value)):f}ms"
    duration = parse_duration(text)
    if not SHORTEST_PERIOD <= duration <= LONGEST_TIME:
        raise ValueError(f"{text} is outside the range of periods, 10us to an hour; give one within")
    return duration


def size(value: Any) -> int | None:
    """Return a size in bytes: `16b` and `512b` are bytes; `Kb`, `kB` and `KB` are KiB, `Mb` is MiB."""
    if is_none(value):
        return None
    hint = "give a number with a unit, such as 512b, 256kB or 2MiB"
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    factor = _SIZES.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise ValueError(f"{_shown(value)} is not a size; {hint}")
    byte_count = Decimal(match[1]) * factor
    if byte_count != int(byte_count) or not 1 <= byte_count <= LARGEST_MESSAGE:
        raise ValueError(f"{_shown(value)} is not a whole number of bytes from 1 to 64MiB; {hint}")
    return int(byte_count)


def periods(value: Any) -> Periods:
    if isinstance(value, str) and value.strip().lower() == "automotive":
        return Automotive()
    if isinstance(value, dict):
        distribution = value["log_uniform"]
        shortest, longest_period = time(distribution["min"]), time(distribution["max"])
        step = time(distribution.get("granularity", 1))
        if longest_period < shortest:
            raise ValueError("the range ends before it begins; give a 'max' above 'min'")
        for each in (shortest, longest_period):
            if each % step:
                raise ValueError("'min' and 'max' are not multiples of the granularity; give some that are")
        return LogUniform(shortest, longest_period, step)
    if not isinstance(value, list):
        raise ValueError(
            f"{_shown(value)} is not a choice of periods; give a list, such as [10, 20], or log_uniform, or automotive"
        )
    periods_given = tuple(time(entry) for entry in value)
    if len(periods_given) > 100:
        raise ValueError(f"{len(periods_given)} periods are more than 100; write fewer")
    if len(set(periods_given)) < len(periods_given):
        raise ValueError("a period is listed twice, but each is given to equally many callbacks; list it once")
    return periods_given


def pubsub(value: Any) -> tuple[float, float]:
    if is_none(value):
        return 0.0, 0.0
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(
            f"{_shown(value)} is not two shares; give those of publishers and of subscribers, such as [0.2, 0.8]"
        )
    return _float(value[0]), _float(value[1])


def deadlines_wcet(value: Any) -> tuple[float, float] | None:
    if is_none(value):
        return None
    entries = value if isinstance(value, list) else [value]
    if not 1 <= len(entries) <= 2:
        raise ValueError(
            f"{len(entries)} numbers are neither one factor nor a range of factors; "
            "write [a] or [a, b], and [[a], [b], [c]] for alternatives"
        )
    factors = [_float(entry) for entry in entries]
    return factors[0], factors[-1]


def callbacks(value: Any) -> tuple[tuple[int, float], ...]:
    hint = "give numbers and shares, such as {1: 0.8, 3: 0.2}"
    if not isinstance(value, dict) or not value:
        raise ValueError(f"{_shown(value)} does not say how many callbacks nodes have; {hint}")
    shares: dict[int, float] = {}
    for key, share in value.items():
        if re.fullmatch(r"[1-9]|1[0-9]|20", key, re.ASCII) is None:
            raise ValueError(f"{_shown(key)} is not a number of callbacks from 1 to 20; {hint}")
        shares[int(key)] = _float(share)
        if not 0 <= shares[int(key)] <= 1:
            raise ValueError(f"{_shown(share)} is not a share from 0 to 1; {hint}")
    if abs(sum(shares.values()) - 1) > 1e-6:
        raise ValueError(f"the shares add up to {sum(shares.values()):g}, not to 1; {hint}")
    return tuple(sorted((count, share) for count, share in shares.items() if share > 0))


def _word_value(value: Any, spellings: dict[str, str]) -> str:
    word = spellings.get(spelled(value).replace("_", "-")) if isinstance(value, str) else None
    if word is None:
        raise ValueError(f"{_shown(value)} is not known; give one of {', '.join(dict.fromkeys(spellings.values()))}")
    return word


def _float(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{_shown(value)} is not a number; give a number")
    return float(value)


def _shown(value: Any) -> str:
    return repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "..."


def _optional(read_value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if is_none(value) else read_value(value)


# Converts a value to its internal form, after the schema's definition, if there is one, has accepted it.
READ: dict[str, Callable[[Any], Any]] = {
    "nodes": int,
    "utilisation": float,
    "periods": periods,
    "pubsub": pubsub,
    "deadlines": lambda value: _word_value(value, {"period": "period", "wcet": "wcet"}),
    "deadlines_wcet": deadlines_wcet,
    "priorities": lambda value: _word_value(
        value, {"rate-monotonic": "rate-monotonic", "random": "random", "rand": "random"}
    ),
    "message_size": size,
    "callbacks": callbacks,
    "chains": _optional(lambda value: Chains(value["count"], value["length"])),
    "multi_rate": _optional(lambda value: MultiRate(float(value["share"]), value["topics"])),
    "wcets": lambda value: _word_value(value, {"uniform": "uniform", "automotive": "automotive"}),
}


def definition(name: str, value: Any) -> str | None:
    """Return the schema's definition to check the value by first, where its messages are better than the reader's."""
    if name in {"chains", "multi_rate"}:
        return None if is_none(value) else name
    if name == "periods" and isinstance(value, dict):
        return "log_uniform"
    return name if name in {"nodes", "utilisation"} else None
