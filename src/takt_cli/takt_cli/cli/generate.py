# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt generate`: draw synthetic applications from parameters, as specs or as ROS 2 packages."""

from __future__ import annotations

import hashlib
from pathlib import Path

import click
from msgspec import UNSET, UnsetType

from takt_cli.cli.output import print_json, print_output
from takt_cli.emit.packages import emit_packages
from takt_cli.host.versions import commit, versions
from takt_cli.options.common import command_line, json_option, out_option
from takt_cli.report.tables.generate import generate_report
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import plain, write_json
from takt_cli.run.progress import Progress
from takt_cli.synthetic.collection import Collection, Item, collect, generate_all
from takt_cli.synthetic.generate import Generated
from takt_cli.synthetic.parameter_file import read_parameters
from takt_cli.synthetic.record import Combinations, DrawnApplication, GeneratedRecord

# Estimates for the progress bar, in s per application: to draw and check it, and to write its packages.
_SECONDS, _EMIT_SECONDS = 0.03, 0.3
_PACKAGES = "packages"


@click.command()
@click.argument("parameters", type=click.Path(path_type=Path), metavar="PARAMS")
@click.option(
    "--repeat",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of applications for each combination of parameters.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Seed of the random numbers; the same seed and parameters give the same files, byte for byte.",
)
@click.option(
    "--emit",
    type=click.Choice(["package"]),
    help="Also emit the C++ source of each application as three ROS 2 packages, into DIR/packages: for takt's "
    "executor, and for rclcpp as baseline0 and as baseline1. (Recorded traces are exported by `takt trace export`.)",
)
@out_option
@json_option
def generate(parameters: Path, repeat: int, seed: int, emit: str | None, out: Path | None, as_json: bool) -> None:
    """Generate random applications from the parameters in PARAMS, and write a spec for each.

    For researchers who compare executors over many task sets; `takt batch` runs the specs. PARAMS is YAML, or JSON as
    in section 5.2 of Krukiewicz-Gacek's thesis (2021). A parameter has one value or a list of alternatives: one of
    them is drawn for each application, or, for parameters named in force_all_combinations, every combination of their
    alternatives is made. Combinations that describe the same applications are made once. The tasks' utilisations are
    drawn uniformly from all that add up to the given utilisation. generated.json, beside the specs, records how each
    was made.

    --emit package makes source code of the applications, to read, build and extend. It has nothing to do with
    `takt trace export`, which converts the recorded trace of a run for a trace viewer.

    \b
    Examples:
      takt generate examples/parameters/thesis_small.json --repeat 3 --out results/small
      takt generate examples/parameters/automotive.yaml --seed 7
      takt generate examples/parameters/thesis_small.json --emit package --out results/source
    """
    file = read_parameters(parameters)
    collection = collect(file, repeat, seed)
    place = out or default_folder("generate", file.name)
    seconds = _SECONDS + (_EMIT_SECONDS if emit else 0)
    with ResultFolder(place) as folder, Progress(1, len(collection.items) * seconds) as progress:
        record = _generate(collection, repeat, folder.path, progress, seconds, emit is not None)
    if as_json:
        print_json(plain(record) | {"folder": str(place)})
    else:
        print_output(*generate_report(record, place))


def _generate(
    collection: Collection, repeat: int, folder: Path, progress: Progress, seconds: float, emit: bool
) -> GeneratedRecord:
    """Write the specs, the packages if `emit`, and generated.json into `folder`; return the contents of the latter.

    `seconds` is about what one application takes, for the progress bar.
    """
    progress.begin("drawing", len(collection.items) * seconds)
    applications = []
    for finished_count, (item, generated) in enumerate(generate_all(collection), 1):
        (folder / f"{item.name}.yaml").write_bytes(generated.spec.text)
        packages: list[str] | UnsetType = UNSET
        if emit:
            package_folders = emit_packages(generated.spec.application, generated.spec.text, folder / _PACKAGES)
            packages = [f"{_PACKAGES}/{package.name}" for package in package_folders]
        applications.append(_drawn(item, generated, packages))
        progress.at(finished_count * seconds)
    progress.end()
    record = GeneratedRecord(
        command=command_line(),
        versions=versions(),
        commit=commit(),
        file=Path(collection.file.document.file).name,
        seed=collection.seed,
        repeat=repeat,
        read=collection.file.document.data,
        forced=list(collection.file.forced),
        combinations=Combinations(collection.all, len(collection.combinations)),
        applications=applications,
    )
    write_json(folder / "generated.json", record)
    return record


def _drawn(item: Item, generated: Generated, packages: list[str] | UnsetType) -> DrawnApplication:
    return DrawnApplication(
        name=item.name,
        file=f"{item.name}.yaml",
        sha256=hashlib.sha256(generated.spec.text).hexdigest(),
        combination=item.combination.to_json(),
        repetition=item.repetition,
        seed=generated.seed,
        parameters=generated.parameters.to_json(),
        utilisation_wanted=generated.parameters.utilisation,
        utilisation=generated.utilisation,
        topics=len(generated.spec.application.topics),
        readers=len(generated.exchange.reads),
        chains=generated.chains,
        notes=list(generated.notes),
        tasks=generated.tasks,
        packages=packages,
    )
