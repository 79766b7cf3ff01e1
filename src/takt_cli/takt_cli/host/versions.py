# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""The versions and the commit that a result was produced with."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import takt_cli
from takt_cli.host.command import completed

_PACKAGES = ("numpy", "scipy", "matplotlib", "ros-rcl", "ros-rmw-fastrtps-cpp", "ros-fastrtps", "ros-fastdds")


def versions() -> dict[str, str | None]:
    """Return the versions of takt, Python, ROS and those installed libraries that results depend on."""
    found_versions: dict[str, str | None] = {
        "takt": takt_cli.__version__,
        "python": platform.python_version(),
        "ros_distro": os.environ.get("ROS_DISTRO"),
    }
    for name in _PACKAGES:
        try:
            found_versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return found_versions


def commit() -> str | None:
    """Return the git commit of takt's checkout, with `+` if tracked files have been modified; None outside of one."""
    package_folder = Path(takt_cli.__file__).resolve().parent
    head = _git(package_folder, "rev-parse", "HEAD")
    if head is None:
        return None
    return head + ("+" if _git(package_folder, "status", "--porcelain", "--untracked-files=no") else "")


def sources() -> str:
    """Return a digest of this package's files, which tells copies apart that have no commit."""
    root = Path(takt_cli.__file__).resolve().parent
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        return completed(["git", "-C", folder, *arguments], timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
