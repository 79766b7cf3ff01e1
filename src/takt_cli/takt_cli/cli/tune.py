# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt tune`: make this host fit for real time, and put it back."""

from __future__ import annotations

from typing import Any

import click

from takt_cli.cli.options import cpus_option, json_option
from takt_cli.cli.output import print_json, put, show
from takt_cli.host.cpus import choose_cpus
from takt_cli.report.tune_table import lacking_lines, tune_report
from takt_cli.tuning.knobs import plan
from takt_cli.tuning.profile import Profile, profile_names, read_profile
from takt_cli.tuning.state import Changed, Store
from takt_cli.tuning.system import System
from takt_cli.tuning.tune import apply as apply_profile
from takt_cli.tuning.tune import inside_hints, pending, state_rows
from takt_cli.tuning.tune import revert as revert_all

_DEFAULT = "default"
_profile_option = click.option(
    "--profile",
    metavar="P",
    help=f"One of {', '.join(profile_names())}, or a YAML file [default: {_DEFAULT}].",
)


@click.group()
def tune() -> None:
    """Make this host fit for real time, and put it back. Nothing is changed but by `apply` and `revert`.

    \b
    Examples:
      takt tune apply --profile gutierrez4 --dry-run
      sudo takt tune apply --profile gutierrez4
      takt tune show
      sudo takt tune revert
    """


@tune.command("apply")
@_profile_option
@cpus_option
@click.option("--dry-run", is_flag=True, help="Change nothing; print the commands that would do the same.")
@json_option
def apply(profile: str | None, cpus: tuple[int, ...] | None, dry_run: bool, as_json: bool) -> None:
    """Write down how the host is, then make it as the profile says.

    The profile takes the place of one that was applied before. What the kernel has not got is told; if it
    refuses something, everything is put back. `takt tune revert` restores the first state.

    \b
    Examples:
      takt tune apply --dry-run
      takt tune apply --profile isolate --cpu 1
    """
    system, wanted = System(), _profile(profile, cpus)
    if dry_run:
        planned = plan(system, wanted)
        commands = planned.commands(system)
        if as_json:
            print_json({"profile": wanted.name, "commands": commands, "lacking": planned.lacking})
            return
        for line in commands or ["# nothing is to be changed"]:
            put(line)
        for line in planned.lacking:
            put(f"# not here: {line}")
        return
    applied = apply_profile(system, wanted)
    if as_json:
        print_json(applied.to_json())
        return
    data = applied.to_json()
    show(
        *tune_report(f"{wanted.name}: {wanted.description}", data["granted"], {"before": "was", "now": "is"}),
        *([f"{len(applied.unchanged)} settings were so already"] if applied.unchanged else []),
        *lacking_lines(applied.lacking),
        *inside_hints(system, applied),
        "takt tune revert puts it back" if applied.changed else "nothing was changed",
    )


@tune.command("show")
@_profile_option
@cpus_option
@json_option
def show_command(profile: str | None, cpus: tuple[int, ...] | None, as_json: bool) -> None:
    """Show what is applied, what was before, and what differs now; with --profile, what it would change.

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
        wanted = _profile(profile, cpus)
        changes, lacking = pending(system, wanted)
        data["would"] = {"profile": wanted.name, "settings": changes, "lacking": lacking}
    if as_json:
        print_json(data)
        return
    for layer in layers:
        whose = f" by process {layer.owner['pid']}, for a run" if layer.owner else ""
        shown = [row for row in rows if row["profile"] == layer.profile]
        title = f"{layer.profile} is applied{whose}"
        show(*tune_report(title, shown, {"before": "was", "wanted": "set to", "now": "is"}) or [title])
        show(*lacking_lines(layer.lacking))
    differ = sum(bool(row["differs"]) for row in rows)
    if layers:
        show(f"{differ} of {len(rows)} settings are no longer as set" if differ else "all are as they were set")
    else:
        show("nothing is applied")
    if "would" in data:
        would = data["would"]
        title = f"{would['profile']} would change"
        show(*tune_report(title, would["settings"], {"now": "is", "wanted": "would be"}) or [f"{title} nothing"])
        show(*lacking_lines(would["lacking"]))


@tune.command("revert")
@click.option("--dry-run", is_flag=True, help="Change nothing; print the commands that would do the same.")
@json_option
def revert(dry_run: bool, as_json: bool) -> None:
    """Put everything back as it was before the first apply, also after a crash.

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
                        put(line)
        return
    done = revert_all(system)
    if as_json:
        print_json({"reverted": [_row(change) for change in done]})
        return
    show(
        *tune_report("put back", [_row(change) for change in done], {"wanted": "was set to", "before": "is"}),
        *([] if done else ["nothing was applied"]),
    )


def _row(change: Changed) -> dict[str, str]:
    return {
        "knob": change.knob,
        "setting": change.setting.label,
        "wanted": change.wanted,
        "before": change.before,
    }


def _profile(name: str | None, cpus: tuple[int, ...] | None) -> Profile:
    return read_profile(name or _DEFAULT, choose_cpus(cpus))
