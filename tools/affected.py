"""Prints which checks a change can affect: for the given files, the tests that depend on them, one per line.

    git diff --name-only HEAD | python3 tools/affected.py

A line is a C++ package, `scripts`, or the path of a test file of the command, from the root. A C++ package stands for
its own tests only; packages that depend on it are tested by .ci/run.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGES = ("takt_core", "takt_view", "takt", "takt_rclcpp", "takt_lab")
COMMAND = Path("src/takt_cli")
_FIXTURE = re.compile(r"^@pytest\.fixture(?:\([^)]*\))?\ndef ([a-z]\w*)\(", re.MULTILINE)
_WORD = re.compile(r"\w+")
_IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import ([\w, ]+|\()|import ([\w.]+))", re.MULTILINE)


def imported(text: str) -> set[str]:
    """Return the modules that a file imports, and the names that it imports from packages, which may be modules."""
    names = set()
    for module, taken, plain in _IMPORT.findall(text):
        names.add(module or plain)
        names |= {f"{module}.{each.strip()}" for each in taken.split(",") if module}
    return names


def test_files(root: Path, changed: Iterable[str]) -> Iterator[str]:
    """Yield the test files of the command that have changed, or that import a changed module, also by their helpers."""
    # Tests and their helpers lie in several folders, and are imported by their names alone.
    wanted = {each.rpartition(".")[2] if each.startswith("test.") else each for each in changed}
    texts = {path: path.read_text("utf-8") for path in sorted((root / COMMAND / "test").rglob("*.py"))}
    imports = {path: imported(text) for path, text in texts.items()}
    users = set()
    if (shared := root / COMMAND / "test/conftest.py") in texts:
        fixtures = set(_FIXTURE.findall(texts[shared]))
        users = {path.stem for path, text in texts.items() if fixtures & set(_WORD.findall(text))}
    while True:
        more = {path.stem for path, names in imports.items() if names & wanted}
        if "conftest" in wanted:  # files that use one of its fixtures
            more |= users
        if more <= wanted:
            break
        wanted |= more
    for path in imports:
        if path.stem in wanted and path.stem.startswith("test_"):
            yield str(path.relative_to(root))


def checks(root: Path, changed: Iterable[str]) -> list[str]:
    found, modules = set(), set()
    for name in map(Path, changed):
        parts = name.parts
        if parts[0] in ("setup", "tools", "cmake", ".ci"):
            found.add("scripts")
        elif len(parts) > 2 and parts[0] == "src" and parts[1] in PACKAGES:
            found.add(parts[1])
        elif name.is_relative_to(COMMAND) and name.suffix == ".py":
            modules.add(".".join(name.relative_to(COMMAND).with_suffix("").parts).removesuffix(".__init__"))
        elif name.is_relative_to(COMMAND / "takt_cli"):  # a template or a schema: affects the tests of its package
            modules.add(".".join(name.relative_to(COMMAND).parts[:2]))
    order = [each for each in (*PACKAGES, "scripts") if each in found]
    return order + list(test_files(root, modules))


if __name__ == "__main__":
    print("\n".join(checks(Path.cwd(), sys.stdin.read().split())))
