# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt tune`: configure this host for real time, and restore it."""

from __future__ import annotations

from typing import Any

import click
import msgspec
from rich.console import RenderableType

from takt_cli.cli.output import print_json, print_plain, show
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.system import System
from takt_cli.options.usage import Usage, verb
from takt_cli.report.tables.tune import lacking_lines, tune_report
from takt_cli.spec.packaged import packaged
from takt_cli.tuning.knobs import plan
from takt_cli.tuning.profile import Profile, profile_names, read_profile
from takt_cli.tuning.state import Store
from takt_cli.tuning.tune import apply as apply_profile
from takt_cli.tuning.tune import changed_rows, inside_hints, pending, state_rows
from takt_cli.tuning.tune import revert as revert_all

_DEFAULT = "default"


@click.group()
def tune() -> None:
    """Configure this host for real time (kernel threads, clock rate, interrupts, isolation, limits), and restore it.

    For engineers who prepare a robot's computer, or a host for measurements. Only `apply` and `revert` change anything;
    both need root. A reboot restores every setting.

    \b
    Profiles:
      default      highest clock rate, and no deep idle states on the CPUs of real-time work
      isolate      default, and other programs and interrupts kept off the CPUs of real-time work
      gutierrez4   priorities of network, ROS and kernel threads as in test 4 of Gutierrez 2018
      quiet        everything else limited to 80 % of the CPUs and 40 Mbit/s; takt's packets go first
      unthrottled  real-time threads may use all CPU time: one in an endless loop keeps its CPU

    \b
    Examples:
      takt tune apply --profile gutierrez4 --dry-run
      sudo takt tune apply --profile gutierrez4
      takt tune show
      sudo takt tune revert
    """


def _apply(profile: str | None, cpus: tuple[int, ...] | None, dry_run: bool, as_json: bool) -> None:
    system, wanted_profile = System(), _profile(profile, cpus)
    if dry_run:
        planned = plan(system, wanted_profile)
        commands = planned.commands(system)
        if as_json:
            print_json({"profile": wanted_profile.name, "commands": commands, "lacking": planned.lacking})
            return
        for line in commands or ["# nothing is to be changed"]:
            print_plain(line)
        for line in planned.lacking:
            print_plain(f"# not available here: {line}")
        return
    applied = apply_profile(system, wanted_profile)
    rows = changed_rows(applied.granted)
    show(
        as_json,
        msgspec.structs.asdict(applied) | {"granted": rows},
        *tune_report(f"{wanted_profile.name}: {wanted_profile.description}", rows, {"before": "was", "wanted": "is"}),
        *([f"{len(applied.as_wanted)} settings had their wanted values already"] if applied.as_wanted else []),
        *lacking_lines(applied.lacking),
        *inside_hints(system, applied),
        "takt tune revert restores it" if applied.granted else "nothing was changed",
    )


def _show(profile: str | None, cpus: tuple[int, ...] | None, as_json: bool) -> None:
    system = System()
    layers = Store(system).load()
    rows = [row for layer in layers for row in state_rows(system, layer)]
    data: dict[str, Any] = {
        "applied": [{"profile": layer.profile, "owner": layer.owner, "lacking": layer.lacking} for layer in layers],
        "settings": rows,
    }
    if profile is not None or not layers:
        wanted_profile = _profile(profile, cpus)
        changes, lacking = pending(system, wanted_profile)
        data["would"] = {"profile": wanted_profile.name, "settings": changes, "lacking": lacking}
    parts: list[RenderableType] = []
    for layer in layers:
        owner_text = f" by process {layer.owner.pid} for a run" if layer.owner else ""
        rows_of_layer = [row for row in rows if row.profile == layer.profile]
        title = f"{layer.profile} is applied{owner_text}"
        parts += tune_report(title, rows_of_layer, {"before": "was", "wanted": "set to", "now": "is"}) or [title]
        parts += lacking_lines(layer.lacking)
    differing_count = sum(bool(row.differs) for row in rows)
    if not layers:
        parts.append("no profile is applied")
    else:
        differing_text = f"{differing_count} of {len(rows)} settings are no longer as set"
        parts.append(differing_text if differing_count else "all settings are as set")
    if (would_change := data.get("would")) is not None:
        title = f"{would_change['profile']} would change"
        columns = {"now": "is", "wanted": "would be"}
        parts += tune_report(title, would_change["settings"], columns) or [f"{title} nothing"]
        parts += lacking_lines(would_change["lacking"])
    show(as_json, data, *parts)


def _revert(dry_run: bool, as_json: bool) -> None:
    system = System()
    if dry_run:
        for layer in reversed(Store(system).load()):
            for change in reversed(layer.changes):
                if change.setting.read(system) not in {None, change.before}:
                    for line in change.setting.commands(change.before):
                        print_plain(line)
        return
    rows = changed_rows(revert_all(system))
    show(
        as_json,
        {"reverted": rows},
        *tune_report("restored", rows, {"wanted": "was set to", "before": "is"}),
        *([] if rows else ["no profile was applied"]),
    )


def _profile(name: str | None, cpus: tuple[int, ...] | None) -> Profile:
    return read_profile(name or _DEFAULT, choose_cpus(cpus))


_USAGES = packaged(__package__, "tune", dict[str, Usage], profiles=profile_names(), default=[_DEFAULT])
tune.add_command(verb("apply", _USAGES["apply"], _apply))
tune.add_command(verb("show", _USAGES["show"], _show))
tune.add_command(verb("revert", _USAGES["revert"], _revert))
