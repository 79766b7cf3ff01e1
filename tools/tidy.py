"""Run clang-tidy on source files, those of one library together: most of its work is to read the headers they share.

    python tools/tidy.py [--alone] BUILD FILE...

BUILD holds a compile_commands.json that knows the files, by themselves or united; a FILE it does not know, deleted or
younger than the last configure, is left out. With --alone each FILE is read by itself, and shows that it includes what
it needs. Prints what clang-tidy finds, and exits 1 if that is anything; without --alone also if no FILE is known to a
BUILD that has any.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

# Files that one clang-tidy reads together. The first one is its input, which includes the others.
Batch = list[Path]

# clang-tidy finds unused using declarations and namespace aliases only in its input, not in included files; those of
# constructors it leaves alone.
ONLY_IN_INPUT = re.compile(r"^\s*(using\s+(?!namespace\b|(\w+)::\2\s*;)[\w:]+\s*;|namespace\s+\w+\s*=)", re.MULTILINE)
TARGET = re.compile(r"CMakeFiles/([^/]+)\.dir/")
UNITED = re.compile(r'^#include "(.+)"$', re.MULTILINE)
# The maximum number of files in a batch.
MOST = 25
# Without warnings about options of other compilers, and about names at the top of one file that hide those of another
# one. c2y-extensions: the macro that registers components uses __COUNTER__. Includes of .cpp files are found by
# check_layers instead. Clang's thread-safety analysis checks what locks guard.
OPTIONS = [
    *("--quiet", "--checks=-bugprone-suspicious-include", "--extra-arg=-Wthread-safety"),
    *(
        f"--extra-arg=-Wno-{name}"
        for name in (
            "unknown-warning-option",
            "unused-command-line-argument",
            "c2y-extensions",
            "unknown-attributes",
            "shadow",
        )
    ),
]


def batches(target: Iterable[Path], most: int) -> list[Batch]:
    """The files of a target in as few batches of at most `most` files as possible. Each file with declarations that are
    only checked in an input is the input of a batch."""
    files = list(target)
    inputs = [file for file in files if ONLY_IN_INPUT.search(file.read_text("utf-8"))]
    others = [file for file in files if file not in inputs]
    while len(inputs) * most < len(files):
        inputs.append(others.pop())
    return [[file, *others[i :: len(inputs)]] for i, file in enumerate(inputs)]


def sources(file: Path) -> Iterator[Path]:
    """The file itself or, for a unity file of CMake, the files that it includes."""
    if file.parent.name != "Unity":
        yield file
    elif file.exists():
        yield from map(Path, UNITED.findall(file.read_text("utf-8")))


def flags(entry: dict[str, str]) -> list[str]:
    """The options of a compile command, without the compiler, its input and its output."""
    words = iter(shlex.split(entry["command"])[1:])
    return [word for word in words if not (word in ("-c", "-o") and next(words))]


@dataclass
class Target:
    """Files that are compiled with the same options."""

    flags: list[str]
    files: list[Path] = field(default_factory=list)


def commands(build: Path) -> list[dict[str, str]]:
    """The compile commands of a build; empty if the package was skipped, as takt_rclcpp is without rclcpp."""
    database = build / "compile_commands.json"
    return json.loads(database.read_text("utf-8")) if database.exists() else []


def by_target(entries: Iterable[dict[str, str]], files: Iterable[Path]) -> list[Target]:
    """The given files by the target that compiles them, with its options; files of no target are left out."""
    targets: dict[str, Target] = {}
    known: dict[Path, str] = {}
    for entry in entries:
        if name := TARGET.search(entry["command"]):
            targets.setdefault(name[1], Target(flags(entry)))
            known |= dict.fromkeys(sources(Path(entry["file"])), name[1])
    for file in map(Path.resolve, files):
        if file in known and file.exists():
            targets[known[file]].files.append(file)
    return [target for target in targets.values() if target.files]


def tidy(batch: Batch, flags: list[str]) -> str:
    """Run clang-tidy on a batch and return its findings."""
    included = [word for file in batch[1:] for word in ("-include", str(file))]
    command = ["clang-tidy", *OPTIONS, str(batch[0]), "--", *flags, *included]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return done.stdout or (done.stderr if done.returncode else "")


def main(arguments: list[str]) -> int:
    alone = arguments[:1] == ["--alone"]
    build, *files = map(Path, arguments[alone:])
    entries = commands(build)
    targets = by_target(entries, files)
    if entries and not targets and not alone:
        print(f"{build}: knows none of {len(files)} files: make build")
        return 1
    work = [(batch, target.flags) for target in targets for batch in batches(target.files, 1 if alone else MOST)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = [text for text in pool.map(lambda each: tidy(*each), work) if text]
    print("".join(found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
