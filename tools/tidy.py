"""Run clang-tidy on source files, those of one library together: most of its work is to read the headers they share.

    python tools/tidy.py [--most N] BUILD FILE...

BUILD holds a compile_commands.json that knows the files; a FILE it does not know, deleted or younger than the last
configure, is left out. Prints what clang-tidy finds, and exits 1 if that is anything.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# The files read together, the one that clang-tidy is told as its input first.
Batch = list[Path]

# An unused using declaration, or alias of a namespace, is found in the input only, not in what it includes.
ONLY_IN_INPUT = re.compile(r"^\s*(using\s+(?!namespace\b)[\w:]+\s*;|namespace\s+\w+\s*=)", re.MULTILINE)
TARGET = re.compile(r"CMakeFiles/([^/]+)\.dir/")
# What this compiler does not know of another's options; what one file has at its top is not hidden in the next. That
# no other .cpp is included check_layers sees to.
OPTIONS = [
    *("--quiet", "--checks=-bugprone-suspicious-include"),
    *(
        f"--extra-arg=-Wno-{name}"
        for name in ("unknown-warning-option", "c2y-extensions", "unknown-attributes", "shadow")
    ),
]


def batches(target: Iterable[Path], most: int) -> list[Batch]:
    """The files of a target in as few batches as `most` files in each allow, each file with what is found in an
    input alone the input of one."""
    files = list(target)
    inputs = [file for file in files if ONLY_IN_INPUT.search(file.read_text())]
    others = [file for file in files if file not in inputs]
    while len(inputs) * most < len(files):
        inputs.append(others.pop())
    return [[file, *others[i :: len(inputs)]] for i, file in enumerate(inputs)]


def by_target(build: Path, files: Iterable[Path]) -> list[list[Path]]:
    """The files that the build knows, those compiled alike together."""
    commands = json.loads((build / "compile_commands.json").read_text())
    names = {Path(entry["file"]): found[1] for entry in commands if (found := TARGET.search(entry["command"]))}
    targets = defaultdict(list)
    for file in files:
        if (file := file.resolve()) in names and file.exists():
            targets[names[file]].append(file)
    return list(targets.values())


def tidy(build: Path, batch: Batch) -> str:
    """What clang-tidy finds."""
    included = [f"--extra-arg={word}" for file in batch[1:] for word in ("-include", str(file))]
    command = ["clang-tidy", *OPTIONS, "-p", str(build), *included, str(batch[0])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout or (done.stderr if done.returncode else "")


def main(arguments: list[str]) -> int:
    most = 20
    if arguments[:1] == ["--most"]:
        most, arguments = int(arguments[1]), arguments[2:]
    build = Path(arguments[0])
    work = [batch for target in by_target(build, map(Path, arguments[1:])) for batch in batches(target, most)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = [text for text in pool.map(lambda batch: tidy(build, batch), work) if text]
    print("".join(found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
