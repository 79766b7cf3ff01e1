# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Generation of the three ROS 2 packages of an application."""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2

import takt_cli
from takt_cli.emit.literals import duration, quality, string
from takt_cli.emit.names import package_stem
from takt_cli.emit.options import timer_options
from takt_cli.emit.view import NodeView, node_views
from takt_cli.errors import HostError, ResultError, SpecError
from takt_cli.host.command import completed
from takt_cli.host.middleware import segment_size, write_profile
from takt_cli.host.scratch import folder_beside
from takt_cli.results.full_disk import PARTIAL
from takt_cli.spec.application import Application
from takt_cli.spec.units import format_duration, format_size

FORMS = ("takt", "baseline0", "baseline1")
_SPEC = "spec.yaml"
_PROFILE = "launch/fastdds.xml"


@dataclass(frozen=True)
class _File:
    """A file of a package: its path in the package, and the template that it is made from."""

    name: str
    template: str
    node: NodeView | None = None


def package_names(application: Application) -> list[str]:
    """Return the names of the application's packages."""
    return [f"{package_stem(application.name)}_{form}" for form in FORMS]


def emit_packages(application: Application, spec_text: bytes, folder: Path) -> list[Path]:
    """Write the packages of `application`, which was read from `spec_text`, into `folder`, and return their paths.

    All packages are written, or none. SpecError if the application has something that packages do not support,
    ResultError if one of them exists already or cannot be written, HostError if clang-format is missing or fails.
    """
    _check(application)
    places = [folder / name for name in package_names(application)]
    for place in places:
        if place.exists():
            raise ResultError(f"{place}: already exists; remove it, or choose another folder by --out")
    views = node_views(application)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with folder_beside(folder, ".packages.", PARTIAL) as scratch:
            scratch_folders = [scratch / place.name for place in places]
            for form, path in zip(FORMS, scratch_folders, strict=True):
                _write(application, views, form, spec_text, path)
            _lay_out(file for path in scratch_folders for file in path.rglob("*.[ch]pp"))
            for path, place in zip(scratch_folders, places, strict=True):
                path.rename(place)
    except OSError as error:
        raise ResultError(
            f"{folder}: packages cannot be written: {error.strerror}; choose another folder by --out"
        ) from None
    return places


def _check(application: Application) -> None:
    if application.overload is not None:
        raise SpecError(
            application.name,
            None,
            "overload",
            "packages do not support an overload; remove it from the spec, or use takt run",
        )


def _files(form: str, views: Iterable[NodeView]) -> list[_File]:
    """Return the files of a package of this form."""
    kind = "takt" if form == "takt" else "rclcpp"
    shared = ["common/input", "common/work", *(["takt/report"] if kind == "takt" else ["rclcpp/fifo", "rclcpp/task"])]
    files = [_File(name, f"{kind}/{name}.j2") for name in ("CMakeLists.txt", "README.md", "package.xml")]
    files += [
        _File(f"src/support/{name.partition('/')[2]}.{end}", f"{name}.{end}.j2")
        for name in shared
        for end in ("hpp", "cpp")
    ]
    files += [
        _File(f"src/nodes/{node.stem}.{end}", f"{kind}/node.{end}.j2", node) for node in views for end in ("hpp", "cpp")
    ]
    if form == "baseline1":
        files += [_File(f"src/programs/{node.stem}.cpp", "rclcpp/program.cpp.j2", node) for node in views]
        files.append(_File("launch/all.launch.py", "rclcpp/all.launch.py.j2"))
    else:
        files.append(_File("src/main.cpp", f"{kind}/main.cpp.j2"))
    return files


def _write(application: Application, views: tuple[NodeView, ...], form: str, spec_text: bytes, path: Path) -> None:
    stem = package_stem(application.name)
    made_by = f"Made by takt {takt_cli.__version__} from {_SPEC}"
    values = {
        "application": application,
        "title": " ".join(application.name.split()),
        "stem": stem,
        "form": form,
        "package": path.name,
        "packages": {each: f"{stem}_{each}" for each in FORMS},
        "nodes": views,
        "segment": segment_size(application),
        "highest": max(node.priority for node in views),
        "externals": " and ".join(f"`{topic.name}`" for topic in application.topics if topic.external),
        "queues": any(task.callback.queue for task in application.tasks),
        "names": lambda topics: ", ".join(application.topics[topic].name for topic in topics),
        "made_by": f"{made_by} (SHA-256 {hashlib.sha256(spec_text).hexdigest()[:12]}).",
        "spec": _SPEC,
    }
    for file in _files(form, views):
        target = path / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_environment().get_template(file.template).render(values, node=file.node), "utf-8")
    if form == "baseline1":
        write_profile(path / _PROFILE, segment_size(application), len(views))
    (path / ".clang-format").write_text(_environment().get_template("clang-format").render(), "utf-8")
    (path / _SPEC).write_bytes(spec_text)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("takt_cli", "emit/templates"),
        autoescape=False,  # the output is not HTML; package.xml escapes its only free text itself
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"string": string, "literal": duration, "duration": format_duration, "size": format_size}
    environment.globals |= {"quality": quality, "options": timer_options}
    return environment


def _lay_out(files: Iterable[Path]) -> None:
    """Format the files with clang-format, as the length of their lines depends on the names in the spec."""
    folders = f"{Path(sys.executable).parent}"
    program = shutil.which("clang-format", path=folders) or shutil.which("clang-format")
    if program is None:
        raise HostError(
            "clang-format: not found, but needed to format the packages; install it (pip install clang-format)"
        )
    result = completed([program, "-i", "--style=file", *files])
    if result.returncode:
        raise HostError(f"clang-format: failed on the generated source: {result.stderr.strip()[:200]}")
