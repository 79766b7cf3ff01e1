# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt tune`: configure this host for real time, and restore it."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from takt_cli.cli.output import print_json, print_output, print_plain
from takt_cli.host.cpus import choose_cpus
from takt_cli.host.system import System
from takt_cli.options.common import json_option, real_time_cpus_option
from takt_cli.report.tables.tune import lacking_lines, tune_report
from takt_cli.tuning.knobs import plan
from takt_cli.tuning.profile import Profile, profile_names, read_profile
from takt_cli.tuning.state import Store
from takt_cli.tuning.tune import apply as apply_profile
from takt_cli.tuning.tune import changed_rows, inside_hints, pending, state_rows
from takt_cli.tuning.tune import revert as revert_all

_DEFAULT = "default"
_profile_option = click.option(
    "--profile",
    metavar="P",
    help=f"Profile of settings: {', '.join(profile_names())} (see `takt tune --help`), or a YAML file of your own "
    f"[default: {_DEFAULT}].",
)


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


@tune.command("apply")
@_profile_option
@real_time_cpus_option
@click.option("--dry-run", is_flag=True, help="Change nothing; print the commands that would apply the profile.")
@json_option
def apply(profile: str | None, cpus: tuple[int, ...] | None, dry_run: bool, as_json: bool) -> None:
    """Apply a profile to this host, after saving its present settings.

    For engineers who prepare a host; needs root unless --dry-run is given. The profile replaces one that was applied
    before. Settings that this kernel does not have are listed. If the kernel refuses one, all are restored.
    `takt tune revert` restores the state before the first apply.

    \b
    Examples:
      takt tune apply --dry-run
      takt tune apply --profile isolate --cpu 1
    """
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
    if as_json:
        print_json(msgspec.structs.asdict(applied) | {"granted": rows})
        return
    print_output(
        *tune_report(f"{wanted_profile.name}: {wanted_profile.description}", rows, {"before": "was", "wanted": "is"}),
        *([f"{len(applied.as_wanted)} settings had their wanted values already"] if applied.as_wanted else []),
        *lacking_lines(applied.lacking),
        *inside_hints(system, applied),
        "takt tune revert restores it" if applied.granted else "nothing was changed",
    )


@tune.command("show", short_help="Show the applied profiles, with each setting's value before and now.")
@_profile_option
@real_time_cpus_option
@json_option
def show_command(profile: str | None, cpus: tuple[int, ...] | None, as_json: bool) -> None:
    """Show the applied profiles: each setting's value before, as set, and now; with --profile, what that would change.

    For engineers who want to know in which state a host is. It changes nothing.

    \b
    Examples:
      takt tune show
      takt tune show --profile isolate --cpu 1 --json
    """
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
    if as_json:
        print_json(data)
        return
    for layer in layers:
        owner_text = f" by process {layer.owner.pid} for a run" if layer.owner else ""
        rows_of_layer = [row for row in rows if row.profile == layer.profile]
        title = f"{layer.profile} is applied{owner_text}"
        print_output(*tune_report(title, rows_of_layer, {"before": "was", "wanted": "set to", "now": "is"}) or [title])
        print_output(*lacking_lines(layer.lacking))
    differing_count = sum(bool(row.differs) for row in rows)
    if layers:
        print_output(
            f"{differing_count} of {len(rows)} settings are no longer as set"
            if differing_count
            else "all settings are as set"
        )
    else:
        print_output("no profile is applied")
    if "would" in data:
        would_change = data["would"]
        title = f"{would_change['profile']} would change"
        print_output(
            *tune_report(title, would_change["settings"], {"now": "is", "wanted": "would be"}) or [f"{title} nothing"]
        )
        print_output(*lacking_lines(would_change["lacking"]))


@tune.command("revert")
@click.option("--dry-run", is_flag=True, help="Change nothing; print the commands that would restore the host.")
@json_option
def revert(dry_run: bool, as_json: bool) -> None:
    """Restore every setting to its value before the first apply, also after a crash.

    For engineers who are done with measurements; needs root unless --dry-run is given.

    \b
    Examples:
      takt tune revert --dry-run
      takt tune revert
    """
    system = System()
    if dry_run:
        for layer in reversed(Store(system).load()):
            for change in reversed(layer.changes):
                if change.setting.read(system) not in {None, change.before}:
                    for line in change.setting.commands(change.before):
                        print_plain(line)
        return
    rows = changed_rows(revert_all(system))
    if as_json:
        print_json({"reverted": rows})
        return
    print_output(
        *tune_report("restored", rows, {"wanted": "was set to", "before": "is"}),
        *([] if rows else ["no profile was applied"]),
    )


def _profile(name: str | None, cpus: tuple[int, ...] | None) -> Profile:
    return read_profile(name or _DEFAULT, choose_cpus(cpus))
