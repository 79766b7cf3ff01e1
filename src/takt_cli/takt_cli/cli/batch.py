# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt batch`: run many applications under several executors, repeatedly, in random order; resumable."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from takt_cli.analysis.batch_summary import batch_summary
from takt_cli.analysis.result_set import read_set
from takt_cli.batch.folder import read_plan
from takt_cli.batch.local import run_batch
from takt_cli.batch.outcome import Outcome
from takt_cli.batch.plan import Plan, every_pair, make_plan, sha256
from takt_cli.cli.output import print_remark, show, warn_of_overload
from takt_cli.errors import HostError, RunError, UsageError
from takt_cli.host.cpus import choose_cpus
from takt_cli.options.common import command_line
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.tables.batch import batch_report
from takt_cli.results.conditions import Load
from takt_cli.results.folder import default_folder
from takt_cli.results.json_file import write_json
from takt_cli.results.result_file import SUMMARY_FILE
from takt_cli.run.progress import Progress
from takt_cli.run.transports import require_built
from takt_cli.spec.executors import EXECUTORS
from takt_cli.spec.load import Spec, read_spec

_ENDINGS = (".yaml", ".yml")


def _command(
    context: click.Context,
    folder: Path | None,
    executors: tuple[str, ...],
    runs: int,
    policy: str | None,
    duration: int,
    warmup: int,
    cooldown: int,
    seed: int | None,
    cpus: tuple[int, ...] | None,
    load: Load | None,
    resume: Path | None,
    retry_failed: bool,
    cluster: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    run = runner(cluster)
    if resume is None:
        if folder is None:
            raise UsageError("give a folder with specs, or --resume with the folder of a batch")
        if retry_failed:
            raise UsageError("--retry-failed: goes with --resume; a new batch has no failed runs yet")
        specs = read_specs(folder, policy)
        pairs = every_pair(specs, executors)
        chosen = choose_cpus(cpus) if cluster is None else cpus
        chosen_seed = secrets.randbits(32) if seed is None else seed
        plan = make_plan(specs, pairs, runs, duration, warmup, chosen, chosen_seed, cooldown, load, policy)
        place = out or default_folder("batch", folder.resolve().name)
        warn(plan)
    else:
        plan, place = read_plan(resume), resume
        _check_resumed_settings(context, plan, resume, folder)
    if cluster is None:
        require_built({item.executor for item in plan.items}, "--executors")
    with Progress(len(plan.items), plan.seconds) as progress:
        outcome = run(
            plan, place, command_line(), progress, resume=resume is not None, repeat_failed=retry_failed, origin=folder
        )
    report(outcome, as_json)


def runner(cluster: str | None) -> Callable[..., Outcome]:
    """Return the function that makes the runs of a plan: on this host, or on the cluster with this scheduler.

    Raises a HostError if the Python packages for clusters are not installed.
    """
    if cluster is None:
        return run_batch
    try:
        from takt_cli.batch.cluster import run_on_cluster  # noqa: PLC0415 - a second to load
    except ImportError as error:
        raise HostError(f"--cluster: {error}; install it with: pip install 'takt_cli[cluster]'") from None
    return partial(run_on_cluster, address=cluster)


def read_specs(folder: Path, policy: str | None) -> list[Spec]:
    """Return all specs of a folder, in the order of their names.

    Raises a UsageError if there is none, a SpecError if one is not valid.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: is not a folder; name one with specs (*.yaml)")
    files = sorted(path for path in folder.iterdir() if path.suffix in _ENDINGS and path.is_file())
    if not files:
        raise UsageError(f"{folder}: has no specs (*.yaml); `takt generate` makes some")
    return [read_spec(path, policy) for path in files]


def warn(plan: Plan) -> None:
    """Print warnings on standard error: applications run twice in a row, and utilisations above the CPUs' capacity."""
    if plan.repeats:
        reason = "there is one application" if len(plan.specs) == 1 else "one application has most of the runs"
        print_remark(f"takt: {reason}, so it is run twice in a row {plan.repeats} times")
    warn_of_overload(len(plan.cpus or (0,)), *(spec.application for spec in plan.specs.values()))


def report(outcome: Outcome, as_json: bool) -> None:
    """Write and print the summary of a batch; raise a RunError if runs failed."""
    for line in outcome.notes:
        print_remark(f"takt: {line}")
    summary = batch_summary(read_set(outcome.folder))
    write_json(outcome.folder / SUMMARY_FILE, summary)
    show(as_json, summary, *batch_report(summary, outcome.folder), folder=outcome.folder)
    if outcome.failed:
        item, error = next(iter(outcome.failed.items()))
        raise RunError(
            f"{len(outcome.failed)} of {outcome.total} runs are missing, such as {item}: {error}; "
            f"once the cause is removed: takt batch --resume {outcome.folder} --retry-failed"
        )


def _check_resumed_settings(context: click.Context, plan: Plan, resume: Path, folder: Path | None) -> None:
    """Raise a UsageError if options or specs given with --resume differ from those that the batch was begun with."""
    names = ("runs", "policy", "duration", "warmup", "cooldown", "seed", "cpus")
    batch_settings: dict[str, Any] = {name: getattr(plan, name) for name in names}
    batch_settings |= {"executors": {item.executor for item in plan.items}, "load": plan.background, "out": resume}
    for name, value in batch_settings.items():
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        given = set(context.params[name]) if name == "executors" else context.params[name]
        if given != value:
            option = "--cpu" if name == "cpus" else f"--{name}"
            raise UsageError(
                f"{option}: the batch in {resume} was begun with another value; leave it out, or begin a new batch"
            )
    if folder is None:
        return
    given = {Path(spec.file).stem: sha256(spec.text) for spec in read_specs(folder, plan.policy)}
    if given != {name: sha256(spec.text) for name, spec in plan.specs.items()}:
        raise UsageError(
            f"{folder}: its specs are not those of the batch in {resume}; leave the folder out, or begin a new batch"
        )


batch = verb("batch", read_usage(__name__, default=[",".join(EXECUTORS)]), click.pass_context(_command))
