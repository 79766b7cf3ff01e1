# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt generate`: draw synthetic applications from parameters, as specs or as ROS 2 packages."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import UNSET, UnsetType

from takt_cli.cli.output import show
from takt_cli.emit.packages import emit_packages
from takt_cli.host.versions import commit, versions
from takt_cli.options.common import command_line
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.tables.generate import generate_report
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.results.json_file import write_json
from takt_cli.run.progress import Progress
from takt_cli.synthetic.collection import Collection, Item, collect, generate_all
from takt_cli.synthetic.generate import Generated
from takt_cli.synthetic.parameter_file import read_parameters
from takt_cli.synthetic.record import Combinations, DrawnApplication, GeneratedRecord

# Estimates for the progress bar, in s per application: to draw and check it, and to write its packages.
_SECONDS, _EMIT_SECONDS = 0.03, 0.3
_PACKAGES = "packages"


def _command(parameters: Path, repeat: int, seed: int, emit: str | None, out: Path | None, as_json: bool) -> None:
    file = read_parameters(parameters)
    collection = collect(file, repeat, seed)
    place = out or default_folder("generate", file.name)
    seconds = _SECONDS + (_EMIT_SECONDS if emit else 0)
    with ResultFolder(place) as folder, Progress(1, len(collection.items) * seconds) as progress:
        record = _generate(collection, repeat, folder.path, progress, seconds, emit is not None)
    show(as_json, record, *generate_report(record, place), folder=place)


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
        combination=item.combination.forced_values,
        repetition=item.repetition,
        seed=generated.seed,
        parameters=generated.parameters.plain(),
        utilisation_wanted=generated.parameters.utilisation,
        utilisation=generated.utilisation,
        topics=len(generated.spec.application.topics),
        readers=len(generated.exchange.reads),
        chains=generated.chains,
        notes=list(generated.notes),
        tasks=generated.tasks,
        packages=packages,
    )


generate = verb("generate", read_usage(__name__), _command)
