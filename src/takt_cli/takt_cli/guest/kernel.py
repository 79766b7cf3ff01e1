# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Debian's kernels for a guest: downloaded as packages into a cache, never installed on the host."""

from __future__ import annotations

import lzma
import os
import re
import subprocess
import tarfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from takt_cli.errors import HostError
from takt_cli.host.command import completed
from takt_cli.host.scratch import folder_beside

KERNELS = ("rt", "vanilla")
_PACKAGES = {"rt": "linux-image-rt-amd64", "vanilla": "linux-image-amd64"}
_IMAGE = re.compile(r"^  Depends: (linux-image-[0-9]\S+)$", re.MULTILINE)
# What is unpacked of a package's 400 MB: the kernel, and modules for the disk of the results and for links.
_WANTED_FILES = re.compile(r"\./boot/vmlinuz-|.*/kernel/(drivers/(virtio/|block/virtio_blk|net/veth)|net/sched/)")
_FETCH_ERRORS = (OSError, ValueError, lzma.LZMAError, StopIteration, tarfile.TarError, subprocess.SubprocessError)
_DEPENDS = re.compile(rb"\0depends=([^\0]*)\0")


@dataclass(frozen=True)
class Kernel:
    """A kernel in the cache; `folder` holds the unpacked package."""

    name: str
    package: str
    version: str
    folder: Path

    @property
    def image(self) -> Path:
        """Return the image to boot: the uncompressed one if there is one, as a guest takes seconds to uncompress it."""
        boot = self.folder / "boot"
        return next(boot.glob("vmlinux-*"), None) or next(boot.glob("vmlinuz-*"))

    def modules(self, names: Iterable[str]) -> list[Path]:
        """Return the files of these modules, dependencies first; modules that are built in are left out."""
        files = {file.name.partition(".ko")[0].replace("-", "_"): file for file in self.folder.rglob("*.ko*")}
        ordered: list[Path] = []

        def add(name: str) -> None:
            file = files.get(name.replace("-", "_"))
            if file is None or file in ordered:
                return
            needs = _DEPENDS.search(file.read_bytes())
            for other in needs[1].decode().split(",") if needs else []:
                add(other)
            ordered.append(file)

        for name in names:
            add(name)
        return ordered


def find_kernel(name: str) -> Kernel:
    """Return Debian's current kernel `name`, one of KERNELS, and download it if the cache lacks it. Raises a
    HostError."""
    try:
        depends = _output(["apt-cache", "depends", _PACKAGES[name]])
        match = _IMAGE.search(depends)
        if match is None:
            raise HostError(f"--kernel {name}: apt does not know {_PACKAGES[name]}; add Debian's main archive to apt")
        package = match[1]
        version = _output(["apt-cache", "show", "--no-all-versions", package]).partition("\nVersion: ")[2].split()[0]
    except (OSError, subprocess.SubprocessError, IndexError) as error:
        raise HostError(f"--kernel {name}: apt cannot look up Debian's kernels: {_message_of(error)}") from None
    folder = cache() / f"{package}_{version}"
    if not folder.exists():
        _fetch(package, version, folder)
    return Kernel(name, package, version, folder)


def cache() -> Path:
    """Return the folder in which downloaded kernels are kept."""
    try:
        outer = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        raise HostError("--kernel: there is no home folder for downloaded kernels; set XDG_CACHE_HOME") from None
    return Path(outer) / "takt" / "kernels"


def _fetch(package: str, version: str, folder: Path) -> None:
    """Download and unpack a kernel into `folder`, which appears complete or not at all."""
    with ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            work = stack.enter_context(folder_beside(folder.parent, ".fetched."))
        except OSError as error:
            raise HostError(f"{folder.parent}: cannot be written: {error.strerror}; set XDG_CACHE_HOME") from None
        try:
            _output(["apt-get", "download", "--quiet", f"{package}={version}"], work)
            (deb,) = work.glob("*.deb")
            _extract(deb, work / "tree")
            _uncompress(next((work / "tree" / "boot").glob("vmlinuz-*")))
            (work / "tree").rename(folder)
        except _FETCH_ERRORS as error:
            if not folder.exists():  # unless another process was faster
                why = _message_of(error)
                raise HostError(f"{package} {version} cannot be fetched: {why}; try `apt-get update`") from None


def _extract(deb: Path, folder: Path) -> None:
    command = ["dpkg-deb", "--fsys-tarfile", str(deb)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
            for member in tar:
                if member.isfile() and _WANTED_FILES.match(member.name):
                    tar.extract(member, folder)


def _uncompress(image: Path) -> None:
    """Extract the kernel from a compressed image into a file beside it, if it is compressed by xz, as Debian's is."""
    content = image.read_bytes()
    begin = content.find(b"\xfd7zXZ\0")
    if begin >= 0:
        kernel = lzma.LZMADecompressor().decompress(content[begin:])
        image.with_name(image.name.replace("vmlinuz", "vmlinux")).write_bytes(kernel)


def _output(command: Sequence[str], folder: Path | None = None) -> str:
    """Return a command's output, in English. Raises a CalledProcessError if it fails."""
    return completed(command, cwd=folder, env=os.environ | {"LC_ALL": "C"}, check=True).stdout


def _message_of(error: Exception) -> str:
    """Return apt's error message, or else that of the exception."""
    error_output = getattr(error, "stderr", None)
    lines = [line for line in str(error_output or "").splitlines() if line.startswith("E:")]
    return lines[-1] if lines else str(error)
