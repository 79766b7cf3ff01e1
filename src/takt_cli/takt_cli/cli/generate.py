# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""`takt generate`: draw synthetic applications from parameters, as specs or as ROS 2 packages."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from takt_cli.cli.output import show
from takt_cli.emit.packages import emit_packages
from takt_cli.host.versions import commit, versions
from takt_cli.options.common import command_line
from takt_cli.options.usage import read_usage, verb
from takt_cli.report.tables.generate import generate_report
from takt_cli.results.folder import ResultFolder, default_folder
from takt_cli.run.progress import Progress
from takt_cli.synthetic.collection import Collection, Item, collect, generate_all
from takt_cli.synthetic.generate import Generated
from takt_cli.synthetic.parameter_file import read_parameters

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
) -> dict[str, Any]:
    """Write the specs, the packages if `emit`, and generated.json into `folder`; return the contents of the latter.

    `seconds` is about what one application takes, for the progress bar.
    """
    progress.begin("drawing", len(collection.items) * seconds)
    applications = []
    for finished_count, (item, generated) in enumerate(generate_all(collection), 1):
        (folder / f"{item.name}.yaml").write_bytes(generated.spec.text)
        applications.append(_describe_item(item, generated))
        if emit:
            package_folders = emit_packages(generated.spec.application, generated.spec.text, folder / _PACKAGES)
            applications[-1]["packages"] = [f"{_PACKAGES}/{package.name}" for package in package_folders]
        progress.at(finished_count * seconds)
    progress.end()
    record = {
        "schema_version": 1,
        "kind": "generated",
        "command": command_line(),
        "versions": versions(),
        "commit": commit(),
        "file": Path(collection.file.document.file).name,
        "seed": collection.seed,
        "repeat": repeat,
        "read": collection.file.document.data,
        "forced": list(collection.file.forced),
        "combinations": {"all": collection.all, "distinct": len(collection.combinations)},
        "applications": applications,
    }
    (folder / "generated.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    return record


def _describe_item(item: Item, generated: Generated) -> dict[str, Any]:
    return {
        "name": item.name,
        "file": f"{item.name}.yaml",
        "sha256": hashlib.sha256(generated.spec.text).hexdigest(),
        "combination": item.combination.forced_values,
        "repetition": item.repetition,
        **msgspec.to_builtins(generated.record),
    }


generate = verb("generate", read_usage(__name__), _command)
