# Copyright 2026 The takt authors. SPDX-License-Identifier: Apache-2.0
"""Reads the tutorials: their files, their commands, and what each command is expected to print.

In a tutorial, each line of a `console` block that begins with `$ ` is a command, and the lines after it are its
expected output. A code block after a line such as **`src/planner.cpp`** is the content of that file. HTML comments
before a block, which readers do not see, say how the test treats its commands:

`parsed: REASON`    they are not run; programs, files and options that they name are checked
`needs: rclcpp`     they are run only where takt_rclcpp and rclcpp are installed, else treated as parsed
`status: N, M`      exit statuses that the last command of the block may have; 0 if this is not given
`meanwhile`         they are run while the command before, which a later `^C` ends, is still running
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

INTERRUPT = "^C"
"""The mark in the expected output where the reader presses Ctrl-C."""
ELLIPSIS = "..."
"""The mark in the expected output that stands for any lines, as a line of its own, or for any text within a line."""

_MARK = re.compile(r"<!-- (parsed|needs|status|meanwhile)(?:: (.*))? -->")
_FILE = re.compile(r"\*\*`([^`]+)`\*\*")
_FENCE = re.compile(r"```(\w*)")


@dataclass
class Command:
    """A command line of a tutorial."""

    line: str
    where: str
    """The name of the tutorial and a line number, for messages."""
    expected: list[str] = field(default_factory=list)
    statuses: tuple[int, ...] = (0,)
    parsed: bool = False
    needs: str = ""
    meanwhile: list[Command] = field(default_factory=list)
    """Commands that are run while this one is running."""


@dataclass(frozen=True)
class File:
    """A file that the reader writes."""

    path: str
    text: str


Step = Command | File


def steps(tutorial: Path) -> list[Step]:
    """Return the files and commands of a tutorial in their order. Raises a ValueError if its markup makes no sense."""
    result: list[Step] = []
    for block in _blocks(tutorial):
        if block.file:
            result.append(File(block.file, "".join(f"{line}\n" for line in block.lines)))
        elif block.language == "console":
            _add_commands(result, block)
        elif block.marks:
            raise ValueError(f"{block.where}: a mark, but no console block after it")
    return result


@dataclass(frozen=True)
class _Block:
    where: str
    language: str
    lines: list[str]
    marks: dict[str, str]
    file: str


def _blocks(tutorial: Path) -> Iterator[_Block]:
    """Yield the fenced blocks of a tutorial, each with the marks and the file name directly before it."""
    marks: dict[str, str] = {}
    file = ""
    lines = iter(enumerate(tutorial.read_text("utf-8").splitlines(), 1))
    for number, line in lines:
        if (fence := _FENCE.fullmatch(line)) is not None:
            content = []
            for _, inner in lines:
                if inner == "```":
                    break
                content.append(inner)
            else:
                raise ValueError(f"{tutorial.name}:{number}: the block has no end")
            yield _Block(f"{tutorial.name}:{number}", fence[1], content, marks, file)
            marks, file = {}, ""
        elif (mark := _MARK.fullmatch(line)) is not None:
            marks[mark[1]] = mark[2] or ""
        elif (path := _FILE.fullmatch(line)) is not None:
            file = path[1]
        elif line.strip():
            if marks:
                raise ValueError(f"{tutorial.name}:{number}: a mark must stand directly before its block")
            file = ""


def _add_commands(result: list[Step], block: _Block) -> None:
    """Add the commands of a block; lines before its first command continue the output of the command before."""
    before = next((step for step in reversed(result) if isinstance(step, Command)), None)
    commands: list[Command] = []
    parsed, needs = "parsed" in block.marks, block.marks.get("needs", "")
    for line in block.lines:
        if line.startswith("$ "):
            commands.append(Command(line[2:], block.where, parsed=parsed, needs=needs))
        elif commands:
            commands[-1].expected.append(line)
        elif before is not None:
            before.expected.append(line)
        else:
            raise ValueError(f"{block.where}: output without a command")
    if "status" in block.marks:
        commands[-1].statuses = tuple(int(each) for each in block.marks["status"].split(","))
    if "meanwhile" not in block.marks:
        result.extend(commands)
    elif before is None:
        raise ValueError(f"{block.where}: there is no command before it")
    else:
        before.meanwhile.extend(commands)


# ---- comparison of outputs

_LINES = re.compile("[━─═]+")
_GROUPED = re.compile(r"(?<=\d)[\u202f,](?=\d{3}(?!\d))")
_SIGN = re.compile(r"(?<![\w.])[-+\u2212](?=\d)")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_NO_NUMBER = re.compile(r"(?<!\S)[\u2013\u221e](?!\S)")
_VERDICT = re.compile(r"^(?:pass|fail|inconclusive|too short to judge): .*")


def normalised(line: str) -> str:
    """Return a line in which numbers, widths of table columns and the verdict of a run are replaced, since they differ
    from run to run."""
    line = _LINES.sub("─", line)
    line = _VERDICT.sub("VERDICT", line.strip())
    line = _SIGN.sub("", _GROUPED.sub("", line))
    line = _NO_NUMBER.sub("0", _NUMBER.sub("0", line))
    return " ".join(line.split())


def difference(expected: list[str], actual: list[str], ended: bool = True) -> str | None:
    """Return the part of the expected output that is missing in the actual output, or None if nothing is missing.

    Expected lines must be consecutive in the actual output, unless a line of dots is between them. Warnings may come
    before the first one. Nothing may come after the last one, unless it is a line of dots or the command has not ended
    yet.
    """
    lines = [text for line in actual if (text := normalised(line))]
    position = 0
    chunks = _chunks(expected)
    for index, (chunk, open_end) in enumerate(chunks):
        found = _find(chunk, lines, position)
        if found is None:
            return "\n".join(chunk)
        position = found + len(chunk)
        if index == len(chunks) - 1 and not open_end and ended and position < len(lines):
            # The lines may occur once more at the end.
            last = len(lines) - len(chunk)
            if _find(chunk, lines, last) is None:
                return f"the end after {chunk[-1]!r}; there is {lines[position]!r}"
    return None


def _chunks(expected: list[str]) -> list[tuple[list[str], bool]]:
    """Return the groups of lines between lines of dots, and for each whether other lines may follow it."""
    chunks: list[tuple[list[str], bool]] = []
    chunk: list[str] = []
    for line in expected:
        if line.strip() == ELLIPSIS:
            if chunk:
                chunks.append((chunk, True))
            chunk = []
        elif line.strip():
            chunk.append(line)
    return [*chunks, (chunk, False)] if chunk else chunks


def _find(chunk: list[str], lines: list[str], begin: int) -> int | None:
    """Return the index at which the lines of the chunk are found one after another, searching from `begin` on; None if
    they are not there."""
    patterns = [_pattern(line) for line in chunk]
    for at in range(max(begin, 0), len(lines) - len(patterns) + 1):
        if all(pattern.fullmatch(lines[at + i]) for i, pattern in enumerate(patterns)):
            return at
    return None


def _pattern(line: str) -> re.Pattern[str]:
    parts = normalised(line).split(ELLIPSIS)
    # If the dots stand for nothing, the spaces beside them may be missing.
    inner = [re.escape(part.strip()) for part in parts[1:-1]]
    ends = [re.escape(parts[0].rstrip()), re.escape(parts[-1].lstrip())] if len(parts) > 1 else [re.escape(parts[0])]
    return re.compile(".*".join([*ends[:1], *inner, *ends[1:]]))
