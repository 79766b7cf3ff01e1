# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Options that `takt measure round-trip` and `cyclic` have in common."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from takt_cli.errors import UsageError
from takt_cli.host.rmw import choose_rmws
from takt_cli.options.kernel import cpus_on, kernel_option
from takt_cli.options.surroundings import surroundings_options
from takt_cli.options.usage import AddOption, Option, with_options
from takt_cli.results.communication import Transport, Variant
from takt_cli.results.conditions import Conditions
from takt_cli.run.in_guest import OnKernel
from takt_cli.run.transports import available_transports, make_variants, missing_transports
from takt_cli.spec.packaged import packaged
from takt_cli.spec.real_time import ALL, BY, NONE, PARTS, RealTime, parse_plan, parse_real_times


class GivenSettings(TypedDict):
    """The settings that these options name, by the names of their fields; `depth` 0 is the usual one."""

    duration: int
    warmup: int
    rounds: int
    reliable: bool
    depth: int
    cpus: tuple[int, ...]
    conditions: Conditions


class CommonSettings(GivenSettings):
    """The settings that follow from these options."""

    variants: tuple[Variant, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True)
class Common:
    """The values of these options."""

    rmws: tuple[str, ...]
    real_times: Sequence[RealTime]
    given: GivenSettings

    @property
    def conditions(self) -> Conditions:
        return self.given["conditions"]

    def settings(self, chosen: Sequence[Transport], program: str, chosen_by_user: bool, option: str) -> CommonSettings:
        """Return the settings for these transports.

        `chosen_by_user` says whether the user named the transports, and `option` by which option; error messages name
        it. Raises a HostError for a named transport that this build of `program` lacks, a UsageError if none is left.
        """
        available, missing = available_transports(chosen, missing_transports(program), chosen_by_user, option)
        rmws = choose_rmws(self.rmws)
        if not available:
            raise UsageError(f"{option}: this build has none of {', '.join(each.name for each in chosen)}")
        variants = make_variants(available, rmws.names, self.real_times)
        absent = (*(f"{name}: not installed" for name in rmws.absent), *missing)
        return {**self.given, "variants": variants, "absent": absent}


def communication_options(seconds: str) -> AddOption:
    """Return a function that adds these options and those of surroundings to a verb, which receives them as `common`
    and `kernel`. `seconds` is the default of --duration."""
    parts = (f"{name} ({what})" for name, what in PARTS.items())
    options = packaged(__package__, "communication", tuple[Option, ...], plan_by=BY, parts=parts, seconds=[seconds])

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def with_common(
            *arguments: Any,
            rmws: tuple[str, ...],
            rts: tuple[str, ...],
            no_rt: bool,
            plan: str | None,
            plan_by: str,
            reliable: bool,
            depth: int | None,
            duration: int,
            warmup: int,
            rounds: int,
            cpus: tuple[int, ...] | None,
            kernel: OnKernel,
            conditions: Conditions,
            **others: Any,
        ) -> Any:
            if no_rt and rts:
                raise UsageError("--no-rt: means --rt none; give one of them, not both")
            if cpus is not None and len(cpus) > 2:
                raise UsageError("--cpu: give one CPU, or one for each of the two sides")
            chosen = (NONE,) if no_rt else rts or (ALL,)
            real_times = [rt for text in chosen for rt in parse_real_times(text, parse_plan(plan or ""), plan_by)]
            given: GivenSettings = {
                "duration": duration,
                "warmup": warmup,
                "rounds": rounds,
                "reliable": reliable,
                "depth": depth or 0,
                "cpus": cpus_on(kernel, cpus),
                "conditions": conditions,
            }
            common = Common(rmws, real_times, given)
            return function(*arguments, common=common, kernel=kernel, **others)

        return with_options(surroundings_options(with_common), *options, kernel_option)

    return add
